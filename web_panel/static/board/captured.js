// Captured pieces as small tokens with their number, for the rows of seats and for figures of a game.

import { token } from "./board.js";
import { button, make, styled, svg } from "../common/dom.js";
import { t } from "../common/text.js";
import { tell } from "../common/toast.js";

/** @import { CapturedCount, DrawingsOfGame, PanelView, Piece } from "../common/types.js" */

// One list of elements for each seat that has captured something. `captured` are { by, seat, kind, count };
// `seats` and `kinds` are names.
/** @param {CapturedCount[]} captured @param {{ seats: string[], kinds: Record<string, string>, signs: Record<string, string>, drawings: DrawingsOfGame | null }} told */
export function capturedLines(captured, { seats, kinds, signs, drawings }) {
  return seats.flatMap((name, by) => {
    const own = captured.filter((each) => each.by === by);
    const total = own.reduce((sum, { count }) => sum + count, 0);
    const words = t("Captured by {seat}: {count}", { seat: name, count: total });
    return total ? [[words, " ", strip(own, kinds, signs, drawings)]] : [];
  });
}

// The pieces in a row, alike ones counted; read out as words.
/** @param {CapturedCount[]} pieces @param {Record<string, string>} kinds @param {Record<string, string>} signs @param {DrawingsOfGame | null} drawings */
export function strip(pieces, kinds, signs, drawings) {
  styled("captured.css");
  const row = make("span", { className: "captured" });
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", t("Captured: {pieces}", { pieces: pieces.map(({ kind, count }) => `${count} × ${kinds[kind] ?? kind}`).join(", ") }));
  for (const { seat, kind, count } of pieces) {
    const drawn = svg("svg", { viewBox: "-112 -106 224 224", width: 22, height: 22, "aria-hidden": "true" });
    drawn.append(token({ seat, kind }, signs[kind] ?? kind.slice(0, 2), 100, drawings));
    row.append(drawn);
    if (count > 1) row.append(make("small", { textContent: `×${count}`, ariaHidden: "true" }));
  }
  return row;
}

// The captures of a view, [[seat that took it, piece], …], counted by kind.
/** @param {[number, Piece][]} captures */
export function counted(captures) {
  /** @type {Map<string, CapturedCount>} */
  const found = new Map();
  for (const [by, { seat, kind }] of captures) {
    const key = `${by} ${seat} ${kind}`;
    const known = found.get(key);
    if (known) known.count += 1;
    else found.set(key, { by, seat, kind, count: 1 });
  }
  return [...found.values()];
}

// Shows in the row of each seat what it has captured in `view`.
/** @param {PanelView} view @param {DrawingsOfGame | null} drawings */
export function showCaptured({ captures, kinds, signs }, drawings) {
  const all = counted(captures);
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".seat"))) {
    const own = all.filter(({ by }) => by === Number(row.dataset.seat));
    const now = JSON.stringify([own, Boolean(drawings)]);
    const old = /** @type {HTMLElement | null} */ (row.querySelector(".captured"));
    if (old?.dataset.now === now || (!old && !own.length)) continue;
    old?.remove();
    if (!own.length) continue;
    const pieces = strip(own, kinds, signs, drawings);
    const words = pieces.getAttribute("aria-label") ?? "";
    const made = document.body.classList.contains("tv") ? pieces : button("", () => tell(words), { className: "captured", ariaLabel: words });
    if (made !== pieces) made.append(...pieces.childNodes);
    made.dataset.now = now;
    row.querySelector("div")?.after(made);
  }
}
