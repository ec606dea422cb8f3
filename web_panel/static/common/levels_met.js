// At which level this phone plays against the board next, by what was played. It is only wanted once there is such a game.

import { choose } from "./device.js";

/** @param {string} game @param {number} level */
export const met = (game, level) => choose(`level ${game}`, level);

// Whether the last game of `game` that this phone saw to its end was lost to the board.
/** @param {string} game @param {boolean} lost */
export const ended = (game, lost) => choose(`lost ${game}`, lost || null);
