// What a person does on the phone beside moving pieces: plies chosen or written, answers, what is offered under the sentence.
// Knows no rules: every ply offered here comes from the service.

import { button, make, styled } from "../common/dom.js";
import { t } from "../common/text.js";
import { moverAway } from "./seats.js";

/** @import { Send, Tell } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Choice, PanelView, You } from "../common/types.js" */

const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));

const CALM_MS = 1500; // after the turn has passed, a thumb on its way must not end the next player's turn
/** @typedef {{ send: Send, tell: Tell, differs: () => boolean, unfinished: () => boolean, seat: () => number | null, you: () => You | null, clear: () => Promise<any>, lifted: () => string[] }} Tools */
/** @typedef {{ id: string, label: string, act: () => any, early?: boolean, likeliest?: boolean }} Act a button under the sentence */
/** @typedef {(id: string, label: string, act: () => any) => void} Add */

export class Actions {
  // `send` is `ask` that tells the person what was refused; `differs()` says whether simulated pieces stand otherwise than
  // they should, `unfinished()` whether only captured ones are left to take off; `seat()` is whose phone this is, or null;
  // `you()` is all that it knows of itself, or null; `clear()` puts back what is in a simulated hand, and `lifted()` are
  // the pieces there.
  /** @param {Tools} tools */
  constructor({ send, tell, differs, unfinished, seat, you, clear, lifted }) {
    this.send = send;
    this.tell = tell;
    this.differs = differs;
    this.unfinished = unfinished;
    this.seat = seat;
    this.you = you;
    this.clear = clear;
    this.lifted = lifted;
    /** @type {PanelView} */
    this.view = /** @type {any} */ (null); // until one is shown
    /** @type {typeof import("./help.js") | null} */
    this.help = null;
    this.helped = ""; // where somebody was helped with a move last
    /** @type {typeof import("./mover_away.js") | null} */
    this.away = null;
    /** @type {typeof import("./again.js") | null} */
    this.again = null;
    /** @type {typeof import("./answers.js") | null} */
    this.answers = null;
    /** @type {string | undefined} */
    this.turn = undefined;
    this.turnAt = 0;
    /** @type {(() => any) | null} */
    this.stays = null;
    this.inspecting = false;
    this.acts = find("#acts");
    this.sheet = make("dialog", { id: "sheet" });
    document.body.append(this.sheet);
    this.sheet.addEventListener("click", (event) => event.target === this.sheet && this.sheet.close());
    this.writing = this.#makeWriting();
    /** @type {{ game: number | null, made: number } | null} */
    this.refused = null; // where a game was when a written ply was refused
    find("#more").onclick = () => this.openMore();
    find("#cell-plies").onclick = async () => {
      this.inspect(!this.inspecting);
      if (this.inspecting) (await import("./help.js")).seen(this.acts);
    };
  }

  /** @returns {number[]} */
  seats() {
    return this.you()?.seats ?? [];
  }

  // The names of the phones by the seats that they hold.
  /** @returns {Record<string, string>} */
  held() {
    return this.you()?.held ?? {};
  }

  // Whether this phone may act for the seat: it holds it, or nobody does, nor does a board. In a lesson seats do not count.
  /** @param {number} seat */
  mayAct(seat) {
    const you = this.you();
    if (!you || you.role === "guest" || this.view?.lesson) return you !== null && you.role !== "guest";
    const { level, afar } = this.view?.seats[seat] ?? {};
    return !level && !afar && (you.seats.includes(seat) || !(seat in you.held));
  }

  /** @param {object} what */
  order(what) {
    return this.send("order", what);
  }

