// Shells that a finger turns: it goes round a cell on its nodes, the ring follows, and where it is let go it springs to its place.
// Turns that were made otherwise are shown alike. Loaded for boards with nodes. Knows no rules: which plies turn a shell, and
// which way, comes from the service.

import { ask } from "../common/api.js";
import { svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Tell } from "../common/api.js" */
/** @import { Board, Site } from "./board.js" */
/** @import { Drawn, PageElement } from "../common/dom.js" */
/** @import { Choice, PanelView } from "../common/types.js" */

const STARTS = 0.16; // radians; a finger that only taps trembles less than that
const ENOUGH = 0.4; // of a step
const GLIDE_MS = 200;
const PATIENCE_MS = 3000; // until the pieces stand as the ring was turned
const LOOK_MS = 40;
const WHOLE = 2 * Math.PI;

/** @param {string} site */
const cellOf = (site) => site.split(":")[0];
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{ id: number, cell: string, from: number, angle: number, ways: Promise<Choice[]> | null }} Finger */
/** @typedef {{ cell: string, group: Drawn, nodes: number, on: string }} Shown */

export class Ring {
  /** @type {Finger | null} */
  finger = null; // while one goes round
  /** @type {Shown | null} */
  shown = null; // while a ring is drawn turned

  // `plays(choice)` makes a ply that was chosen, and resolves to null where it was refused; `may()` says whether plies can be made.
  /** @param {{ board: Board, table: PageElement, plays: (choice: Choice) => any, may: () => boolean, tell: Tell }} parts */
  constructor({ board, table, plays, may, tell }) {
    this.board = board;
    this.plays = plays;
    this.may = may;
    this.tell = tell;
    /** @type {Map<string, string>} */
    this.before = new Map(); // cell → how its nodes were in the last view
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
    table.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    document.addEventListener("pointermove", (event) => this.#moved(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", (event) => event.isTrusted && this.#up(event, true));
  }

  // Whether a drag that begins at `site` may turn a shell.
  /** @param {string} site */
  turns(site) {
    return this.board.sites.get(site)?.kind === "node" && this.may();
  }

  /** @param {string} cell */
  #nodes(cell) {
    /** @param {string} name */
    const number = (name) => Number(name.split(":")[1]);
    return [...this.board.sites.keys()].filter((name) => name.startsWith(`${cell}:`)).sort((one, other) => number(one) - number(other));
  }

  // ---- the finger ----

  /** @param {PointerEvent} event */
  #down(event) {
    const site = this.board.near(this.board.point(event.clientX, event.clientY));
    if (this.finger || !event.isPrimary || event.button !== 0 || !site || !this.turns(site)) return;
    const cell = cellOf(site);
    this.finger = { id: event.pointerId, cell, from: this.#angle(cell, event), angle: 0, ways: null };
  }

