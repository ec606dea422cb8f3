// What people show each other while they wait, a clap or a laugh: the buttons for it, and what others have shown, for some seconds at
// the name of whoever did. It lies over nothing that takes a tap, and goes by itself.

import { $, button, make, setText, styled } from "../common/dom.js";
import { t } from "../common/text.js";
import { icon } from "./icons.js";

/** @import { Send } from "../common/api.js" */
/** @import { You } from "../common/types.js" */

const SHOWN_MS = 4000;
/** @type {() => Record<string, string>} */
const known = () => ({ clap: t("clap"), laugh: t("laugh"), wow: t("wow"), oh_no: t("oh no") });

let shown = 0; // the newest that was shown here

// A row with a button for each, where somebody else is at the table to see it; `close()` is called once one was pressed.
/** @param {You | null} you @param {Send} send @param {() => any} close @returns {HTMLElement[]} */
export function cheersRow(you, send, close) {
  if (!you?.panel.reactions || you.role === "guest" || !you.phones.some(({ you: own, away }) => !own && !away)) return [];
  const row = make("div", { className: "choices" }, ...Object.entries(known()).map(([what, words]) => {
    const made = button("", () => (send("cheer", { what }), close()), { title: words });
    made.setAttribute("aria-label", words);
    const drawing = icon(what);
    drawing.style.margin = "0";
    made.append(drawing);
    return made;
  }));
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", t("Show the others"));
  return [row];
}

// Shows what of `you` is new.
/** @param {You} you */
export function showCheers({ cheers, people }) {
  for (const { number, what, name, seat } of cheers.filter((each) => each.number > shown)) {
    shown = number;
    const who = (seat !== null && people[seat]?.name) || name || t("Somebody");
    const row = seat === null ? null : document.querySelector(`li.seat-${seat}`), at = (row ?? $("board")).getBoundingClientRect();
    const bubble = make("span", { className: "cheer", ariaHidden: "true" }, icon(what), ...(row ? [] : [who])); // who has no seat is named on the rim
    bubble.dataset.what = what;
    Object.assign(bubble.style, { left: `${at.left + (row ? 0 : at.width / 3)}px`, top: `${Math.max(0, at.top)}px` });
    styled("cheers.css").then(() => {
      document.body.append(bubble);
      setTimeout(() => bubble.remove(), SHOWN_MS);
    });
    tell(t("{name}: {move}", { name: who, move: known()[what] }));
  }
}

// Says it to who does not see it.
/** @param {string} words */
function tell(words) {
  if (!document.querySelector("#cheered")) document.body.append(make("p", { id: "cheered", role: "status" }));
  setText($("cheered"), words);
}
