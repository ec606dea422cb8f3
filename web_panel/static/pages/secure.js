// The page of secure pages: whether this phone trusts the board, and for owners what the board serves.

import { askOrTell } from "../common/api.js";
import { setText } from "../common/dom.js";
import { goOver, stay, trusts } from "../common/go_over.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */

const $ = /** @type {(id: string) => PageElement | null} */ ((id) => document.getElementById(id));
const MOST_LETTERS = 48 * 1024;

/** @param {string} told @param {string} [wrong] */
function tell(told, wrong = "") {
  const [toldAt, wrongAt] = [$("told"), $("wrong")];
  if (toldAt) setText(toldAt, told);
  if (wrongAt) setText(wrongAt, wrong);
}

// ---- this phone ----

// Opens what this device has to do; all of it stays there to be opened.
function openOwnSteps() {
  const { userAgent, maxTouchPoints } = navigator;
  const mobileMac = userAgent.includes("Macintosh") && maxTouchPoints > 1; // an iPad says that it is a Mac
  const found = /iPhone|iPad/.test(userAgent) || mobileMac ? "ios"
    : userAgent.includes("Android") ? "android"
      : userAgent.includes("Firefox") ? "firefox"
        : userAgent.includes("Windows") ? "windows"
          : userAgent.includes("Macintosh") ? "mac" : "linux";
  const own = $(`steps-${found}`);
  if (own) own.open = true;
}

/** @param {string} address */
async function tryIt(address) {
  const [button, told, go] = [$("try"), $("tried"), $("go")];
  if (!button || !told || !go) return;
  button.disabled = true;
  setText(told, t("One moment …"));
  const trusted = await trusts(address);
  button.disabled = false;
  go.hidden = !trusted;
  button.className = trusted ? "" : "primary";
  setText(told, trusted ? t("This phone trusts the board.")
    : t("This phone does not trust the board yet. Go through the steps above, the last one too, then try again."));
}

// ---- for owners ----

// Sends an order, and shows the page as it is then: at the address `next` where this one is about to be gone.
/** @param {string} path @param {object} body @param {string} told @param {string} [next] */
async function order(path, body, told, next) {
  tell(told);
  if (!await askOrTell(path, body, (wrong) => tell("", wrong))) return;
  if (next) {
    stay();
    location.replace(`${next}/secure`);
  } else location.reload();
}

/** @param {FileList} files */
async function bringFiles(files) {
  const all = [...files];
  if (all.reduce((sum, file) => sum + file.size, 0) > MOST_LETTERS) {
    tell("", t("These files are too large for a certificate and its key: choose those two alone."));
    return;
  }
  const read = await Promise.all(all.map((file) => file.text()));
  await order("secure/bring", { pem: read.join("\n") }, t("The board looks at the files …"));
}

const address = $("this-phone")?.dataset.address || "";
openOwnSteps();
$("try")?.addEventListener("click", () => tryIt(address));
$("go")?.addEventListener("click", () => goOver(address));
$("on")?.addEventListener("click", () => order("secure/on", {}, t("The board makes its certificate: a few seconds …")));
$("anew")?.addEventListener("click", () => order("secure/on", { anew: true }, t("The board makes its certificate: a few seconds …")));
$("off")?.addEventListener("click", () => order("secure/off", {}, "", $("off")?.dataset.http));
$("files")?.addEventListener("change", ({ target }) => {
  bringFiles(target.files);
});