  /** @param {string} cell @param {PointerEvent} event */
  #angle(cell, event) {
    const { x, y } = /** @type {Site} */ (this.board.sites.get(cell));
    const at = this.board.point(event.clientX, event.clientY);
    return Math.atan2(at.y - y, at.x - x);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { finger } = this;
    if (!finger || finger.id !== event.pointerId) return;
    const now = this.#angle(finger.cell, event);
    finger.angle += ((now - finger.from + WHOLE * 1.5) % WHOLE) - WHOLE / 2;
    finger.from = now;
    if (!finger.ways && Math.abs(finger.angle) < STARTS) return;
    finger.ways ??= this.#begin(event, finger.cell);
    const step = WHOLE / Number(this.shown?.nodes);
    this.#rotate(Math.max(-step, Math.min(step, finger.angle)), 0);
  }

  // The hand lets go of what it was about to tap; resolves to the plies that turn this shell.
  /** @param {PointerEvent} event @param {string} cell @returns {Promise<Choice[]>} */
  #begin({ pointerId }, cell) {
    document.dispatchEvent(new PointerEvent("pointercancel", { pointerId }));
    this.#draw(cell);
    return ask(`plies?site=${encodeURIComponent(cell)}`).then((/** @type {Choice[]} */ plies) => plies.filter(({ turn }) => turn), () => []);
  }

  /** @param {PointerEvent} event @param {boolean} [cancelled] */
  async #up(event, cancelled = false) {
    const { finger, shown } = this;
    if (!finger || finger.id !== event.pointerId) return;
    this.finger = null;
    if (!finger.ways || !shown) return;
    const sign = Math.sign(finger.angle);
    const ways = await finger.ways;
    const way = ways.find(({ turn }) => turn === sign);
    const enough = !cancelled && Math.abs(finger.angle) >= (ENOUGH * WHOLE) / shown.nodes;
    if (enough && !way) this.tell(t("This shell cannot be turned that way now."));
    if (!enough || !way || this.shown !== shown) return this.#back(shown);
    this.#rotate((sign * WHOLE) / shown.nodes, GLIDE_MS);
    if (await this.plays(way)) this.#untilThere(shown, sign);
    else this.#back(shown);
  }

  // ---- the drawn ring ----

  // Draws the nodes of `cell` in one group that can be turned; the pieces themselves are not seen meanwhile.
  /** @param {string} cell @returns {Shown} */
  #draw(cell) {
    this.#remove();
    const group = svg("g", { class: "ring-turned" });
    const nodes = this.#nodes(cell);
    for (const { group: token } of this.board.tokens.values()) {
      if (!nodes.includes(token.dataset.on)) continue;
      const copy = /** @type {Drawn} */ (token.cloneNode(true));
      for (const name of ["on", "piece"]) delete copy.dataset[name];
      group.append(copy);
    }
    this.board.layers.air.append(group);
    this.sheet.replaceSync(`#board .token[data-on^="${CSS.escape(cell)}:"] { visibility: hidden; }`);
    const shown = this.shown = { cell, group, nodes: nodes.length, on: this.#standing(cell) };
    this.#rotate(0, 0);
    group.getBoundingClientRect(); // it glides from here
    return shown;
  }

  /** @param {number} angle @param {number} ms */
  #rotate(angle, ms) {
    if (!this.shown) return;
    const { x, y } = /** @type {Site} */ (this.board.sites.get(this.shown.cell));
    const { style } = this.shown.group;
    style.transition = ms && !still() ? `transform ${ms}ms ease-out` : "none";
    style.transform = `translate(${x}px, ${y}px) rotate(${angle}rad) translate(${-x}px, ${-y}px)`;
  }

  /** @param {Shown} shown */
  #back(shown) {
    if (this.shown !== shown) return;
    this.#rotate(0, GLIDE_MS);
    setTimeout(() => this.shown === shown && this.#remove(), still() ? 0 : GLIDE_MS);
  }

  #remove() {
    this.shown?.group.remove();
    this.shown = null;
    this.sheet.replaceSync("");
  }

  // Which nodes of a cell the drawn pieces stand on, as text, a digit each.
  /** @param {string} cell */
  #standing(cell) {
    const on = new Set([...this.board.tokens.values()].map(({ group }) => group.dataset.state !== "ghost" && group.dataset.on));
    return this.#nodes(cell).map((name) => (on.has(name) ? "1" : "0")).join("");
  }

  // Shows the turned ring until the pieces stand so.
  /** @param {Shown} shown @param {number} sign @param {number} [since] */
  #untilThere(shown, sign, since = performance.now()) {
    if (this.shown !== shown) return;
    const age = performance.now() - since;
    if (age > GLIDE_MS && (age > PATIENCE_MS || this.#standing(shown.cell) === turned(shown.on, sign))) return this.#remove();
    setTimeout(() => this.#untilThere(shown, sign, since), LOOK_MS);
  }

  // ---- turns that came otherwise ----

  // Compares `view` with the last one, before it is drawn: where one shell is as that was but turned by a step, it turns.
  /** @param {PanelView} view */
  see({ sites, game }) {
    const before = this.before;
    this.before = new Map([["game", game]]);
    const cells = [...this.board.sites.values()].filter(({ kind }) => kind === "cell");
    for (const { name } of cells) this.before.set(name, this.#nodes(name).map((node) => (sites[node]?.piece ? 1 : 0)).join(""));
    const [cell, another] = [...this.before.keys()].filter((each) => before.get(each) !== this.before.get(each));
    if (!cell || another || this.finger || this.shown?.cell === cell || still()) return;
    const sign = [1, -1].find((each) => turned(before.get(cell) ?? "", each) === this.before.get(cell));
    if (!sign || this.#standing(cell) !== before.get(cell)) return;
    const shown = this.#draw(cell);
    this.#rotate((sign * WHOLE) / shown.nodes, GLIDE_MS);
    this.#untilThere(shown, sign);
  }
}

// What stood on each node, one step on: clockwise, what node j held goes to j + 1.
/** @param {string} on @param {number} sign */
const turned = (on, sign) => (sign > 0 ? on.slice(-1) + on.slice(0, -1) : on.slice(1) + on.slice(0, 1));
