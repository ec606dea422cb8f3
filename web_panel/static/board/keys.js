// The keys on the board: from cell to cell, to the next cell that is lit, and what hands do there. Knows no rules.

import { ARROWS } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Tell } from "../common/api.js" */
/** @import { Board, Site } from "./board.js" */
/** @import { Hand } from "./hand.js" */

// `list(name)` lists the moves of a site, `setAside()` takes a piece off; without a hand (`hasHand()`) Enter lists, too.
// `meaningOf(name)` is what the light of a site says, "" where it is dark; `tell` says a sentence.
// Returns what does a key.
/** @param {{ board: Board, hand: Hand, hasHand: () => boolean, meaningOf: (name: string) => string, list: (name: string) => void, setAside: () => void, tell: Tell }} parts */
export function keysOf({ board, hand, hasHand, meaningOf, list, setAside, tell }) {
  /** @param {Site | null | undefined} site */
  const go = (site) => {
    if (!site) return;
    board.focus(site);
    site.group.focus();
  };
  /** @param {string} name */
  const lit = (name) => !["", "last"].includes(meaningOf(name));
  /** @param {string} name @param {number} step */
  const toLit = (name, step) => {
    const next = board.next(name, step, lit);
    if (next) return go(next);
    tell(lit(name) ? t("No other cell is lit.") : t("No cell is lit now."));
  };
  /** @param {KeyboardEvent & { target: any }} event */
  return (event) => {
    const name = event.target.dataset?.site;
    if (!name || event.ctrlKey || event.altKey || event.metaKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) go(board.beside(name, ...arrow));
    else if (event.key.toLowerCase() === "n") toLit(name, event.shiftKey ? -1 : 1);
    else if (event.key === "p" || (!hasHand() && event.key === "Enter")) list(name);
    else if (!hasHand()) return;
    else if (event.key === "Enter" || event.key === " ") hand.tap(name);
    else if (event.key === "Delete" || event.key === "Backspace") setAside();
    else return;
    event.preventDefault();
  };
}
