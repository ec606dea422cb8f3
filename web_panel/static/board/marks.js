// What a game draws beside its pieces, as its view says: numbers at sites, and the places that its rules treat apart.
// Knows no rules and no game: each mark has a shape that is known here, a text, and the colour of a seat or its own.

import { SEATS, colourOf } from "./board.js";
import { svg } from "../common/dom.js";

/** @import { Board, Site } from "./board.js" */
/** @import { Mark, Place } from "../common/types.js" */

/** @param {string} colour */
const pale = (colour) => colour > "#888888";
/** @typedef {Mark & { sites: Site[] }} Placed a mark at sites that the board has */

// Draws `marks` and `places`; `at(label)` is the board's site of the game's own name, or undefined. What lies between sites is drawn `over` it.
/** @param {Board} board @param {{ marks?: Mark[], places?: Place[] }} view @param {(label: string) => Site | undefined} at @param {Node[]} [over] */
export function drawMarks(board, { marks = [], places = [] }, at, over = []) {
  /** @type {Placed[]} */
  const placed = /** @type {any} */ (marks.map((mark) => ({ ...mark, seat: colourOf(mark.seat ?? null, board.drawings), sites: mark.at.map(at) })).filter(({ sites }) => sites.every(Boolean)));
  board.at = at; // several that wait for the same file are not told in their order that it is there: only the last one draws
  if (places.length || board.root.querySelector(".ground")) import("/static/board/places.js").then(({ drawPlaces }) => board.at === at && drawPlaces(board, places, at, { svg, SEATS, colourOf }));
  board.mark("over", [...counts(placed.filter(({ shape }) => shape === "count")), ...over]);
}

// The names of the `places` in which the site `label` lies, for those who do not see them.
/** @param {Place[] | undefined} places @param {string | undefined} label */
export const placesAt = (places, label) => (places ?? []).filter(({ cells }) => cells.includes(label ?? "")).map(({ name }) => name);

/** @param {string} words @param {number} x @param {number} y @param {number} size @param {Record<string, any>} attributes */
function written(words, x, y, size, attributes) {
  const made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...attributes });
  made.textContent = words;
  return made;
}

// Numbers on the piece of a site: one in the colours of the piece, several side by side in those of their seats.
/** @param {Placed[]} marks */
function* counts(marks) {
  for (const site of new Set(marks.map(({ sites }) => sites[0]))) {
    const here = marks.filter(({ sites }) => sites[0] === site);
    const { x, y, inner } = site;
    const label = written("", x, y, (here.length > 1 ? 0.4 : 0.55) * inner, { class: "mark count" });
    for (const [n, { text, seat }] of here.entries()) {
      const { body: [light, dark], letter, ink } = SEATS[seat ?? 0];
      const part = svg("tspan", here.length > 1 ? { fill: ink, class: "apart" } : { fill: letter, stroke: pale(letter) ? dark : light });
      part.textContent = `${n ? " " : ""}${text}`;
      label.append(part);
    }
    yield label;
  }
}
