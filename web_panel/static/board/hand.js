// The hands of a simulated board: what is where, picking up, putting down, the tray. Knows no rules.
// What was done here is shown at once and sent in order; the service's word replaces it. Where the service finishes moves,
// a tap is sent as it is and the service says what became of it; else every lift and placing is made here.

import { make, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Board, Put, Site } from "./board.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { OwnHands } from "./own_hands.js" */
/** @import { Choice, Piece, Pieces, Tapped, Token } from "../common/types.js" */

const HELD = "(held)";
const OFF = "(off)";
const DRAG_PX = 6; // a finger trembles less than that
const HOLD_MS = 450; // a longer press without a move is a lift and a return
const MOST_AHEAD = 6; // touches that wait for the board: whoever is further ahead of it no longer means what is seen
const AWAY_MS = 300; // no hand fills a site again faster: the table would ask whether the same piece came back

/**
 * What a hand needs of the page: see its constructor.
 * @typedef {object} Tools
 * @property {Board} board
 * @property {PageElement} tray
 * @property {(path: string, body: object) => Promise<Tapped | null>} post
 * @property {() => void} changed
 * @property {() => void} moved
 * @property {(event: PointerEvent) => boolean} sliding
 * @property {() => boolean} asks
 * @property {(site: string) => void} ask
 * @property {(site: string, choices: Choice[], pick: (ply: string) => void) => void} choose
 * @property {() => boolean} watches
 * @property {(site: string) => boolean} [turns]
 * @property {OwnHands} own
 */
/** @typedef {{ piece: Piece & Pick<Token, "id" | "from">, where: string }} Entry */
/**
 * A finger that is down: the piece under it, the site where it came down, whether it has lifted that piece, and where it slides now.
 * @typedef {{ id?: any, site: any, fresh: boolean, other?: boolean, x: number, y: number, since: number, moved: boolean, scale: number, on?: string | null }} Press
 */

/** @param {Token} piece @param {string} where @returns {[string, Entry]} */
const entry = (piece, where) => [piece.id, { piece: { seat: null, ...piece }, where }];

export class Hand {
  // `post(path, body)` resolves to the answer, or to null after the person was shown why not. `changed()` is called when
  // pieces are elsewhere, `moved()` when only fingers are; `sliding(event)` says whether a drag stays on the board.
  // `ask(site)` asks what can be played at a site: where nothing can be lifted or put down, or while `asks()`.
  // `choose(site, choices, pick)` lets a person choose among plies. While `watches()`, no piece is moved. `turns(site)`: a drag from
  // there turns something instead. `own` are the `OwnHands`: a tap on a piece that is not theirs is a look.
  /** @param {Tools} tools */
  constructor({ board, tray, post, changed, moved, sliding, asks, ask, choose, watches, turns = () => false, own }) {
    this.board = board;
    this.tray = tray;
    this.post = post;
    this.changed = changed;
    this.moved = moved;
    this.sliding = sliding;
    this.asks = asks;
    this.ask = ask;
    this.choose = choose;
    this.watches = watches;
    this.turns = turns;
    this.own = own;
    this.finishes = false; // whether the service makes a whole move of a tap
    this.canFinish = false; // whether it could
    this.unfinished = false; // whether only captured pieces are left to take off
    /** @type {Map<string, Entry>} */
    this.base = new Map(); // id → { piece, where }, as the service has it
    /** @type {Map<string, Entry>} */
    this.pending = new Map(); // id → { piece, where }, sent but not yet answered
    /** @type {Map<any, any>} */
    this.lifted = new Map(); // id → the site it was lifted from here, latest last
    /** @type {Map<number, Press>} */
    this.presses = new Map(); // pointer → { id, site, x, y, moved, since, on }
    /** @type {Map<string, number>} */
    this.emptied = new Map(); // site → when its piece was lifted here
    /** @type {string | null} */
    this.selected = null;
    /** @type {Promise<any>} */
    this.queue = Promise.resolve();
    this.moves = 0; // how many the service had made when it last told where its pieces are
    this.ahead = 0; // touches in the queue
    this.#listen();
  }

