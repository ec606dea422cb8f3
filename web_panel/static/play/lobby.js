// The games to choose from while none is on the table: a tap begins one as it is usually played. "New game" has the rest.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { face } from "./face.js";
import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameOffered, PanelView, You } from "../common/types.js" */

/** @type {Promise<HTMLElement | null> | null} */
let made = null; // the promise of the box, once it was wanted

// Shows them over the board while `view` is of an empty table and `you` may begin a game; `order(what)` sends an order.
/** @param {PanelView} view @param {You | null} you @param {Give} order */
export async function showLobby(view, you, order) {
  const wanted = view.phase === "idle" && you !== null && you.role !== "guest";
  if (!wanted && !made) return;
  made ??= makeLobby(order);
  const box = await made;
  if (!box) return void (made = null); // the service was away
  box.hidden = !wanted;
}

/** @param {Give} order */
async function makeLobby(order) {
  /** @type {GameOffered[] | null} */
  const games = await ask("games").catch(() => null);
  if (!games) return null;
  const box = make("div", { id: "lobby", hidden: true }, ...games.filter(({ fits }) => fits !== false).map((game) => card(game, order)));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Choose a game"));
  /** @type {HTMLElement} */ (document.querySelector("#table")).append(box);
  return box;
}

/** @param {GameOffered} game @param {Give} order */
function card(game, order) {
  const button = make("button", { type: "button", className: "card" }, ...face(game));
  button.onclick = async () => {
    button.disabled = true; // a second tap would begin it twice
    await order({ do: "new_game", game: game.name });
    button.disabled = false;
  };
  return button;
}
