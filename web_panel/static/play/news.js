// What somebody else has done beside moving: a move taken back, a draw declined, a seat given to the board, another game begun. Told once, on every phone but theirs.

import { t } from "../common/text.js";

/** @import { Tell } from "../common/api.js" */
/** @import { NewsTold, PanelView } from "../common/types.js" */

/** @param {string} who @param {string} moves @param {boolean} ending */
const tookBack = (who, moves, ending) => ending ? t("{who} took back the ending.", { who })
  : moves ? t("{who} took back: {moves}.", { who, moves }) : t("{who} took back a move.", { who });

/** @type {(told: NewsTold) => string} */
const sentence = ({ who, what }) => /** @type {Record<string, string>} */ ({
  back_declined: t("{who} does not agree: the move stays.", { who }),
  asks_no_longer: t("{who} no longer asks to take it back.", { who }),
  declined: t("{who} declined the draw.", { who }),
  other_players: t("{who} changed who plays.", { who }),
  began: t("{who} has begun another game.", { who }),
  withdrew: t("{who} withdrew the offer of a draw.", { who }),
})[what] ?? "";

export class News {
  /** @param {Tell} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {number | null} */
    this.heard = null;
    /** @type {number | null} */
    this.game = null;
    /** @type {string[]} */
    this.plies = [];
  }

  // Keeps the moves of the game in `view` under their numbers, those that are gone as well until others take their place: a
  // take-back may be told before the view that shows it, or after.
  /** @param {PanelView} view */
  see({ game_id, plies }) {
    if (game_id !== this.game) this.plies = [];
    this.game = game_id;
    plies.forEach(({ text, words }, n) => (this.plies[n] = words || text));
  }

  // `told` is the newest that the service has, with its number; the first is from before this page was opened.
  /** @param {NewsTold} told */
  hear(told) {
    const fresh = this.heard !== null && told.number > this.heard && !told.mine;
    this.heard = told.number;
    if (!fresh) return;
    const { who, what, made, left } = told;
    this.tell(what === "took_back" ? tookBack(who, this.plies.slice(left, made).join("; "), made === left) : sentence(told));
  }
}
