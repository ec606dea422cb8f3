// The page on which an owner says which board is wired to the Pi.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { $, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { BoardToWire, WiredTold } from "../common/types.js" */

const LOOK_MS = 1000;
let waits = false;

/** @param {WiredTold} told */
function show(told) {
  const screen = { name: "screen", title: t("No board yet"), games: [t("all games, on the screen")] };
  $("boards").replaceChildren(...[...told.boards, screen].map((board) => row(board, board.name === told.board)));
}

/** @param {BoardToWire} board @param {boolean} now */
function row({ name, title, games }, now) {
  const shown = make("button", { type: "button", disabled: waits, onclick: () => choose(name) },
    make("b", { textContent: title }), make("small", { textContent: games.map((each) => t(each)).join(", ") }), make("span", { textContent: now ? "✓" : "", ariaHidden: "true" }));
  if (now) shown.setAttribute("aria-current", "true");
  return make("li", {}, shown);
}

/** @param {string} board */
async function choose(board) {
  setText($("wrong"), "");
  if (!await askOrTell("wired/choose", { board }, (wrong) => setText($("wrong"), wrong))) return;
  waits = true;
  setText($("now"), t("The board starts again: one moment."));
  await refresh();
}

async function refresh() {
  try {
    /** @type {WiredTold} */
    const told = await ask("wired");
    if (waits && !told.changing) setText($("now"), t("The board is ready."));
    waits = told.changing;
    show(told);
  } catch (error) {
    if (!waits) setText($("wrong"), messageOf(error)); // while it starts again it does not answer
  }
  if (waits) setTimeout(refresh, LOOK_MS);
}

refresh();
