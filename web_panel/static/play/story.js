// What was played since one's own turn, as a story: its words stay until the game goes on, the way of the last move over the board until
// somebody touches that.
// A tap on the words shows it again, step by step, and all of the words. In a puzzle, the way of a wrong move and of the one that wins after it. The way that
// help shows goes before all of that. Knows no rules.

import { choose, chosen } from "../common/device.js";
import { make, styled } from "../common/dom.js";
import { way } from "../board/way.js";
import { playerName, shared } from "./seats.js";
import { t } from "../common/text.js";
import { toldInOne } from "./told_in_one.js";

/** @import { Send } from "../common/api.js" */
/** @import { Board, Put } from "../board/board.js" */
/** @import { EarlierPosition, LastTurn, PanelView, Piece, PlyTold, You } from "../common/types.js" */
/** @import { Scene } from "./scene.js" */

const BEFORE_MS = 400, LANDING_MS = 450, AFTER_MS = 500;
const WAY_MS = 1600; // at most, for all landings of a move
const STORY_MS = 12_000; // about so long at most, however much is shown

/** @type {Story | null} */
let story = null;

// Shows what was played last before `view`, to who did not play it on this phone.
/** @param {{ view: PanelView, you: You | null }} known @param {{ board: Board, scene: Scene, send: Send, beside: HTMLElement }} page */
export function seeLast({ view, you }, page) {
  const played = view.last && view.phase !== "over" ? view.game_id : null; // if it is another one when this phone comes back, it is told
  if (!view.lesson && you?.seats.length && chosen("played", null) !== played) choose("played", played);
  story ??= new Story(page);
  story.see(view, you);
}

