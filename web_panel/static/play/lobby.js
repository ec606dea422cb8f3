// The games to choose from while none is on the table, the easiest first: a tap begins one as it is usually played, or its lesson.
// "New game" has the rest.

import { ask } from "../common/api.js";
import { usual } from "../common/device.js";
import { button, make } from "../common/dom.js";
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
  const box = make("div", { id: "lobby", hidden: true }, ...games.filter(({ fits }) => fits !== false).map((game) => offer(game, order)));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Choose a game"));
  /** @type {HTMLElement} */ (document.querySelector("#table")).append(box);
  return box;
}

// A game with what it is about, and what one can do with it: play it with somebody, or against the board, or learn it.
/** @param {GameOffered} game @param {Give} order */
function offer(game, order) {
  const { name, title, blurb, lesson, seats, options, players_option: counts } = game;
  const players = options.find((option) => option.name === counts)?.default ?? seats.length;
  const acts = [act(t("Play"), game, () => order({ do: "new_game", game: name }))];
  if (players === 2) acts.push(act(t("Against the board, level {level}", { level: usual() }), game, async () => order(await solo(game))));
  if (lesson) acts.push(act(t("Learn it"), game, () => order({ do: "start_lesson", game: name })));
  const [picture, named, line] = face(game);
  const box = make("div", { className: "offer" }, picture,
    make("div", {}, named, make("p", { textContent: blurb }), line), make("div", { className: "choices" }, ...acts));
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", title);
  return box;
}

/** @param {string} words @param {GameOffered} game @param {() => Promise<any>} does */
function act(words, { title }, does) {
  const made = button(words, async () => {
    made.disabled = true; // a second tap would begin it twice
    await does();
    made.disabled = false;
  });
  made.setAttribute("aria-label", `${words}: ${title}`);
  return made;
}

/** @param {GameOffered} game */
async function solo(game) {
  const { alone } = await import("./opponents.js");
  return { do: "new_game", game: game.name, opponents: alone(game, 2) };
}
