// Which puzzles were solved on this phone, and which one comes next. What a puzzle is, the service knows.

import { ask } from "../common/api.js";
import { choose, chosen } from "../common/device.js";

/** @import { PuzzleListed, PuzzlesOfGame } from "../common/types.js" */

/** @returns {Record<string, string[]>} */
const all = () => chosen("solved", {});

// The numbers of the puzzles of `game` that were solved here.
/** @param {string} game */
export const solved = (game) => all()[game] ?? [];

/** @param {string} game @param {string} number */
export function remember(game, number) {
  if (!solved(game).includes(number)) choose("solved", { ...all(), [game]: [...solved(game), number] });
}

// How many of the `puzzles` of all games are of `game`, and how many of these were solved here.
/** @param {string} game @param {PuzzlesOfGame[]} puzzles */
export function solvedOf(game, puzzles) {
  const all = puzzles.find(({ name }) => name === game)?.puzzles ?? [], done = solved(game);
  return { all: all.length, count: all.filter(({ number }) => done.includes(number)).length };
}

// The first puzzle of `list` after number `after` that was not solved here, from the start again at the end; else undefined.
/** @param {string} game @param {PuzzleListed[]} list @param {string} [after] */
export function next(game, list, after = "") {
  const at = list.findIndex(({ number }) => number === after) + 1;
  const done = solved(game);
  return [...list.slice(at), ...list.slice(0, at)].find(({ number }) => !done.includes(number) && number !== after);
}

// Sets up the next puzzle of `game` after number `after`; the page with all of them where none is left. Throws an Error.
/** @param {string} game @param {string} after */
export async function goOn(game, after) {
  const list = /** @type {PuzzlesOfGame[]} */ (await ask("puzzles")).find(({ name }) => name === game)?.puzzles ?? [];
  const puzzle = next(game, list, after);
  if (puzzle) await ask("order", { do: "start_puzzle", game, puzzle: puzzle.number });
  else location.href = "/puzzles";
}
