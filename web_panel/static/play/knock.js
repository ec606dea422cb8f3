// A phone asks those at the table to be let in: the question on every phone there, about one at a time.

import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { KnockTold } from "../common/types.js" */

// Shows the question at the head of what is to be pressed, null none. `send(path, body)` tells why it was refused.
/** @param {KnockTold | null} knock @param {Send} send */
export function showKnock(knock, send) {
  const before = /** @type {HTMLElement | null} */ (document.querySelector("#knock"));
  if (before?.dataset.of === knock?.id) return;
  before?.remove();
  if (!knock) return;
  const answers = make("div", { className: "choices" });
  const answer = async (/** @type {boolean} */ let_in) => {
    for (const each of answers.querySelectorAll("button")) each.disabled = true; // a second tap would answer about the next one
    if (!await send("pair/answer", { id: knock.id, let_in })) for (const each of answers.querySelectorAll("button")) each.disabled = false;
  };
  answers.append(button(t("Let it in"), () => answer(true), { className: "primary" }), button(t("Not now"), () => answer(false)));
  const asked = make("p", { textContent: knock.name ? t("{name} asks to join with a phone.", { name: knock.name }) : t("A phone asks to join.") });
  asked.setAttribute("role", "status");
  const box = make("div", { id: "knock" }, asked, answers);
  box.dataset.of = knock.id;
  /** @type {HTMLElement} */ (document.querySelector("#foot")).prepend(box);
}
