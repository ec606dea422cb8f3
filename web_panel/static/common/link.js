// Giving an address away: by what the phone shares with, else over the clipboard, else to be copied by hand. Others do not reach the
// address by which this computer knows itself: they are given the one that the board has for them.

import { copied } from "./copied.js";
import { onItsComputer } from "./device.js";
import { button, make } from "./dom.js";
import { letIn, reached } from "./let_in.js";
import { t } from "./text.js";

/** @typedef {{ url: string, title: string, text?: string }} Given an address of this panel, its name, and what is said before it */

// Says in the line `said` what became of it, with a button behind it that does it again, or lets others in who could not open it.
/** @param {HTMLElement} said @param {string} sentence @param {HTMLButtonElement[]} buttons */
export function showGiven(said, sentence = "", ...buttons) {
  said.textContent = sentence;
  said.style.whiteSpace = "pre-line"; // what is said of the address does not run on from it
  if (said.nextElementSibling?.classList.contains("given")) said.nextElementSibling.remove();
  if (buttons.length) said.after(make("div", { className: "choices given" }, ...buttons));
}

// Shares or copies `given`: without the link where others could not open that, if there is something beside it to be read.
/** @param {HTMLElement} said @param {Given} given */
export async function give(said, given) {
  const known = onItsComputer() ? (await reached())?.address : location.origin;
  if (!known && !given.text) return offerToLetIn(said, given);
  const url = known && given.url.replace(location.origin, known);
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ ...(url ? { url } : {}), title: given.title, ...(given.text ? { text: given.text } : {}) });
      return url ? showGiven(said) : offerToLetIn(said, given, t("Shared without the link: only this device can open the board at the moment."));
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return showGiven(said);
    }
  }
  const copy = async () => {
    const done = await copied([given.text, url].filter(Boolean).join("\n"));
    if (!url) return offerToLetIn(said, given, done ? t("Copied without the link: only this device can open the board at the moment.") : undefined);
    const told = done ? given.text ? t("Copied, with the text before it: {url}", { url }) : t("Copied: {url}", { url }) : t("Copy this address: {url}", { url });
    const where = isNearby(url) ? t("It opens only in the network that the board is in.") : "";
    showGiven(said, [told, where].filter(Boolean).join("\n"), button(t("Copy"), copy));
  };
  await copy();
}

/** @param {HTMLElement} said @param {Given} given @param {string} [sentence] */
function offerToLetIn(said, given, sentence = t("Only this device can open the board at the moment: others could not open this link.")) {
  const open = button(t("Let phones in"), async () => {
    open.disabled = true;
    if (await letIn(true, (told) => (said.textContent = told))) await give(said, given);
    else open.disabled = false;
  }, { className: "primary" });
  showGiven(said, sentence, open);
}

// Whether an address leads to a board from its own network alone: by number, or by a name that only that network knows.
/** @param {string} url */
export function isNearby(url) {
  return /^[\d.]+$|^\[|\.local$/.test(new URL(url).hostname);
}

// Puts a button behind each address on the page that is there to be copied.
export function addCopyButtons() {
  for (const address of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("code.address"))) {
    const copy = button(t("Copy"), async () => {
      if (await copied(address.textContent ?? "")) copy.textContent = t("Copied");
      else getSelection()?.selectAllChildren(address); // to be copied by hand
    });
    copy.setAttribute("aria-label", t("Copy {url}", { url: address.textContent }));
    address.after(" ", copy);
  }
}
