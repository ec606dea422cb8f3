// The card of the piece that is lifted: its name, how it moves, and what it is worth where it stands. It says what the service
// says; a piece that the service has no card of shows none.

import { ask } from "../common/api.js";
import { make, svg } from "../common/dom.js";

/** @import { Board } from "./board.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Card as Told } from "../common/types.js" */

const SIZE = 9.5;

export class Card {
  /** @param {PageElement} box @param {Board} board */
  constructor(box, board) {
    this.box = box;
    this.board = board;
    this.shown = "";
  }

  // Shows the card of the piece at `site` as it is in the view of that `version`; "" shows none.
  /** @param {string} site @param {string} version */
  async show(site, version) {
    const wanted = site && `${site} ${version}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    const card = site ? await ask(`card?site=${encodeURIComponent(site)}`).catch(() => null) : null;
    if (wanted !== this.shown) return; // another piece has been lifted meanwhile
    this.box.hidden = !card;
    if (card) this.#write(card);
  }

  /** @param {Told} card */
  #write({ piece, name, moves, facts }) {
    const picture = svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, this.board.token(piece, SIZE));
    const words = make("p", {}, make("b", { textContent: name }), moves ? ` ${moves}` : "");
    const list = make("ul", {}, ...facts.map((fact) => make("li", { textContent: fact })));
    this.box.replaceChildren(picture, make("div", {}, words, list));
  }
}
