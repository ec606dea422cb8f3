// A lesson on the phone: the sentence of the step that is on, Next where it is only read, and Learn it beside Start.

import { make, setText } from "./dom.js";
import { t } from "./text.js";

const find = (selector) => document.querySelector(selector);

// Shows `lesson` of the view, null outside one; `order(what)` sends an order.
export function showLesson(lesson, order) {
  const box = find("#lesson") ?? makeBox(order);
  const [count, sentence, next] = box.children;
  box.hidden = !lesson;
  if (!lesson) return;
  count.textContent = lesson.over ? "" : t("Step {step} of {steps}", lesson);
  setText(sentence, lesson.sentence);
  next.hidden = !lesson.next;
}

function makeBox(order) {
  const sentence = make("p");
  sentence.setAttribute("aria-live", "polite");
  const next = make("button", { type: "button", className: "primary", textContent: t("Next"), onclick: () => order({ do: "next_step" }) });
  const box = make("div", { id: "lesson" }, make("small"), sentence, next);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Lesson"));
  find("#advice").before(box);
  return box;
}

// Adds the button that begins the lesson of the chosen game to the dialog; `ask` throws an Error with a sentence.
export function offerLesson(ask) {
  if (find("#learn")) return;
  const learn = async () => {
    find("#refusal").textContent = "";
    try {
      await ask("order", { do: "start_lesson", game: find("#game").value });
      find("#dialog").close();
    } catch (error) {
      find("#refusal").textContent = error.message;
    }
  };
  find("#start").before(make("button", { id: "learn", type: "button", textContent: t("Learn it"), onclick: learn }));
}
