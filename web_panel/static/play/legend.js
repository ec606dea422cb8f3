// What the lights mean: each colour as the theme has it now, with its sentence.

import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @type {() => Record<string, string>} */
const sentences = () => ({
  may_go: t("The piece in the hand may go here."), may_take: t("The piece in the hand may take this one."), may_move: t("This piece can move."),
  blocked: t("Lifted, but it cannot move now."), in_danger: t("This piece can be taken."), lost_much: t("The coach: this move lost much."),
  cost_1: t("A move here costs little."), cost_2: t("A move here costs more."), cost_3: t("A move here costs much."),
  last: t("The last move."), chore_off: t("Take this piece off to finish the move."), chore_on: t("Put a piece here to finish the move."),
  missing: t("A piece is missing here."), too_much: t("A piece is here that should not be."), choice: t("Put any piece here to choose this answer."), won: t("The pieces of the winner."), fault: t("Something does not work: the panel says what."),
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
