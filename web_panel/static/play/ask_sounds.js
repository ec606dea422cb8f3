// Asks on each phone once an evening, until it is answered or was passed over, whether moves are to be heard there: who is never asked never learns that there is something to hear.

import { choose, chosen } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

const MOST_ASKED = 2; // evenings on which nobody answered: then no is meant
const EVENING_MS = 12 * 3_600_000;

// Asks below what the card tells, while that has room enough; `done()` is called once it is answered, within the press.
/** @param {() => void} done */
export function askSounds(done) {
  const asked = chosen("sounds_asked", 0), now = Date.now();
  if (asked >= MOST_ASKED || now - chosen("sounds_asked_ms", -EVENING_MS) < EVENING_MS) return;
  /** @param {string} words @param {string} value */
  const answer = (words, value) => button(words, () => {
    choose("sounds", value);
    box.remove();
    watch.disconnect();
    done();
  });
  const told = document.querySelector("#told");
  const fit = () => {
    box.hidden = false;
    box.hidden = told !== null && told.scrollHeight > told.clientHeight + 1;
    if (!box.hidden) choose("sounds_asked", asked + 1), choose("sounds_asked_ms", now);
  };
  // Where a sentence of the last move is shortened to fit beside this, another look would be answered by another cut, without end.
  const cut = (/** @type {MutationRecord} */ { target, attributeName }) => attributeName === "style" && Boolean(/** @type {Element} */ (target).closest("#last-turn"));
  const watch = new MutationObserver((changes) => changes.every(cut) || fit());
  const box = make("div", { id: "ask-sounds", className: "choices" }, make("span", { textContent: t("Hear the moves on this device?") }),
    answer(t("Sounds"), "sounds"), answer(t("Sounds and speech"), "speech"), answer(t("No"), "off"));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Sounds"));
  document.querySelector("#foot")?.append(box);
  fit();
  if (told) watch.observe(told, { attributes: true, characterData: true, childList: true, subtree: true });
}
