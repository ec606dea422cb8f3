// Joining: asks to be let in, names the cell to touch, and offers the seats. Loaded when somebody wants to join.

import { ask } from "../common/api.js";
import { choose, chosen } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { asksName, remembered } from "../common/me.js";
import { t } from "../common/text.js";

/** @import { Give, Send } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, You } from "../common/types.js" */

const WELCOME_MS = 20_000;

/** @typedef {{ name: string, seat: number, level: number, to_move: boolean }} Free a seat that nobody holds */

// The browser of the computer on which the board runs is let in unasked, and is a phone only where it holds a seat.
/** @param {You} you */
const isComputer = ({ role, phones }) => role !== "guest" && phones.every((phone) => !phone.you || phone.id === "local");

export class Join {
  // `send(path, body)` resolves to the answer, or to null after the person was told why not; `again()` takes the stream up
  // anew, with the cookie that the answer brought.
  /** @param {{ box: PageElement, table: PageElement, send: Send, again: () => void }} parts */
  constructor({ box, table, send, again }) {
    this.box = box;
    this.send = send;
    this.again = again;
    this.byCode = false;
    this.shown = "";
    this.free = 0; // seats
    this.sat = 0; // so many moves had been made when this phone took its seat
    /** @type {You} */
    this.you = /** @type {any} */ (null); // until the board says who this is
    /** @type {PanelView | null} */
    this.view = null;
    this.hasHand = false;
    /** @type {boolean | undefined} */
    this.fresh = undefined;
    this.naming = false;
    this.typing = false; // whether a name is typed as soon as it is asked for
    this.reminded = false; // whether somebody has tapped on the board in vain
    this.focused = false; // whether the focus was on what is drawn anew
    this.foremost = false; // whether what is asked or told goes before all else on the card
    /** @type {boolean | undefined} */
    this.wantsName = undefined;
    this.touched = false;
    /** What is begun as soon as this phone is in, and until it shows. @type {(() => Promise<any>) | null | undefined} */
    this.begins = null;
    /** @type {HTMLElement | null} */
    this.who = null;
    // Before the hand sees it: the touch of the cell that glows is no move of a piece.
    table.addEventListener("pointerdown", (event) => {
      const site = event.target.closest?.("[data-site]")?.dataset.site;
      if (!this.hasHand || this.touched || !this.you?.asked || this.you.asked.answered || site !== this.you.asked.site) return;
      event.stopPropagation();
      this.touch();
    }, { capture: true });
  }

  // A simulated board has no cell to go to: it is touched from here. Where that fails, a person does it. Who joins by choosing a game
  // `begins` it once they are in.
  /** @param {() => Promise<any>} [begins] */
  async ask(begins) {
    this.touched = this.hasHand || document.body.classList.contains("has-hand"); // as the page was sent
    const asked = await this.send("pair", remembered());
    this.touched &&= Boolean(asked);
    this.begins = asked && begins;
    this.again(); // also where it was refused: another tab of this browser may have joined
    if (!this.touched) return;
    if (asked.site) await this.touch();
    this.touched = false;
    if (this.you?.role !== "guest") this.#begin();
    this.#again();
  }

