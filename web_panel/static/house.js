// The boards of the house: what is played on each, whose turn it is, and a link to its panel.

import { ask } from "./api.js";
import { make, setText } from "./dom.js";
import { t } from "./text.js";

const $ = (id) => document.getElementById(id);
const EVERY_MS = 2000;
let shown = "";

// A text of another board, in whatever script it is written.
const foreign = (name, textContent) => make(name, { dir: "auto", textContent });

function card({ name, address, game, phase, turn, told, on, here }) {
  const title = foreign(address && !here ? "a" : "b", name);
  if (address && !here) Object.assign(title, { href: address, rel: "noreferrer" });
  const what = !on ? t("Off") : !game || phase === "idle" ? t("No game") : null;
  const lines = what ? [make("span", { textContent: what })] : [foreign("span", game), foreign("span", told || turn || "")];
  const where = here ? t("this board") : address.replace(/^https?:\/\//, "") || t("opens on its own computer only");
  const item = make("li", { className: on ? "" : "off" }, title, ...lines.filter((line) => line.textContent), make("small", { textContent: where }));
  return item;
}

async function look() {
  try {
    const house = await ask("house");
    setText($("stands"), house.told);
    setText($("wrong"), "");
    const now = JSON.stringify(house.boards);
    if (now !== shown) $("boards").replaceChildren(...house.boards.map(card));
    shown = now;
  } catch (error) {
    setText($("wrong"), error.message);
  }
  setTimeout(look, document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

look();