// The turns that who is to move on the phone of `you` may have missed: the board played them, people elsewhere, somebody with a phone of their
// own, or who shares this one.
/** @param {PanelView} view @param {You | null} you @returns {LastTurn[]} */
function missed({ last, before, seats, phase }, you) {
  if (!last || ["idle", "setup"].includes(phase)) return [];
  const seat = seats.findIndex((each) => each.to_move), whose = you?.people[seat]?.name;
  const own = (you?.seats ?? []).filter((each) => !shared(you) || !you?.seats.includes(seat) || you.people[each]?.name === whose);
  return [...before, last].filter(({ seat, by_board: board }) => {
    const { level, afar } = seats[seat];
    return board || Boolean(level) || (!own.includes(seat) && (afar || own.length > 0 || seat in (you?.held ?? {})));
  });
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
    /** @type {LastTurn[]} */
    this.turns = []; // those that it tells
    /** @type {PlyTold[]} */
    this.refuted = []; // what was tried in a puzzle, and what wins after it
    this.shows = 0; // grows with each showing, and with what ends one
    this.drawn = false;
    this.led = ""; // the way that help shows, as it was drawn
    this.line = make("button", { type: "button", id: "last-turn", hidden: true, onclick: () => this.again() });
    styled("story.css");
    beside.after(this.line);
    board.root.addEventListener("reframed", () => this.#draw());
    board.root.addEventListener("pointerdown", () => this.#leave());
  }

  /** @param {PanelView} view @param {You | null} you */
  see(view, you) {
    this.view = view;
    const led = (view.help.way ?? []).join(" ");
    if (this.drawn && this.scene.liftedFrom()) this.#leave(); // what is in the hand goes somewhere: nothing lies over that
    if (led !== this.led) this.#draw();
    this.led = led;
    const turns = missed(view, you), refuted = view.lesson?.refuted ?? [];
    const now = turns.length || refuted.length ? JSON.stringify([view.game_id, turns, refuted]) : "";
    if (now === this.now) return;
    this.#leave();
    Object.assign(this, { now, turns, refuted });
    this.line.hidden = !turns.length;
    delete this.line.dataset.whole;
    this.drawn = Boolean(now);
    this.#draw();
    this.line.replaceChildren(...turns.map(({ seat, plies, by_board: board }) => {
      const words = toldInOne(plies), { name, level } = view.seats[seat];
      const person = t("The board");
      const who = board && !level ? t("{person} ({seat})", { person, seat: name }) : playerName(view, you, seat); // somebody plays in its place now
      return make("span", { textContent: t("{who}: {words}", { who, words }) });
    }).reverse()); // the newest first: what a small card cuts off is old
    this.line.title = t("Show it again");
  }

  // Shows the turns from the position before them; whatever is touched, or happens, ends that.
  async again() {
    const { turns } = this, mine = ++this.shows;
    this.line.dataset.whole = "yes";
    import("../common/room.js").then(({ watchRoom }) => (watchRoom(), this.line.scrollIntoView({ block: "nearest" })));
    const steps = turns.flatMap(({ made, plies }, turn) => plies.map((ply, n) => ({ turn, ply, before: made + n })));
    const shown = steps.filter(({ ply }) => ply.way.length || ply.words);
    const part = Math.min(1, STORY_MS / ((BEFORE_MS + LANDING_MS + AFTER_MS) * shown.length));
    /** @type {Map<number, Record<string, Piece>>} */
    const positions = new Map();
    for (const ply of new Set(shown.flatMap(({ before }) => [before, before + 1]))) {
      /** @type {EarlierPosition | null} */
      const position = await this.send(`position?ply=${ply}`);
      if (!position || mine !== this.shows) return this.#leave();
      positions.set(ply, position.pieces);
    }
    this.scene.held = true;
    for (const { turn, ply, before } of shown) {
      const line = this.line.children[turns.length - 1 - turn];
      line.setAttribute("aria-current", "step");
      if (!await this.#step(ply, [positions.get(before) ?? {}, positions.get(before + 1) ?? {}], part, mine)) return;
      line.removeAttribute("aria-current");
    }
    this.#leave();
    this.drawn = true;
    this.#draw();
  }

  // Resolves to whether there is still to be shown what comes after it; `part` is how long it lasts, of the usual times.
  /** @param {PlyTold} ply @param {Record<string, Piece>[]} pieces before it and after it @param {number} part @param {number} mine */
  async #step(ply, [pieces, then], part, mine) {
    this.#draw([ply]);
    this.#put(pieces);
    if (!await this.#waited(BEFORE_MS * part, mine)) return false;
    const [start, ...landings] = pieces[ply.way[0]] ? ply.way : [];
    for (const landing of landings) {
      this.#put(pieces, { [start]: landing });
      if (!await this.#waited(part * Math.min(LANDING_MS, WAY_MS / landings.length), mine)) return false;
    }
    this.#put(then);
    return this.#waited(AFTER_MS * part, mine);
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
    for (const each of this.line.children) each.removeAttribute("aria-current");
    const drawn = this.drawn;
    this.drawn = false;
    if (drawn) this.#draw();
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

  // Draws the ways of `plies`; else that of help, or those of all of the last turn, or of what was tried, and what wins after it.
  /** @param {PlyTold[]} [plies] */
  #draw(plies) {
    const names = this.#names();
    const drawn = (/** @type {string[]} */ labels, /** @type {string} */ kind) => way(labels.map((label) => this.board.sites.get(names.get(label) ?? "")), kind);
    const { about, way: led = [] } = this.view.help;
    if (plies) this.drawn = true;
    else if (led.length) return this.board.mark("ways", drawn(led, about === "move" ? "better" : "played"));
    const shown = plies ?? (this.drawn ? this.turns.at(-1)?.plies ?? this.refuted : []);
    this.board.mark("ways", shown.flatMap((ply) => drawn(ply.way, ply === this.refuted[0] ? "played" : "last")));
  }

  /** @returns {Map<string, string>} */
  #names() {
    return new Map(Object.entries(this.view.sites).map(([name, { label }]) => [label ?? "", name]));
  }
}
