// Whether a page hears the board. Once it is away nothing can be fetched: what there is to say of that is, while it is heard.

import { t } from "./text.js";

const SOON_MS = 3_000; // so that it delays nothing of the first load
const LONG_MS = 20_000; // a start of the service takes less

// Watches over a page's streams; `changed()` is called when there is something else to say.
export class Line {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.lost = this.long = false;
    this.refused = "";
    this.timer = 0;
    /** @type {typeof import("./silence.js") | null} */
    this.words = null;
    /** @type {EventSource | null} */
    this.source = null;
  }

  // It is heard, by `source`.
  /** @param {EventSource} source */
  found(source) {
    this.source = source;
    clearTimeout(this.timer);
    this.lost = this.long = false;
    this.refused = "";
    if (!this.words) this.timer = setTimeout(() => import("./silence.js").then((words) => (this.words = words).heed(this), () => {}), SOON_MS);
    this.changed();
  }

  // The browser tries again by itself, unless the board has answered something else than a stream.
  /** @param {EventSource} source */
  async failed(source) {
    if (!this.lost) {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => (this.long = true, this.changed()), LONG_MS);
    }
    this.lost = true;
    this.changed();
    if (source.readyState !== EventSource.CLOSED || !this.words) return;
    this.refused = await this.words.refusal();
    if (this.lost) this.changed();
  }

  // What to tell; `shut` says that the board announced that it would no longer be reached from here.
  /** @param {boolean | undefined} shut */
  sentence(shut) {
    if (!this.lost) return "";
    return this.refused || this.words?.reason(Boolean(shut), this.long) || t("Connection to the board lost; reconnecting …");
  }
}
