// The end of a game: its figures, and the way to see it again and to show it.

import { ask } from "./api.js";
import { capturedLines } from "./captured.js";
import { make } from "./dom.js";
import { t } from "./text.js";

let asked = "";

// Shows them under the buttons while `view` is of a game that is over, and takes them away when it is not.
export async function showOver(view, drawings) {
  const now = view.phase === "over" && !view.lesson ? `${view.game} ${view.plies.length} ${view.why}` : "";
  if (now === asked) return;
  asked = now;
  document.querySelector("#over")?.remove();
  const game = now && await ask("history/last").catch(() => null);
  if (!game?.over || asked !== now) return;
  const { id, count, minutes, captured, seats, kinds } = game;
  const lines = capturedLines(captured, { seats, kinds, signs: view.signs, drawings });
  const link = (href, textContent, more = {}) => make("a", { href, textContent, ...more });
  document.querySelector("#acts").after(make("div", { id: "over" },
    make("p", { textContent: t("Moves: {count}, minutes: {minutes}", { count, minutes }) }),
    ...lines.map((line) => make("p", {}, ...line)),
    make("p", {}, link(`/history/${id}`, t("See the game again")), " · ",
      link(`/history/${id}/game.svg`, t("Animated picture of the game"), { download: `game-${id}.svg` }))));
}
