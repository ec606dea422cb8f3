// How the connection to the house stands, in one sentence that follows it while the page is open.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { HousePage } from "../common/types.js" */

const EVERY_MS = 2000;
let timer = 0, shown = "";

// Shows it in `place`, which is hidden while the house is switched off.
/** @param {HTMLElement} place */
export async function lookAtHouse(place) {
  clearTimeout(timer);
  /** @type {HousePage | null} */
  const house = await ask("house").catch(() => null); // whoever serves the page says elsewhere that it is gone
  if (house) {
    place.hidden = !house.on;
    place.classList.toggle("refusal", house.on && !house.connected);
    if (shown !== house.told) place.replaceChildren(house.told, " ", make("a", { href: "/house", textContent: t("The boards of the house") }));
    shown = house.told;
  }
  if (!house || house.on) timer = setTimeout(lookAtHouse, EVERY_MS, place);
}