  // Begins what this phone has joined for: not before its touch is over, since the cell waits for its end.
  #begin() {
    if (!this.touched) this.begins?.().then((begun) => begun || (this.begins = null, this.#again())); // where it is refused, this phone is in all the same
  }

  // Has the console's code typed in, or no longer.
  /** @param {boolean} byCode */
  types(byCode) {
    this.byCode = byCode;
    this.#again();
  }

  async stop() {
    if (await this.send("pair/stop", {})) this.again();
  }

  touch() {
    return this.send("pair/touch", {});
  }

  // Who taps on a piece that this phone cannot move now is told why, and what there is to do: where all seats are taken, once.
  remind() {
    if (!this.free && !this.you.again.length && this.#watches()) return;
    sessionStorage.removeItem("watch");
    this.reminded = true;
    this.#again();
  }

  // Somebody may have come by a picture.
  async arrive() {
    if (location.hash) (await import("./outside.js")).arrive(this);
  }

  /** @param {You} you @param {PanelView | null} view @param {boolean} hasHand */
  show(you, view, hasHand) {
    if (this.you?.role === "guest" && you.role !== "guest") {
      this.naming = !chosen("nameless", false);
      this.#welcome();
      this.#begin();
    }
    if (you.phones.some((phone) => phone.you) && !isComputer(you)) choose("joined", true);
    if (this.view?.game_id !== view?.game_id) this.sat = 0;
    if (you.seats.length) sessionStorage.removeItem("watch"); // who has played since is told of the next game's seats
    if (you.seats.length && this.you && !this.you.seats.length) {
      this.naming = this.reminded = this.fresh = false; // asked shorter from now on
      this.sat = view?.plies.length ?? 0; // those were somebody else's
    }
    if (you.profile && you.profile !== remembered().profile) import("./who.js").then(({ keep }) => keep(you.profile));
    if (this.view && view?.phase !== this.view.phase) this.fresh = false, this.begins = null; // who has gone on since knows it
    if (!this.you && isComputer(you) && !you.profile && remembered().profile) this.#comeAgain();
    this.you = you;
    this.view = view;
    this.hasHand = hasHand;
    const free = (view?.lesson || view?.phase === "over" ? [] : view?.seats ?? []).map(({ name, level, to_move }, seat) => ({ name, level, to_move, seat })).filter(({ level, seat }) => !level && !(seat in you.held));
    this.free = free.length;
    const { told: _, ...known } = you;
    const now = JSON.stringify([known, free, hasHand, this.byCode, this.fresh, this.naming, this.reminded, view?.phase, view?.seats.map(({ name, level }) => [name, level]), this.#waits(), this.#busy(), this.#watches()]);
    if (now === this.shown) return;
    this.shown = now;
    const parts = this.#parts(you, free);
    const had = /** @type {HTMLElement | null} */ (this.box.contains(document.activeElement) ? document.activeElement : null);
    this.box.hidden = !parts.length;
    this.box.classList.toggle("foremost", this.foremost);
    const named = this.who?.isConnected;
    this.box.replaceChildren(...parts);
    if (named && !this.who?.isConnected) scrollTo(0, 0); // the card was larger, and the page may have gone up
    const next = had?.isConnected ? had : this.box.querySelector("button"); // a field would bring up the keyboard
    const wanted = had || (this.focused && document.activeElement === document.body);
    const comes = parts.length && (you.role === "guest" || (you.asked && !you.asked.answered) || this.box.querySelector(".fetched"));
    this.focused = Boolean(wanted && !next && comes);
    if (wanted) (next ?? (comes ? null : document.getElementById("told")))?.focus({ preventScroll: true });
  }

  /** @param {You} you @param {Free[]} free */
  #parts(you, free) {
    const { role, asked, seats, profile } = you;
    const computer = isComputer(you), idle = this.view?.phase === "idle";
    this.foremost = role === "guest" && this.reminded && !asked;
    if (asked && !asked.answered) return this.touched ? [make("p", { textContent: t("One moment …") })] : [this.#outside()];
    if (role === "guest") return [this.#outside()];
    if (this.begins) return []; // the game asks for a side and a name
    /** @type {Node[]} */
    const parts = asked && !this.hasHand ? [make("p", { role: "status", textContent: t("You are in. Take the piece off {cell} again.", { cell: asked.label }) })]
      : this.fresh ? [make("p", { role: "status", textContent: t("You are in.") })] : [];
    const asks = !seats.length && (!computer || this.reminded) && !this.#watches() && (free.length > 0 || this.#inGame());
    this.foremost = asks;
    if (asks) parts.push(...(free.length ? this.#asksSide(free) : [this.#takenBox()]));
    const watches = !seats.length && !computer && this.#inGame();
    if (asks || (watches && !this.typing)) return parts; // one question at a time, and who watches needs no name
    // The form takes half of a small page: it stands where there is room, or where somebody wants to write.
    const form = this.typing || (idle && (this.naming || this.fresh));
    const comes = (this.naming || this.fresh) && !this.#waits(); // over a game that has ended only who has come since is asked
    const line = !this.view?.lesson && (computer ? idle : (comes || (seats.length && this.view?.phase !== "over")) && !this.#busy());
    if (profile || chosen("nameless", false) || !(form || line) || !(this.typing || this.#asksName())) return parts;
    if (form) parts.push(this.#whoBox(), ...(watches ? [] : [make("div", { className: "choices" }, this.#nameless())]));
    else parts.push(...(computer ? [make("p", { textContent: t("Who plays on this device?") })] : []), this.#nameLater());
    return parts;
  }

  /** @param {Free[]} free */
  #asksSide(free) {
    const why = this.reminded && !free.some(({ to_move }) => to_move) ? [make("p", { textContent: t("This phone plays no side yet, so a tap moves nothing now.") })] : [];
    return [...why, make("p", { textContent: t("Which side are you playing?") }), make("div", { className: "choices" },
      ...free.map(({ name, seat }) => button(name, () => this.send("seat", { seat }))),
      ...(this.you.again.length ? [this.#wayBack()] : []), button(t("Just watch"), () => this.onlyWatch()))];
  }

  // Whoever held a seat with a phone that is away may go on with this one.
  #wayBack() {
    const { view, you } = this;
    return this.#fetched(import("./taken.js").then(({ wayBack }) => (view ? wayBack(view, you, this.send) : [])));
  }

  // What a phone is shown that is not in.
  #outside() {
    return this.#fetched(import("./outside.js").then(({ outside }) => outside(this)));
  }

  // Who finds no seat reads who has them.
  #takenBox() {
    const { view, you } = this;
    return this.#fetched(import("./taken.js").then(({ seatsTaken }) => (view ? seatsTaken(view, you, this.send, () => this.onlyWatch()) : [])));
  }

  // A box that has its parts once their script is there, and the focus again that was on those before it.
  /** @param {Promise<Node[]>} parts */
  #fetched(parts) {
    const box = make("div", { className: "fetched" });
    parts.then((parts) => {
      box.replaceChildren(...parts);
      if (!box.isConnected) return; // something else is drawn by now, which has the focus or waits for it
      if (this.focused || this.byCode) box.querySelector("input, button")?.focus();
      this.focused = false;
    });
    return box;
  }

  // Whether there is a game in which somebody could sit.
  #inGame() {
    const { lesson, phase = "idle", seats } = this.view ?? {};
    return Boolean(!lesson && seats?.length && !["idle", "over"].includes(phase));
  }

  // Whether somebody has said that they only watch: a game in which a seat is free asks once more, and one that gets free.
  #watches() {
    const watched = sessionStorage.getItem("watch");
    return watched !== null && (!this.free || watched === String(this.view?.game_id));
  }

  // Whether a name is asked for on this page, once that is known.
  #asksName() {
    return (this.wantsName ??= asksName());
  }

  // Whether nobody is asked for a name yet: a lesson's sentence, a bid or an array needs the room.
  #waits() {
    const { lesson, share, arrange } = this.view ?? {};
    return Boolean(lesson || share || arrange);
  }

  // Whether a name can wait in a game that is on, and what to do has the room: once this phone has moved, and on a low window until then
  // and while players ask each other something.
  #busy() {
    const { phase, plies, seats, back_asked: back } = this.view ?? { phase: "", plies: [], seats: [], back_asked: null };
    const made = plies.slice(this.sat).filter(({ seat }) => this.you?.seats.includes(seat)).length;
    const low = matchMedia("(orientation: portrait) and (max-height: 37rem)").matches;
    return ["play", "fix"].includes(phase) && (made !== Number(low) || (low && Boolean(back || seats.some((seat) => seat.offers_draw))));
  }

  // The board asks anew at each start who sits at its own computer: this browser still knows.
  #comeAgain() {
    ask("me", { profile: remembered().profile }).catch(() => {}); // that person may be removed meanwhile: then it is asked
  }

  // Asks who this is; one box, so that nothing typed into it is lost when the rest is drawn anew.
  #whoBox() {
    let { who } = this;
    if (!who) {
      who = this.who = make("div");
      const { typing } = this;
      who.oninput = () => (this.typing = true);
      import("./who.js").then(({ whoBox }) => who?.replaceChildren(whoBox(this.send, undefined, typing)));
    }
    return who;
  }

  // Who has not said a name may still do so, until they will not be asked again.
  #nameLater() {
    return make("div", { className: "choices" }, button(t("Enter your name"), () => (this.naming = this.typing = true, this.who = null, this.#again())), this.#nameless());
  }

  #nameless() {
    return button(t("Play without a name"), () => (choose("nameless", true), this.naming = false, this.#again()));
  }

  #again() {
    this.shown = "";
    this.show(this.you, this.view, this.hasHand);
  }

  #welcome() {
    this.fresh = true;
    setTimeout(() => {
      if (!this.fresh) return;
      if (this.who?.contains(document.activeElement)) return this.#welcome(); // still choosing, or typing
      this.fresh = false;
      this.show(this.you, this.view, this.hasHand);
    }, WELCOME_MS);
  }

  onlyWatch() {
    sessionStorage.setItem("watch", this.free ? String(this.view?.game_id) : ""); // where none is free nobody has refused one
    this.reminded = false;
    this.#again();
  }
}
