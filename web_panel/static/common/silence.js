// Why the board is not heard: what a page can know of that, and no more.

import { onItsComputer } from "./device.js";
import { t } from "./text.js";

/** @import { Line } from "./lost.js" */

// A device that has left every network may take its dead stream for a live one, for minutes, and so may the board: `line` ends with
// the network, and is opened anew with the next one. What goes far away has a line of its own.
/** @param {Line} line */
export function heed(line) {
  if (document.body.classList.contains("far")) return;
  const told = document.getElementById("banner");
  told?.addEventListener("click", () => told.classList.toggle("whole")); // of a long sentence two lines are seen: the board has the room
  const source = () => /** @type {EventSource} */ (line.source);
  const anew = () => {
    source().close();
    source().dispatchEvent(new Event("error"));
  };
  addEventListener("offline", anew);
  addEventListener("online", () => line.lost && source().readyState !== EventSource.CLOSED && anew());
}

// What a browser does not tell of a stream that was refused: the sentence of the answer, "" where there is none by now.
export async function refusal() {
  const stop = new AbortController();
  try {
    const answer = await fetch("/api/watch", { signal: stop.signal });
    return answer.ok ? "" : String((await answer.json()).error ?? "");
  } catch {
    return ""; // no answer at all
  } finally {
    stop.abort();
  }
}

// "" while it may only be starting again, and where a phone far away has a line of its own, which says what it knows.
/** @param {boolean} shut @param {boolean} long */
export function reason(shut, long) {
  if (shut) return t("The board now listens to its own computer alone. Ask whoever runs it to let phones in again: this page then comes back by itself.");
  if (!long || document.body.classList.contains("far")) return "";
  if (onItsComputer()) return t("The board does not answer. Start Beaconboard again on this computer: this page then comes back by itself.");
  return t("The board does not answer. It may be switched off, in another network than this phone, or listen to its own computer alone. Ask whoever runs it: this page comes back by itself.");
}
