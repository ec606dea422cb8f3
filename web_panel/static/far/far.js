// The panel far from its board: before any other script runs, what asks the board is led over the sealed line. So every script
// of the panel, whenever it is loaded, is the same here as at home, and none has to know.

import { FarLine, keyOf, sourceOver } from "./far_line.js";
import { Sealer } from "./far_sealed.js";
import { t } from "../common/text.js";

/** @import { Native } from "./far_line.js" */

/** @typedef {{ seconds: string }} Late */

const PATIENCE_MS = 12_000;

const told = /** @type {HTMLElement} */ (document.getElementById("far-told"));
/** @type {Native} */
const native = { fetch: globalThis.fetch.bind(globalThis), EventSource: globalThis.EventSource };
let late = "";

/** @param {string} sentence */
function said(sentence) {
  clearTimeout(waits);
  told.textContent = sentence || late;
  told.hidden = !told.textContent;
}

const waits = setTimeout(() => said(t("The board does not answer. Perhaps it is switched off, or the link has been ended, or it is not the whole link.")), PATIENCE_MS);

/** @param {Uint8Array} key */
function begin(key) {
  told.textContent = t("Looking for the board …");
  told.hidden = false;
  const line = new FarLine(key, said, native);
  document.body.dataset.room = line.sealing.room;
  const Source = sourceOver(line);
  const sealer = new Sealer({
    room: line.sealing.room, changed: () => line.watches?.tell("view", sealer.view),
    order: (/** @type {object} */ what) => line.call("POST", "/api/order", JSON.stringify(what), { again: true }),
  });
  globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ path, { method = "GET", body = "" } = {}) => {
    if (!String(path).startsWith("/api/")) return native.fetch(path, { method, ...(body && { body }) });
    const answer = (path === "/api/order" && sealer.answer(JSON.parse(body))) || await line.call(method, path, body);
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": "application/json" } });
  });
  globalThis.EventSource = /** @type {any} */ (class extends Source {
    constructor() {
      super();
      this.addEventListener("late", (/** @type {any} */ event) => {
        late = t("You see this game {seconds} seconds late.", { seconds: event.data });
        said("");
      });
    }

    // A page that is not in front goes on listening until it has opened what it has sealed.
    close() {
      if (sealer.bound) this.readyState = Source.CLOSED;
      else super.close();
    }

    /** @param {string} kind @param {any} data */
    tell(kind, data) {
      const seen = kind === "view" ? sealer.see(data) : data;
      if (this.readyState !== Source.CLOSED) super.tell(kind, seen);
      else if (!sealer.bound) line.leave(this);
    }
  });
}

const key = keyOf(location.hash);
if (key) begin(key);
else {
  said(location.hash ? t("The key of this link is incomplete: copy the whole link.") : t("Open this page by the link that you were sent: it ends with # and a key."));
  globalThis.fetch = () => Promise.reject(new TypeError());
  globalThis.EventSource = /** @type {any} */ (sourceOver({ watch: () => {}, leave: () => {} }));
}
// Another link that is pasted into the same page is another game.
addEventListener("hashchange", () => location.reload());
// The rules are read beside the game: whoever comes back to this page without its key would have to find the link again.
addEventListener("click", (/** @type {any} */ event) => event.target.closest?.("a[href^='/']")?.setAttribute("target", "_blank"), { capture: true });
