// What a move between two cells costs, on the board: round the touched cell alone, or everywhere as a layer of colours.
// The numbers and their colours are the marks of the view. Knows no rules.

import { ask } from "../common/api.js";
import { button, make, styled, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Board, Point, Site } from "./board.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Facing, Mark } from "../common/types.js" */

const FAR = 0.36; // how large it is written, as a part of a cell's inner radius: between two corners of a side
const NEAR = 0.46; // within a ring of nodes
const PAIR = 0.52;
const UNDER = 0.18; // so far below the middle of a cell in which a store stands: its number is read above it
const PLAIN = "#ffe9c4";

/** @typedef {(label: string) => Site | undefined} At the site of a name */
/** @typedef {Mark & { sites: Site[] }} Placed a mark at sites that the board has */

// Draws the "between" `marks`: those at the site `near`, larger, and with `all` the rest. `at(label)` is a site.
/** @param {Board} board @param {Mark[]} marks @param {At} at @param {string} near @param {boolean} all */
export function drawPrices(board, marks, at, near, all) {
  /** @type {Placed[]} */
  const placed = /** @type {any} */ (marks.map((mark) => ({ ...mark, sites: mark.at.map(at) })).filter(({ sites }) => sites.every(Boolean)));
  const here = placed.filter(({ sites }) => sites.some(({ name }) => name === near));
  const rest = all ? placed.filter((mark) => !here.includes(mark)) : [];
  return [
    ...rest.map(({ sites: [a, b], ...mark }) => badge(board, mark, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, FAR)),
    ...here.map(({ sites: [a, b], ...mark }) => within(board, mark, a.name === near ? b : a, NEAR)),
  ];
}

// A price in the cell `to` which it leads to, where there is nothing else to touch: corners and nodes are round it.
/** @param {Board} board @param {{ text?: string, colour?: string }} mark @param {Site} to @param {number} size */
function within(board, mark, to, size) {
  const stands = [...board.tokens.values()].some(({ group }) => group.dataset.on === to.name);
  const made = badge(board, mark, { x: to.x, y: to.y + (stands ? UNDER * board.inner : 0) }, size);
  made.dataset.in = to.name;
  return made;
}

/** @param {{ inner: number }} board @param {{ text?: string, colour?: string }} mark @param {Point} at @param {number} size */
function badge({ inner }, { text = "", colour }, { x, y }, size) {
  const [high, wide] = [1.3 * size * inner, (0.56 * text.length + 0.15) * size * inner];
  const words = svg("text", { x, y, "font-size": size * inner });
  words.textContent = text;
  return svg("g", { class: "price" }, svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: high / 3, fill: colour || PLAIN }), words);
}

// The lines between the nodes of two cells that face each other, and their price, large; `at(label)` is a site.
/** @param {Board} board @param {Facing} facing @param {At} at */
function drawPair(board, { names: [one, other], pairs, cost }, at) {
  const [a, b] = [/** @type {Site} */ (at(one)), /** @type {Site} */ (at(other))];
  const lines = pairs.flatMap(([i, j, differs], n) => {
    const [from, to] = [at(`${one}:${i}`), at(`${other}:${j}`)];
    return from && to ? [bow(from, to, a, differs, board.inner, Math.min(n, pairs.length - n))] : [];
  });
  return [...lines, within(board, { text: cost }, b, PAIR)];
}

// A line between two nodes, wider the farther they are from the shared side, and away from the cell's middle at `a`.
/** @param {Point} from @param {Point} to @param {Point} a @param {boolean} differs @param {number} inner @param {number} away */
function bow(from, to, a, differs, inner, away) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const side = Math.sign(dx * (from.y - a.y) - dy * (from.x - a.x)) || 1;
  const out = (side * 0.3 * away * inner) / Math.hypot(dx, dy);
  const middle = [(from.x + to.x) / 2 - out * dy, (from.y + to.y) / 2 + out * dx];
  const d = `M${from.x} ${from.y}Q${middle.join(" ")} ${to.x} ${to.y}`;
  return svg("path", { class: differs ? "differs" : "alike", stroke: differs ? "#f0603a" : "#3fae72", d, "stroke-width": 0.11 * inner,
    ...(differs ? { "stroke-dasharray": `0.1 ${0.21 * inner}` } : {}) });
}

// Which cell is touched, or which two, and whether all prices are shown; `redraw()` is called when that changes.
export class Prices {
  /** @param {{ board: Board, table: PageElement, status: PageElement, redraw: () => void }} parts */
  constructor({ board, table, status, redraw }) {
    this.board = board;
    this.redraw = redraw;
    this.touched = "";
    /** @type {Facing | null} */
    this.pair = null;
    this.all = false;
    this.legend = legend();
    this.switch = button("1:2", () => this.#turn(), { id: "heat" });
    this.switch.append(make("small", { textContent: t("All prices") }));
    this.switch.setAttribute("aria-label", t("All prices"));
    this.switch.setAttribute("aria-pressed", false);
    table.append(this.switch);
    status.append(this.legend);
    table.addEventListener("pointerdown", (event) => event.target.closest("#board") && this.#touch(event), { capture: true });
  }

  #forget() {
    [this.touched, this.pair] = ["", null];
  }

  #turn() {
    this.all = !this.all;
    this.switch.setAttribute("aria-pressed", this.all);
    if (this.all) styled("prices.css").then(() => this.legend.scrollIntoView({ block: "nearest" })); // what the colours mean
    this.redraw();
  }

  // A cell, or one of its nodes; touched after its neighbour, it is compared with that.
  /** @param {PointerEvent} event */
  async #touch({ clientX, clientY }) {
    const name = this.board.near(this.board.point(clientX, clientY))?.split(":")[0] ?? "";
    const from = this.lifted || this.touched;
    const fresh = name === from ? "" : name;
    const { position } = this;
    const facing = from && fresh ? await ask(`facing?${new URLSearchParams({ site: from, to: fresh })}`).catch(() => null) : null;
    if (this.position !== position) return; // a move came before the answer
    [this.touched, this.pair] = facing ? [from, facing] : [fresh, null];
    this.redraw();
  }

  // Draws the prices among the view's `marks` as `drawPrices` does, of the store that is `lifted`, else of the cell touched.
  // What was touched is forgotten once the `position` is another.
  /** @param {{ marks: Mark[], position: string, lifted: string, at: At }} shown */
  draw({ marks, position, lifted, at }) {
    const [other, put] = [position !== this.position, this.lifted && !lifted];
    if (other || put) this.#forget();
    this.position = position;
    this.lifted = lifted;
    const some = marks.length > 0;
    this.switch.hidden = !some;
    this.legend.hidden = !some || !this.all;
    this.board.root.classList.toggle("heat", some && this.all);
    if (!some) return [];
    const rest = marks.filter((mark) => !this.pair?.names.every((name) => mark.at.includes(name)));
    return [...drawPrices(this.board, rest, at, lifted || this.touched, this.all), ...(this.pair ? drawPair(this.board, this.pair, at) : [])];
  }
}

function legend() {
  const rows = [["cheap", t("p:m – pay p, then up to m may move")], ["free", t("0:1 – free")], ["closed", t("1:0 – closed")]];
  return make("ul", { id: "price-legend" }, ...rows.map(([className, words]) => make("li", {}, make("i", { className }), words)));
}
