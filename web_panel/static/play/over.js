// The end of a game: its figures, and the way to see it again and to show it. What was captured is in the rows of the seats.

import { ask } from "../common/api.js";
import { make, styled } from "../common/dom.js";
import { savesFilm } from "../common/film.js";
import { askedName } from "./own_win.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { PanelView, ProgressTold, You } from "../common/types.js" */

let asked = "";

// Shows them under the sentence while `view` is of a game that is over, and takes them away when it is not. Who has won without
// a name is asked for one; `send` says it.
/** @param {PanelView} view @param {You | null} you @param {Send} send */
export async function showOver(view, you, send) {
  if (view.phase === "over") styled("over.css");
  const now = view.phase === "over" && !view.lesson ? `${view.game_id} ${view.plies.length} ${view.why} ${you?.profile}` : "";
  if (now === asked) return;
  asked = now;
  for (const id of ["#over", "#own-win"]) document.querySelector(id)?.remove();
  const game = now && await ask("history/last").catch(() => null);
  if (!game?.over || asked !== now) return;
  /** @type {ProgressTold | null} */
  const progress = await ask("progress").catch(() => null);
  if (asked !== now) return;
  /** @type {HTMLElement} */ (document.querySelector("#sentence")).after(figures(game, progress), ...askedName(view, you, send));
}

/** @param {{ id: number, count: number, minutes: number }} game @param {ProgressTold | null} progress */
function figures({ id, count, minutes }, progress) {
  /** @param {string} href @param {string} textContent @param {Record<string, any>} [more] */
  const link = (href, textContent, more = {}) => make("a", { href, textContent, ...more });
  /** @type {string} */
  const told = t("Moves: {count}, minutes: {minutes}", { count, minutes });
  const said = make("span", { role: "status" });
  return make("p", { id: "over" }, make("span", {}, told, " · "),
    link(`/history/${id}`, t("See the game again")), " · ",
    savesFilm(link(`/history/${id}`, ""), () => ({ id, count }), said),
    ...(progress?.today && !progress.today.solved ? [" · ", link("/puzzles", t("Puzzle of the day"))] : []), " ", said);
}
