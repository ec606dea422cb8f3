// How long the board still waits whether somebody goes on with a move, or thinks over what the coach said: a thin bar under what it
// waits for, which shrinks.

import { make, styled } from "../common/dom.js";

/** @import { PanelView } from "../common/types.js" */

let shown = "";

// Shows it while the board waits, and takes it away when it does not; what comes of the same move does not begin it anew.
/** @param {PanelView} view */
export function showLeft({ go_on_ms: goesOn, coach_ms: coached, game_id: game, plies }) {
  const left = goesOn || coached;
  const now = left ? `${game} ${plies.length} ${plies.at(-1)?.text} ${!goesOn}` : "";
  if (now === shown) return;
  shown = now;
  document.querySelector("#go-on")?.remove();
  if (!now) return;
  const bar = make("div", { id: "go-on", ariaHidden: "true" });
  bar.style.animationDuration = `${left}ms`;
  styled("go_on.css").then(() => shown === now && document.querySelector("#waits")?.after(bar));
}
