// The players: this side below the board, everybody else above it, each with name, score and clock.

import { mark } from "../board/board.js";
import { chosen } from "../common/device.js";
import { make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { DrawingsOfGame, PanelView, SeatView, You } from "../common/types.js" */

const MANY = 3; // seats in one row, from which they are drawn small
const LOW_MS = 30_000;
const TICK_MS = 250;

// Milliseconds as people read them on a clock.
/** @param {number} ms */
export function time(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  /** @param {number} n */
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// The milliseconds that are left to `seat`, or would be if its clock ran, when so many have `passed` since the view was made.
/** @param {SeatView} seat @param {number} passed */
export function leftAfter({ left_ms: left, still_ms: still = 0 }, passed) {
  return left - Math.max(0, passed - still);
}

// What people call the player of a seat: the name that its person gave, with the seat's where that one plays others, too; else,
// in a lesson, and where one plays them all, the seat's. The board has a name where it plays one seat of two: among more each seat keeps its own.
// "" for a seat that this game does not have: a phone keeps that of a game of more for a moment.
/** @param {PanelView} view @param {You | null} you @param {number} seat */
export function playerName(view, you, seat) {
  if (!view.seats[seat]) return "";
  const [person, alone] = personOf(view, you, seat), { name } = view.seats[seat];
  return person && !alone ? t("{person} ({seat})", { person, seat: name }) : person || name;
}

// The name that the person of a seat gave, where they are called by it, and whether they play no other one.
/** @param {PanelView} view @param {You | null} you @param {number} seat @returns {[string, boolean]} */
function personOf({ seats, lesson }, you, seat) {
  if (ofTheBoard({ seats }, seat)) return [t("The board"), true];
  const names = seats.map((_, each) => you?.people?.[each]?.name);
  const own = names.filter((name) => name === names[seat]).length;
  return [(!lesson && (own < 2 || own < seats.length) && names[seat]) || "", own < 2];
}

// The one of `seats` that plays the pieces of `colour` now; none where nobody owns them.
/** @param {SeatView[]} seats @param {number | null} colour */
export function playerOf(seats, colour) {
  return seats.find((seat) => seat.colour === colour);
}

// Whether `seat` is called the board, which plays it and not the other one of two.
/** @param {{ seats: SeatView[] }} view @param {number} seat */
const ofTheBoard = ({ seats }, seat) => seats.length === 2 && seats[seat].level > 0 && !seats[1 - seat].level;

// What the pieces of `colour` are called: by that where players change sides, else by their player.
/** @param {SeatView[]} seats @param {number | null} colour */
export function sideOf(seats, colour) {
  const seat = playerOf(seats, colour);
  return seat && (seat.side || seat.name);
}

// The seat before which this phone lies: the first that it holds, unless it holds all; with none, the only one that people at
// this board play. Null where that is nobody's in particular.
/** @param {SeatView[]} seats @param {You | null} you */
export function ownSide(seats, you) {
  const all = seats.map((_, seat) => seat);
  const held = all.filter((seat) => you?.seats.includes(seat));
  if (held.length) return held.length < all.length ? held[0] : null;
  const people = all.filter((seat) => !seats[seat].level && !seats[seat].afar);
  return people.length === 1 && you?.role !== "guest" ? people[0] : null;
}

// Whether `seat` is that of who looks at this phone: it holds it, or it is the only one for people, and no phone holds it.
/** @param {{ seats: SeatView[] }} view @param {You | null} you @param {number} seat */
export function isOwn({ seats }, you, seat) {
  return Boolean(you?.seats.includes(seat) || (ownSide(seats, you) === seat && !(seat in (you?.held ?? {}))));
}

// Whether people with different names share this phone, as a child plays on a parent's.
/** @param {You | null} you */
export const shared = (you) => new Set(you?.seats.map((seat) => you.people[seat]?.name)).size > 1;

// Whether the phone of somebody else who is to move is away: nobody can go on before something is done about that.
/** @param {PanelView} view @param {You | null} you */
export function moverAway(view, you) {
  const mover = view.seats.findIndex((seat) => seat.to_move);
  return Boolean(!view.lesson && you?.away.includes(mover) && !you.seats.includes(mover));
}

// The seats that are to act now: who is to move; while all choose at once on several phones, each that is not ready yet.
/** @param {PanelView} view @param {You | null} you @returns {number[]} */
export function acting({ seats }, you) {
  const ready = you && new Set(Object.values(you.held)).size > 1 ? you.ready : [];
  return [...seats.keys()].filter((n) => (ready.length ? !seats[n].out && !ready.includes(n) : seats[n].to_move || seats[n].chooses));
}

// Whether the sentence says whose turn it is, and no more.
/** @param {PanelView} view @param {You | null} you @param {number} mover */
export function saysTurn(view, you, mover) {
  return [view.seats[mover].name, playerName(view, you, mover)].some((seat) => view.sentence === t("{seat} to move.", { seat }));
}

// By how many degrees the board is drawn turned: as chosen on this phone, else so that the player before whom it lies has the own
// side near, of two the own colour, in a puzzle that of who is to move, else as the board's settings say.
/** @param {PanelView | null} view @param {You | null} you */
export function turnedFor(view, you) {
  const seats = view?.seats ?? [];
  const side = view?.lesson?.seat ?? ownSide(seats, you);
  const own = side === null ? null : seats.length === 2 ? seats[side].colour === 1 : seats[side].turn;
  const turned = chosen("turned", null) ?? own ?? you?.panel.turned;
  return turned === true ? 180 : turned || 0;
}

// The seats in the order in which they sit round the board, the one before whom this phone lies first, or whose colour is near,
// as in a puzzle.
/** @param {PanelView} view @param {You | null} you @param {number} turned */
export function nearestFirst({ seats, lesson }, you, turned) {
  const colour = turned ? seats.length - 1 : 0;
  const near = (lesson?.puzzle ? null : ownSide(seats, you)) ?? Math.max(0, seats.findIndex((seat) => seat.colour === colour));
  const all = seats.map((_, seat) => seat);
  return [...all.slice(near), ...all.slice(0, near)];
}

export class Seats {
  /** @param {{ others: PageElement, mine: PageElement }} parts */
  constructor({ others, mine }) {
    this.others = others;
    this.mine = mine;
    this.shown = "";
    /** @type {PanelView} */
    this.view = /** @type {any} */ (null); // until it is shown
    /** @type {DrawingsOfGame | null} */
    this.drawings = null;
    /** @type {number[]} */
    this.act = [];
    this.since = 0;
    setInterval(() => this.#tick(), TICK_MS);
  }

  /** @param {PanelView} view @param {You | null} you @param {number} turned @param {DrawingsOfGame | null} drawings @param {number[]} [act] the seats that have a frame */
  show(view, you, turned, drawings, act = acting(view, you)) {
    if (view !== this.view) this.since = performance.now(); // the same one shown again is older by now
    Object.assign(this, { view, drawings, act });
    const now = JSON.stringify([Boolean(drawings), view.seats.map(({ left_ms: _, still_ms: __, ...seat }) => seat), view.winner, view.match, view.lesson?.puzzle, you?.role, you?.seats, you?.people, you?.lent, you?.away, turned, act]);
    if (now !== this.shown) {
      this.shown = now;
      const [near, ...far] = nearestFirst(view, you, turned), many = far.length >= MANY;
      this.mine.replaceChildren(...(near === undefined ? [] : [this.#row(near, you)]));
      this.others.replaceChildren(...far.map((seat) => this.#row(seat, you, many)));
      this.others.classList.toggle("many", many);
    }
    this.#tick();
  }

  // Among `many` a seat has room for what it holds or for its level, which whoever began the game chose; who is out holds nothing that counts.
  /** @param {number} n @param {You | null} you @param {boolean} [many] */
  #row(n, you, many = false) {
    const { view } = this;
    const seat = view.seats[n];
    const [named] = personOf(view, you, n);
    const mine = isOwn(view, you, n) && (you?.seats.length ?? 0) < 2; // who plays several is told them apart by their names
    const title = make("b", { textContent: named || seat.name });
    const colour = named && you?.people?.[n]?.colour;
    if (colour) {
      const dot = make("i", { className: "person" });
      dot.style.background = colour;
      title.prepend(dot);
    }
    const away = you?.away?.includes(n), lender = you?.lent?.[n]?.name;
    const beneath = (many && seat.out ? [t("out")] : [seat.side || (named && !(many && seat.holds.length) && seat.name), seat.out && t("out"), away && t("away"), mine && t("you"), seat.afar && t("at another board"), !(many && seat.holds.length && !lender) && seat.level && (lender ? t("{name}'s seat, played by the board", { name: lender }) : ofTheBoard(view, n) ? t("level {level}", { level: seat.level }) : t("Board · level {level}", { level: seat.level })), seat.character, ...seat.holds]).filter(Boolean).join(" · ");
    const row = make("li", { className: `seat seat-${n}` }, mark(seat.colour, this.drawings), make("div", {}, title, ...(beneath ? [make("small", { textContent: beneath })] : [])));
    row.dataset.seat = n;
    if (seat.score !== null) row.append(make("span", { className: "score", textContent: seat.score, title: seat.score === 1 ? t("point") : t("points") }));
    if (view.match) row.append(make("span", { className: "won", textContent: `★ ${view.match.won[n]}`, title: t("games won") }));
    if (seat.left_ms !== undefined) row.append(make("time"));
    if (this.act.includes(n)) row.setAttribute("aria-current", "true");
    row.classList.toggle("winner", view.winner === n);
    row.classList.toggle("away", Boolean(away));
    return row;
  }

  #tick() {
    const passed = performance.now() - this.since;
    for (const clock of /** @type {NodeListOf<any>} */ (document.querySelectorAll(".seat time"))) {
      const seat = this.view.seats[clock.parentNode.dataset.seat], running = Boolean(seat?.running);
      const now = seat?.left_ms === undefined ? 0 : Math.max(0, leftAfter(seat, running ? passed : 0));
      setText(clock, time(now));
      clock.classList.toggle("running", running);
      clock.classList.toggle("low", running && now < LOW_MS);
    }
  }
}
