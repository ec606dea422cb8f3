// The list of moves: two columns where two play, so that a turn of both is one row.

import { mark } from "./board.js";
import { make } from "../common/dom.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { DrawingsOfGame, PanelView } from "../common/types.js" */

const NEAR_END_PX = 40;

// Shows the moves of `view` in `list`; each row has its number from 1 in `data-ply`
// and a button to look back at it.
/** @param {PageElement} list @param {PanelView} view @param {DrawingsOfGame | null} drawings */
export function showMoves(list, { plies, seats }, drawings) {
  const now = JSON.stringify([plies, Boolean(drawings)]);
  if (list.dataset.now === now) return;
  list.dataset.now = now;
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;
  list.classList.toggle("two", seats.length === 2);
  list.replaceChildren(...plies.map(({ colour, text }, n) => {
    const row = make("li", { className: `seat-${colour}` }, mark(colour, drawings), make("button", { type: "button", textContent: text }));
    row.dataset.ply = n + 1;
    return row;
  }));
  if (atEnd) list.scrollTop = list.scrollHeight;
}
