// Who stood better after each move of a finished game: a curve, its turning points, and the better move at each.
// Knows no rules: chances, sentences and the ways of pieces come from the service.

import { ask, messageOf } from "../common/api.js";
import { SEATS, colourOf, mark } from "../board/board.js";
import { make, svg } from "../common/dom.js";
import { t } from "../common/text.js";
import { way } from "../board/way.js";

/** @import { Site } from "../board/board.js" */
/** @import { Drawn, PageElement } from "../common/dom.js" */
/** @import { Analysed, DrawingsOfGame, GamePlayed, TurningPoint } from "../common/types.js" */

const WIDE = 640, HIGH = 170, EDGE = 14; // of the picture, in its own units
const AGAIN_MS = 1000;
/** @param {number} chance */
const percent = (chance) => Math.round(100 * chance);

/** @typedef {Analysed | { state: "refused", sentence: string }} Found */
/** @typedef {Required<Analysed>} Done what there is once it is done */

export class Analysis {
  // Shows itself in `box`; `leap(ply)` goes to a position, `drawings` are those of the game's pieces.
  /** @param {PageElement} box @param {(ply: number) => void} leap @param {DrawingsOfGame | null} drawings */
  constructor(box, leap, drawings) {
    this.box = box;
    this.leap = leap;
    this.drawings = drawings;
    /** @type {GamePlayed} */
    this.game = /** @type {any} */ (null); // until it is shown
    /** @type {Done} */
    this.found = /** @type {any} */ (null); // until it is there
    /** @type {(() => void) | null} */
    this.drawn = null;
    /** @type {Drawn | null} */
    this.cursor = null;
    this.ply = 0;
    this.timer = 0;
  }

  // Shows what is known of `game`, and goes on asking while somebody works at it.
  /** @param {GamePlayed} game */
  async show(game) {
    clearTimeout(this.timer);
    this.game = game;
    this.found = /** @type {any} */ (null);
    this.box.replaceChildren();
    await this.#ask();
  }

  /** @param {object} [options] */
  async #ask(options) {
    const { id } = this.game;
    /** @type {any} */
    let found;
    try {
      found = await ask(`history/${id}/analysis`, options);
    } catch (error) {
      found = { state: "refused", sentence: messageOf(error) };
    }
    if (id !== this.game.id) return;
    this.found = found;
    if (found.state === "waits" || found.state === "runs") this.timer = setTimeout(() => this.#ask(), AGAIN_MS);
    this.#draw();
  }

  #draw() {
    const { state, sentence, done, of } = this.found;
    const analyse = () => make("button", { type: "button", textContent: t("Analyse this game"), onclick: () => this.#ask({}) });
    /** @param {string} textContent */
    const note = (textContent) => make("p", { className: "note", textContent });
    /** @type {Record<string, () => Node[]>} */
    const shown = {
      none: () => [analyse()],
      refused: () => [note(sentence)],
      failed: () => [note(sentence), analyse()],
      waits: () => [note(t("The analysis waits until the board has time for it."))],
      runs: () => [note(t("Analysing: {done} of {of} positions.", { done, of }))],
      done: () => [this.#curve(), ...this.#told()],
    };
    this.box.replaceChildren(make("h3", { textContent: t("Who stood better") }), ...shown[state]());
    this.at(this.ply);
    this.drawn?.();
  }

  /** @param {number} ply */
  #x(ply) {
    return EDGE + (ply / Math.max(1, this.found.chances.length - 1)) * (WIDE - 2 * EDGE);
  }

  /** @param {number} chance */
  #y(chance) {
    return EDGE + (1 - chance) * (HIGH - 2 * EDGE);
  }

