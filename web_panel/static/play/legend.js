// What the board shows: each light as the theme has it now, with its sentence, and each kind of cell that the game treats apart.

import { make, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { DrawingsOfGame, Place } from "../common/types.js" */

/** @type {() => Record<string, string>} */
const sentences = () => ({
  may_go: t("The piece in the hand may go here."), may_take: t("The piece in the hand may take this one."), may_move: t("This piece can move."),
  blocked: t("Lifted, but it cannot move now."), in_danger: t("This piece can be taken."), lost_much: t("The coach: this move lost much."),
  cost_1: t("A move here costs little."), cost_2: t("A move here costs more."), cost_3: t("A move here costs much."),
  last: t("The last move."), chore_off: t("Take this piece off to finish the move."), chore_on: t("Put a piece here to finish the move."),
  check: t("This piece is in check."), missing: t("A piece is missing here."), too_much: t("A piece is here that should not be."), choice: t("Put any piece here to choose this answer."), won: t("The pieces of the winner."), fault: t("Something does not work: the panel says what."),
});

// The list of all lights in these `colours`.
/** @param {Record<string, string>} colours */
export function legend(colours) {
  const known = sentences();
  return make("ul", { className: "legend" }, ...Object.entries(colours).map(([meaning, colour]) => {
    const lamp = make("i");
    lamp.style.background = colour;
    return make("li", {}, lamp, known[meaning] ?? t(meaning.replaceAll("_", " ")));
  }));
}

// The list of `places` with their signs, as `drawings` have them; null where the game has none.
/** @param {Place[]} places @param {DrawingsOfGame | null} drawings */
export function placesLegend(places, drawings) {
  const rows = places.flatMap(({ kind, name }) => {
    const look = drawings?.places[kind];
    if (!look) return [];
    const cell = svg("rect", { x: -130, y: -130, width: 260, height: 260, rx: 30, fill: look.ground });
    const sign = svg("path", { d: look.sign, fill: look.line });
    const picture = svg("svg", { viewBox: "-130 -130 260 260", width: 26, height: 26, "aria-hidden": "true" }, cell, sign);
    return [make("li", {}, picture, name)];
  });
  return rows.length ? make("ul", { className: "legend places" }, ...rows) : null;
}
