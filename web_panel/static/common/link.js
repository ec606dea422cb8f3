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
  const copied = await navigator.clipboard?.writeText(text ? `${text}\n${url}` : url).then(() => true, () => false) ?? copiedBySelection(url);
  return copied ? t("Copied: {url}", { url }) : t("Copy this address: {url}", { url });
}

// Pages that came by plain http have no clipboard of their own.
/** @param {string} url */
function copiedBySelection(url) {
  const input = Object.assign(document.createElement("input"), { value: url, readOnly: true });
  document.body.append(input);
  input.select();
  const copied = document.execCommand("copy");
  input.remove();
  return copied;
}
