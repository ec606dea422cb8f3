// What pages for screens share: they watch the table as nobody in particular, so that nothing on them is anybody's secret.

import { stayAwake } from "../common/app.js";
import { t } from "../common/text.js";

/** @import { PanelView, You } from "../common/types.js" */

const AGAIN_MS = 1500;

// Calls `show(view, you)` with what there is to see, now and after each change.
/** @param {(view: PanelView, you: You) => void} show */
export function watch(show) {
  /** @type {PanelView | null} */
  let view = null;
  /** @type {You | null} */
  let you = null;
  const source = new EventSource("/api/watch?nobody=true");
  const lost = /** @type {HTMLElement} */ (document.getElementById("lost"));
  const changed = () => view && you && show(view, you);
  source.onopen = () => (lost.hidden = true);
  source.addEventListener("view", (event) => {
    view = JSON.parse(event.data);
    changed();
  });
  source.addEventListener("you", (event) => {
    you = JSON.parse(event.data);
    changed();
  });
  source.onerror = () => {
    lost.textContent = t("Connection to the board lost; reconnecting …");
    lost.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(() => watch(show), AGAIN_MS);
  };
  stayAwake(true);
  document.addEventListener("visibilitychange", () => document.hidden || stayAwake(true));
}
