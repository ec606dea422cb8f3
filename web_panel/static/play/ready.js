// Who is ready while all choose in secret on several phones, and who is waited for: never what was chosen. Loaded once somebody is.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { acting, isOwn, playerName } from "./seats.js";
import { t } from "../common/text.js";

/** @import { PanelView, You } from "../common/types.js" */

/** What the service told last of this phone, and what it had told when this page last said how it stands. @type {(You | null)[]} */
let [seen, said] = [null, null];
let looked = false; // whether this page has looked yet at what its phone was ready with

// Lets all others know whether the choice of `seat` waits on this phone until it is due.
/** @param {number} seat @param {boolean} on */
export function announce(seat, on) {
  said = seen;
  return ask("seat/ready", { seat, on }).catch(() => {});
}

// Tells the others what the service has wrong of the choice of `seat`, null where none is made ahead: a page that was opened anew has lost
// what its phone had made ready, and what `waits` here is unknown to a service that was started again.
/** @param {You | null} you @param {number | null} seat @param {boolean} waits */
export function lookBack(you, seat, waits) {
  seen = you;
  if (!looked && !waits && seat !== null && you?.ready.includes(seat)) announce(seat, false);
  looked = true;
  if (waits && seat !== null && you !== said && !you?.ready.includes(seat)) announce(seat, true);
}

// One line of it above the game's own.
/** @param {PanelView} view @param {You | null} you */
export function showReady(view, you) {
  document.querySelector("#ready")?.remove();
  if (!you?.ready.length || new Set(Object.values(you.held)).size < 2) return;
  const missing = acting(view, you), done = you.ready.filter((seat) => !view.seats[seat]?.out);
  const names = (/** @type {number[]} */ seats) => seats.map((seat) => (isOwn(view, you, seat) && you.seats.length < 2 ? t("you") : playerName(view, you, seat))).join(", ");
  const textContent = missing.length ? t("Ready: {done}. Not ready yet: {missing}.", { done: names(done), missing: names(missing) }) : t("Ready: {done}.", { done: names(done) });
  document.querySelector("#lines")?.before(make("p", { id: "ready", textContent }));
}
