// The end of a game: its figures, and the way to see it again and to show it. What was captured is in the rows of the seats.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { filmButton } from "../common/film.js";
import { t } from "../common/text.js";

/** @import { PanelView, ProgressTold } from "../common/types.js" */

let asked = "";

// Shows them under the sentence while `view` is of a game that is over, and takes them away when it is not.
/** @param {PanelView} view */
export async function showOver(view) {
  const now = view.phase === "over" && !view.lesson ? `${view.game_id} ${view.plies.length} ${view.why}` : "";
  if (now === asked) return;
  asked = now;
  document.querySelector("#over")?.remove();
  const game = now && await ask("history/last").catch(() => null);
  if (!game?.over || asked !== now) return;
  const { id, count, minutes } = game;
  /** @type {ProgressTold | null} */
  const progress = await ask("progress").catch(() => null);
  if (asked !== now) return;
  /** @param {string} href @param {string} textContent @param {Record<string, any>} [more] */
  const link = (href, textContent, more = {}) => make("a", { href, textContent, ...more });
  /** @type {string} */
  const told = t("Moves: {count}, minutes: {minutes}", { count, minutes });
  const said = make("span", { role: "status" });
  /** @type {HTMLElement} */ (document.querySelector("#sentence")).after(make("p", { id: "over" }, told, " · ",
    link(`/history/${id}`, t("See the game again")), " · ",
    filmButton(() => ({ id, count }), said),
    ...(progress?.today && !progress.today.solved ? [" · ", link("/puzzles", t("Puzzle of the day"))] : []), " ", said));
}
