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
  if (!list.dataset.now) staysAtEnd(list);
  list.dataset.now = now;
  const atEnd = isAtEnd(list);
  list.classList.toggle("two", seats.length === 2);
  list.replaceChildren(...plies.map(({ colour, text, words }, n) => {
    const row = make("li", { className: `seat-${colour}` }, mark(colour, drawings), make("button", { type: "button", textContent: words || text }));
    row.dataset.ply = n + 1;
    return row;
  }));
  const toEnd = () => (list.scrollTop = list.scrollHeight);
  if (atEnd) toEnd();
  if (atEnd) requestAnimationFrame(toEnd); // by then what else the view changes beside it has its room
}

/** @param {PageElement} list */
const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END_PX;

// What comes and goes beside `list` makes it lower: whoever has the last move in sight keeps it.
/** @param {PageElement} list */
function staysAtEnd(list) {
  let end = true;
  list.addEventListener("scroll", () => (end = isAtEnd(list)));
  new ResizeObserver(() => end && (list.scrollTop = list.scrollHeight)).observe(list);
}
