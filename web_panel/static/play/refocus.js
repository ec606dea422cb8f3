// The focus after a button that had it has gone, or can no longer be pressed: by keys nobody should have to begin at the top again,
// nor press what they did not choose, with the same key pressed twice.

import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */

/** @param {string} text */
const redoes = (text) => text === t("Redo the move") || text === t("Redo {n} moves", { n: Number(text.match(/\d+/)) });

// Puts it on the button among `acts` that is called `label`, for "" on the one that makes again what was taken back; else on the board.
/** @param {HTMLElement} acts @param {string} label */
export function refocus(acts, label) {
  if (document.activeElement?.matches("button:enabled")) return; // somebody has gone on meanwhile
  const named = [...acts.querySelectorAll("button")].find(({ textContent: text }) => (label ? text === label : redoes(text ?? "")));
  /** @type {PageElement | null} */ (named ?? document.querySelector('#board [tabindex="0"]'))?.focus({ preventScroll: true });
}