  /** @param {string} text */
  ply(text) {
    return this.order(this.#written(text));
  }

  /** @param {string} text */
  #written(text) {
    const [mover, own] = [this.#mover(), this.seat()];
    const seat = own !== null && mover >= 0 && this.mayAct(mover) ? mover : own; // who has a seat may play a free one, too
    return { do: "ply", text, ...(seat === null ? {} : { seat }) };
  }

  // ---- what is shown with every view ----

  /** @param {PanelView} view */
  show(view) {
    const { plies: before } = this.view ?? view;
    this.view = view;
    const playing = !["idle", "setup", "over"].includes(view.phase);
    find("#cell-plies").disabled = !playing;
    if (!playing) this.inspect(false);
    this.writing.hidden = !playing;
    const { length } = view.plies;
    if (this.refused && (view.game_id !== this.refused.game || length > this.refused.made || length < before.length)) this.#forget();
    this.showActs();
    if (this.sheet.open && this.sheet.dataset.version !== this.#stamp()) this.#renew();
  }

  #stamp() {
    const { game_id: game, plies, phase } = this.view;
    return `${game} ${plies.length} ${plies.at(-1)?.text} ${phase}`;
  }

  // The buttons under the sentence: what only the phone can do, and what waits for an answer.
  showActs() {
    if (!this.view) return;
    const { taps, phase, paused, share } = this.view;
    const passed = this.#passed();
    const guest = document.body.dataset.role === "guest";
    this.#showBack();
    /** @type {Act[]} */
    const acts = [];
    /** @type {Add} */
    const add = (id, label, act) => acts.push({ id, label, act });
    if (this.differs()) add("set up", this.#standingLabel(), () => this.send("set_up", {}));
    if (paused && !guest) add("go on", t("Continue"), () => this.order({ do: "pause", on: false }));
    this.#addAnswers(add);
    if (this.view.redo && this.mayAct(this.#mover())) add("redo", this.view.redo > 1 ? t("Redo {n} moves", { n: this.view.redo }) : t("Redo the move"), () => this.#redo());
    const [last] = this.view.plies.slice(-1);
    if (this.view.go_on_ms && this.mayAct(last.seat)) add("all", t("That is all"), () => this.order({ do: "ply", text: last.text, seat: last.seat }));
    if (this.view.go_on_ms || this.view.coach_ms || document.querySelector("#go-on")) import("./go_on.js").then(({ showLeft }) => showLeft(this.view));
    if (phase === "play" && !guest && !this.view.lesson && !this.you()?.barred && this.view.seats.every(({ level, out }) => level || out)) add("who", t("Who plays …"), () => this.openMore(true));
    if (this.view.unrevealed) add("claim unrevealed", t("The others have given up"), () => this.order({ do: "claim_unrevealed", seat: this.seats()[0] ?? 0 }));
    if (this.view.claim && this.mayAct(this.#mover())) add("claim", t("Claim a draw"), () => this.order({ do: "claim_draw", seat: this.#mover() }));
    const played = phase === "over" && !guest && !this.#watches();
    if (played && this.view.back === this.view.plies.length && this.#mayGoOn()) add("back", t("Go on with this game"), () => this.takeBack());
    if (played && !this.view.lesson) acts.push(...this.#playAgain());
    if (phase === "over" && !guest && !this.view.lesson && this.again) acts.push(...this.again.afterwards(this.view, this.you(), this.send, this.#decidedTools()));
    const helping = this.#helpActs();
    acts.push(...helping); // who is helped reads that first
    this.acts.classList.toggle("helping", helping.length > 0);
    if (this.mayAct(this.#mover()) && !helping.length) {
      for (const tap of taps) acts.push({ id: `ply ${tap.ply} ${tap.sure}`, label: tap.words || tap.ply, act: () => this.#makeSure(tap), early: passed, likeliest: tap.ply === this.view.lesson?.ply });
    }
    if (this.help && this.view.help.about === "move") this.helped = this.help.placeOf(this.view);
    if (this.help) acts.push(...this.help.nextStep(this.view, this.#helpTools(), this.helped).filter(() => !helping.length));
    const away = this.#awayActs(add);
    const hint = this.inspecting && !share ? t("Tap a cell to learn what can be done there.") : away || this.#secretHint(add);
    const now = JSON.stringify([hint, acts]);
    if (this.acts.dataset.now === now) return;
    this.acts.dataset.now = now;
    const focused = this.acts.contains(document.activeElement) ? document.activeElement?.textContent : "";
    this.acts.hidden = !hint && !acts.length;
    this.acts.replaceChildren(...(hint ? [make("p", { textContent: hint })] : []),
      ...acts.map(({ label, act, early, likeliest }) => button(label, act, { disabled: Boolean(early), className: likeliest ? "primary" : "" })));
    if (focused) import("./refocus.js").then(({ refocus }) => refocus(this.acts, focused));
    if (helping.length && this.view.help.about && this.view.help.about !== "coach") this.help?.seen(this.acts);
  }

  // Taking back is offered only where it would not be refused.
  #showBack() {
    const back = find("#take-back"), may = this.#back() !== null && this.#mayTakeBack();
    if (!may && document.activeElement === back) import("./refocus.js").then(({ refocus }) => refocus(this.acts, ""));
    back.disabled = !may;
  }

  // Help is loaded when somebody asks what can be done, or is shown something.
  #helpActs() {
    const wanted = this.inspecting || this.view.help.about;
    if (wanted && !this.help) import("./help.js").then((help) => ((this.help = help), this.showActs()));
    return wanted && this.help ? this.help.helpActs(this.view, this.#helpTools()) : [];
  }

  #helpTools() {
    return { inspecting: this.inspecting, may: (/** @type {number} */ seat) => this.mayAct(seat),
      order: async (/** @type {{ about?: string }} */ what) => {
        this.inspect(false);
        if (this.sheet.open) this.sheet.close(); // a refusal would be behind it
        if (what.about === "threat") await this.clear();
        return this.order(what);
      } };
  }

  // Whether the turn has only just passed to another seat; in a while the buttons are drawn again.
  #passed() {
    const { game_id: game, seats } = this.view;
    const turn = `${game} ${seats.findIndex((seat) => seat.to_move)}`;
    if (turn !== this.turn) {
      const first = this.turn === undefined;
      this.turn = turn;
      this.turnAt = first ? -CALM_MS : performance.now();
      if (!first) setTimeout(() => this.showActs(), CALM_MS + 50);
    }
    return performance.now() - this.turnAt < CALM_MS;
  }

  // Offers the same game afresh from now on: what knows how comes later than all that a page needs at once.
  /** @param {typeof import("./again.js")} again */
  offerAgain(again) {
    again.heed(this.view, this.seat());
    if (!this.again) this.again = again, this.showActs();
  }

  #decidedTools() {
    return { sheet: this.sheet, open: (/** @type {string} */ title, /** @type {Node[]} */ ...parts) => this.open(title, ...parts),
      done: (/** @type {object} */ what) => this.#done(what), now: () => this.view, mine: () => this.seats().includes(this.#mover()),
      stay: (/** @type {() => boolean} */ stays) => (this.stays = stays) };
  }

  #playAgain() {
    return this.again?.playAgain(this.view, this.you(), this.seat(), (what) => this.order(what)) ?? [];
  }

  // What to do while the phone of whoever is to move is away; "" where it is not, or that is nobody else's to say.
  /** @param {Add} add */
  #awayActs(add) {
    const you = this.you(), mover = this.#mover();
    if (!you || you.role === "guest" || this.view.phase !== "play" || !moverAway(this.view, you)) return "";
    if (!this.away) import("./mover_away.js").then((away) => ((this.away = away), this.showActs()));
    return this.away?.awayActs(this.view, you, mover, { add, send: this.send, lifted: this.lifted() }) ?? "";
  }

  #mover() {
    return this.view.seats.findIndex((seat) => seat.to_move);
  }

  // Makes a ply that was chosen by a gesture; resolves to null where it was refused or something is asked first.
  /** @param {Choice} choice */
  make(choice) {
    if (!choice.sure) return this.ply(choice.ply);
    this.#makeSure(choice);
    return null;
  }

  // A ply that gives something away is asked about first.
  /** @param {Choice} tap */
  #makeSure(tap) {
    if (!tap.sure) return this.ply(tap.ply);
    const yes = button(tap.words || tap.ply, () => this.#choose(tap.ply));
    return this.open(tap.sure, make("div", { className: "choices" }, button(t("Keep playing"), () => this.sheet.close(), { className: "primary" }), yes));
  }

  // Whether this phone only looks on while others sit: what becomes of their game is theirs.
  #watches() {
    const others = Object.keys(this.held()).some((seat) => Number(seat) < this.view.seats.length);
    return this.you()?.role !== "owner" && !this.seats().length && others;
  }

  #mayTakeBack() {
    const { phase, lesson, seats } = this.view;
    if (lesson || phase === "over") return lesson || (!this.#watches() && this.#mayGoOn());
    return !this.#watches() || seats.some(({ level, afar }, seat) => !level && !afar && !(seat in this.held()));
  }

  // Whether an ending is this phone's to take back: that of the seats by whose word the game ended, or of the board's in its stead.
  #mayGoOn() {
    const { end_back_by: by } = this.view, own = this.seats();
    return !by.length || by.some((seat) => own.includes(seat) || !(seat in this.held()));
  }

  // What others ask for is answered by what is loaded then.
  /** @param {Add} add */
  #addAnswers(add) {
    if (!this.view.back_asked && !this.view.seats.some(({ offers_draw: offers }) => offers)) return;
    if (!this.answers) import("./answers.js").then((answers) => ((this.answers = answers), this.showActs()));
    this.answers?.addAnswers(this.view, { add, order: (what) => this.order(what), own: this.seats(), seat: this.seat(),
      may: (seat) => this.mayAct(seat), people: this.you()?.people ?? {} });
  }

  #standingLabel() {
    if (this.unfinished()) return t("Finish the move");
    return this.view.phase === "setup" ? t("Set up for me") : t("Put the pieces right");
  }

  // A phone without a seat learns why it sees no plies, and can take the seat: "" where there is nothing to say.
  /** @param {Add} add */
  #secretHint(add) {
    const mover = this.view.seats.findIndex((seat) => seat.to_move);
    if (!this.view.secret || mover < 0 || this.view.seats[mover].chooses || this.seats().includes(mover) || this.view.arrange || this.view.share?.ahead) return "";
    if (this.view.share && this.mayAct(mover)) return ""; // the form for it is on this page
    const { name: seat } = this.view.seats[mover];
    const held = mover in this.held();
    if (held && this.seats().length) return "";
    const holder = this.you()?.people[mover]?.name;
    if (holder) return t("{seat}'s choices are secret: only {holder}'s phone shows them.", { seat, holder });
    if (held) return t("{seat}'s choices are secret: another phone shows them.", { seat });
    if (this.you()?.role === "guest") return t("Nobody plays {seat} yet: join to take that seat.", { seat });
    add(`take ${mover}`, t("Play {seat}", { seat }), () => this.send("seat", { seat: mover }));
    return t("{seat}'s choices are secret. Play {seat} on this phone to see them here.", { seat });
  }

  // Names what it takes back: pressed twice, or while somebody moves, it takes nothing else.
  takeBack() {
    return this.order({ do: "take_back", to: this.#back(), made: this.view.plies.length });
  }

  // To how many plies it leads: before the last of one's own, if there is one; else one back.
  #back() {
    const { back, own_backs: backs, lesson } = this.view;
    const own = /** @type {number[]} */ (lesson ? [] : backs.filter((to, seat) => to !== null && this.mayAct(seat)));
    return own.length ? Math.max(...own) : back;
  }

  // Makes again what was just taken back.
  #redo() {
    return this.order({ do: "redo", made: this.view.plies.length });
  }

  // ---- plies of a cell, and written ones ----

  /** @param {boolean} on */
  inspect(on) {
    this.inspecting = on;
    find("#cell-plies").setAttribute("aria-pressed", on);
    document.body.classList.toggle("inspecting", on);
    this.showActs();
  }

  /** @param {string} site */
  async openPlies(site) {
    this.inspect(false);
    if (!this.view?.sites[site]?.label || this.view.phase === "setup") return;
    (await import("./listed_plies.js")).openPlies(site, this.#listing());
  }

  // Lets a person choose among the `plies` that a tap on `site` may mean; `pick` gets the one chosen.
  /** @param {string} site @param {Choice[]} plies @param {(ply: string) => void} pick */
  async openChoices(site, plies, pick) {
    (await import("./listed_plies.js")).openChoices(site, plies, pick, this.#listing());
  }

  #listing() {
    return { view: () => this.view, send: this.send, tell: this.tell, seat: this.seat, you: this.you, ply: (/** @type {string} */ ply) => this.ply(ply),
      open: (/** @type {string} */ title, /** @type {Node[]} */ ...parts) => this.open(title, ...parts), close: () => this.sheet.close(),
      stays: (/** @type {() => any} */ stays) => (this.stays = stays) };
  }

  // A sheet about another position is closed unless it `stays`: as the menu does, and the list of a cell that still offers the
  // same, which was asked for just after a move and came before the move was shown here.
  async #renew() {
    const { stays } = this;
    const stayed = Boolean(await stays?.());
    if (stays !== this.stays) return; // another sheet meanwhile
    if (stayed) this.sheet.dataset.version = this.#stamp();
    else this.sheet.close();
  }

  /** @param {string} ply */
  async #choose(ply) {
    if (await this.ply(ply)) this.sheet.close();
  }

  // Shows a sheet over the board; what is made on another phone meanwhile closes it.
  /** @param {string} title @param {Node[]} parts */
  open(title, ...parts) {
    const close = button(t("Close"), () => this.sheet.close(), { className: "close" });
    this.sheet.dataset.version = this.#stamp();
    this.stays = null;
    this.sheet.replaceChildren(make("header", {}, make("h2", { textContent: title }), close), ...parts);
    this.sheet.setAttribute("aria-label", title);
    if (!this.sheet.open) this.sheet.showModal();
    this.sheet.scrollTop = 0;
  }

  #makeWriting() {
    const input = make("input", { name: "ply", maxLength: 2000, autocomplete: "off", spellcheck: false, placeholder: t("Type a move") });
    input.setAttribute("aria-label", t("Type a move"));
    input.setAttribute("autocapitalize", "off");
    const refusal = make("p", { className: "refusal" });
    refusal.setAttribute("role", "alert");
    const writing = make("form", { id: "writing", hidden: true }, input, make("button", { textContent: t("Make this move") }), refusal);
    writing.onsubmit = async (event) => {
      event.preventDefault();
      const { game_id: game, plies: { length } } = this.view;
      const { write } = await import("./written.js");
      const { said, played } = await write(input, (text) => this.#written(text), () => this.view);
      refusal.textContent = said;
      this.refused = said ? { game, made: Math.max(length + played, this.view.plies.length) } : null;
    };
    writing.oninput = () => this.#forget();
    find("#history").append(writing);
    return writing;
  }

  // What was refused is said until somebody moves, takes back, or writes something else.
  #forget() {
    this.refused = null;
    this.writing.querySelector(".refusal").textContent = "";
  }

  // ---- everything else ----

  // The menu is loaded when somebody opens it. What others do meanwhile does not close it: it is drawn anew where it offers
  // something else then. `who` opens who plays each seat instead.
  async openMore(who = false) {
    const [{ openMenu }] = await Promise.all([import("./menu.js"), styled("menu.css")]);
    const tools = {
      view: this.view, you: this.you(), seat: this.seat(), may: (/** @type {number} */ seat) => this.mayAct(seat), help: this.#helpTools(), send: this.send,
      order: (/** @type {object} */ what) => this.order(what), done: (/** @type {object} */ what) => this.#done(what), legend: () => this.openLegend(),
      evening: () => this.openEvening(),
      open: (/** @type {string} */ title, /** @type {Node[]} */ ...parts) => this.open(title, ...parts), close: () => this.sheet.close(),
      stay: () => (this.stays = () => true),
    };
    if (who) return (await import("./who_plays.js")).openWhoPlays(tools);
    await openMenu(tools);
    const offered = this.#offered();
    this.stays = () => (this.#offered() === offered ? true : this.openMore());
  }

  #offered() {
    return `${this.view.game_id} ${this.view.phase} ${this.seat() ?? this.#mover()}`;
  }

  async openEvening() {
    const menu = this.sheet.open;
    await (await import("./evening.js")).openEvening((title, ...parts) => {
      if (menu && !this.sheet.open) return; // closed while it was fetched
      this.open(title, ...parts);
      this.stays = () => true; // what others begin meanwhile does not close it
    });
  }

  async openLegend() {
    (await import("./legend.js")).openLegend(this.#listing());
  }

  /** @param {object} order */
  async #done(order) {
    if (await this.order(order)) this.sheet.close();
  }
}
