// The puzzles of each game: how many were solved here, the next one, and each by its number.

import { ask, messageOf } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { next, solved } from "../play/puzzles.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { PuzzleListed, PuzzlesOfGame } from "../common/types.js" */

const told = /** @type {HTMLElement} */ (document.querySelector("#told"));
const hardness = () => [t("easy"), t("medium"), t("hard")];

/** @param {string} game @param {PuzzleListed | undefined} puzzle */
async function begin(game, puzzle) {
  told.textContent = "";
  if (!await sure(t("Set up this puzzle? The current game stays in Games played."), t("Set up"))) return;
  try {
    await ask("order", { do: "start_puzzle", game, puzzle: puzzle?.number });
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
  const go = button(coming ? t("Next puzzle") : t("All solved"), () => begin(name, coming), { className: "primary", disabled: !coming });
  go.setAttribute("aria-label", t("Next puzzle: {title}", { title }));
  const each = puzzles.map((puzzle, n) => {
    const is = done.includes(puzzle.number);
    const words = t("Puzzle {n}, {hard}", { n: n + 1, hard: hardness()[puzzle.hard - 1] });
    const one = button(`${n + 1}${is ? " ✓" : ""}`, () => begin(name, puzzle), { className: `hard-${puzzle.hard}` });
    one.setAttribute("aria-label", is ? t("{puzzle}, solved", { puzzle: words }) : words);
    return make("li", {}, one);
  });
  const groups = [1, 2, 3].map((hard) => /** @type {[number, Node[]]} */ ([hard, each.filter((_, n) => puzzles[n].hard === hard)])).filter(([, some]) => some.length);
  return make("section", { ariaLabel: title }, make("h2", { textContent: title }),
    make("div", { className: "choices" }, go, make("span", { textContent: t("Solved: {count} of {all}", { count, all: puzzles.length }) })),
    ...groups.map(([hard, some]) => make("div", {}, make("h3", { textContent: hardness()[hard - 1] }), make("ul", { className: "plain numbers" }, ...some))));
}

try {
  /** @type {PuzzlesOfGame[]} */
  const games = await ask("puzzles");
  document.querySelector("#puzzles")?.replaceChildren(...games.map(section),
    ...(games.length ? [] : [make("p", { textContent: t("There are no puzzles for the games of this board yet.") })]));
} catch (error) {
  told.textContent = messageOf(error);
}
