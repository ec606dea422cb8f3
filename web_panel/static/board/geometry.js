// The board that the page brought along, and views as they come: each shape of a site is told once there, see `short` in
// web_panel/app.py, and a name that a site has for the board and for the game.

/** @import { Geometry, PanelView } from "../common/types.js" */

/** @param {number} number */
export const hundredths = (number) => Math.round(number * 100) / 100;

// The same as the service sends at /api/board.
/** @param {string} text @returns {Geometry} */
export function written(text) {
  const { shapes, ...geometry } = JSON.parse(text);
  for (const [name, [kind, x, y, shape]] of Object.entries(geometry.sites)) {
    geometry.sites[name] = { kind, x, y, outline: shapes[shape].map((/** @type {number[]} */ [dx, dy]) => [hundredths(x + dx), hundredths(y + dy)]) };
  }
  return geometry;
}

// The view that the service sends as `text`.
/** @param {string} text @returns {PanelView} */
export function viewed(text) {
  const view = JSON.parse(text);
  for (const [name, site] of Object.entries(view.sites)) site.label ??= name;
  return view;
}
