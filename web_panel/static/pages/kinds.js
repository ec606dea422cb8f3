// Kinds of pieces by the strength of their magnets, on the page "Board care": a walk that measures them, and how often one
// would be taken for another. The figures come from the service.

import { askOrTell } from "../common/api.js";
import { $, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { KindsTold, KindTold } from "../common/types.js" */

const LETTERS = ["A", "B", "C"];

/** @type {{ refresh: () => any, made: boolean }} */
const state = { refresh: () => {}, made: false };

// Shows how far the walk is and what is known; `refresh` asks for a new report at once.
/** @param {KindsTold | null | undefined} kinds @param {string} role @param {() => any} refresh */
export function showKinds(kinds, role, refresh) {
  if (!state.made) listen();
  Object.assign(state, { refresh, made: true });
  $("kinds").hidden = !kinds;
  if (!kinds) return;
  $("kinds-begin").hidden = Boolean(kinds.asked) || role !== "owner";
  $("kinds-answers").hidden = !kinds.asked || role !== "owner";
  $("kinds-back").disabled = !kinds.kind && !kinds.number;
  setText($("kinds-asked"), kinds.unsaved || question(kinds));
  const now = JSON.stringify(kinds.known);
  if ($("kinds-known").dataset.now === now) return;
  $("kinds-known").dataset.now = now;
  $("kinds-known").hidden = !kinds.known.length;
  $("kinds-known").replaceChildren(...(kinds.known.length ? table(kinds.known) : []));
}

/** @param {KindsTold} kinds */
function question({ asked, kind, number, count }) {
  if (!asked) return "";
  const place = { kind: LETTERS[kind], number: number + 1, count, site: asked };
  return t("Kind {kind}, {number} of {count}: put a piece on {site} and take it off again.", place);
}

// What is nearly sure is not called sure.
/** @param {number} share */
const percent = (share) => (share > 0.9999 ? `> ${t("{percent}%", { percent: 99.99 })}` : t("{percent}%", { percent: (100 * share).toFixed(2) }));

/** @param {KindTold[]} known */
function table(known) {
  const head = ["", ...known.map((_, kind) => t("taken for {kind}", { kind: LETTERS[kind] }))];
  const rows = known.map(({ mean_mt: mean, spread_mt: spread, taken }, kind) => [
    t("Kind {kind}: {mean} ± {spread} mT", { kind: LETTERS[kind], mean, spread }), ...taken.map(percent),
  ]);
  return [make("tr", {}, ...head.map((text) => make("th", { textContent: text }))), ...rows.map((row) => make("tr", {}, ...row.map((text) => make("td", { textContent: text }))))];
}

/** @param {string} step @param {object} body */
async function send(step, body = {}) {
  $("kinds-told").textContent = "";
  await askOrTell(`care/kinds/${step}`, body, (/** @type {string} */ sentence) => ($("kinds-told").textContent = sentence));
  await state.refresh();
}

function listen() {
  $("kinds-two").addEventListener("click", () => send("begin", { kinds: 2 }));
  $("kinds-three").addEventListener("click", () => send("begin", { kinds: 3 }));
  $("kinds-back").addEventListener("click", () => send("back"));
  $("kinds-end").addEventListener("click", () => send("end"));
}
