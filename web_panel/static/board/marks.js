// What a game draws beside its pieces, as its view's `marks` say: lines, signs and numbers at sites.
// Knows no rules and no game: each mark has a shape that is known here, a text, and the colour of a seat or its own.

import { SEATS, colourOf } from "./board.js";
import { svg } from "../common/dom.js";

/** @import { Board, Site } from "./board.js" */
/** @import { Mark } from "../common/types.js" */

const DARK = "#1b130e";
const PALE = "#f3e6c8";
/** @param {string} colour */
const pale = (colour) => colour > "#888888";
/** @typedef {Mark & { sites: Site[] }} Placed a mark at sites that the board has */

// Draws `marks`; `at(label)` is the board's site of the game's own name, or undefined. Those between sites are drawn `over` it.
/** @param {Board} board @param {{ marks?: Mark[] }} view @param {(label: string) => Site | undefined} at @param {Node[]} [over] */
export function drawMarks(board, { marks = [] }, at, over = []) {
  /** @type {Placed[]} */
  const placed = /** @type {any} */ (marks.map((mark) => ({ ...mark, seat: colourOf(mark.seat ?? null, board.drawings), sites: mark.at.map(at) })).filter(({ sites }) => sites.every(Boolean)));
  /** @param {string} shape */
  const of = (shape) => placed.filter((mark) => mark.shape === shape);
  board.mark("under", [...of("outline").map(outline), ...of("foot").map((mark) => foot(board, mark))]);
  board.mark("over", [...counts(board, of("count")), ...over]);
}

/** @param {string} words @param {number} x @param {number} y @param {number} size @param {Record<string, any>} attributes */
function written(words, x, y, size, attributes) {
  const made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...attributes });
  made.textContent = words;
  return made;
}

// A line within the edge of a site.
/** @param {Placed} mark */
function outline({ sites: [{ x, y, outline: corners }], seat, colour }) {
  const points = corners.map(([px, py]) => `${(x + (px - x) * 0.9).toFixed(1)},${(y + (py - y) * 0.9).toFixed(1)}`).join(" ");
  const stroke = colour ?? SEATS[seat ?? -1]?.flat ?? PALE;
  return svg("polygon", { class: "mark outline", points, stroke, fill: stroke, "fill-opacity": 0.3 });
}

// A sign at the lower edge of a site, where its piece leaves room.
/** @param {{ inner: number }} board @param {Placed} mark */
function foot({ inner }, { sites: [{ x, y }], text, seat, colour }) {
  const fill = colour ?? SEATS[seat ?? -1]?.flat ?? PALE;
  return written(text ?? "", x, y + 0.88 * inner, 0.42 * inner, { class: "mark foot", fill, stroke: pale(fill) ? DARK : PALE });
}

// Numbers on the piece of a site: one in the colours of the piece, several side by side in those of their seats.
/** @param {{ inner: number }} board @param {Placed[]} marks */
function* counts({ inner }, marks) {
  for (const site of new Set(marks.map(({ sites }) => sites[0]))) {
    const here = marks.filter(({ sites }) => sites[0] === site);
    const { x, y } = site;
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
