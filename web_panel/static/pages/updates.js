// The page of updates: what runs, a file with another version and what that changes, how it is put on, and the way back.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { fail, takeFiles, tell } from "../common/bringing.js";
import { $, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { FirmwareTold, UpdateShown, UpdatesPage } from "../common/types.js" */

const LOOK_MS = 1500, QUIET_MS = 20_000;
/** @type {ReturnType<typeof setTimeout>} */
let timer;
let fetches = false; // whether this page waits for what it has let the board fetch
let writing = false; // whether the sensor board's firmware is being written
let watches = false; // whether something that was asked for here goes on

// ---- how it stands ----

/** @param {UpdatesPage} page */
function goesOn({ doing, to, when }) {
  if (doing === "build") return t("Version {version} is being set up beside this one. The board plays on.", { version: to });
  if (doing === "built") return when === "now" ? t("Version {version} is ready, and put on once no game is being played.", { version: to })
    : t("Version {version} is ready, and put on once nobody has played for half an hour.", { version: to });
  return doing ? t("Version {version} plays. For five minutes the board watches whether it does so reliably.", { version: to }) : "";
}

/** @param {UpdatesPage} page */
function show(page) {
  setText($("version"), page.version || "–");
  setText($("goes-on"), goesOn(page));
  $("building").hidden = page.doing !== "build";
  $("building").value = page.share;
  $("elsewhere").hidden = page.installed;
  $("from-file").hidden = !page.installed;
  $("going-back").hidden = !page.before || Boolean(page.doing);
  setText($("go-back"), t("Go back to version {version}", { version: page.before }));
  $("file").disabled = $("now").disabled = $("quiet").disabled = $("go-back").disabled = page.doing === "build" || page.doing === "trial";
  if (page.doing) watches = true;
}

// The sentences of what changes, in the language of the page.
/** @param {PageElement} list @param {Record<string, string[]>} changes */
function showChanges(list, changes) {
  const said = changes[document.documentElement.lang] ?? changes.en ?? [];
  list.replaceChildren(...said.map((sentence) => make("li", { textContent: sentence })));
}

// Shows what was found at the address, until it is here.
/** @param {UpdatesPage} page */
function showOffer({ offered, fetching, doing, offer_wrong: wrong }) {
  $("offered").hidden = !offered || Boolean(doing) || !$("shown").hidden;
  setText($("offer-wrong"), wrong);
  $("fetch").disabled = fetching;
  if (!offered) return;
  setText($("offered-about"), aboutOf(offered));
  showChanges($("offered-changes"), offered.changes);
}

/** @param {{ version: string, minutes: number, released: string }} update */
const aboutOf = ({ version, minutes, released }) =>
  t("Version {version} of {date}. It takes up to {minutes} min, in which the board can be played.",
    { version, minutes, date: new Date(released).toLocaleDateString([], { dateStyle: "medium" }) });

// Says how the last update ended: in red what was asked for here and failed, else beside the version.
/** @param {UpdatesPage} page */
function end({ doing, ended }) {
  if (doing) return;
  const told = !ended ? "" : ended.plays ? t("Version {version} was put on and plays.", { version: ended.version }) : ended.why;
  if (watches) tell(ended?.plays ? told : "", ended?.plays ? "" : told);
  else setText($("last"), ended?.plays ? "" : told);
  watches = false;
}

// Says how it stands with the sensor board, where there is one.
async function showFirmware() {
  if (!$("firmware")) return;
  /** @type {FirmwareTold} */
  const { told, can, writes } = await ask("updates/firmware");
  setText($("firmware"), told);
  $("write-firmware").disabled = !can;
  writing = writes;
}

async function refresh() {
  clearTimeout(timer);
  try {
    await showFirmware();
    /** @type {UpdatesPage} */
    const page = await ask("updates");
    show(page);
    showOffer(page);
    if (!page.fetching) await fetched(page);
    end(page);
  } catch (error) {
    if (!watches) fail(messageOf(error)); // while the board starts again it does not answer
  }
  timer = setTimeout(refresh, watches || fetches || writing ? LOOK_MS : QUIET_MS);
}

// Shows what was fetched for this page, or why it was not.
/** @param {UpdatesPage} page */
async function fetched({ offer_wrong: wrong }) {
  if (!fetches) return;
  fetches = false;
  if (wrong) tell("");
  else await look();
}

// ---- a file ----

// Shows what the file that was brought would change.
async function look() {
  tell(t("The update is looked through: one moment."));
  /** @type {UpdateShown} */
  const { name, version, released, changes, minutes } = await ask("updates/holds");
  setText($("shown-name"), name);
  setText($("shown-about"), aboutOf({ version, released, minutes }));
  showChanges($("changes"), changes);
  $("offered").hidden = true;
  tell("");
  $("shown").hidden = false;
  $("shown").focus();
}

// Asks for something that takes long, and watches how it ends.
/** @param {string} what @param {object} body @param {string} told */
async function begin(what, body, told) {
  tell(told);
  $("shown").hidden = true;
  if (await askOrTell(`updates/${what}`, body, fail)) {
    setText($("last"), "");
    watches = true;
  }
  await refresh();
}

$("write-firmware")?.addEventListener("click", async () => {
  await askOrTell("updates/firmware", {}, fail);
  await refresh();
});
$("fetch").onclick = async () => {
  tell(t("The board fetches the update: this takes some minutes."));
  if (await askOrTell("updates/fetch", {}, fail)) fetches = true;
  await refresh();
};
$("cancel").onclick = () => ($("shown").hidden = true);
$("now").onclick = () => begin("put-on", { when: "now" }, "");
$("quiet").onclick = () => begin("put-on", { when: "quiet" }, "");
$("go-back").onclick = () => begin("go-back", {}, t("The board starts again with the version before."));
takeFiles("updates", look);
refresh();
