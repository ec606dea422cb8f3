// The puzzles of each game: today's, how many were solved, the next one, and each by its number. Solved is what this phone
// remembers, and what the board knows of its person.

import { ask, messageOf } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { hardness, inARow } from "../play/progress.js";
import { next, remember, solved } from "../play/puzzles.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { ProgressTold, PuzzleListed, PuzzleOfDay, PuzzlesOfGame } from "../common/types.js" */

const told = /** @type {HTMLElement} */ (document.querySelector("#told"));

/** @param {string} game @param {string | undefined} puzzle */
async function begin(game, puzzle) {
  told.textContent = "";
  if (!await sure(t("Set up this puzzle? The current game stays in Games played."), t("Set up"))) return;
  try {
    await ask("order", { do: "start_puzzle", game, puzzle });
    location.href = "/";
  } catch (error) {
    told.textContent = messageOf(error);
    told.scrollIntoView({ block: "nearest" });
  }
}

/** @param {PuzzlesOfGame} game */
function section({ name, title, puzzles }) {
  const done = solved(name);
  const count = puzzles.filter(({ number }) => done.includes(number)).length;
  const coming = next(name, puzzles);
  const go = button(coming ? t("Next puzzle") : t("All solved"), () => begin(name, coming?.number), { className: "primary", disabled: !coming });
  go.setAttribute("aria-label", t("Next puzzle: {title}", { title }));
  const each = puzzles.map((puzzle, n) => {
    const is = done.includes(puzzle.number);
    const words = t("Puzzle {n}, {hard}", { n: n + 1, hard: hardness(puzzle.hard) });
    const one = button(`${n + 1}${is ? " ✓" : ""}`, () => begin(name, puzzle.number), { className: `hard-${puzzle.hard}` });
    one.setAttribute("aria-label", is ? t("{puzzle}, solved", { puzzle: words }) : words);
    return make("li", {}, one);
  });
  const groups = [1, 2, 3].map((hard) => /** @type {[number, Node[]]} */ ([hard, each.filter((_, n) => puzzles[n].hard === hard)])).filter(([, some]) => some.length);
  return make("section", { ariaLabel: title }, make("h2", { textContent: title }),
    make("div", { className: "choices" }, go, make("span", { textContent: t("Solved: {count} of {all}", { count, all: puzzles.length }) })),
    ...groups.map(([hard, some]) => make("div", {}, make("h3", { textContent: hardness(hard) }), make("ul", { className: "plain numbers" }, ...some))));
}

/** @param {PuzzleOfDay} puzzle @param {number} streak */
function ofToday({ game, title, number, hard, solved: is }, streak) {
  const words = [`${title}, ${hardness(hard)}`, is && t("✓ solved"), inARow(streak)].filter(Boolean).join(", ");
  return make("section", { ariaLabel: t("Puzzle of the day") }, make("h2", { textContent: t("Puzzle of the day") }),
    make("div", { className: "choices" }, button(t("Solve it"), () => begin(game, number), { className: is ? "" : "primary" }), make("span", { textContent: words })));
}

try {
  /** @type {[PuzzlesOfGame[], ProgressTold]} */
  const [games, { games: reached, streak, today }] = await Promise.all([ask("puzzles"), ask("progress")]);
  for (const { name, solved: numbers } of reached) numbers.forEach((number) => remember(name, number));
  document.querySelector("#puzzles")?.replaceChildren(...(today ? [ofToday(today, streak)] : []), ...games.map(section),
    ...(games.length ? [] : [make("p", { textContent: t("There are no puzzles for the games of this board yet.") })]));
} catch (error) {
  told.textContent = messageOf(error);
}
