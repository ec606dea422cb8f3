// What somebody else has done beside moving: a move taken back, a draw declined. Told once, on every phone but theirs.

import { t } from "./text.js";

const sentence = ({ who, what }, moves) => ({
  took_back: moves ? t("{who} took back {moves}.", { who, moves }) : t("{who} took back a move.", { who }),
  back_declined: t("{who} does not agree: the move stays.", { who }),
  asks_no_longer: t("{who} no longer asks to take it back.", { who }),
  declined: t("{who} declined the draw.", { who }),
  withdrew: t("{who} withdrew the offer of a draw.", { who }),
})[what] ?? "";

export class News {
  constructor(tell) {
    Object.assign(this, { tell, heard: null, plies: [], gone: "" });
  }

  // Notes the moves that a new view no longer has.
  see({ plies }) {
    const texts = plies.map(({ text }) => text);
    if (texts.length < this.plies.length) this.gone = this.plies.slice(texts.length).join(", ");
    this.plies = texts;
    if (this.waiting) this.#say();
  }

  // `told` is the newest that the service has, with its number; the first is from before this page was opened.
  hear(told) {
    if (this.heard === null || told.number <= this.heard || told.mine) this.heard = told.number;
    else {
      this.heard = told.number;
      this.waiting = told;
    }
    if (this.waiting && (this.gone || this.waiting.what !== "took_back")) this.#say();
  }

  #say() {
    this.tell(sentence(this.waiting, this.gone));
    Object.assign(this, { waiting: null, gone: "" });
  }
}
