// Phones of the room in three steps: let them in, scan, and see by itself that one has come.

import { ask, messageOf } from "../common/api.js";
import { setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { ReachTold } from "../common/types.js" */

const LOOK_MS = 2000, BACK_LOOK_MS = 500, BACK_MS = 20_000, HINT_MS = 30_000;
const $ = /** @type {(id: string) => PageElement | null} */ ((id) => document.getElementById(id));
const button = $("reach"), told = $("reach-told"), arrived = $("arrived");

/** @returns {Promise<ReachTold | null>} */
const look = () => ask("reach").catch(() => null);
/** @param {number} ms */
const wait = (ms) => new Promise((again) => setTimeout(again, ms));

// Lets phones in, or only this computer, and opens the page anew once the board is back.
/** @param {PageElement} pressed @param {PageElement} place */
async function change(pressed, place) {
  const open = Boolean(pressed.dataset.open);
  pressed.disabled = true;
  try {
    await ask("reach", { open });
  } catch (error) {
    setText(place, messageOf(error));
    pressed.disabled = false;
    return;
  }
  setText(place, t("The board starts again: one moment."));
  const began = performance.now();
  for (;;) {
    await wait(BACK_LOOK_MS);
    const reach = await look();
    if (reach && !reach.changing) break;
    if (performance.now() - began > BACK_MS) setText(place, t("The board is not back yet: start Beaconboard again on this computer. This page then comes back by itself."));
  }
  location.reload();
}

// Says when another device has opened the panel, and after a while why none may have.
/** @param {PageElement} place */
async function waitFor(place) {
  const began = performance.now();
  for (;;) {
    if ((await look())?.seen) break;
    setText(place, performance.now() - began < HINT_MS ? t("Waiting for a phone…")
      : t("No phone yet. Is it in the same Wi-Fi, and not in its guest network? A firewall on this computer may also keep it out."));
    await wait(LOOK_MS);
  }
  place.classList.add("works");
  setText(place, t("It works: another device has opened the panel."));
}

if (button && told) button.addEventListener("click", () => change(button, told));
if (arrived) waitFor(arrived);
