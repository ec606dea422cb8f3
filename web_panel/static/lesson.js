// A lesson on the phone, or a puzzle: its sentence, Next where that is only read, and the way to both beside Start.

import { make, setText } from "./dom.js";
import { goOn, remember } from "./puzzles.js";
import { t } from "./text.js";

const find = (selector) => document.querySelector(selector);

// Shows `lesson` of the view of `game`, null outside one; `order(what)` sends an order.
export function showLesson(lesson, order, game) {
  const box = find("#lesson") ?? makeBox();
  const [count, sentence, next] = box.children;
  box.hidden = !lesson;
  if (!lesson) return;
  count.textContent = lesson.puzzle ? t("Puzzle") : lesson.over ? "" : t("Step {step} of {steps}", lesson);
  setText(sentence, lesson.sentence);
  const { puzzle, over, told } = lesson;
  if (puzzle && over && !told) remember(game, puzzle);
  next.hidden = puzzle ? told && !over : !lesson.next;
  next.className = puzzle && !over ? "" : "primary";
  setText(next, !puzzle ? t("Next") : over ? t("Next puzzle") : t("Show the move"));
  next.onclick = () => (puzzle && over ? goOn(game, puzzle).catch((error) => setText(sentence, error.message)) : order({ do: "next_step" }));
}

function makeBox() {
  const sentence = make("p");
  sentence.setAttribute("aria-live", "polite");
  const next = make("button", { type: "button", className: "primary" });
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
  const learns = make("button", { id: "learn", type: "button", textContent: t("Learn it"), onclick: learn });
  const solves = make("button", { id: "solve", type: "button", textContent: t("Puzzles"), onclick: () => (location.href = "/puzzles") });
  find("#start").before(learns, solves);
}
