// The keys on the board: from cell to cell, to the next cell that is lit, and what hands do there. Knows no rules.

import { ARROWS } from "../common/dom.js";

/** @import { Board, Site } from "./board.js" */
/** @import { Hand } from "./hand.js" */

// `list(name)` lists the moves of a site, `setAside()` takes a piece off; without a hand (`hasHand()`) Enter lists, too.
// `meaningOf(name)` is what the light of a site says, "" where it is dark.
// Returns what does a key.
/** @param {{ board: Board, hand: Hand, hasHand: () => boolean, meaningOf: (name: string) => string, list: (name: string) => void, setAside: () => void }} parts */
export function keysOf({ board, hand, hasHand, meaningOf, list, setAside }) {
  /** @param {Site | null | undefined} site */
  const go = (site) => {
    if (!site) return;
    board.focus(site);
    site.group.focus();
  };
  /** @param {KeyboardEvent & { target: any }} event */
  return (event) => {
    const name = event.target.dataset?.site;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) go(board.beside(name, ...arrow));
    else if (event.key.toLowerCase() === "n") go(board.next(name, event.shiftKey ? -1 : 1, (site) => !["", "last"].includes(meaningOf(site))));
    else if (event.key === "p" || (!hasHand() && event.key === "Enter")) list(name);
    else if (!hasHand()) return;
    else if (event.key === "Enter" || event.key === " ") hand.tap(name);
    else if (event.key === "Delete" || event.key === "Backspace") setAside();
    else return;
    event.preventDefault();
  };
}
