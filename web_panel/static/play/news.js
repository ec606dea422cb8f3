// What somebody else has done beside moving: a move taken back, a draw declined, a seat given to the board, another game begun. Told once, on every phone but theirs;
// what took a game from the table, or its players, also to who had no page open then, and what concerns this phone itself.

import { choose, chosen } from "../common/device.js";

/** @import { Tell } from "../common/api.js" */
/** @import { NewsTold, PanelView, You } from "../common/types.js" */

export class News {
  /** @param {Tell} tell */
  constructor(tell) {
    this.tell = tell;
    /** @type {number | null} */
    this.heard = chosen("heard", null);
    this.first = true;
    this.missed = true; // whether something may have come while the page was not seen: of that what is over is told no more
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
    if (before?.back_asked || before?.seats.some((seat) => seat.offers_draw)) import("./told_news.js").then(({ tellLapsed }) => tellLapsed(before, view, you, this));
  }

  // `told` are the newest that the service has, with their numbers; at first they may be from before this page was opened.
  /** @param {NewsTold[]} told */
  hear(told) {
    const { heard, first, missed } = this, newest = told.at(-1)?.number ?? 0;
    if (newest !== heard) choose("heard", newest);
    this.heard = newest;
    this.first = this.missed = false;
    if (heard !== null && newest > heard) return import("./told_news.js").then(({ tellNews }) => tellNews(told, this, heard, first, missed));
  }
}
