// How the board is doing, in sentences; and the support bundle, of which everything is shown before it is saved.

import { ask, messageOf } from "../common/api.js";
import { $, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { BundleTold, HealthLineTold, HealthTold } from "../common/types.js" */

const EVERY_MS = 3000;
const MARKS = { well: "✓", watch: "!", wrong: "✕", told: "·" };
const SPOKEN = { well: t("In order:"), watch: t("To look at:"), wrong: t("Wrong:"), told: "" };

let shown = "";

async function look() {
  try {
    show(await ask("health"));
    setText($("told"), "");
  } catch (error) {
    setText($("told"), messageOf(error));
  }
  setTimeout(look, document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

/** @param {HealthTold} health */
function show({ state, told, lines, owner }) {
  $("short").className = state;
  setText($("short-mark"), MARKS[state]);
  setText($("short-told"), told);
  $("for-owners").hidden = owner;
  if (owner && $("bundle").hidden) {
    $("bundle").hidden = false;
    if (location.hash === "#bundle") $("bundle").scrollIntoView();
  }
  const now = JSON.stringify(lines);
  if (now !== shown) $("condition").replaceChildren(...lines.map(line));
  shown = now;
}

/** @param {HealthLineTold} told */
function line({ state, what, advice }) {
  const mark = make("span", { className: "mark", ariaHidden: "true", textContent: MARKS[state] });
  const spoken = make("span", { className: "spoken", textContent: SPOKEN[state] });
  const item = make("li", { className: state }, mark, make("span", {}, spoken, " ", what));
  if (advice) item.append(make("small", { textContent: advice }));
  return item;
}

async function showBundle() {
  setText($("wrong"), "");
  $("shown").hidden = true;
  $("look").disabled = true;
  try {
    /** @type {BundleTold} */
    const bundle = await ask("health/bundle", { recording: $("recording").checked });
    $("files").replaceChildren(...bundle.files.map(({ name, text }) => make("details", {},
      make("summary", {}, make("b", { textContent: name }), make("span", { textContent: size(text.length) })),
      make("pre", { tabIndex: 0, ariaLabel: name, textContent: text }))));
    setText($("count"), t("{count} texts, {size} as a file. Tap one to read it.", { count: bundle.files.length, size: size(bundle.bytes) }));
    $("save").href = `/api/health/saved?number=${bundle.number}`;
    $("shown").hidden = false;
  } catch (error) {
    setText($("wrong"), messageOf(error));
  }
  $("look").disabled = false;
}

/** @param {number} bytes */
const size = (bytes) => (bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);

$("look").addEventListener("click", showBundle);
// What is shown belongs to the choice that was made.
$("recording").addEventListener("change", () => ($("shown").hidden = true));
look();
