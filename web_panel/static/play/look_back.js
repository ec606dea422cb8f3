// Looking back while a game runs: an earlier position over the board, which goes on beneath. One tap returns to it.

import { backCloses } from "../common/app.js";
import { Board } from "../board/board.js";
import { button, make, setText, svg } from "../common/dom.js";
import { drawMarks, emptyAt, placesAt } from "../board/marks.js";
import { playerName, sideOf } from "./seats.js";
import { t } from "../common/text.js";
import { wholeEnd } from "../common/whole_end.js";

/** @import { Send } from "../common/api.js" */
/** @import { DrawingsOfGame, EarlierPosition, Geometry, PanelView, Piece, You } from "../common/types.js" */
/** @import { Put } from "../board/board.js" */

/** @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
const MARKED = "#6b5a12";

/** @type {LookBack | null} */
let shown = null;

/** @typedef {{ geometry: Geometry, view: PanelView, you: You | null, drawings: DrawingsOfGame | null, turned: number, send: Send }} Shown */

// Shows the position after `ply` moves; `send(path)` resolves to null where it was refused.
/** @param {number} ply @param {Shown} shown */
export async function lookBack(ply, { geometry, view, you, drawings, turned, send }) {
  shown ??= new LookBack();
  await shown.open(ply, { geometry, view, you, drawings, turned, send });
}

// The game has gone on to `view`.
/** @param {PanelView} view */
export function goesOn(view) {
  shown?.goesOn(view);
}

class LookBack {
  constructor() {
    this.dialog = make("dialog", { id: "look-back" });
    this.dialog.setAttribute("aria-label", t("An earlier position"));
    this.root = svg("svg", { class: "earlier", role: "img", "aria-label": t("The position") });
    this.words = make("p");
    this.lines = make("ul");
    this.live = make("small");
    this.words.setAttribute("aria-live", "polite");
    /** @param {string} textContent @param {string} label @param {number} by */
    const step = (textContent, label, by) => {
      const made = button(textContent, () => this.go(this.ply + by));
      made.setAttribute("aria-label", label);
      return made;
    };
    this.back = step("◀", t("One move back"), -1);
    this.next = step("▶", t("One move forward"), 1);
    const leave = button(t("Back to the game"), () => this.dialog.close(), { className: "primary" });
    this.dialog.append(this.root, this.words, this.lines, this.live, make("div", { className: "choices" }, this.back, this.next, leave));
    this.dialog.addEventListener("keydown", (event) => {
      if (!(event.key in KEYS)) return;
      event.preventDefault();
      this.go(this.ply + KEYS[event.key]);
    });
    document.body.append(this.dialog);
    backCloses(this.dialog);
    this.board = new Board(this.root);
    /** @type {PanelView} */
    this.view = /** @type {any} */ (null); // until it is opened
    /** @type {You | null} */
    this.you = null;
    /** @type {Send} */
    this.send = async () => null;
    this.ply = this.seen = 0; // where the last step leads, and what is shown
    /** @type {Map<string, string>} */
    this.names = new Map();
    this.asked = 0;
  }

  /** @param {number} ply @param {Shown} shown */
  async open(ply, { geometry, view, you, drawings, turned, send }) {
    this.view = view;
    this.you = you;
    this.send = send;
    this.ply = this.seen = 0;
    this.board.drawings = drawings;
    this.board.turned = turned;
    this.board.signs = view.signs;
    this.board.draw(geometry);
    const labelled = Object.entries(view.sites).filter(([, { label }]) => label);
    this.names = new Map(labelled.map(([name, { label }]) => [label ?? "", name]));
    this.board.label(labelled.map(([name, { label }]) => [label ?? "", name]));
    this.board.crop(labelled.map(([name]) => name).join(" "));
    this.goesOn(view);
    if (await this.go(ply) && !this.dialog.open) this.dialog.showModal();
  }

  // Counts from where the last step leads, which may not be shown yet: quick steps are as many as were pressed.
  /** @param {number} wanted */
  async go(wanted) {
    this.ply = Math.max(0, Math.min(wanted, this.view.plies.length));
    const asked = ++this.asked;
    /** @type {EarlierPosition | null} */
    const found = await this.send(`position?ply=${this.ply}`);
    if (asked !== this.asked) return false; // a later step has overtaken it
    if (!found) return (this.ply = this.seen, false);
    this.#show(found);
    return true;
  }

  /** @param {EarlierPosition} position */
  #show({ ply, pieces, marks, places, changed, seat, words, lines }) {
    const { board, names, view } = this;
    this.seen = ply;
    const lit = new Set(changed.map((label) => names.get(label)));
    /** @param {Piece} piece */
    const named = ({ seat: whose, kind }) => [sideOf(view.seats, whose), view.kinds[kind] ?? kind].filter(Boolean).join(" ");
    const on = new Map(Object.entries(pieces).map(([label, piece]) => [names.get(label), piece]));
    board.show((name) => ({
      light: lit.has(name) ? MARKED : "#000000", blink: false, sensed: false, outside: false,
      name: [view.sites[name]?.label || name, on.has(name) ? named(/** @type {Piece} */ (on.get(name))) : emptyAt(name), ...placesAt(places, view.sites[name]?.label)].join(", "),
    }), "img");
    board.put(/** @type {Put[]} */ ([...on].filter(([name]) => name).map(([name, piece]) => ({ id: name, piece, site: name, state: "set" }))));
    drawMarks(board, { marks, places }, (label) => board.sites.get(names.get(label) ?? ""));
    setText(this.words, ply
      ? t("Move {ply} of {count}, {name}: {words}", { ply, count: view.plies.length, name: playerName(view, this.you, seat ?? 0), words })
      : t("The start. Moves that follow: {count}.", { count: view.plies.length }));
    this.lines.replaceChildren(...lines.map((textContent) => make("li", { textContent })));
    this.back.disabled = ply === 0;
    this.next.disabled = ply === view.plies.length;
  }

  // Another game, or a move taken back that is looked at, ends the looking back.
  /** @param {PanelView} view */
  goesOn(view) {
    const other = view.game_id !== this.view.game_id || view.board !== this.view.board || (this.dialog.open && view.plies.length < this.ply);
    this.view = view;
    setText(this.live, t("The game: {sentence}", { sentence: wholeEnd(view) }));
    this.next.disabled = this.ply === view.plies.length;
    if (other && this.dialog.open) this.dialog.close();
  }
}
