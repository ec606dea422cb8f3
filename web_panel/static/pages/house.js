// The boards of the house: what is played on each, whose turn it is, and a link to its panel.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { $, button, make, setText } from "../common/dom.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";
import { saved, showSaved } from "./steps.js";

/** @import { BoardOfHouse, HousePage } from "../common/types.js" */

const EVERY_MS = 2000;
/** @type {ReturnType<typeof setTimeout>} */
let timer;
let shown = "", unheard = false, trying = false;

// A text of another board, in whatever script it is written.
/** @param {keyof HTMLElementTagNameMap} name @param {string} textContent */
const foreign = (name, textContent) => make(name, { dir: "auto", textContent });

// Takes a board that is gone from the list, and from Home Assistant.
/** @param {string} id @param {string} name */
async function forget(id, name) {
  setText($("wrong"), "");
  if (!await sure(t("Forget {name}? A board that is switched on again comes back by itself.", { name }), t("Forget this board"))) return;
  await askOrTell("house/forget", { id }, (wrong) => setText($("wrong"), wrong));
}

/** @param {BoardOfHouse} board @param {boolean} forgets */
function card({ id, name, address, game, phase, turn, told, on, here }, forgets) {
  const title = foreign(address && !here ? "a" : "b", name);
  if (address && !here) Object.assign(title, { href: address, rel: "noreferrer" });
  const what = !on ? t("Off") : !game || phase === "idle" ? t("No game") : null;
  const lines = what ? [make("span", { textContent: what })] : [foreign("span", game), foreign("span", told || turn || "")];
  const where = here ? t("this board") : address.replace(/^https?:\/\//, "") || t("opens on its own computer only");
  const item = make("li", { className: on ? "" : "off" }, title, ...lines.filter((line) => line.textContent), make("small", { textContent: where }));
  if (forgets && !on && !here) item.append(button(t("Forget this board"), () => forget(id, name)));
  return item;
}

// ---- the steps that connect this board, for owners: folded, since few homes have what it needs ----

/** @param {HousePage} house */
async function showWay({ on, connected, told, forgets: owner }) {
  const way = $("way");
  if (owner && way.hidden) {
    await showSaved($("way").querySelector("form"));
    way.hidden = false;
  }
  $("leave").hidden = !on;
  $("server").hidden = on;
  $("asks").hidden = owner;
  if (!trying) return;
  $("tried").replaceChildren(make("p", { className: connected ? "well" : "", textContent: told }));
  trying = !connected;
}

// Saves the steps and connects, or with `on` false takes leave of the house; how that goes on, `look` sees.
/** @param {boolean} on */
async function connect(on) {
  $("tried").replaceChildren();
  try {
    if (on) await saved($("way").querySelector("form"), { house: true });
    else await ask("settings", { values: { house: false } });
    trying = on;
  } catch (error) {
    $("tried").replaceChildren(make("p", { className: "unwell", textContent: messageOf(error) }));
  }
  await look();
}

$("way").querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  connect(true);
});
$("leave").addEventListener("click", () => connect(false));

async function look() {
  clearTimeout(timer);
  try {
    /** @type {HousePage} */
    const house = await ask("house");
    setText($("stands"), house.told);
    if (unheard) setText($("wrong"), "");
    unheard = false;
    const now = JSON.stringify(house);
    await showWay(house);
    if (now !== shown) $("boards").replaceChildren(...house.boards.map((board) => card(board, house.forgets)));
    shown = now;
  } catch (error) {
    setText($("wrong"), messageOf(error));
    unheard = true;
  }
  timer = setTimeout(look, document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

look();
