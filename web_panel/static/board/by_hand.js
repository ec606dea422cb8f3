// Asks before pieces that people have moved by hand are put right: a move that is half made would be lost by that.

import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

// `open(title, ...parts)` shows a sheet, `close()` closes it; `finish()` puts the pieces right.
/** @param {{ open: (title: string, ...parts: Node[]) => void, close: () => void, finish: () => void }} parts */
export function askFirst({ open, close, finish }) {
  const right = button(t("Put the pieces right"), () => (close(), finish()));
  const stay = button(t("Go on by hand"), close, { className: "primary" });
  open(t("Stop moving by hand?"), make("p", { textContent: t("The move that was begun is lost: the pieces go back to where the game has them.") }),
    make("div", { className: "choices" }, stay, right));
}