  #curve() {
    const { chances, seats, turns } = this.found;
    /** @param {number} seat */
    const points = (seat) => chances.map((each, ply) => `${this.#x(ply).toFixed(1)},${this.#y(each[seat]).toFixed(1)}`).join(" ");
    const told = seats.map((name, seat) => t("{name}: {first}% at the start, {last}% at the end", { name, first: percent(chances[0][seat]), last: percent(chances[chances.length - 1][seat]) })).join("; ");
    const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, class: seats.length === 2 ? "curve" : "curve many", role: "group", "aria-label": t("Chance of winning after each move. {told}.", { told }) });
    picture.append(svg("rect", { class: "field", x: EDGE, y: EDGE, width: WIDE - 2 * EDGE, height: HIGH - 2 * EDGE }));
    const even = this.#y(seats.length === 2 ? 0.5 : 1 / seats.length);
    picture.append(svg("line", { class: "even", x1: EDGE, x2: WIDE - EDGE, y1: even, y2: even }));
    if (seats.length === 2) {
      picture.append(svg("polygon", { class: "share", points: `${this.#x(0)},${this.#y(0)} ${points(0)} ${this.#x(chances.length - 1)},${this.#y(0)}` }));
      picture.append(svg("polyline", { class: "chance", points: points(0) }));
    } else {
      for (const seat of seats.keys()) picture.append(svg("polyline", { class: "chance", points: points(seat), stroke: SEATS[colourOf(seat, this.drawings) ?? -1]?.flat ?? "currentColor" }));
    }
    const cursor = this.cursor = svg("line", { class: "cursor", y1: EDGE / 2, y2: HIGH - EDGE / 2 });
    picture.append(cursor, ...turns.map((turn) => this.#point(turn)));
    picture.onclick = (event) => {
      const { left, width } = picture.getBoundingClientRect();
      const part = (((event.clientX - left) / width) * WIDE - EDGE) / (WIDE - 2 * EDGE);
      this.leap(Math.round(part * (chances.length - 1)));
    };
    const changed = this.game.plies.some(({ seat, colour }) => seat !== colour); // then no colour stands for a player
    const names = seats.map((name, seat) => make("span", {}, ...(changed ? [] : [mark(seat, this.drawings)]), ` ${name}`));
    const legend = seats.length === 2
      ? [make("small", { className: "curve-name" }, names[0], " ↑"), picture, make("small", { className: "curve-name" }, names[1], " ↓")]
      : [make("small", { className: "curve-name" }, ...names), picture];
    return make("div", { className: "analysis-curve" }, ...legend);
  }

  /** @param {TurningPoint} turn */
  #point(turn) {
    const shown = this.found.seats.length === 2 ? 0 : turn.seat;
    const [cx, cy] = [this.#x(turn.ply), this.#y(this.found.chances[turn.ply][shown])];
    const point = svg("g", { class: "turn", role: "button", tabindex: 0, "aria-label": turn.sentence },
      svg("circle", { class: "reach", cx, cy, r: 26 }), svg("circle", { class: "dot", cx, cy, r: 8 }));
    /** @param {Event} event */
    const go = (event) => {
      event.stopPropagation();
      event.preventDefault();
      this.#show(turn);
    };
    point.addEventListener("click", go);
    point.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => (event.key === "Enter" || event.key === " ") && go(event));
    return point;
  }

  // Shows the position before a turning point; on a phone the board is above the screen by then.
  /** @param {TurningPoint} turn */
  #show({ ply }) {
    this.leap(ply - 1);
    document.querySelector("#board")?.scrollIntoView({ block: "nearest" });
  }

  #told() {
    const { turns, sentence, calm } = this.found;
    const early = [...(sentence ? [make("p", { textContent: sentence })] : []), ...(calm ? [make("p", { className: "note", textContent: calm })] : [])];
    if (!turns.length) return early;
    const rows = turns.map((turn) => {
      const show = make("button", { type: "button", textContent: t("Show it"), onclick: () => this.#show(turn) });
      show.setAttribute("aria-label", t("Show it: {sentence}", turn));
      return make("li", {}, make("span", { textContent: turn.sentence }), show);
    });
    const note = t("You see the position before the move: green is the better move, red the one that was played. Play on from there if you like.");
    return [...early, make("ol", { className: "turning" }, ...rows), make("p", { className: "note", textContent: note })];
  }

  // Marks the position after `ply` moves in the curve and in the list.
  /** @param {number} ply */
  at(ply) {
    this.ply = ply;
    if (this.found?.state !== "done") return;
    for (const end of ["x1", "x2"]) this.cursor?.setAttribute(end, this.#x(ply).toFixed(1));
    for (const [n, row] of [...this.box.querySelectorAll(".turning li")].entries()) {
      if (this.found.turns[n].ply === ply + 1) row.setAttribute("aria-current", "step");
      else row.removeAttribute("aria-current");
    }
  }

  // The ways of the move that was played after `ply` moves and of the better one, to be drawn over the board.
  /** @param {number} ply @param {(label: string) => Site | undefined} at */
  ways(ply, at) {
    const turn = this.found?.turns?.find((each) => each.ply === ply + 1);
    return turn ? [...way(turn.played.map(at), "played"), ...way(turn.better.map(at), "better")] : [];
  }
}
