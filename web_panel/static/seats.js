// The players: this side below the board, everybody else above it, each with name, score and clock.

import { mark } from "./board.js";
import { make } from "./dom.js";
import { t } from "./text.js";

const MANY = 3; // seats in one row, from which they are drawn small
const LOW_MS = 30_000;
const TICK_MS = 250;

// Milliseconds as people read them on a clock.
export function time(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// What people call the player of a seat: the name that its person gave, else the seat's.
export function playerName(view, you, seat) {
  return you?.people?.[seat]?.name || view.seats[seat].name;
}

// The seats in the order in which they sit round the board: this phone's own first, without one the near side.
export function nearestFirst(view, you, turned) {
  const own = you?.seats.filter((seat) => seat < view.seats.length) ?? [];
  const near = own[0] ?? (turned ? view.seats.length - 1 : 0);
  const all = view.seats.map((_, seat) => seat);
  return [...all.slice(near), ...all.slice(0, near)];
}

export class Seats {
  constructor({ others, mine }) {
    Object.assign(this, { others, mine, shown: "" });
    setInterval(() => this.#tick(), TICK_MS);
  }

  show(view, you, turned, drawings) {
    Object.assign(this, { view, drawings, since: performance.now() });
    const now = JSON.stringify([Boolean(drawings), view.seats.map(({ left_ms: _, ...seat }) => seat), view.winner, view.match, you?.seats, you?.people, turned]);
    if (now !== this.shown) {
      this.shown = now;
      const [near, ...far] = nearestFirst(view, you, turned);
      this.mine.replaceChildren(...(near === undefined ? [] : [this.#row(near, you)]));
      this.others.replaceChildren(...far.map((seat) => this.#row(seat, you)));
      this.others.classList.toggle("many", far.length >= MANY);
    }
    this.#tick();
  }

  #row(n, you) {
    const { view } = this;
    const seat = view.seats[n];
    const { name, colour } = you?.people?.[n] ?? {};
    const mine = Boolean(you?.seats.includes(n));
    const title = make("b", { textContent: name || seat.name });
    if (colour) {
      const dot = make("i", { className: "person" });
      dot.style.background = colour;
      title.prepend(dot);
    }
    const beneath = [name && seat.name, mine && t("you"), seat.level && t("Board · level {level}", { level: seat.level }), seat.character].filter(Boolean).join(" · ");
    const row = make("li", { className: `seat seat-${n}` }, mark(n, this.drawings), make("div", {}, title, ...(beneath ? [make("small", { textContent: beneath })] : [])));
    row.dataset.seat = n;
    if (seat.score !== null) row.append(make("span", { className: "score", textContent: seat.score }));
    if (view.match) row.append(make("span", { className: "won", textContent: `★ ${view.match.won[n]}`, title: t("games won") }));
    if (seat.left_ms !== null && seat.left_ms !== undefined) row.append(make("time"));
    if (seat.to_move) row.setAttribute("aria-current", "true");
    row.classList.toggle("winner", view.winner === n);
    return row;
  }

  #tick() {
    const passed = performance.now() - this.since;
    for (const clock of document.querySelectorAll(".seat time")) {
      const { left_ms: left, running } = this.view.seats[clock.parentNode.dataset.seat] ?? {};
      const now = Math.max(0, (left ?? 0) - (running ? passed : 0));
      const text = time(now);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("running", Boolean(running));
      clock.classList.toggle("low", Boolean(running) && now < LOW_MS);
    }
  }
}
