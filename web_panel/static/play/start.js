// The start on a phone that has left a lesson or a puzzle: the choice of games, as on an empty table. It stays on the table, also for
// everybody else, and a lesson goes on from there.

import { choose, chosen } from "../common/device.js";
import { t } from "../common/text.js";

/** @import { PanelView } from "../common/types.js" */

/** @param {PanelView} view */
export const leave = ({ game_id: id }) => choose("left", String(id));

export const goBack = () => choose("left", null);

// What this phone shows of `view`: an empty table where it has left the lesson or the puzzle that is on.
/** @param {PanelView} view @returns {PanelView} */
export function seenHere(view) {
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
    ...view, sites, phase: "idle", game: "", title: "", sentence: view.lesson?.puzzle ? t("Choose a game.") : t("The lesson waits."), advice: view.lesson?.puzzle ? "" : t("Choose a game."), waits: "", asks: "",
    seats: [], plies: [], question: "", choices: [], answerers: [], taps: [], lines: [], marks: [], captures: [], help: {}, lesson: null, share: null,
    arrange: null, back: null, redo: 0, claim: "", seating: "", paused: false, game_id: null,
  };
}
