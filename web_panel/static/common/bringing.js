// A file on its way to the board, part by part; its size comes first, so that one too large is not sent at all.

import { ask } from "./api.js";
import { t } from "./text.js";

/** @import { PageElement } from "./dom.js" */

// The bytes of `part` in base64.
/** @param {Blob} part @returns {Promise<string>} */
function written(part) {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result).replace(/^[^,]*,/, ""));
    reader.onerror = () => failed(new Error(t("The file cannot be read on this device: choose it again.")));
    reader.readAsDataURL(part);
  });
}

// Brings a file to `where`, and lets `progress` show how much of it is there; throws an Error with the sentence.
/** @param {string} where @param {File} file @param {number} most @param {PageElement} progress */
export async function bring(where, file, most, progress) {
  try {
    await ask(`${where}/bring`, { name: file.name, bytes: file.size });
    progress.hidden = false;
    for (let at = 0; at < file.size; at += most) {
      await ask(`${where}/bring-part`, { at, data: await written(file.slice(at, at + most)) });
      progress.value = Math.min(1, (at + most) / file.size);
    }
  } finally {
    progress.hidden = true;
  }
}
