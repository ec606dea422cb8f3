// Why the board is not heard: what this page can know of that, and no more.

import { onItsComputer } from "./device.js";
import { t } from "./text.js";

const LONG_MS = 20_000; // a start of the service takes less

// What a browser does not tell of a stream that was refused: the sentence of the answer, "" where there is none by now.
async function refusal() {
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

// Watches over a page's streams; `changed()` is called when there is something else to say.
export class Line {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lost = this.long = false;
    this.refused = "";
    this.timer = 0;
  }

  found() {
    clearTimeout(this.timer);
    this.lost = this.long = false;
    this.refused = "";
    this.changed();
  }

  // The browser tries again by itself, unless the board has answered something else than a stream.
  /** @param {EventSource} source */
  async failed(source) {
    if (!this.lost) this.timer = setTimeout(() => (this.long = true, this.changed()), LONG_MS);
    this.lost = true;
    this.changed();
    if (source.readyState !== EventSource.CLOSED) return;
    this.refused = await refusal();
    if (this.lost) this.changed();
  }

  // What to tell; `shut` says that the board announced that it would no longer be reached from here.
  /** @param {boolean | undefined} shut */
  sentence(shut) {
    if (!this.lost) return "";
    if (this.refused) return this.refused;
    if (shut) return t("The board now listens to its own computer alone. Ask whoever runs it to let phones in again: this page then comes back by itself.");
    if (!this.long || document.body.classList.contains("far")) return t("Connection to the board lost; reconnecting …");
    if (onItsComputer()) return t("The board does not answer. Start Beaconboard again on this computer: this page then comes back by itself.");
    return t("The board does not answer. It may be switched off, in another network than this phone, or listen to its own computer alone. Ask whoever runs it: this page comes back by itself.");
  }
}
