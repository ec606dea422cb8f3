// What the board shows: each light as the theme has it now, with its sentence, and each kind of cell that the game treats apart.

import { make, styled, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { DrawingsOfGame, Place } from "../common/types.js" */
/** @import { Sheet } from "./listed_plies.js" */

/** @type {() => Record<string, string>} */
const sentences = () => ({
  may_go: t("The piece in the hand may go here."), may_take: t("The piece in the hand may take this one."), may_move: t("This piece can move."),
  blocked: t("Lifted, but it cannot move now."), in_danger: t("This piece can be taken."), lost_much: t("The coach: this move lost much."), check: t("This piece is in check."),
  cost_1: t("A move here costs little."), cost_2: t("A move here costs more."), cost_3: t("A move here costs much."),
  last: t("The last move."), chore_off: t("Take this piece off to finish the move."), chore_on: t("Put a piece here to finish the move."),
  missing: t("A piece is missing here."), too_much: t("A piece is here that should not be."), choice: t("Touch here: it is an answer, or what a lesson or help points at."), won: t("The pieces of the winner."), fault: t("Something does not work: the panel says what."),
});

// Lights that no theme colours, each with its sentence: of the puzzle those of the first two seats stand for all.
/** @type {() => [background: string, sentence: string][]} */
const beside = () => [
  ["linear-gradient(90deg, #ffbe6e 50%, #5a00c8 50%)", t("While nobody plays: the pieces of the puzzle of the day, each side in its colour.")],
  ["#ffffff", t("White, and all others dark: this light is being tried.")],
];

// Shows what the lights mean, and the cells of the game.
/** @param {Sheet} sheet */
export async function openLegend({ view, send, open, stays }) {
  const { game, places } = view();
  const [settings, drawings] = await Promise.all([send("settings"), game ? send(`drawings/${game}`) : null, styled("legend.css")]);
  if (!settings) return;
  const cells = placesLegend(places, drawings);
  open(t("What the lights mean"), legend(settings.colours), ...(cells ? [make("h3", { textContent: t("Cells of this game") }), cells] : []));
  stays(() => true);
}

// The list of all lights, those of a theme in these `colours`.
/** @param {Record<string, string>} colours */
function legend(colours) {
  const known = sentences(), own = Object.entries(colours).map(([meaning, colour]) => [colour, known[meaning] ?? t(meaning.replaceAll("_", " "))]);
  return make("ul", { className: "legend" }, ...[...own, ...beside()].map(([background, sentence]) => {
    const lamp = make("i");
    lamp.style.background = background;
    return make("li", {}, lamp, sentence);
  }));
}

// The list of `places` with their signs, as `drawings` have them; null where the game has none.
/** @param {Place[]} places @param {DrawingsOfGame | null} drawings */
function placesLegend(places, drawings) {
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
