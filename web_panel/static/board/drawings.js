// How the pieces of each game are drawn: asked for when the game is first seen, and then kept.

import { ask } from "../common/api.js";

/** @import { DrawingsOfGame } from "../common/types.js" */

export class Drawings {
  // `came` is called when the drawings of a game have arrived that `of` did not have yet.
  /** @param {() => void} [came] */
  constructor(came = () => {}) {
    this.came = came;
    /** @type {Map<string, DrawingsOfGame | null>} */
    this.known = new Map(); // game → { seats, nobody, rim, kinds, colours }, null while they are on their way
  }

  // The drawings of a game, or null as long as there are none: then letters stand on round tokens.
  /** @param {string} game */
  of(game) {
    if (game && !this.known.has(game)) this.ready(game).then((found) => found && this.came());
    return this.known.get(game) ?? null;
  }

  // The same once they have arrived; null where they cannot be had, for a game can be seen with letters.
  /** @param {string} game @returns {Promise<DrawingsOfGame | null>} */
  async ready(game) {
    if (this.known.get(game)) return this.known.get(game) ?? null;
    this.known.set(game, null);
    const found = await ask(`drawings/${game}`).catch(() => null);
    this.known.set(game, found);
    return found;
  }
}