  /** @param {Pieces} pieces */
  receive({ on, held, off, finishes, unfinished = false, moves = 0 }) {
    if (moves < this.moves) return this.changed(); // an answer that was overtaken by the stream
    this.moves = moves;
    Object.assign(this, { finishes: Boolean(finishes), canFinish: finishes !== undefined, unfinished });
    this.base = new Map([
      ...Object.entries(on).map(([site, piece]) => entry(piece, site)), ...held.map((piece) => entry(piece, HELD)),
      ...off.map((piece) => entry(piece, OFF)),
    ]);
    for (const id of this.lifted.keys()) if (!this.base.has(id)) this.lifted.delete(id);
    if (finishes) { // after a reload, too; what is being lifted here was told by nobody yet
      const lifting = [...this.lifted].filter(([id]) => this.pending.get(id)?.where === HELD);
      this.lifted = new Map([...held.map((piece) => /** @type {[any, any]} */ ([piece.id, piece.from])), ...lifting]);
    }
    if (![HELD, OFF].includes(this.where(this.selected))) this.selected = null; // the service may have put it on the board
    this.changed();
  }

  forget() {
    this.base.clear();
    this.moves = 0;
  }

  // Whether this phone may take the piece up.
  /** @param {any} id */
  #liftable(id) {
    return this.own.moves() || this.own.lifts(this.#piece(id));
  }

  // The piece in the hand that was lifted from `site`: it is still named there, where it can be put back.
  /** @param {string} site @returns {Piece | undefined} */
  liftedFrom(site) {
    const [id] = this.heldHere().find(([, from]) => from === site) ?? [];
    return id && this.base.get(id)?.piece;
  }

