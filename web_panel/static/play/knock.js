// A phone asks those at the table to be let in, or to go on for one that is away: the question on every phone there, about one at a time.

import { button, make, styled } from "../common/dom.js";
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
  styled("knock.css");
  const answers = make("div", { className: "choices" });
  const answer = async (/** @type {boolean} */ let_in) => {
    for (const each of answers.querySelectorAll("button")) each.disabled = true; // a second tap would answer about the next one
    if (!await send("pair/answer", { id: knock.id, let_in })) for (const each of answers.querySelectorAll("button")) each.disabled = false;
  };
  const { name, again, away, owner } = knock;
  answers.append(button(again ? t("Yes, it is") : t("Let it in"), () => answer(true), { className: "primary" }), button(again ? t("No") : t("Not now"), () => answer(false)));
  const joins = name ? t("{name} asks to join with a phone.", { name }) : t("A phone asks to join.");
  const goesOn = !away ? t("{name}'s first phone asks to be back in place of the other one: is it the same person?", { name }) : name ? t("{name}'s phone is away. Another phone asks to go on as {name}: is it the same person?", { name })
    : t("The phone of a seat is away. Another one asks to go on for it: is it the same person?");
  const asked = make("p", { textContent: [again ? goesOn : joins, owner && t("They would own this table again, too.")].filter(Boolean).join(" ") });
  asked.setAttribute("role", "status");
  const box = make("div", { id: "knock" }, asked, answers);
  box.dataset.of = knock.id;
  /** @type {HTMLElement} */ (document.querySelector("#foot")).prepend(box);
}
