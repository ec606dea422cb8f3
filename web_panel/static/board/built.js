// What may be built on a board with nodes is ringed, while somebody at this board is to move. And what has come about there: a piece that was built on a corner shines over the cells round it for a moment, and
// where the units of all grow, as in a harvest, each cell says by how many.

import { svg } from "../common/dom.js";

/** @import { Board, Site } from "./board.js" */
/** @import { PanelView } from "../common/types.js" */

const SHINES_MS = 1400, GROWS_MS = 2600;
const LIGHT = "#ffd98a"; // whoever built it: a dark seat's colour would not be seen
const EASIER = 2; // so many times as far from its middle a corner that is offered is tapped
const REACH = 2; // inner radii of a cell: its light covers them all

export class Built {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {{ game: number | null, corners: Set<string>, units: Map<string, number> } | null} */
    this.before = null; // the last view
  }

  // Compares `view` with the last one: what is there on entering a game came about before.
  /** @param {PanelView} view */
  see(view) {
    this.#offer(view);
    const before = this.before;
    const corners = [...this.board.sites.values()].filter(({ kind, name }) => kind === "vertex" && view.sites[name]?.piece);
    const units = unitsOf(view);
    this.before = { game: view.game_id, corners: new Set(corners.map(({ name }) => name)), units };
    if (before?.game !== view.game_id || !["play", "over"].includes(view.phase) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const corner of corners) if (!before.corners.has(corner.name)) this.#shine(corner);
    if (sum(units) <= sum(before.units)) return; // they were only carried
    for (const [cell, count] of units) {
      const more = count - (before.units.get(cell) ?? 0);
      const site = this.board.sites.get(cell);
      if (more > 0 && site) this.#grow(site, more);
    }
  }

  /** @param {PanelView} view */
  #offer({ phase, seats, marks, sites }) {
    const moving = phase === "play" && seats.some(({ to_move: moves, level, afar }) => moves && !level && !afar);
    const offered = new Set(moving ? marks.flatMap(({ shape, at: [label] }) => (shape === "offer" ? [label] : [])) : []);
    for (const site of this.board.sites.values()) {
      const { name, kind, group, x, y, inner } = site, ring = group.querySelector(".offer");
      const now = kind === "vertex" && offered.has(sites[name]?.label ?? "");
      if (now === Boolean(ring)) continue;
      site.reach *= now ? EASIER : 1 / EASIER;
      if (ring) ring.remove();
      else group.append(svg("circle", { class: "offer", cx: x, cy: y, r: 1.5 * inner, fill: "none", stroke: LIGHT, "stroke-width": 0.35 * inner, "stroke-dasharray": 0.9 * inner }));
    }
  }

  /** @param {Site} corner */
  #shine({ x, y }) {
    const glow = svg("circle", { class: "shine", cx: x, cy: y, r: REACH * this.board.inner, fill: LIGHT });
    this.#animate(glow, { transform: ["scale(.1)", "scale(1)"], opacity: [0.85, 0] }, SHINES_MS);
  }

  /** @param {Site} cell @param {number} more */
  #grow({ x, y, inner }, more) {
    const told = svg("text", { class: "grown", x, y: y - 0.45 * inner, "font-size": 0.6 * inner, "font-weight": 700, "text-anchor": "middle",
      fill: LIGHT, stroke: "#1b130e", "stroke-width": 0.12 * inner, "paint-order": "stroke" });
    told.textContent = `+${more}`;
    this.#animate(told, { transform: ["translateY(0)", `translateY(${-0.5 * inner}px)`], opacity: [1, 1, 0] }, GROWS_MS);
  }

  /** @param {SVGElement} drawn @param {PropertyIndexedKeyframes} frames @param {number} ms */
  #animate(drawn, frames, ms) {
    drawn.setAttribute("aria-hidden", "true");
    drawn.style.cssText = "pointer-events: none; transform-box: fill-box; transform-origin: center"; // as an attribute the page's policy bars it
    this.board.root.append(drawn);
    drawn.animate(frames, { duration: ms, easing: "ease-out" }).finished.finally(() => drawn.remove());
  }
}

// How many units lie on each cell, of all seats.
/** @param {PanelView} view */
function unitsOf({ marks }) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const { shape, at, text = "" } of marks) if (shape === "count") found.set(at[0], (found.get(at[0]) ?? 0) + Number(text));
  return found;
}

/** @param {Map<string, number>} units */
const sum = (units) => [...units.values()].reduce((all, count) => all + count, 0);
