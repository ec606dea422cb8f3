// A piece that was built on a corner shines over the cells round it for a moment. Loaded for boards with nodes.

import { svg } from "../common/dom.js";

/** @import { Board, Site } from "./board.js" */
/** @import { PanelView } from "../common/types.js" */

const SHINES_MS = 1400;
const LIGHT = "#ffd98a"; // whoever built it: a dark seat's colour would not be seen
const REACH = 2; // inner radii of a cell: its light covers them all

export class Built {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Set<string> | null} */
    this.before = null; // the corners with a piece in the last view of this game
    /** @type {number | null} */
    this.game = null;
  }

  // Compares `view` with the last one: what is there on entering a game was built before.
  /** @param {PanelView} view */
  see({ sites, game_id, phase }) {
    const corners = [...this.board.sites.values()].filter(({ kind, name }) => kind === "vertex" && sites[name]?.piece);
    const before = game_id === this.game ? this.before : null;
    this.before = new Set(corners.map(({ name }) => name));
    this.game = game_id;
    if (!before || !["play", "over"].includes(phase) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const corner of corners) if (!before.has(corner.name)) this.#shine(corner);
  }

  /** @param {Site} corner */
  #shine({ x, y }) {
    const glow = svg("circle", { class: "shine", cx: x, cy: y, r: REACH * this.board.inner, fill: LIGHT });
    glow.style.cssText = "pointer-events: none; transform-box: fill-box; transform-origin: center"; // as an attribute the page's policy bars it
    this.board.root.append(glow);
    const spread = { transform: ["scale(.1)", "scale(1)"], opacity: [0.85, 0] };
    glow.animate(spread, { duration: SHINES_MS, easing: "ease-out" }).finished.finally(() => glow.remove());
  }
}
