// Boards that are closed or rolled up are drawn unfolded: sides that are one have the same colour and letter, and where a
// cell is touched, or reached by keyboard, the cells beyond its joined sides are marked. A vertex on such sides is one that is
// drawn at several corners. Knows no rules.

import { styled, svg } from "../common/dom.js";

/** @import { Board, Point, Site } from "./board.js" */
/** @import { Drawn } from "../common/dom.js" */

const HUE_STEP = 137.5; // degrees: neighbours in the list look unlike each other
/** @param {number} n */
const letter = (n) => String.fromCharCode(65 + (n % 26)) + (n < 26 ? "" : Math.floor(n / 26));

/** @typedef {{ cell: string, other: string, x: number, y: number, pair: number, both: Drawn }} Side a joined side of a cell */

export class Seams {
  /** @param {Board} board */
  constructor(board) {
    styled("seams.css");
    this.board = board;
    /** @type {Side[]} */
    this.sides = []; // { cell, other, x, y, pair, both }
    /** @type {Drawn | null} */
    this.layer = null;
    this.echoes = svg("g", { class: "echoes", "aria-hidden": "true" }); // of tokens
    const { root } = board;
    root.addEventListener("put", () => this.#echo());
    root.addEventListener("reframed", () => this.#draw());
    for (const kind of ["pointerdown", "pointermove"]) {
      root.addEventListener(kind, (event) => this.sides.length && this.#mark(board.point(event.clientX, event.clientY)));
    }
    root.addEventListener("pointerleave", () => this.#show([]));
    const around = /** @type {import("../common/dom.js").PageElement} */ (root.parentElement); // a drawing that listens for the focus itself would be a stop of the Tab key
    around.addEventListener("focusin", ({ target }) => this.#show(this.#of(target.dataset?.site)));
    around.addEventListener("focusout", () => this.#show([]));
    this.#draw();
  }

  #draw() {
    const { board } = this;
    this.layer?.remove();
    const layer = this.layer = svg("g", { class: "seams", "aria-hidden": "true" });
    this.sides = [];
    for (const [n, [a, k, b, j]] of (board.geometry.joined ?? []).entries()) {
      const colour = `hsl(${Math.round(n * HUE_STEP) % 360} 75% 62%)`;
      for (const [cell, side, other] of /** @type {[string, number, string][]} */ ([[a, k, b], [b, j, a]])) {
        const site = /** @type {Site} */ (board.sites.get(cell));
        if (site.hidden) continue;
        const ends = [site.outline[side], site.outline[(side + 1) % site.outline.length]];
        const [x, y] = [0, 1].map((axis) => (ends[0][axis] + ends[1][axis]) / 2);
        const out = 0.2 * board.inner / Math.hypot(x - site.x, y - site.y);
        const line = svg("line", { x1: ends[0][0], y1: ends[0][1], x2: ends[1][0], y2: ends[1][1], stroke: colour, "stroke-width": 0.09 * board.inner });
        const text = svg("text", { x: x + out * (x - site.x), y: y + out * (y - site.y), fill: colour, "font-size": 0.3 * board.inner });
        text.textContent = letter(n);
        const both = svg("g", { class: "seam" }, line, text);
        layer.append(both);
        this.sides.push({ cell, other, x, y, pair: n, both });
      }
    }
    if (this.sides.length) board.layers.under.before(layer);
    board.corners = cornersOf(board);
    for (const [site, others] of board.corners) layer.append(...others.map((at) => again(site.group, `site-${site.name}`, at, site)));
    board.layers.tokens.after(this.echoes);
    this.#echo();
  }

  // Shows the tokens on vertices at all their corners.
  #echo() {
    this.echoes.replaceChildren(...[...this.board.tokens].flatMap(([id, { group }]) => {
      const site = this.board.sites.get(group.dataset.on ?? "");
      return site ? (this.board.corners.get(site) ?? []).map((at) => again(group, `token-${id}`, at, site)) : [];
    }));
  }

  /** @param {string} cell */
  #of(cell) {
    return this.sides.filter((side) => side.cell === cell);
  }

  // The side nearest to the finger where it is close to one, else all joined sides of the cell.
  /** @param {Point} at */
  #mark(at) {
    const name = this.board.near(at) ?? "";
    const sides = this.#of(name.split(/[:.]/)[0]);
    /** @param {Side} side */
    const away = (side) => Math.hypot(side.x - at.x, side.y - at.y);
    const [nearest] = [...sides].sort((one, other) => away(one) - away(other));
    this.#show(nearest && away(nearest) < 0.6 * this.board.inner ? [nearest] : sides);
  }

  /** @param {Side[]} sides */
  #show(sides) {
    const [pairs, cells] = [new Set(sides.map(({ pair }) => pair)), new Set(sides.map(({ other }) => other))];
    for (const side of this.sides) side.both.classList.toggle("shown", pairs.has(side.pair));
    for (const { cell } of this.sides) this.board.sites.get(cell)?.group.classList.toggle("across", cells.has(cell));
  }
}

// What `drawn` shows, once more, as far from it as `to` is from `from`; it follows whatever becomes of the first.
/** @param {Drawn} drawn @param {string} id @param {Point} to @param {Point} from */
function again(drawn, id, to, from) {
  drawn.id = id;
  return svg("use", { href: `#${id}`, x: to.x - from.x, y: to.y - from.y });
}

// For each vertex on joined sides the other corners of shown cells that are the same one.
/** @param {Board} board @returns {Map<Site, Point[]>} */
function cornersOf({ geometry, sites, inner }) {
  /** @type {Point[][]} */
  const same = []; // corners that joined sides make one
  /** @type {(one: Point, other: Point) => boolean} */
  const near = (one, other) => Math.hypot(one.x - other.x, one.y - other.y) < 0.1 * inner;
  /** @type {(one: Point, other: Point) => void} */
  const join = (one, other) => {
    const met = same.filter((group) => group.some((at) => near(at, one) || near(at, other)));
    for (const group of met) same.splice(same.indexOf(group), 1);
    same.push([...met.flat(), ...[one, other].filter((at) => !met.flat().some((known) => near(known, at)))]);
  };
  /** @type {(name: string, side: number) => Point} */
  const corner = (name, side) => {
    const { outline } = /** @type {Site} */ (sites.get(name)), [x, y] = outline[side % outline.length];
    return { x, y };
  };
  for (const [a, k, b, j] of geometry.joined ?? []) {
    join(corner(a, k), corner(b, j + 1));
    join(corner(a, k + 1), corner(b, j));
  }
  const vertices = [...sites.values()].filter(({ kind, hidden }) => kind === "vertex" && !hidden);
  return new Map(vertices.map((site) => [site, (same.find((group) => group.some((at) => near(at, site))) ?? []).filter((at) => !near(at, site))]));
}
