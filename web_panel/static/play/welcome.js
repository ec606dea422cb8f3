// What greets somebody who comes back, over the choice of games: one line and one button, and not the same twice in a row.

import { ask } from "../common/api.js";
import { choose, chosen } from "../common/device.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";
import { goOn } from "./left.js";
import { solved } from "./puzzles.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameLeft, GameOffered, ProgressTold, WelcomeTold } from "../common/types.js" */

/** What greets while this page is open. @type {WelcomeTold | null} */
let greets = null;

// The card of what is told first and can be done here, and the game to go on with where it is that; nothing where there is none. A
// game of one's own that waits goes before all else, each time.
/** @param {ProgressTold} progress @param {GameOffered[]} games @param {Give} order @param {Pick<typeof import("./lobby.js"), "act" | "card" | "solo">} made */
export function greeted({ welcome, left }, games, order, { act, card, solo }) {
  const fit = welcome.filter(({ game, puzzle }) => games.some(({ name, fits }) => name === game && fits !== false) && !solved(game).includes(puzzle));
  const before = chosen("welcomed", "");
  const waits = fit.find(({ id, puzzle }) => id && !puzzle);
  greets = waits ?? fit.find(({ what }) => what === greets?.what) ?? fit.find(({ what }) => what !== before) ?? fit[0] ?? null;
  if (!greets) return null;
  const { what, sentence, game: name, level, puzzle, id, ply } = greets;
  choose("welcomed", what);
  const game = /** @type {GameOffered} */ (games.find((each) => each.name === name));
  if (waits) {
    const parts = goOn(/** @type {GameLeft} */ (left.find((each) => each.id === id)), games, order, { act, card }, sentence);
    parts.forEach((part) => (part.id = "welcome"));
    return { id, parts };
  }
  const words = puzzle ? t("Solve it") : level ? t("Against the board, level {level}", { level }) : t("Play");
  const does = async () => (id || puzzle || level ? order(id ? await ask(`history/${id}/puzzle?ply=${ply}`) : puzzle ? { do: "start_puzzle", game: name, puzzle } : await solo(game, level)) : chooses(name));
  const box = make("div", { id: "welcome", className: "offer" }, make("b", { textContent: sentence }), make("div", { className: "choices" }, act(words, game.title, does)));
  Object.assign(box.style, { gridColumn: "1 / -1", gridTemplateColumns: "minmax(0, 1fr)" });
  return { id: 0, parts: [box] };
}

// Among people it is *New game* that knows who is there, and proposes who plays.
/** @param {string} game */
function chooses(game) {
  history.replaceState(history.state, "", `#new=${game}`);
  document.getElementById("new-game")?.click();
}
