// What a phone is shown that is not in: that it watches and how it joins, the cell to touch, the form for the console's code.

import { consoleCodeForm } from "../common/console_code.js";
import { chosen } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { remembered } from "../common/me.js";
import { t } from "../common/text.js";

/** @import { Join } from "./join.js" */

const CODE = /^#\d{8}$/;
const ASKS = "#join"; // in the picture that a phone at the table shows to a friend

// Somebody came by a picture: by a friend's, which asks to join, or by that on the console. The code in that lets them in, and is
// not left in the address to be seen.
/** @param {Join} join */
export async function arrive(join) {
  const asks = location.hash === ASKS;
  if (!asks && !CODE.test(location.hash)) return;
  const code = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  if (asks) return document.body.dataset.role === "guest" ? join.ask() : undefined;
  if (await join.send("pair/code", { code, ...remembered() })) join.again();
}

/** @param {Join} join @returns {HTMLElement[]} */
export function outside(join) {
  const { asked, knocking } = join.you;
  return knocking === "waits" ? asking(join) : asked ? touching(join, asked.label) : join.byCode ? codeForm(join) : watching(join);
}

/** @param {Join} join */
function asking(join) {
  return [make("p", { textContent: t("Moves may need every cell now, so those at the table are asked: one of them lets this phone in."), role: "status" }),
    make("div", { className: "choices" }, cancels(join))];
}

// Joins no longer, and begins nothing either.
/** @param {Join} join */
const cancels = (join) => button(t("Cancel"), () => (join.begins = null, join.stop()));

/** @param {Join} join @param {string} cell */
function touching(join, cell) {
  const how = join.hasHand ? t("Tap the glowing cell {cell}.", { cell })
    : t("Put a spare piece on the glowing cell {cell} and leave it there for a moment.", { cell });
  const touch = join.hasHand ? [button(t("Touch {cell}", { cell }), () => join.touch(), { className: "primary" })] : [];
  return [make("p", { textContent: how, role: "status" }),
    make("div", { className: "choices" }, ...touch, cancels(join))];
}

/** @param {Join} join */
function watching(join) {
  const told = join.you.knocking ? t("Those at the table have not let this phone in: ask them, or watch.") : join.reminded && join.free && join.hasHand ? t("You are watching, so a tap moves nothing. Join, and take a seat.")
    : chosen("joined", false) ? t("This phone was removed from the table. Watch, or join again.") : join.view?.phase === "idle" ? "" : t("You are watching.");
  return [...(told ? [make("p", { textContent: told })] : []), make("div", { className: "choices" },
    button(t("Join"), () => join.ask(), { id: "join", className: "primary" }), button(t("Use a code"), () => (join.begins = null, join.types(true))),
    ...(join.reminded ? [button(t("Just watch"), () => join.onlyWatch())] : []))];
}

/** @param {Join} join */
function codeForm(join) {
  const form = consoleCodeForm(join.send, t("Join"), () => join.again());
  return [form, make("div", { className: "choices" }, button(t("Touch a cell instead"), () => { join.types(false); join.ask(); }))];
}
