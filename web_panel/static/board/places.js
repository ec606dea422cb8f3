// Cells that a game's rules treat apart, a town or a hill, as its view's `places` say: a tint and a sign. Fetched with the first,
// and by itself: it imports nothing. Knows no rules and no game: each kind has a look that comes with the game's drawings.

/** @import { Board, Site } from "./board.js" */
/** @import { Place } from "../common/types.js" */
/** @typedef {Pick<typeof import("../common/dom.js"), "svg"> & Pick<typeof import("./board.js"), "SEATS" | "colourOf">} Tools */

const DARK = "#1b130e";
const PALE = "#f3e6c8";

// Tints the cells of `places`, beneath their lights, and draws their signs. The looks of them come with the game's drawings.
/** @param {Board} board @param {Place[]} places @param {(label: string) => Site | undefined} at @param {Tools} tools */
export function drawPlaces(board, places, at, { svg, SEATS, colourOf }) {
  /** @type {Node[]} */
  const signs = [];
  for (const { group } of board.sites.values()) group.querySelector(".ground")?.remove();
  for (const { kind, cells, seat } of places) {
    const look = board.drawings?.places?.[kind];
    for (const site of look ? cells.map(at) : []) {
      if (!look || !site) continue;
      const { x, y, inner, light } = site;
      const line = SEATS[colourOf(seat ?? null, board.drawings) ?? -1]?.flat ?? look.line;
      light.before(svg("polygon", { class: `ground ${kind}`, points: light.getAttribute("points"), fill: look.ground, stroke: seat === undefined ? "none" : line }));
      const [size, down] = look.foot ? [0.26, 0.84] : [0.42, 0];
      if (look.sign) signs.push(svg("path", { class: `sign ${kind}`, d: look.sign, fill: line, stroke: line > "#888888" ? DARK : PALE, transform: `translate(${x} ${y + down * inner}) scale(${(size * inner) / 100})` }));
    }
  }
  board.mark("under", signs);
}
