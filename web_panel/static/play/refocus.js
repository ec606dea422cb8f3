// The focus after a button that had it has gone, or can no longer be pressed: by keys nobody should have to begin at the top again.

/** @import { PageElement } from "../common/dom.js" */

// Puts it on the button among `acts` that is called `label`, for "" on the first; else on that which takes back, else on the board.
/** @param {HTMLElement} acts @param {string} label */
export function refocus(acts, label) {
  if (document.activeElement?.matches("button:enabled")) return; // somebody has gone on meanwhile
  const named = [...acts.querySelectorAll("button")].find(({ textContent }) => !label || textContent === label);
  const next = named ?? document.querySelector("#take-back:enabled") ?? document.querySelector('#board [tabindex="0"]');
  /** @type {PageElement | null} */ (next)?.focus({ preventScroll: true });
}