  // What was lifted here and is in the hands still: [id, site it came from], latest last.
  heldHere() {
    return [...this.lifted].filter(([id]) => this.where(id) === HELD && this.#mine(id));
  }

  // Whether this phone may have the piece in its hand.
  /** @param {any} id */
  #mine(id) {
    return this.own.moves() || this.own.owns(this.#piece(id));
  }

  /** @param {any} id @returns {Entry | undefined} */
  entry(id) {
    return this.pending.get(id) ?? this.base.get(id);
  }

  /** @param {any} id @returns {any} */
  where(id) {
    return this.entry(id)?.where;
  }

  /** @param {string | null} site @returns {any} */
  at(site) {
    return [...this.base.keys()].find((id) => this.where(id) === site);
  }

  // Where pieces are, hands and tray among it: place → piece.
  standing() {
    return new Map([...this.base.keys()].map((id) => [this.where(id), this.#piece(id)]));
  }

  // ---- what hands do ----

  /** @param {string} site @returns {any} */
  lift(site) {
    const id = /** @type {string} */ (this.at(site));
    this.lifted.delete(id);
    this.lifted.set(id, site);
    this.#move(id, HELD, "lift", { site });
    return id;
  }

  /** @param {any} id @param {string} site */
  place(id, site) {
    const there = this.at(site);
    if (there && there !== id) this.setAside(this.lift(site)); // a hand that replaces a piece takes it off
    this.lifted.delete(id);
    const inFingers = new Set([...this.presses.values()].map((press) => press.id));
    for (const [other, from] of this.heldHere()) if (from === site && !inFingers.has(other)) this.setAside(other);
    this.#move(id, site, "place", { piece: id, site });
  }

  /** @param {any} id */
  setAside(id) {
    this.lifted.delete(id);
    this.#move(id, OFF, "set_aside", { piece: id });
  }

  // A tap or Enter: lifts what is there, else puts down. With several in the hands, a piece goes back to where it
  // came from only when no other can go there, so that a capture works whichever piece was lifted first.
  /** @param {string} site */
  tap(site) {
    if (this.finishes) return this.#tapped(site, this.current());
    const there = this.at(site);
    if (there) return this.#liftable(there) ? this.lift(site) : this.#tapped(site, null);
    const latest = this.heldHere().reverse();
    const [id] = this.selected ? [this.selected] : (latest.find(([, from]) => from !== site) ?? latest[0] ?? []);
    return id ? this.place(id, site) : this.ask(site);
  }

  // The piece in the hand as it is shown; with `told` as the service has it.
  current(told = false) {
    return this.selected ?? this.heldHere().filter(([id]) => !told || this.base.get(id)?.where === HELD).at(-1)?.[0] ?? null;
  }

  // Lets go of what was chosen from the tray; else puts the piece in the hand back.
  putBack() {
    if (this.where(this.selected) === OFF) return this.#select(this.selected);
    const id = this.current();
    const from = this.lifted.get(id);
    if (from) this.#back(id, from);
  }

  // Where the service finishes moves, it sees to it that this is read as a change of mind, however long the piece was up.
  /** @param {any} id @param {string} from */
  #back(id, from) {
    if (this.finishes) this.#sent("put_back", () => ({ piece: id }), [[id, from]]);
    else if (!this.at(from)) this.place(id, from);
  }

  // Sends a tap on `site` with the piece `id` in the hand, or null: then with what a tap before it has lifted by the time it is sent.
  // What is chosen then is for that piece.
  /** @param {string} site @param {string | null} id @param {string} [ply] */
  async #tapped(site, id, ply = "") {
    const [to, meant] = ply ? [site, ply] : this.own.meant(site);
    this.own.look(null);
    let held = id;
    const body = () => ({ site: to, piece: (held = id ?? this.current(true)) ?? "", ply: meant });
    const answer = await this.#sent("tap", body, this.#guessed(to, id));
    if (answer?.look) this.own.look(answer.look);
    if (answer?.choices) this.choose(site, answer.choices, (chosen) => this.#tapped(site, held, chosen));
  }

  // What a tap will move, as far as can be seen; nothing where the piece is gone while somebody chose what becomes of it.
  /** @param {string} site @param {any} id @returns {[string, string, string?][]} */
  #guessed(site, id) {
    const there = this.at(site);
    if (!id) return there && this.own.lifts(this.#piece(there)) ? [[there, HELD, site]] : [];
    if (!this.entry(id)) return [];
    if (this.#lit(site) && (!there || this.#piece(there).seat !== this.#piece(id).seat)) {
      return [[id, site], ...(there ? [/** @type {[string, string]} */ ([there, OFF])] : [])];
    }
    return site === this.lifted.get(id) ? [[id, site]] : [];
  }

  // Sends what a hand does, in turn, and shows meanwhile where its pieces will be: [id, place, site it was lifted from].
  /** @param {string} path @param {() => object} body @param {[string, string, string?][]} guess */
  #sent(path, body, guess) {
    if (this.ahead >= MOST_AHEAD) return null;
    this.ahead += 1;
    /** @type {[string, Entry, string | undefined][]} */
    const shown = guess.map(([id, where, from]) => [id, { piece: this.#piece(id), where }, from]);
    for (const [id, step, from] of shown) {
      this.pending.set(id, step);
      if (from) this.lifted.set(id, from);
    }
    this.selected = null;
    this.changed();
    const done = this.queue.then(async () => {
      const answer = await this.post(path, body());
      this.ahead -= 1;
      for (const [id, step] of shown) if (this.pending.get(id) === step) this.pending.delete(id);
      if (answer?.pieces) this.receive(answer.pieces);
      else this.changed();
      return answer;
    });
    this.queue = done;
    return done;
  }

  /** @param {string} site */
  #lit(site) {
    return this.board.sites.get(site)?.group.classList.contains("lit");
  }

  /** @param {any} id */
  #piece(id) {
    return /** @type {Entry} */ (this.entry(id)).piece;
  }

  /** @param {string} id @param {string} where @param {string} path @param {{ site?: string, piece?: string }} body */
  #move(id, where, path, body) {
    const step = { piece: this.#piece(id), where };
    this.pending.set(id, step);
    if (this.selected === id) this.selected = null;
    this.changed();
    this.queue = this.queue.then(async () => {
      const early = (this.emptied.get(where) ?? -Infinity) + AWAY_MS - performance.now();
      if (early > 0) await new Promise((done) => setTimeout(done, early));
      const answer = await this.post(path, body);
      if (path === "lift") this.emptied.set(String(body.site), performance.now());
      if (this.pending.get(id) === step) this.pending.delete(id);
      if (answer) return this.receive(answer.pieces);
      this.lifted.delete(id);
      this.changed();
    });
  }

  // ---- fingers ----

  #listen() {
    this.board.root.addEventListener("pointerdown", (event) => this.#downOnBoard(event));
    this.tray.addEventListener("pointerdown", (event) => this.#downOnTray(event));
    this.tray.addEventListener("click", (event) => event.detail === 0 && this.#select(event.target.closest("button")?.dataset.piece));
    document.addEventListener("pointermove", (event) => this.#moved(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", (event) => this.#cancelled(event));
  }

  /** @param {PointerEvent} event */
  #downOnBoard(event) {
    const site = this.board.near(this.board.point(event.clientX, event.clientY));
    if (event.button !== 0 || !site) return;
    event.preventDefault();
    if (this.watches() && !this.asks()) return this.own.read(this.at(site) ? site : "");
    if (this.asks() || !this.base.size) return this.ask(site); // where nothing can be moved, a tap can only ask
    this.board.focus(/** @type {Site} */ (this.board.sites.get(site)));
    if (this.finishes) return this.#downToFinish(event, site);
    const fresh = Boolean(this.at(site));
    if (fresh && !this.#liftable(this.at(site))) return void this.#tapped(site, null);
    const id = fresh ? this.lift(site) : this.heldHere().find(([, from]) => from === site)?.[0];
    this.#press(event, { id, site, fresh });
  }

  // A piece is lifted at once where nothing else is in the hand; else the finger tells: a tap goes there, a drag takes it up.
  /** @param {PointerEvent} event @param {string} site */
  #downToFinish(event, site) {
    if (this.turns(site)) return this.#press(event, { site, fresh: false });
    const [id, held] = [this.at(site), this.current()];
    if (id && !held) {
      this.#tapped(site, null);
      if (this.#liftable(id)) this.#press(event, { id, site, fresh: true });
    } else this.#press(event, { id: id ?? (this.lifted.get(held) === site ? held : undefined), site, fresh: false, other: Boolean(id) });
  }

  /** @param {PointerEvent & { target: any }} event */
  #downOnTray(event) {
    const id = event.target.closest("button")?.dataset.piece;
    if (event.button === 0 && id && !this.watches()) this.#press(event, { id, site: null, fresh: false });
  }

  /** @param {PointerEvent} event @param {{ id?: any, site: any, fresh: boolean, other?: boolean }} press */
  #press(event, press) {
    if (press.id && [...this.presses.values()].some(({ id }) => id === press.id)) return; // in another finger
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    this.presses.set(event.pointerId, { ...press, x: event.clientX, y: event.clientY, since: event.timeStamp, moved: false,
      scale: event.pointerType === "touch" ? 1.7 : 1.22 }); // to be seen round a finger
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const press = this.presses.get(event.pointerId);
    if (!press || !this.base.has(press.id)) return;
    if (!press.moved && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
    if (press.other) {
      press.other = false;
      this.putBack();
      this.#tapped(press.site, null);
    }
    press.moved = true;
    [press.x, press.y] = [event.clientX, event.clientY];
    const near = this.board.near(this.board.point(press.x, press.y));
    if (this.sliding(event)) this.#slide(press, near);
    this.moved();
  }

  // Pushes the piece over the free sites it passes, as a stone that never leaves the board.
  /** @param {Press} press @param {string | null} near */
  #slide(press, near) {
    if (near === press.on || (near && this.at(near))) return;
    if (press.on) this.lift(press.on);
    press.on = near;
    if (near) this.place(press.id, near);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.presses.get(event.pointerId);
    this.presses.delete(event.pointerId);
    if (!press || (press.id && !this.base.has(press.id))) return this.changed(); // the piece is gone
    if (press.moved) this.#drop(press, event);
    else if (!press.site) this.#select(press.id);
    else if (!press.fresh) this.tap(press.site);
    else if (event.timeStamp - press.since > HOLD_MS) this.#back(press.id, press.site);
    this.changed();
  }

  /** @param {Press} press @param {PointerEvent} event */
  #drop(press, event) {
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const site = this.board.near(this.board.point(event.clientX, event.clientY));
    if (press.on && press.on === site) return;
    if (press.on) this.lift(press.on);
    const home = this.lifted.get(press.id) ?? press.site, there = site && this.at(site);
    if (this.finishes && site && there && site !== home && this.#piece(there).seat === this.#piece(press.id).seat && !this.#lit(site)) { // no tap, which would take that one up
      this.own.refuse(t("Your own piece stands there."));
      return void (home && this.#back(press.id, home));
    }
    if (this.finishes && !press.on && this.where(press.id) !== OFF) return void ((site ?? home) && this.#tapped(site ?? home, press.id));
    if (this.finishes && site) this.#tapped(site, press.id);
    else if (site) this.place(press.id, site);
    else if (!under?.closest("#held") && this.where(press.id) !== OFF) this.setAside(press.id);
  }

  /** @param {PointerEvent} event */
  #cancelled(event) {
    const press = this.presses.get(event.pointerId);
    this.presses.delete(event.pointerId);
    if (press?.moved && this.finishes) this.putBack();
    else if (press?.site && press.moved && this.base.has(press.id) && !press.on && !this.at(press.site)) this.place(press.id, press.site);
    this.changed();
  }

  /** @param {any} id */
  #select(id) {
    if (!id) return;
    this.selected = this.selected === id ? null : id;
    this.changed();
  }

  // ---- what is seen ----

  tokens() {
    // A piece that is tapped along its way is where it has got to, and those that it has taken are on their way out.
    const { site: reached, gone } = (this.heldHere().length && this.own.looked) || {};
    const dragged = new Map([...this.presses.values()].filter((press) => press.moved).map((press) => [press.id, press]));
    /** @type {Put[]} */
    const seen = [];
    for (const id of this.base.keys()) {
      const { piece, where } = /** @type {Entry} */ (this.entry(id));
      const press = dragged.get(id);
      if (press) seen.push({ id, piece, state: "dragged", scale: press.scale, ...this.board.point(press.x, press.y) });
      else if (where === HELD && this.lifted.has(id)) seen.push({ id, piece, state: "lifted", site: gone ? reached : this.lifted.get(id) });
      else if (where !== HELD && where !== OFF) seen.push({ id, piece, state: gone?.includes(where) ? "ghost" : "set", site: where });
    }
    return seen;
  }

  targets() {
    const presses = [...this.presses.values()].filter((press) => press.moved);
    return new Set(presses.map((press) => this.board.near(this.board.point(press.x, press.y))));
  }

  // One button for each piece; of those beside the board, where nobody tells them apart, for each kind.
  /** @param {(piece: Piece) => string} nameOf */
  showTray(nameOf) {
    for (const [place, where] of [["#held", HELD], ["#off", OFF]]) {
      const list = this.tray.querySelector(`${place} .pieces`);
      const ids = [...this.base.keys()].filter((id) => this.where(id) === where);
      /** @type {Map<string, string[]>} */
      const alike = new Map();
      for (const id of ids) {
        const like = this.finishes && where === OFF ? this.#kind(id) : id;
        alike.set(like, [...(alike.get(like) ?? []), id]);
      }
      const stacks = [...alike.entries()].sort(([one], [other]) => (this.finishes ? (one < other ? -1 : 1) : 0)).map(([, stack]) => stack);
      const first = stacks.map(([id]) => id);
      for (const button of /** @type {PageElement[]} */ ([...list.children])) if (!first.includes(button.dataset.piece)) button.remove();
      for (const stack of stacks) this.#trayButton(list, stack[0], stack.length, nameOf);
    }
  }

  /** @param {string} id */
  #kind(id) {
    const { seat, kind } = this.#piece(id);
    return `${seat ?? 9} ${kind}`;
  }

  /** @param {PageElement} list @param {string} id @param {number} count @param {(piece: Piece) => string} nameOf */
  #trayButton(list, id, count, nameOf) {
    const { piece } = /** @type {Entry} */ (this.entry(id));
    /** @type {any} */
    let button = list.querySelector(`[data-piece="${CSS.escape(id)}"]`);
    if (!button) {
      button = document.createElement("button");
      button.type = "button";
      button.dataset.piece = id;
    }
    list.append(button); // in this order
    const look = `${this.board.look(piece)} ${count}`;
    if (button.dataset.look !== look) {
      button.dataset.look = look;
      button.replaceChildren(svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, this.board.token(piece, 9.5)));
      if (count > 1) button.append(make("span", { className: "count", textContent: count }));
    }
    const name = nameOf(piece);
    button.setAttribute("aria-label", count > 1 ? t("{count} × {piece}", { count, piece: name }) : name);
    button.setAttribute("aria-pressed", this.selected === id);
  }
}
