// An invitation to a game at another board, opened in a browser: the ways from here to one's own board. What follows # is
// the link; it is handed on by opening the board's page with it, as a page that came by https may ask nothing at home.

import { choose, chosen } from "../common/device.js";
import { copied } from "../common/copied.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */

const USUAL = "raspberrypi.local:8000", PORT = "8000";
const LINK = /^#(?:[\w.-]+|%5B[\da-f:]+%5D):\d{1,5}\/(?:tls\/)?(watch|[1-9]\d?)\/k=[\w-]{43}$/i;
const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));

function show() {
  const seat = LINK.exec(location.hash)?.[1];
  find("#told").textContent = seat ? "" : t("This link is incomplete: copy the whole link that you were sent, and open it again.");
  find("#invited").hidden = !seat;
  find("#plays").hidden = seat === "watch";
  find("#watches").hidden = seat !== "watch";
  find("#done").textContent = "";
}

// The board's address as a browser takes it, from what people type, as raspberrypi.local; "" where it is none.
/** @param {string} typed */
function boardAt(typed) {
  const whole = /^https?:\/\//i.test(typed);
  try {
    const address = new URL(whole ? typed : `//${typed}`, location.href);
    if (!whole) address.protocol = "http";
    if (!whole && !address.port) address.port = PORT;
    return address.origin;
  } catch {
    return "";
  }
}

find("#open").addEventListener("submit", (event) => {
  event.preventDefault();
  const board = boardAt(find("#address").value.trim());
  find("#told").textContent = board ? "" : t("This is no address of a board: it looks like {usual}.", { usual: USUAL });
  if (!board) return;
  choose("board", board);
  location.assign(`${board}/afar#join=${encodeURIComponent(location.href)}`);
});

find("#copy").addEventListener("click", async () => {
  find("#done").textContent = await copied(location.href) ? t("Copied") : t("Copy it from the address bar of the browser.");
});

find("#address").value = chosen("board", USUAL);
addEventListener("hashchange", show);
show();
