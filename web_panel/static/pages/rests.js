// Where the sensors of an empty board rest, on the page "Board care": a tap measures it. The service judges and keeps it.

import { askOrTell } from "../common/api.js";
import { $, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { RestsTold } from "../common/types.js" */

/** @type {{ refresh: () => any, made: boolean }} */
const state = { refresh: () => {}, made: false };

// Shows what was measured; `refresh` asks for a new report at once.
/** @param {RestsTold | null | undefined} rests @param {string} role @param {() => any} refresh */
export function showRests(rests, role, refresh) {
  if (!state.made) listen();
  Object.assign(state, { refresh, made: true });
  $("rests").hidden = !rests;
  if (!rests) return;
  $("rests-begin").hidden = role !== "owner";
  $("rests-measure").disabled = rests.measuring;
  $("rests-without").hidden = !rests.far;
  setText($("rests-now"), now(rests));
}

/** @param {RestsTold} rests */
function now({ measuring, kept, count, told }) {
  if (measuring) return t("Measuring: touch nothing.");
  if (told) return told;
  return kept ? t("Measured: {kept} of {count} sensors.", { kept, count }) : t("Not measured yet.");
}

/** @param {boolean} without */
async function measure(without) {
  $("rests-told").textContent = "";
  await askOrTell("care/rests/measure", { without_far: without }, (/** @type {string} */ sentence) => ($("rests-told").textContent = sentence));
  await state.refresh();
}

function listen() {
  $("rests-measure").addEventListener("click", () => measure(false));
  $("rests-without").addEventListener("click", () => measure(true));
}
