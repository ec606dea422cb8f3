// What pages for screens share: they watch the table as nobody in particular, so that nothing on them is anybody's secret.

import { stayAwake } from "../common/app.js";
import { viewed } from "../board/geometry.js";
import { Line } from "../common/lost.js";

/** @import { PanelView, You } from "../common/types.js" */

const AGAIN_MS = 1500;

// Calls `show` with what there is to see, now and after each change, and whether hands move pieces on phones, not on a board.
/** @param {(view: PanelView, you: You, simulated: boolean) => void} show */
export function watch(show) {
  /** @type {PanelView | null} */
  let view = null;
  /** @type {You | null} */
  let you = null;
  let simulated = false;
  const lost = /** @type {HTMLElement} */ (document.getElementById("lost"));
  const line = new Line(() => {
    lost.textContent = line.sentence(you?.shut);
    lost.hidden = !line.lost;
  });
  const changed = () => view && you && show(view, you, simulated);
  take();

  function take() {
    const source = new EventSource("/api/watch?nobody=true");
    source.onopen = () => line.found(source);
    source.addEventListener("view", (event) => {
      view = viewed(event.data);
      changed();
    });
    source.addEventListener("you", (event) => {
      you = JSON.parse(event.data);
      changed();
    });
    source.addEventListener("pieces", () => {
      if (simulated) return;
      simulated = true;
      changed();
    });
    source.onerror = () => {
      line.failed(source);
      if (source.readyState === EventSource.CLOSED) setTimeout(take, AGAIN_MS);
    };
  }
  stayAwake(true);
  document.addEventListener("visibilitychange", () => document.hidden || stayAwake(true));
}
