// What somebody else has done beside moving: a move taken back, a draw declined, a seat given to the board, another game begun. Told once, on every phone but theirs;
// what took a game from the table, or its players, also to who had no page open then.

import { choose, chosen } from "../common/device.js";

/** @import { Tell } from "../common/api.js" */
/** @import { NewsTold, PanelView } from "../common/types.js" */

export class News {
  /** @param {Tell} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {number | null} */
    this.heard = chosen("heard", null);
    this.first = true;
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

  // `told` is the newest that the service has, with its number; the first may be from before this page was opened.
  /** @param {NewsTold} told */
  hear(told) {
    const lasts = /^(began|resumed|lesson|puzzle|other_players|released)$/.test(told.what) || !this.first;
    const fresh = this.heard !== null && told.number > this.heard && !told.mine && lasts;
    if (told.number !== this.heard) choose("heard", told.number);
    this.heard = told.number;
    this.first = false;
    if (!fresh) return;
    const moves = this.plies.slice(told.left, told.made).join(" · ");
    return import("./told_news.js").then(({ sentence }) => this.tell(sentence(told, moves)));
  }
}
