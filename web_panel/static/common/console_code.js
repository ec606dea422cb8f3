// The form for the code that the console shows: whoever types it in owns the table, also a phone that has joined without.

import { make } from "./dom.js";
import { remembered } from "./me.js";
import { t } from "./text.js";

/** @import { Send } from "./api.js" */

// `send(path, body)` resolves to null where the code was refused; `done()` is called once it was right.
/** @param {Send} send @param {string} label of its button @param {() => void} done */
export function consoleCodeForm(send, label, done) {
  const input = make("input", { inputMode: "numeric", autocomplete: "one-time-code", required: true, maxLength: 12, pattern: "[0-9 ]+" });
  const form = make("form", { className: "choices" },
    make("label", {}, make("span", { textContent: t("Code shown on the console") }), " ", input),
    make("button", { type: "submit", textContent: label, className: "primary" }));
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (await send("pair/code", { code: input.value, ...remembered() })) done();
  };
  return form;
}

// Shows it in `box` on another page than the board's, to whom it is of use: not to an owner, and folded, since most have no use for it.
/** @param {HTMLElement} box @param {{ role: string }} you @param {Send} send */
export function offerCode(box, { role }, send) {
  box.hidden = role === "owner";
  const label = role === "guest" ? t("Join") : t("Become an owner, too");
  if (box.hidden || box.querySelector("button")?.textContent === label) return;
  const form = consoleCodeForm(send, label, () => location.reload());
  form.querySelector("button")?.classList.remove("primary");
  box.replaceChildren(make("details", {}, make("summary", { textContent: t("For whoever set up this board") }),
    make("p", { className: "note", textContent: t("The computer that runs the board shows a code of eight digits where it was started; on a Raspberry Pi the log of the service has it. Who types it in here may change everything at this table.") }), form));
}
