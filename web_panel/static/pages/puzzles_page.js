// The puzzles of each game: today's, how many were solved, the next one, and each by its number. Solved is what this phone
// remembers, and what the board knows of its person.

import { ask, messageOf } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { hardness, inARow } from "../play/progress.js";
import { next, remember, solved } from "../play/puzzles.js";
import { sureToLeave } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { OwnPuzzle, ProgressTold, PuzzleListed, PuzzleOfDay, PuzzlesOfGame } from "../common/types.js" */

const told = /** @type {HTMLElement} */ (document.querySelector("#told"));

/** @param {string} game @param {string | undefined} puzzle */
const begin = (game, puzzle) => setUp(async () => ({ do: "start_puzzle", game, puzzle }));

/** @param {() => Promise<object>} order */
async function setUp(order) {
  told.textContent = "";
  if (!await sureToLeave(t("The game on the board stays among the games played, and can be resumed. Set up this puzzle?"), t("Set up"))) return;
  try {
    await ask("order", await order());
    location.href = "/";
  } catch (error) {
    told.textContent = messageOf(error);
    told.scrollIntoView({ block: "nearest" });
  }
}

// What is to be found in a puzzle.
/** @param {PuzzleListed} puzzle */
const aimOf = ({ aim, theme }) => theme || (aim === "once" ? t("a win at once") : aim === "win" ? t("a win by force") : aim === "save" ? t("the only way out") : t("a great gain"));

// What is told and done beside the picture at `src`.
/** @param {"div" | "li"} tag @param {string} src @param {...Node} parts */
const pictured = (tag, src, ...parts) => make(tag, { className: "pictured" }, make("img", { src, alt: "", loading: "lazy" }), make("div", {}, ...parts));

/** @param {string} game @param {{ number: string }} puzzle */
const picture = (game, { number }) => `/puzzles/${game}/${number}.svg`;

/** @param {PuzzlesOfGame} game */
function section({ name, title, puzzles }) {
  const done = solved(name);
  const count = puzzles.filter(({ number }) => done.includes(number)).length;
  const coming = next(name, puzzles);
  const go = button(coming ? t("Next puzzle") : t("All solved"), () => begin(name, coming?.number), { className: "primary", disabled: !coming });
  go.setAttribute("aria-label", t("Next puzzle: {title}", { title }));
  const each = puzzles.map((puzzle, n) => {
    const is = done.includes(puzzle.number);
    const words = t("Puzzle {n}, {hard}, {aim}", { n: n + 1, hard: hardness(puzzle.hard), aim: aimOf(puzzle) });
    const one = button(`${n + 1}${is ? " ✓" : ""}`, () => begin(name, puzzle.number), { className: `hard-${puzzle.hard}`, title: aimOf(puzzle) });
    one.setAttribute("aria-label", is ? t("{puzzle}, solved", { puzzle: words }) : words);
    return make("li", {}, one);
  });
  const groups = [1, 2, 3]
    .map((hard) => /** @type {[number, Node[]]} */ ([hard, each.filter((_, n) => puzzles[n].hard === hard)]))
    .filter(([, some]) => some.length);
  const found = make("p", { textContent: t("Solved: {count} of {all}", { count, all: puzzles.length }) });
  return make("section", { id: name, ariaLabel: title }, make("h2", { textContent: title }),
    coming ? pictured("div", picture(name, coming), found, make("p", { textContent: t("Next: {aim}, {hard}", { aim: aimOf(coming), hard: hardness(coming.hard) }) }), go)
      : make("div", {}, found, go),
    ...groups.map(([hard, some]) => make("div", {}, make("h3", { textContent: hardness(hard) }), make("ul", { className: "plain numbers" }, ...some))));
}

// What was overlooked in games that were played here. Which move it was is told by the game's page, not here.
/** @param {OwnPuzzle[]} found */
function ofOwnGames(found) {
  const each = found.map(({ id, ply, game, number, title, name }) => {
    const is = solved(game).includes(number);
    const words = [t("{title}: {name} overlooked it", { title, name }), is && t("✓ solved")].filter(Boolean).join(", ");
    const solve = button(is ? t("Solve it again") : t("Solve it"), () => setUp(() => ask(`history/${id}/puzzle?ply=${ply}`)));
    solve.setAttribute("aria-label", `${solve.textContent}: ${words}`);
    return pictured("li", `/history/${id}/position.svg?ply=${ply - 1}`, make("p", { textContent: words }), solve);
  });
  return make("section", { id: "own", ariaLabel: t("From your own games") }, make("h2", { textContent: t("From your own games") }),
    found.length ? make("ul", { className: "plain" }, ...each)
      : make("p", { textContent: t("When a game is over, look at what decided it: a move that was overlooked can become a puzzle here.") }));
}

// Ways to the sections of a page that is long.
/** @param {HTMLElement[]} sections */
const jumps = (sections) => make("nav", { className: "jumps", ariaLabel: t("Puzzles") },
  ...sections.map(({ id, ariaLabel }) => make("a", { href: `#${id}`, textContent: ariaLabel })));

/** @param {PuzzleOfDay} puzzle @param {number} streak */
function ofToday({ game, title, number, hard, asks, solved: known }, streak) {
  const is = known || solved(game).includes(number); // also of whoever plays without a name, on this phone
  const words = [`${title}, ${hardness(hard)}`, is && t("✓ solved"), inARow(streak)].filter(Boolean).join(", ");
  return make("section", { ariaLabel: t("Puzzle of the day") }, make("h2", { textContent: t("Puzzle of the day") }),
    pictured("div", picture(game, { number }), make("p", { textContent: words }), make("p", { textContent: asks }), button(is ? t("Solve it again") : t("Solve it"), () => begin(game, number), { className: is ? "" : "primary" })));
}

try {
  /** @type {[PuzzlesOfGame[], ProgressTold, OwnPuzzle[]]} */
  const [games, { games: reached, streak, today }, own] = await Promise.all([ask("puzzles"), ask("progress"), ask("puzzles/own")]);
  for (const { name, solved: numbers } of reached) numbers.forEach((number) => remember(name, number));
  const parts = games.length ? games.map(section) : [make("p", { textContent: t("There are no puzzles for the games of this board yet.") })];
  parts.splice(own.length ? 0 : parts.length, 0, ofOwnGames(own)); // last where there are none
  document.querySelector("#puzzles")?.replaceChildren(...(today ? [ofToday(today, streak)] : []), ...(games.length ? [jumps(parts)] : []), ...parts);
} catch (error) {
  told.textContent = messageOf(error);
}
