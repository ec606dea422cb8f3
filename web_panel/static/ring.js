// Shells that a finger turns: it goes round a cell on its nodes, the ring follows, and where it is let go it springs to its place.
// Turns that were made otherwise are shown alike. Loaded for boards with nodes. Knows no rules: which plies turn a shell, and
// which way, comes from the service.

import { ask } from "./api.js";
import { svg } from "./dom.js";
import { t } from "./text.js";

const STARTS = 0.16; // radians; a finger that only taps trembles less than that
const ENOUGH = 0.4; // of a step
const GLIDE_MS = 200;
const PATIENCE_MS = 3000; // until the pieces stand as the ring was turned
const LOOK_MS = 40;
const WHOLE = 2 * Math.PI;

const cellOf = (site) => site.split(":")[0];
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Ring {
  // `plays(choice)` makes a ply that was chosen, and resolves to null where it was refused; `may()` says whether plies can be made.
  constructor({ board, table, plays, may, tell }) {
    Object.assign(this, { board, plays, may, tell });
    this.finger = null; // { id, cell, from, angle, ways } while one goes round
    this.shown = null; // { cell, group, step, nodes } while a ring is drawn turned
    this.before = new Map(); // cell → how its nodes were in the last view
    this.sheet = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.sheet];
    table.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    document.addEventListener("pointermove", (event) => this.#moved(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", (event) => event.isTrusted && this.#up(event, true));
  }

  // Whether a drag that begins at `site` may turn a shell.
  turns(site) {
    return this.board.sites.get(site)?.kind === "node" && this.may();
  }

  #nodes(cell) {
    const number = (name) => Number(name.split(":")[1]);
    return [...this.board.sites.keys()].filter((name) => name.startsWith(`${cell}:`)).sort((one, other) => number(one) - number(other));
  }

  // ---- the finger ----

  #down(event) {
    const site = this.board.near(this.board.point(event.clientX, event.clientY));
    if (this.finger || !event.isPrimary || event.button !== 0 || !site || !this.turns(site)) return;
    const cell = cellOf(site);
    this.finger = { id: event.pointerId, cell, from: this.#angle(cell, event), angle: 0, ways: null };
  }

  #angle(cell, event) {
    const { x, y } = this.board.sites.get(cell);
    const at = this.board.point(event.clientX, event.clientY);
    return Math.atan2(at.y - y, at.x - x);
  }

  #moved(event) {
    const { finger } = this;
    if (finger?.id !== event.pointerId) return;
    const now = this.#angle(finger.cell, event);
    finger.angle += ((now - finger.from + WHOLE * 1.5) % WHOLE) - WHOLE / 2;
    finger.from = now;
    if (!finger.ways && Math.abs(finger.angle) < STARTS) return;
    finger.ways ??= this.#begin(event);
    const step = WHOLE / this.shown.nodes;
    this.#rotate(Math.max(-step, Math.min(step, finger.angle)), 0);
  }

  // The hand lets go of what it was about to tap; resolves to the plies that turn this shell.
  #begin({ pointerId }) {
    document.dispatchEvent(new PointerEvent("pointercancel", { pointerId, bubbles: true }));
    this.#draw(this.finger.cell);
    return ask(`plies?site=${encodeURIComponent(this.finger.cell)}`).then((plies) => plies.filter(({ turn }) => turn), () => []);
  }

  async #up(event, cancelled = false) {
    const { finger, shown } = this;
    if (finger?.id !== event.pointerId) return;
    this.finger = null;
    if (!finger.ways) return;
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
  #draw(cell) {
    this.#remove();
    const group = svg("g", { class: "ring-turned" });
    const nodes = this.#nodes(cell);
    for (const { group: token } of this.board.tokens.values()) {
      if (!nodes.includes(token.dataset.on)) continue;
      const copy = token.cloneNode(true);
      for (const name of ["on", "piece"]) delete copy.dataset[name];
      group.append(copy);
    }
    this.board.layers.air.append(group);
    this.sheet.replaceSync(`#board .token[data-on^="${CSS.escape(cell)}:"] { visibility: hidden; }`);
    this.shown = { cell, group, nodes: nodes.length, on: this.#standing(cell) };
    this.#rotate(0, 0);
    group.getBoundingClientRect(); // it glides from here
    return this.shown;
  }

  #rotate(angle, ms) {
    const { x, y } = this.board.sites.get(this.shown.cell);
    const { style } = this.shown.group;
    style.transition = ms && !still() ? `transform ${ms}ms ease-out` : "none";
    style.transform = `translate(${x}px, ${y}px) rotate(${angle}rad) translate(${-x}px, ${-y}px)`;
  }

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
  #standing(cell) {
    const on = new Set([...this.board.tokens.values()].map(({ group }) => group.dataset.state !== "ghost" && group.dataset.on));
    return this.#nodes(cell).map((name) => (on.has(name) ? "1" : "0")).join("");
  }

  // Shows the turned ring until the pieces stand so.
  #untilThere(shown, sign, since = performance.now()) {
    if (this.shown !== shown) return;
    const age = performance.now() - since;
    if (age > GLIDE_MS && (age > PATIENCE_MS || this.#standing(shown.cell) === turned(shown.on, sign))) return this.#remove();
    setTimeout(() => this.#untilThere(shown, sign, since), LOOK_MS);
  }

  // ---- turns that came otherwise ----

  // Compares `view` with the last one, before it is drawn: where one shell is as that was but turned by a step, it turns.
  see({ sites, game }) {
    const before = this.before;
    this.before = new Map([["game", game]]);
    const cells = [...this.board.sites.values()].filter(({ kind }) => kind === "cell");
    for (const { name } of cells) this.before.set(name, this.#nodes(name).map((node) => (sites[node]?.piece ? 1 : 0)).join(""));
    const [cell, another] = [...this.before.keys()].filter((each) => before.get(each) !== this.before.get(each));
    if (!cell || another || cell === "game" || this.finger || this.shown?.cell === cell || still()) return;
    const sign = [1, -1].find((each) => turned(before.get(cell) ?? "", each) === this.before.get(cell));
    if (!sign || this.#standing(cell) !== before.get(cell)) return;
    const shown = this.#draw(cell);
    this.#rotate((sign * WHOLE) / shown.nodes, GLIDE_MS);
    this.#untilThere(shown, sign);
  }
}

// What stood on each node, one step on: clockwise, what node j held goes to j + 1.
const turned = (on, sign) => (sign > 0 ? on.slice(-1) + on.slice(0, -1) : on.slice(1) + on.slice(0, 1));
