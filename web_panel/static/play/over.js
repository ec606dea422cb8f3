// The end of a game: its figures, the way to see it again and to show it, and a puzzle of the same game. What was captured is in the
// rows of the seats.

import { ask } from "../common/api.js";
import { make, styled } from "../common/dom.js";
import { savesFilm } from "../common/film.js";
import { called } from "./evening.js";
import { askedName } from "./own_win.js";
import { next } from "./puzzles.js";
import { isOwn } from "./seats.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { PanelView, PuzzlesOfGame, You } from "../common/types.js" */

const AGAIN_MS = 1500, TRIES = 5;
let asked = "";

// Shows them under the sentence while `view` is of a game that is over, and takes them away when it is not. Who has won without
// a name is asked for one; `send` says it. `evening` shows this evening's table.
/** @param {PanelView} view @param {You | null} you @param {Send} send @param {() => any} evening */
export async function showOver(view, you, send, evening) {
  if (view.phase === "over") {
    styled("over.css");
    const headline = /** @type {HTMLElement} */ (document.querySelector("#sentence"));
    headline.classList.toggle("won", hasWon(view, you));
    tellRanking(headline, view.ranking);
  }
  const now = view.phase === "over" && !view.lesson ? `${view.game_id} ${view.plies.length} ${view.why} ${you?.profile}` : "";
  if (now === asked) return;
  const isNew = !asked;
  asked = now;
  if (now && isNew && !document.querySelector("dialog[open], input:focus, textarea:focus")) scrollTo(0, 0); // who looks at the moves, below, sees the end
  for (const id of ["#over", "#own-win"]) document.querySelector(id)?.remove();
  const game = now && await written(() => asked === now);
  if (!game || asked !== now) return;
  /** @type {PuzzlesOfGame[]} */
  const puzzles = await ask("puzzles").catch(() => []);
  if (asked !== now) return;
  const puzzle = you?.role === "guest" ? undefined : next(view.game, puzzles.find(({ name }) => name === view.game)?.puzzles ?? []);
  const solve = puzzle && (() => send("order", { do: "start_puzzle", game: view.game, puzzle: puzzle.number, over: view.game_id }));
  /** @type {HTMLElement} */ (document.querySelector("#ranking") ?? document.querySelector("#sentence")).after(figures(game, new Set(Object.values(you?.people ?? {}).map(({ name }) => name)).size > 1 ? evening : null, solve, puzzles.length > 0), ...askedName(view, you, send));
  /** @type {HTMLElement} */ (document.querySelector("#told")).scrollTop = 0; // who has read on below sees how it ended
}

// The game as it is kept; it may be a moment before its end is. Null where it is not, or not `wanted` any more.
/** @param {() => boolean} wanted */
async function written(wanted) {
  for (let left = TRIES; left && wanted(); left -= 1) {
    const game = await ask("history/last").catch(() => null);
    if (game?.over) return game;
    await new Promise((again) => setTimeout(again, AGAIN_MS));
  }
  return null;
}

// Whether what the headline tells is won by who looks at this phone: a match that is decided, else the game. Who plays all seats has
// won nothing.
/** @param {PanelView} view @param {You | null} you */
function hasWon(view, you) {
  const winner = view.match?.winner ?? view.winner;
  return winner !== null && !view.lesson && isOwn(view, you, winner) && view.seats.some((_, seat) => !isOwn(view, you, seat));
}

// Who came first, second and so on, of several; the headline stays one without it.
/** @param {HTMLElement} headline @param {string} textContent */
function tellRanking(headline, textContent) {
  if ((document.querySelector("#ranking")?.textContent ?? "") === textContent) return;
  document.querySelector("#ranking")?.remove();
  if (textContent) headline.after(make("p", { id: "ranking", role: "status", textContent }));
}

// `solve` sets up a puzzle of that game, where one is left to solve; else all puzzles are offered. Of several who play together the
// `evening` is more. On a phone it is one row.
/** @param {{ id: number, count: number, minutes: number, started: string }} game @param {(() => any) | null} evening @param {(() => any) | undefined} solve @param {boolean} more */
function figures(game, evening, solve, more) {
  const { id, count, minutes } = game;
  /** @param {string} href @param {string} textContent @param {Record<string, any>} [more] */
  const link = (href, textContent, more = {}) => make("a", { href, textContent, ...more });
  /** @type {string} */
  const told = t("Moves: {count}, minutes: {minutes}", { count, minutes });
  const said = make("span", { role: "status" });
  return make("p", { id: "over" }, make("span", {}, told, " · "),
    link(`/history/${id}`, t("See it again")), " · ",
    savesFilm(link(`/history/${id}`, ""), () => ({ id, count }), said),
    ...(evening ? [" · ", make("button", { type: "button", textContent: called([game]), onclick: evening })] : solve ? [" · ", make("button", { type: "button", textContent: t("Solve a puzzle"), onclick: solve })] : more ? [" · ", link("/puzzles", t("All puzzles"))] : []),
    " ", said);
}
