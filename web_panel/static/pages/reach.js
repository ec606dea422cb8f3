// Phones of the room in three steps: let them in, scan, and see by itself that one has come.

import { setText } from "../common/dom.js";
import { letIn, reached } from "../common/let_in.js";
import { addCopyButtons } from "../common/link.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */

const LOOK_MS = 2000, HINT_MS = 30_000;
const $ = /** @type {(id: string) => PageElement | null} */ ((id) => document.getElementById(id));
const button = $("reach"), told = $("reach-told"), arrived = $("arrived");

/** @param {number} ms */
const wait = (ms) => new Promise((again) => setTimeout(again, ms));

// Lets phones in, or only this computer, and opens the page anew once the board is back.
/** @param {PageElement} pressed @param {PageElement} place */
async function change(pressed, place) {
  pressed.disabled = true;
  if (await letIn(Boolean(pressed.dataset.open), (sentence) => setText(place, sentence))) location.reload();
  else pressed.disabled = false;
}

// Says when another device has opened the panel, and after a while why none may have.
/** @param {PageElement} place */
async function waitFor(place) {
  const began = performance.now();
  for (;;) {
    if ((await reached())?.seen) break;
    setText(place, performance.now() - began < HINT_MS ? t("Now scan it with a phone: this page says when one has come.")
      : t("No phone yet. Is it in the same Wi-Fi, and not in its guest network? A firewall on this computer may also keep it out."));
    await wait(LOOK_MS);
  }
  place.classList.add("works");
  setText(place, t("It works: another device has opened the panel."));
}

addCopyButtons();
if (button && told) button.addEventListener("click", () => change(button, told));
if (arrived) waitFor(arrived);
