// The panel far from its board: before any other script runs, what asks the board is led over the sealed line. So every script
// of the panel, whenever it is loaded, is the same here as at home, and none has to know.

import { FarLine, keyOf, sourceOver } from "./far_line.js";
import { Sealer } from "./far_sealed.js";
import { t } from "./text.js";

const PATIENCE_MS = 12_000;

const told = document.getElementById("far-told");
const native = { fetch: globalThis.fetch.bind(globalThis), EventSource: globalThis.EventSource };
let late = "";

function said(sentence) {
  clearTimeout(waits);
  told.textContent = sentence || late;
  told.hidden = !told.textContent;
}

const waits = setTimeout(() => said(t("The board does not answer. Perhaps it is switched off, or the link has been ended, or it is not the whole link.")), PATIENCE_MS);

function begin(key) {
  told.textContent = t("Looking for the board …");
  told.hidden = false;
  const line = new FarLine(key, said, native);
  document.body.dataset.room = line.sealing.room;
  const Source = sourceOver(line);
  const sealer = new Sealer({
    room: line.sealing.room, changed: () => line.watches?.tell("view", sealer.view),
    order: (what) => line.call("POST", "/api/order", JSON.stringify(what), { again: true }),
  });
  globalThis.fetch = async (path, { method = "GET", body = "" } = {}) => {
    if (!String(path).startsWith("/api/")) return native.fetch(path, { method, ...(body && { body }) });
    const answer = (path === "/api/order" && sealer.answer(JSON.parse(body))) || await line.call(method, path, body);
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { "Content-Type": "application/json" } });
  };
  globalThis.EventSource = class extends Source {
    constructor() {
      super();
      this.addEventListener("late", (event) => {
        late = t("You see this game {seconds} seconds late.", { seconds: event.data });
        said("");
      });
    }

    // A page that is not in front goes on listening until it has opened what it has sealed.
    close() {
      if (sealer.bound) this.readyState = Source.CLOSED;
      else super.close();
    }

    tell(kind, data) {
      const seen = kind === "view" ? sealer.see(data) : data;
      if (this.readyState !== Source.CLOSED) super.tell(kind, seen);
      else if (!sealer.bound) line.leave(this);
    }
  };
}

const key = keyOf(location.hash);
if (key) begin(key);
else {
  said(location.hash ? t("The key of this link is incomplete: copy the whole link.") : t("Open this page by the link that you were sent: it ends with # and a key."));
  globalThis.fetch = () => Promise.reject(new TypeError());
  globalThis.EventSource = sourceOver({ watch: () => {}, leave: () => {} });
}
// Another link that is pasted into the same page is another game.
addEventListener("hashchange", () => location.reload());
// The rules are read beside the game: whoever comes back to this page without its key would have to find the link again.
addEventListener("click", (event) => event.target.closest?.("a[href^='/']")?.setAttribute("target", "_blank"), { capture: true });
