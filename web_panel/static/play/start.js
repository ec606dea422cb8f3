// The start on a phone that has left a lesson or a puzzle, or finds a game that others have left lying: the choice of games, as on
// an empty table. What is on the table stays there, also for everybody else, and a lesson goes on from there.

import { choose, chosen } from "../common/device.js";
import { t } from "../common/text.js";

/** @import { PanelView } from "../common/types.js" */

/** @param {PanelView} view */
export const leave = ({ game_id: id }) => choose("left", String(id));

export const goBack = () => choose("left", null);

/** Whether a game is left lying, in whose place the choice of games stands here. */
let lies = false;
/** That game, once somebody wants to look at it all the same. @type {number | null} */
let looked = null;

/** @param {boolean} on */
export const lay = (on) => void (lies = on);

/** @param {PanelView} view */
export const look = ({ game_id: id }) => void (looked = id);

// What this phone shows of `view`: an empty table where it has left the lesson or the puzzle that is on, or a game is left lying.
/** @param {PanelView} view @returns {PanelView} */
export function seenHere(view) {
  if (lies && looked !== view.game_id && !view.lesson && !["idle", "over"].includes(view.phase)) return emptied(view);
  const left = chosen("left", null);
  if (left === null) return view;
  if (view.lesson && left === String(view.game_id)) return emptied(view);
  goBack();
  return view;
}

/** @param {PanelView} view @returns {PanelView} */
function emptied(view) {
  const sites = Object.fromEntries(Object.entries(view.sites).map(([name, { on }]) => [name, { on }]));
  return {
    ...view, sites, phase: "idle", game: "", title: "", ...(view.lesson && !view.lesson.puzzle ? { sentence: t("The lesson waits."), advice: t("Choose a game.") } : { sentence: t("Choose a game."), advice: "" }), waits: "", asks: "",
    seats: [], plies: [], question: "", choices: [], answerers: [], taps: [], lines: [], marks: [], captures: [], help: {}, lesson: null, share: null,
    arrange: null, back: null, redo: 0, claim: "", seating: "", paused: false, game_id: null,
  };
}
