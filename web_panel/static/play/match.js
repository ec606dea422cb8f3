// A match: how it stands, in one line, and when that is the headline.

import { isOwn, playerName } from "./seats.js";
import { t } from "../common/text.js";

/** @import { PanelView, You } from "../common/types.js" */

const TO = "\u2060–\u2060"; // no line breaks at it

// The headline over a `view` in which the game alone has `said` it, and what stands `beside`: a match that is won is the greater end, and
// `crowned`.
/** @param {PanelView} view @param {You | null} you @param {string} said */
export function headlines(view, you, said) {
  const match = matchLine(view, you), crowned = typeof view.match?.winner === "number";
  return crowned ? { crowned, headline: match, beside: said } : { crowned, headline: said, beside: match };
}

// The line for a `view` of a match, as `you` call the players; "" for a game by itself.
/** @param {PanelView} view @param {You | null} you */
function matchLine(view, you) {
  const { match } = view;
  if (!match) return "";
  /** @param {number} seat */
  const score = (seat) => [match.won[seat], ...match.won.filter((_, other) => other !== seat)].join(TO);
  const own = (/** @type {number} */ seat) => isOwn(view, you, seat) && (you?.seats.length ?? 0) < 2;
  if (match.winner !== null && own(match.winner)) return t("You win the match {score}!", { score: score(match.winner) });
  if (match.winner !== null) return t("{name} wins the match {score}.", { name: playerName(view, you, match.winner), score: score(match.winner) });
  const most = Math.max(...match.won);
  const leaders = match.won.flatMap((won, seat) => (won === most ? [seat] : []));
  const stands = leaders.length === 1 ? own(leaders[0]) ? t("you lead {score}", { score: score(leaders[0]) }) : t("{name} leads {score}", { name: playerName(view, you, leaders[0]), score: score(leaders[0]) })
    : t("it stands {score}", { score: match.won.join(TO) });
  return t("Game {game}, first to {to}: {stands}.", { game: match.game, to: match.to, stands });
}
