// The way of a move over the board: a line with its head, or a ring where a piece comes to stand or changes.

import { svg } from "../common/dom.js";

/** @import { Site } from "./board.js" */
/** @import { Drawn } from "../common/dom.js" */

/** @type {Record<string, [string, number]>} */
const KINDS = { better: ["#2fae64", 0.85], played: ["#d23c3c", 0.6], last: ["#f2b632", 0.75] };

// A line along `sites`, or a ring round the only one; nothing where the board lacks one of them.
/** @param {(Site | undefined)[]} sites @param {string} kind @returns {Drawn[]} */
export function way(sites, kind) {
  if (!sites.length || !sites.every((site) => site !== undefined)) return [];
  const [colour, opacity] = KINDS[kind];
  const { inner } = sites[0];
  const width = (0.16 * inner).toFixed(1);
  const line = { class: `way ${kind}`, stroke: colour, fill: "none", opacity, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", "pointer-events": "none" };
  if (sites.length === 1) return [svg("circle", { ...line, cx: sites[0].x, cy: sites[0].y, r: (0.8 * inner).toFixed(1) })];
  const [from, to] = sites.slice(-2);
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  /** @param {number} turn @param {number} far */
  const corner = (turn, far) => `${(to.x + far * Math.cos(angle + turn)).toFixed(1)},${(to.y + far * Math.sin(angle + turn)).toFixed(1)}`;
  const head = [corner(0, 0.35 * inner), corner(2.5, 0.4 * inner), corner(-2.5, 0.4 * inner)].join(" ");
  return [svg("polyline", { ...line, points: sites.map(({ x, y }) => `${x},${y}`).join(" ") }),
    svg("polygon", { class: `way head ${kind}`, points: head, fill: colour, opacity, "pointer-events": "none" })];
}
