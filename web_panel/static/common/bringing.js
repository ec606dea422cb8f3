// A file on its way to the board, part by part; its size comes first, so that one too large is not sent at all.

import { ask, messageOf } from "./api.js";
import { $, setText } from "./dom.js";
import { t } from "./text.js";

// Says in place of what went well before what is to be known now.
/** @param {string} told @param {string} [wrong] */
export function tell(told, wrong = "") {
  setText($("told"), told);
  setText($("wrong"), wrong);
}

/** @param {string} wrong */
export const fail = (wrong) => tell("", wrong);

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

// Brings a file to `where`, and shows how much of it is there; throws an Error with the sentence.
/** @param {string} where @param {File} file */
async function bring(where, file) {
  const most = Number($("file").dataset.part), progress = $("bringing");
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

// Brings each file that is chosen to `where`, and then has it looked through.
/** @param {string} where @param {() => Promise<void>} look */
export function takeFiles(where, look) {
  $("file").onchange = async () => {
    const [file] = $("file").files ?? [];
    if (file?.size) {
      tell(t("The file goes to the board: one moment."));
      $("shown").hidden = true;
      try {
        await bring(where, file);
        await look();
      } catch (error) {
        fail(messageOf(error));
      }
    } else if (file) fail(t("{name} is empty: choose another file.", { name: file.name }));
    $("file").value = ""; // the same one may be chosen again
  };
}
