// The page of backups: the copies on the board, one to be made, and one to be put back once its owner has seen what it holds.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { fail, takeFiles, tell } from "../common/bringing.js";
import { $, button, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { BackupCopy, BackupShown, BackupsPage } from "../common/types.js" */

const LOOK_MS = 1000, QUIET_MS = 20_000;
/** @type {ReturnType<typeof setTimeout>} */
let timer;
let shown = "", waitsFor = "";

/** @param {string} time a date and a time in UTC */
const when = (time) => (time ? new Date(`${time.replace(" ", "T")}Z`).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }) : "–");

/** @param {number} bytes */
const size = (bytes) => (bytes < 1e6 ? t("{size} kB", { size: Math.ceil(bytes / 1e3) }) : t("{size} MB", { size: (bytes / 1e6).toFixed(1) }));

// ---- the copies ----

/** @param {BackupCopy} copy */
function titleOf({ name, kind, holds }) {
  if (!holds) return name;
  const made = when(holds.made);
  if (kind === "before") return t("{made}, before another was put back", { made });
  return kind === "asked" ? t("{made}, by hand", { made }) : made;
}

/** @param {BackupCopy} copy */
function holdsOf({ holds, bytes, wrong }) {
  if (!holds) return wrong;
  const { games, people, last } = holds;
  return t("Games: {games}, the last one on {last}; people: {people}. {size}", { games, people, last: when(last), size: size(bytes) });
}

/** @param {BackupCopy} copy */
function card(copy) {
  const { name, holds } = copy;
  const save = make("a", { className: "go", href: `/backups/${encodeURIComponent(name)}`, download: name, textContent: t("Download") });
  const back = button(t("Put back"), () => look(name));
  for (const each of [save, back]) each.setAttribute("aria-label", `${each.textContent}: ${titleOf(copy)}`);
  return make("li", {}, make("b", { textContent: titleOf(copy) }), make("span", { textContent: holdsOf(copy) }),
    ...(holds ? [make("div", { className: "choices" }, save, back)] : []));
}

/** @param {BackupsPage} page */
function show(page) {
  const known = JSON.stringify(page.copies);
  if ($("copies").dataset.known !== known) {
    $("copies").dataset.known = known; // else whoever is about to press a button would lose it
    $("copies").replaceChildren(...page.copies.map(card));
  }
  $("none").hidden = page.copies.length > 0;
  $("make").disabled = $("put-back").disabled = Boolean(page.doing) || page.changing;
}

// Says how what was asked for has ended, once it has.
/** @param {BackupsPage} page */
function end({ doing, changing, wrong }) {
  if (!waitsFor || doing || changing) return;
  const told = waitsFor === "make" ? t("The backup is made.") : t("The backup is put back.");
  waitsFor = "";
  tell(wrong ? "" : told, wrong);
}

async function refresh() {
  clearTimeout(timer);
  try {
    /** @type {BackupsPage} */
    const page = await ask("backups");
    show(page);
    if (!waitsFor && page.wrong && !page.doing) setText($("wrong"), page.wrong);
    end(page);
  } catch (error) {
    if (!waitsFor) fail(messageOf(error)); // while the board starts again it does not answer
  }
  timer = setTimeout(refresh, waitsFor ? LOOK_MS : QUIET_MS);
}

/** @param {string} what @param {string} told @param {object} body */
async function begin(what, told, body) {
  tell(told);
  if (await askOrTell(`backups/${what}`, body, fail)) waitsFor = what;
  await refresh();
}

// ---- what is to be put back ----

// Shows what a copy holds, or the file that was brought.
/** @param {string} name */
async function look(name) {
  tell(t("The backup is looked through: one moment."));
  $("shown").hidden = true;
  try {
    /** @type {BackupShown} */
    const { name: called, holds, here } = await ask(`backups/holds?name=${encodeURIComponent(name)}`);
    shown = name;
    setText($("shown-name"), called);
    setText($("games-there"), String(holds.games));
    setText($("games-here"), String(here.games));
    setText($("last-there"), when(holds.last));
    setText($("last-here"), when(here.last));
    setText($("shown-more"), t("People: {people}, variants: {variants}. Made on {made}, by the board {board}.",
      { people: holds.people, variants: holds.variants, made: when(holds.made), board: holds.board || "–" }));
    tell("");
    $("shown").hidden = false;
    $("shown").focus();
  } catch (error) {
    fail(messageOf(error));
  }
}

$("make").onclick = () => begin("make", t("The backup is being made."), {});
$("cancel").onclick = () => ($("shown").hidden = true);
$("put-back").onclick = () => {
  $("shown").hidden = true;
  begin("put-back", t("The backup is being put back; the board starts again."), { name: shown });
};
takeFiles("backups", () => look(""));
refresh();
