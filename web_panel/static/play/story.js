// What was played last, as a story: its words stay until the game goes on, its way over the board until somebody touches that.
// A tap on the words shows it again, step by step. Knows no rules.

import { make, setText, styled } from "../common/dom.js";
import { way } from "../board/way.js";
import { playerName } from "./seats.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { Board, Put } from "../board/board.js" */
/** @import { EarlierPosition, LastTurn, PanelView, Piece, You } from "../common/types.js" */
/** @import { Scene } from "./scene.js" */

const BEFORE_MS = 400, LANDING_MS = 450, AFTER_MS = 500;
const WAY_MS = 1600; // at most, for all landings of a move

/** @type {Story | null} */
let story = null;

// Shows what was played last before `view`, to who did not play it on this phone.
/** @param {{ view: PanelView, you: You | null }} known @param {{ board: Board, scene: Scene, send: Send, beside: HTMLElement }} page */
export function seeLast({ view, you }, page) {
  story ??= new Story(page);
  story.see(view, you);
}

// Whether the phone of `you` may have missed it: the board played it, people elsewhere, or somebody with a phone of their own.
/** @param {PanelView} view @param {You | null} you */
function missed({ last, seats, phase }, you) {
  if (!last || ["idle", "setup"].includes(phase)) return false;
  const { level, afar } = seats[last.seat];
  const own = you?.seats ?? [];
  return Boolean(level) || (afar ? !own.includes(last.seat) : own.length > 0 && !own.includes(last.seat));
}

class Story {
  /** @param {{ board: Board, scene: Scene, send: Send, beside: HTMLElement }} page */
  constructor({ board, scene, send, beside }) {
    this.board = board;
    this.scene = scene;
    this.send = send;
    /** @type {PanelView} */
    this.view = /** @type {any} */ (null); // until it is seen
    this.now = "";
    this.shows = 0; // grows with each showing, and with what ends one
    this.drawn = false;
    this.line = make("button", { type: "button", id: "last-turn", hidden: true, onclick: () => this.again() });
    styled("story.css");
    beside.after(this.line);
    board.root.addEventListener("reframed", () => this.#draw());
    board.root.addEventListener("pointerdown", () => this.#leave());
  }

  /** @param {PanelView} view @param {You | null} you */
  see(view, you) {
    this.view = view;
    const told = missed(view, you) ? /** @type {LastTurn} */ (view.last) : null;
    const now = told ? JSON.stringify([view.game_id, told]) : "";
    if (now === this.now) return;
    this.#leave();
    this.now = now;
    this.line.hidden = !told;
    this.drawn = Boolean(told);
    this.#draw();
    if (!told) return;
    const words = told.plies.map((ply) => ply.words).filter(Boolean).join("; ");
    const who = view.seats[told.seat].level ? t("The board") : playerName(view, you, told.seat);
    setText(this.line, t("{who}: {words}", { who, words }));
    this.line.title = t("Show it again");
  }

  // Shows the turn from the position before it; whatever is touched, or happens, ends that.
  async again() {
    const { last } = this.view;
    if (!last) return;
    const mine = ++this.shows;
    const positions = [];
    for (let n = 0; n <= last.plies.length; n += 1) {
      /** @type {EarlierPosition | null} */
      const position = await this.send(`position?ply=${last.made + n}`);
      if (!position || mine !== this.shows) return this.#leave();
      positions.push(position.pieces);
    }
    this.scene.held = true;
    for (const [n, { way: sites }] of last.plies.entries()) {
      this.#draw(n);
      this.#put(positions[n]);
      if (!await this.#waited(BEFORE_MS, mine)) return;
      const [start, ...landings] = positions[n][sites[0]] ? sites : [];
      for (const landing of landings) {
        this.#put(positions[n], { [start]: landing });
        if (!await this.#waited(Math.min(LANDING_MS, WAY_MS / landings.length), mine)) return;
      }
      this.#put(positions[n + 1]);
      if (!await this.#waited(AFTER_MS, mine)) return;
    }
    this.#leave();
    this.drawn = true;
    this.#draw();
  }

  // Resolves to whether it is still to be shown after that time.
  /** @param {number} ms @param {number} mine */
  async #waited(ms, mine) {
    await new Promise((done) => setTimeout(done, ms));
    return mine === this.shows;
  }

  // Ends the showing, and takes the way off the board.
  #leave() {
    this.shows += 1;
    if (this.drawn) this.board.mark("ways", []);
    this.drawn = false;
    if (!this.scene.held) return;
    this.scene.held = false;
    this.scene.showTokens();
  }

  // Puts pieces by the game's names of sites, those that `moved` elsewhere.
  /** @param {Record<string, Piece>} pieces @param {Record<string, string>} [moved] */
  #put(pieces, moved = {}) {
    const names = this.#names();
    this.board.put(/** @type {Put[]} */ (Object.entries(pieces).map(([label, piece]) => ({ id: `story ${label}`, piece, site: names.get(moved[label] ?? label), state: moved[label] ? "lifted" : "set" }))));
  }

  // Draws the way of one ply of the turn, else of all.
  /** @param {number} [only] */
  #draw(only) {
    const { last } = this.view;
    if (only !== undefined) this.drawn = true;
    if (!this.drawn || !last) return;
    const names = this.#names();
    const plies = last.plies.filter((_, n) => only === undefined || n === only);
    this.board.mark("ways", plies.flatMap((ply) => way(ply.way.map((label) => this.board.sites.get(names.get(label) ?? "")), "last")));
  }

  /** @returns {Map<string, string>} */
  #names() {
    return new Map(Object.entries(this.view.sites).map(([name, { label }]) => [label ?? "", name]));
  }
}
