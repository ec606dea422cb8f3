// The sentence for what somebody else has done beside moving.

import { t } from "../common/text.js";

/** @import { NewsTold } from "../common/types.js" */

/** @param {string} who @param {string} moves @param {boolean} ending */
const tookBack = (who, moves, ending) => ending ? t("{who} took back the ending.", { who })
  : moves ? t("{who} took back: {moves}.", { who, moves }) : t("{who} took back a move.", { who });

// `moves` are those that were taken back, in words.
/** @type {(told: NewsTold, moves: string) => string} */
export const sentence = ({ who, what, made, left, words }, moves) => what === "took_back" ? tookBack(who, moves, made === left) : /** @type {Record<string, string>} */ ({
  back_declined: t("{who} does not agree: the move stays.", { who }),
  asks_no_longer: t("{who} no longer asks to take it back.", { who }),
  declined: t("{who} declined the draw.", { who }),
  other_players: t("{who} changed who plays.", { who }),
  resumed: made ? t("{who} goes on with an earlier game. The one before is kept among the games played.", { who }) : t("{who} goes on with an earlier game.", { who }),
  began: made ? t("{who} has begun another game. The one before is kept among the games played.", { who }) : t("{who} has begun another game.", { who }),
  lesson: made ? t("{who} has begun a lesson. The game is kept among the games played.", { who }) : t("{who} has begun a lesson.", { who }),
  puzzle: made ? t("{who} has begun a puzzle. The game is kept among the games played.", { who }) : t("{who} has begun a puzzle.", { who }),
  released: t("{who} has released the seat of {words}.", { who, words }),
  withdrew: t("{who} withdrew the offer of a draw.", { who }),
})[what] ?? "";
