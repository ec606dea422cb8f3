// The card of the piece that is lifted: its name, how it moves, and what it is worth where it stands; and on the board, at each
// enemy in its reach, who is the stronger. It says what the service says; a piece that the service has no card of shows none.

import { ask } from "../common/api.js";
import { make, styled, svg } from "../common/dom.js";

/** @import { Board } from "./board.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Card as Told } from "../common/types.js" */

const SIZE = 9.5;
const [TAKES, STAYS] = ["#8fe3b0", "#ff7b6b"];

export class Card {
  /** @param {PageElement} box @param {Board} board */
  constructor(box, board) {
    this.box = box;
    this.board = board;
    this.shown = "";
    styled("card.css");
    this.signs = svg("g", { class: "against", "aria-hidden": "true", "pointer-events": "none", "text-anchor": "middle", "dominant-baseline": "central", "font-weight": 700 });
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
    this.box.dataset.site = site;
    this.#compare(card?.against ?? []);
    if (card) this.#write(card);
  }

  /** @param {Told["against"]} against */
  #compare(against) {
    const { board, signs } = this;
    signs.replaceChildren(...against.flatMap(({ site, text, takes }) => {
      const at = board.sites.get(site);
      return at ? [sign(at, board.inner, text, takes ? TAKES : STAYS)] : [];
    }));
    if (against.length) board.root.append(signs);
    else signs.remove();
  }

  /** @param {Told} card */
  #write({ piece, name, moves, facts }) {
    const picture = svg("svg", { viewBox: "-11 -11 22 22", "aria-hidden": "true" }, this.board.token(piece, SIZE));
    const words = make("p", {}, make("b", { textContent: name }), moves ? ` ${moves}` : "");
    const list = make("ul", {}, ...facts.map((fact) => make("li", { textContent: fact })));
    this.box.replaceChildren(picture, make("div", {}, words, list));
  }
}

// A small sign below the piece at `x`, `y`.
/** @param {{ x: number, y: number }} at @param {number} inner @param {string} text @param {string} fill */
function sign({ x, y }, inner, text, fill) {
  const [size, high] = [0.5 * inner, 0.65 * inner];
  const wide = (0.62 * text.length + 0.35) * size;
  const words = svg("text", { x: x.toFixed(1), y: (y + 0.62 * inner).toFixed(1), "font-size": size.toFixed(1) });
  words.textContent = text;
  return svg("g", { class: "price" }, svg("rect", { x: (x - wide / 2).toFixed(1), y: (y + 0.62 * inner - high / 2).toFixed(1),
    width: wide.toFixed(1), height: high.toFixed(1), rx: (high / 3).toFixed(1), fill }), words);
}
