// Who is ready while all choose in secret on several phones, and who is waited for: never what was chosen. Loaded once somebody is.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { isOwn, playerName } from "./seats.js";
import { t } from "../common/text.js";

/** @import { PanelView, You } from "../common/types.js" */

// Lets all others know whether the choice of `seat` waits on this phone until it is due.
/** @param {number} seat @param {boolean} on */
export const announce = (seat, on) => ask("seat/ready", { seat, on }).catch(() => {});

let looked = false; // whether this page has looked yet at what its phone was ready with

// A page that was opened anew has lost what its phone had made ready for `seat`, null where it waits for nothing: the others are told.
/** @param {You | null} you @param {number | null} seat */
export function lookBack(you, seat) {
  if (!looked && seat !== null && you?.ready.includes(seat)) announce(seat, false);
  looked = true;
}

// One line of it above the game's own.
/** @param {PanelView} view @param {You | null} you */
export function showReady(view, you) {
  document.querySelector("#ready")?.remove();
  if (!you?.ready.length || new Set(Object.values(you.held)).size < 2) return;
  /** @param {boolean} chosen */
  const names = (chosen) => view.seats.flatMap(({ out }, seat) => (out || you.ready.includes(seat) !== chosen ? []
    : isOwn(view, you, seat) && you.seats.length < 2 ? t("you") : playerName(view, you, seat))).join(", ");
  const [done, missing] = [names(true), names(false)];
  const textContent = missing ? t("Ready: {done}. Not ready yet: {missing}.", { done, missing }) : t("Ready: {done}.", { done });
  document.querySelector("#lines")?.before(make("p", { id: "ready", textContent }));
}
