// What greets somebody who comes back, over the choice of games: one line and one button, and not the same twice in a row.

import { ask } from "../common/api.js";
import { choose, chosen } from "../common/device.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";
import { solved } from "./puzzles.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameOffered, WelcomeTold } from "../common/types.js" */

/** What greets while this page is open. @type {WelcomeTold | null} */
let greets = null;

// The card of what is told first of `welcomes` and can be done here; nothing where there is none.
/** @param {WelcomeTold[]} welcomes @param {GameOffered[]} games @param {Give} order @param {Pick<typeof import("./lobby.js"), "act" | "solo">} made */
export function greeted(welcomes, games, order, { act, solo }) {
  const fit = welcomes.filter(({ game, puzzle }) => games.some(({ name, fits }) => name === game && fits !== false) && !solved(game).includes(puzzle));
  const before = chosen("welcomed", "");
  greets = fit.find(({ what }) => what === greets?.what) ?? fit.find(({ what }) => what !== before) ?? fit[0] ?? null;
  if (!greets) return [];
  const { what, sentence, game: name, level, puzzle, id, ply } = greets;
  choose("welcomed", what);
  const game = /** @type {GameOffered} */ (games.find((each) => each.name === name));
  const words = puzzle ? t("Solve it") : level ? t("Against the board, level {level}", { level }) : t("Play");
  const does = async () => order(id ? await ask(`history/${id}/puzzle?ply=${ply}`) : puzzle ? { do: "start_puzzle", game: name, puzzle } : level ? await solo(game, level) : { do: "new_game", game: name });
  const box = make("div", { id: "welcome", className: "offer" }, make("b", { textContent: sentence }), make("div", { className: "choices" }, act(words, game.title, does)));
  Object.assign(box.style, { gridColumn: "1 / -1", gridTemplateColumns: "minmax(0, 1fr)" });
  return [box];
}
