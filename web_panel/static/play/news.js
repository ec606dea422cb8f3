// What somebody else has done beside moving: a move taken back, a draw declined, a seat given to the board, another game begun. Told once, on every phone but theirs;
// what took a game from the table, or its players, also to who had no page open then.

import { choose, chosen } from "../common/device.js";
import { playerName } from "./seats.js";

/** @import { Tell } from "../common/api.js" */
/** @import { NewsTold, PanelView, You } from "../common/types.js" */

// Who has made a move in place of an answer to what this phone had asked for: a take-back, a draw; "" where nobody has.
/** @param {PanelView} before @param {PanelView} view @param {You | null} you */
function movedOn(before, view, you) {
  const made = view.game_id === before.game_id && view.phase !== "over" && view.plies[before.plies.length];
  /** @param {PanelView} of */
  const asks = ({ back_asked: asked, seats }) => you?.seats.some((seat) => asked?.by.includes(seat) || seats[seat]?.offers_draw);
  return made && !you?.seats.includes(made.seat) && asks(before) && !asks(view) ? playerName(view, you, made.seat) : "";
}

export class News {
  /** @param {Tell} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {number | null} */
    this.heard = chosen("heard", null);
    this.first = true;
    /** @type {PanelView | null} */
    this.view = null;
    /** What ends the news that were told last. @type {((view: PanelView) => void) | null} */
    this.until = null;
  }

  /** @param {PanelView} view @param {You | null} [you] */
  see(view, you = null) {
    const before = this.view;
    this.view = view;
    this.until?.(view);
    const who = before && movedOn(before, view, you);
    if (who) import("./told_news.js").then(({ tellLapsed }) => tellLapsed(who, this));
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
    return import("./told_news.js").then(({ tellNews }) => tellNews(told, this));
  }
}
