// Giving an address away: by what the phone shares with, else over the clipboard, else to be copied by hand.

import { t } from "./text.js";

// Shares or copies `url`, named `title`, and the `text` before it; resolves to the sentence that says what became of it.
/** @param {string} url @param {string} title @param {string} [text] */
export async function copyLink(url, title, text = "") {
  if (navigator.share && matchMedia("(pointer: coarse)").matches) {
    try {
      await navigator.share({ url, title, ...(text ? { text } : {}) });
      return "";
    } catch (error) {
      if (/** @type {Error} */ (error).name === "AbortError") return "";
    }
  }
  return await copied(text ? `${text}\n${url}` : url) ? t("Copied: {url}", { url }) : t("Copy this address: {url}", { url });
}

// Copies `text`; resolves to whether that worked.
/** @param {string} text @returns {Promise<boolean>} */
export async function copied(text) {
  return await navigator.clipboard?.writeText(text).then(() => true, () => false) ?? copiedBySelection(text);
}

// Pages that came by plain http have no clipboard of their own. While a dialog is open nothing outside it can be selected.
/** @param {string} text */
function copiedBySelection(text) {
  const box = Object.assign(document.createElement("textarea"), { value: text, readOnly: true });
  (document.querySelector("dialog[open]") ?? document.body).append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}
