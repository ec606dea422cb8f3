// What a game draws beside its pieces, as its view says: numbers at sites, and the places that its rules treat apart.
// Knows no rules and no game: each mark has a shape that is known here, a text, and the colour of a seat or its own.

import { LARGER, SEATS, UP, colourOf, token } from "./board.js";
import { svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Board, Site } from "./board.js" */
/** @import { Drawn } from "../common/dom.js" */
/** @import { Mark, Place } from "../common/types.js" */

/** @param {string} colour */
const pale = (colour) => colour > "#888888";
const ABOVE = 0.33; // so far up, as a part of a cell's inner radius, is what has to make room, and so much smaller:
const SMALLER = 0.85;
const RING = 0.58; // how far from the middle of a cell several numbers reach, as a part of its inner radius
/** @typedef {Mark & { sites: Site[] }} Placed a mark at sites that the board has */

// Draws `marks` and `places`; `at(label)` is the board's site of the game's own name, or undefined. What lies between sites is drawn `over` it; the piece of the site `lifted` is up.
/** @param {Board} board @param {{ marks?: Mark[], places?: Place[] }} view @param {(label: string) => Site | undefined} at @param {Drawn[]} [over] @param {string} [lifted] */
export function drawMarks(board, { marks = [], places = [] }, at, over = [], lifted = "") {
  /** @type {Placed[]} */
  const placed = /** @type {any} */ (marks.map((mark) => ({ ...mark, sites: mark.at.map(at) })).filter(({ sites }) => sites.every(Boolean)));
  board.at = at; // several that wait for the same file are not told in their order that it is there: only the last one draws
  if (places.length || board.root.querySelector(".ground")) import("/static/board/places.js").then(({ drawPlaces }) => board.at === at && drawPlaces(board, places, at, { svg, SEATS, colourOf }));
  board.mark("over", [...counts(board, placed.filter(({ shape }) => shape === "count"), lifted, over.map(({ dataset }) => dataset.in)), ...over]);
}

// What is said of a `site` on which nothing stands: of one between cells that it is a node of a shell, or a corner.
/** @param {string} site */
export const emptyAt = (site) => (/:/.test(site) ? t("empty node") : /\./.test(site) ? t("empty corner") : t("empty"));

// The names of the `places` in which the site `label` lies, for those who do not see them.
/** @param {Place[] | undefined} places @param {string | undefined} label */
export const placesAt = (places, label) => (places ?? []).filter(({ cells }) => cells.includes(label ?? "")).map(({ name }) => name);

/** @param {string} words @param {number} x @param {number} y @param {number} size @param {Record<string, any>} attributes */
function written(words, x, y, size, attributes) {
  const made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...attributes });
  made.textContent = words;
  return made;
}

// Numbers on the piece of a site: one in the colours of the piece, above what is written over the piece of a site of `over`; several each
// on a small piece of its seat, in a ring.
/** @param {Board} board @param {Placed[]} marks @param {string} lifted @param {(string | undefined)[]} over */
function* counts(board, marks, lifted, over) {
  for (const site of new Set(marks.map(({ sites }) => sites[0]))) {
    const here = marks.filter(({ sites }) => sites[0] === site);
    const high = site.name === lifted && here.length === 1, above = over.includes(site.name);
    const away = here.length > 1 ? RING / (1 + Math.sin(Math.PI / here.length)) : 0;
    for (const [n, { text = "", seat = null }] of here.entries()) {
      const turn = Math.PI * (1 + (2 * n) / here.length);
      const [x, y] = [site.x + away * site.inner * Math.cos(turn), site.y + away * site.inner * Math.sin(turn)];
      const { body: [light, dark], letter } = SEATS[colourOf(seat, board.drawings) ?? 0];
      const radius = (away && RING - away) * site.inner;
      if (away) {
        const own = token({ seat, kind: "" }, "", radius, board.drawings);
        own.setAttribute("transform", `translate(${x} ${y})`);
        yield own;
      }
      yield written(text, x, y - (high ? UP : above ? ABOVE : 0) * board.inner, 1.35 * radius || (high ? LARGER : above ? SMALLER : 1) * 0.55 * site.inner, { class: "mark count", fill: letter, stroke: pale(letter) ? dark : light });
    }
  }
}
