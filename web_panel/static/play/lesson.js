// A lesson on the phone, or a puzzle: the sentence of the step that is on; at the card's foot Next where that is only read, Back to
// what was said before, and a way out, and once a lesson is over the game itself.

import { ask, messageOf } from "../common/api.js";
import { offered } from "../common/device.js";
import { button, make, setText, styled } from "../common/dom.js";
import { forgetPassing } from "../common/toast.js";
import { goOn, remember, solvedOf } from "./puzzles.js";
import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { LessonView, PanelView, ProgressTold, PuzzlesOfGame, You } from "../common/types.js" */

const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));
const LEAVE = { do: "leave_lesson", on: true };

/** @type {LessonView[]} */
let said = []; // the steps of this lesson that were shown, the one that is on last
let back = 0; // so many of them somebody has gone back
let stands = ""; // whether the puzzle is that of the day, and once it is solved how many are, in words
let standing = ""; // of what `stands` speaks

// Shows the lesson of `view`, if it has one, `you` may be who learns or look on; `order(what)` sends an order, `toStart()` leads to
// the choice of games.
/** @param {PanelView} view @param {You | null} you @param {Give} order @param {() => void} toStart */
export function showLesson({ lesson, game, seats, begins }, you, order, toStart) {
  const box = find("#lesson") ?? makeBox(order, toStart);
  if (!lesson && [box, find("#steps")].some((part) => part.contains(document.activeElement))) find("#told").focus({ preventScroll: true }); // by keys one goes on there
  box.hidden = find("#steps").hidden = !lesson;
  if (!lesson) return void (said = []);
  styled("lesson.css");
  const { puzzle, over, told } = lesson;
  const [acts, steps] = [find("#acts"), find("#steps")];
  if ((acts.previousElementSibling === steps) !== Boolean(puzzle)) acts[puzzle ? "before" : "after"](steps); // a puzzle's own come first
  const now = `${game} ${puzzle} ${over} ${told}`;
  if (puzzle && now !== standing) {
    standing = now;
    stands = "";
    if (over && !told && you?.waits && you.role !== "guest") remember(game, puzzle);
    standsSo(game, puzzle, over && !told).then((words) => {
      if (now !== standing) return;
      stands = words;
      draw(box, order, game);
    }, () => {}); // where the board does not answer, it is a puzzle like others
  }
  if (said.at(-1)?.sentence !== lesson.sentence) {
    said = [...said.filter(({ step, steps }) => step < lesson.step && steps === lesson.steps), lesson];
    back = 0;
    find("#told").scrollTop = 0;
  }
  said[said.length - 1] = lesson;
  draw(box, order, game);
  const learnt = !puzzle && over;
  if (learnt === Boolean(find("#steps .play"))) return;
  if (!learnt) return find("#steps").querySelectorAll(".play").forEach((each) => each.remove());
  const first = { do: "new_game", game };
  let level = offered(game);
  const against = button("", async () => {
    const { alone } = await import("./opponents.js");
    return order({ ...first, opponents: alone({ name: game, begins }, seats.length, level) });
  }, { className: "play primary" });
  const named = () => setText(against, t("Against the board, level {level}", { level }));
  find("#steps").append(button(t("Play with a friend"), () => order(first), { className: "play" }), against);
  named();
  ask("progress").then((told) => { // the same as the choice of games offers
    level = offered(game, told?.games.find((/** @type {{ name: string }} */ { name }) => name === game));
    named();
  }, () => {});
}

// Says whether a puzzle is that of the day, and once it is `solved` on how many days one was, and how many of its game are.
/** @param {string} game @param {string} puzzle @param {boolean} solved */
async function standsSo(game, puzzle, solved) {
  /** @type {[ProgressTold, PuzzlesOfGame[] | null, typeof import("./progress.js")]} */
  const [told, puzzles, { inARow }] = await Promise.all([ask("progress"), solved ? ask("puzzles") : null, import("./progress.js")]);
  const today = told.today?.game === game && told.today.number === puzzle;
  const listed = puzzles?.find(({ name }) => name === game)?.puzzles.some(({ number }) => number === puzzle); // not one of an own game
  return [today ? t("Puzzle of the day") : t("Puzzle"), today && solved && inARow(told.streak), puzzles && listed && t("Solved: {count} of {all}", solvedOf(game, puzzles))].filter(Boolean).join(" · ");
}

/** @param {PageElement} box @param {Give} order @param {string} game */
function draw(box, order, game) {
  const shown = said[said.length - 1 - back];
  const { puzzle, over, told, hint } = shown;
  const [next, before, leave, hinted] = [".next", ".back", ".leave", ".hint"].map((each) => find(`#steps ${each}`));
  const sentence = box.querySelector("p");
  const last = !back && shown.step === shown.steps;
  const done = back && shown.ply; // what is asked for in it is asked for no more
  box.querySelector("small").textContent = puzzle ? stands || t("Puzzle") : over ? "" : done ? t("Step {step} of {steps}, done", shown) : t("Step {step} of {steps}", shown);
  find("#lesson b").hidden = !(puzzle && over && !told);
  setText(sentence, shown.sentence);
  sentence.style.opacity = done ? "0.6" : "";
  next.hidden = !shown.next && (puzzle ? !over : !back);
  next.classList.toggle("primary", !puzzle || over);
  setText(next, !puzzle ? last ? t("Done") : t("Next") : over ? t("Next puzzle") : t("Show the move"));
  before.hidden = Boolean(puzzle);
  hinted.hidden = !hint;
  before.disabled = back >= said.length - 1;
  leave.hidden = (over && !puzzle) || document.body.dataset.role === "guest";
  /** @param {number} by */
  const step = (by) => {
    back += by;
    draw(box, order, game);
  };
  next.onclick = () => {
    if (puzzle && over) return goOn(game, puzzle).catch((/** @type {unknown} */ error) => setText(sentence, messageOf(error)));
    return back ? step(-1) : order({ do: "next_step" });
  };
  before.onclick = () => step(1);
  hinted.onclick = () => order({ do: "next_step", hint: true });
}

// Leads from a puzzle back to the game that it interrupted; else the table is free for all. Where the puzzle goes on for who has
// begun it, this phone alone shows the choice of games.
/** @param {number | null} game_id @param {Give} order @param {() => void} toStart */
async function leavePuzzle(game_id, order, toStart) {
  if (game_id === null || !await order({ do: "resume", game_id })) return ask("order", LEAVE).catch(toStart);
}

// Ends the lesson for all, and it waits; where it goes on for who has begun it, this phone alone shows the choice of games.
/** @param {() => void} toStart */
const leaveLesson = (toStart) => ask("order", LEAVE).then(forgetPassing, toStart);

/** @param {Give} order @param {() => void} toStart */
function makeBox(order, toStart) {
  const sentence = make("p");
  sentence.setAttribute("aria-live", "polite");
  /** @param {string} className */
  const plain = (className) => make("button", { type: "button", className });
  const leave = Object.assign(plain("leave"), { textContent: t("Leave") });
  leave.onclick = () => {
    const { puzzle, interrupts = null } = said.at(-1) ?? {};
    return puzzle ? leavePuzzle(interrupts, order, toStart) : leaveLesson(toStart);
  };
  const steps = make("div", { id: "steps", className: "choices" }, leave, Object.assign(plain("back"), { textContent: t("Back") }),
    Object.assign(plain("hint"), { textContent: t("Hint") }), plain("next"));
  const box = make("div", { id: "lesson" }, make("b", { textContent: t("Solved!") }), make("small"), sentence);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Lesson"));
  find("#advice").before(box);
  find("#foot").append(steps);
  return box;
}
