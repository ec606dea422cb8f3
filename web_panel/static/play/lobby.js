// The games to choose from while none is on the table, or a lesson waits: that, games that were left before their end, then all, the
// easiest first, and the puzzle of the day. A tap begins one as it is usually played, or its lesson. "New game" has the rest.

import { ask } from "../common/api.js";
import { offered } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { face, pictureAt } from "./face.js";
import { hardness, inARow, reachedLine } from "./progress.js";
import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameOffered, GameProgress, LessonWaits, PanelView, ProgressTold, PuzzleOfDay, You } from "../common/types.js" */

const SHORT = 12; // so many letters of a button are never broken into lines

/** A game that others have left lying on the table, and what shows it. @typedef {{ sent: PanelView, look: () => any }} Lying */
/** With whose it is. @typedef {Lying & { names: string[] }} LyingTold */

/** @type {{ guest: boolean, whose: string, here: boolean, box: Promise<HTMLElement | null> } | null} */
let made = null; // the promise of the box, once it was wanted, for whom, whose progress stands there, and where its lesson waits

// Shows them over the board while `view` is of an empty table; `order(what)` sends an order, for a guest once they are in. A guest
// sees the board while there is a cell of it to touch. First of them is the lesson that is `waiting`, if one is; where this phone
// alone has left it, `back` leads to it. So does the one of a game that is `lying` there.
/** @param {PanelView} view @param {You | null} you @param {Give} order @param {LessonWaits | null} [waiting] @param {(() => any) | null} [back] @param {Lying | null} [lying] */
export async function showLobby(view, you, order, waiting, back, lying) {
  const here = !back;
  const guest = you?.role === "guest", whose = you?.profile ?? "";
  const wanted = view.phase === "idle" && you !== null && !(guest && you.asked);
  if (made && !(wanted && made.guest === guest && made.whose === whose && made.here === here)) { // somebody joined, or said a name
    made.box.then((box) => box?.remove()); // it may come later than the next view: nothing waits for it
    made = null; // what was reached may be more by the next time
  }
  if (!wanted) return;
  made ??= { guest, whose, here, box: makeLobby(guest, order, waiting, back, lying && { ...lying, names: you?.lying ?? [] }) };
  const now = made, box = await now.box;
  if (box) box.hidden = false;
  else if (made === now) made = null; // the service was away
}

/** @param {boolean} guest @param {Give} give @param {LessonWaits | null} [waiting] @param {(() => any) | null} [back] @param {LyingTold | null} [lying] */
async function makeLobby(guest, give, waiting, back, lying) {
  const order = back ? async (/** @type {object} */ what) => await (await import("../common/sure.js")).sureToLeave() && give(what) // others may be in the lesson
    : (/** @type {object} */ what) => give({ ...what, over: lying?.sent.game_id ?? 0 }); // or have begun another game at the same moment
  /** @type {[GameOffered[] | null, ProgressTold | null]} */
  const [games, progress] = await Promise.all([ask("games").catch(() => null), guest ? null : ask("progress").catch(() => null)]);
  if (!games) return null;
  const reached = progress?.games ?? [];
  const offers = games.filter(({ fits }) => fits !== false).map((game) => offer(game, reached.find(({ name }) => name === game.name), order));
  const today = progress?.today ? [puzzle(progress.today, progress.streak, order)] : [];
  const learning = guest || !waiting ? [] : await import("./left.js").then(({ goOnLearning }) => goOnLearning(waiting, games, back ?? (() => give({ do: "leave_lesson", on: false })), { act, card }), () => []);
  const all = [...learning, ...offers, ...today];
  const parts = lying || progress?.left?.length || progress?.welcome?.length
    ? await import("./left.js").then(({ forWhoComes }) => forWhoComes({ progress, lying, learning, offers, today }, games, order, { act, card, solo }), () => all) : all;
  const box = make("div", { id: "lobby", hidden: true }, ...parts);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("Choose a game"));
  /** @type {HTMLElement} */ (document.querySelector("#table")).append(box);
  return box;
}

// A game with what it is about, and what one can do with it: play it with somebody, or against the board, or learn it.
/** @param {GameOffered} game @param {GameProgress | undefined} reached @param {Give} order */
function offer(game, reached, order) {
  const [picture, named, line] = face(game);
  const { name, title, lesson, seats, options, players_option: counts } = game;
  const players = options.find((option) => option.name === counts)?.default ?? seats.length;
  const level = offered(name, reached);
  const acts = [act(t("Play"), title, () => order({ do: "new_game", game: name }))];
  if (players === 2) acts.push(act(t("Against the board, level {level}", { level }), title, async () => order(await solo(game, level))));
  if (lesson) acts[reached?.lesson ? "unshift" : "push"](act(t("Learn it"), title, () => order({ do: "start_lesson", game: name }))); // the last one stands out
  return card(title, picture, [named, make("p", { textContent: game.blurb }), line, ...(reached ? [reachedLine(reached)] : [])], acts);
}

// The puzzle of the day; once it is solved, the way to the others.
/** @param {PuzzleOfDay} today @param {number} streak @param {Give} order */
function puzzle({ game, title, number, hard, asks, solved }, streak, order) {
  const named = t("Puzzle of the day");
  const stands = [solved && t("✓ solved"), inARow(streak)].filter(Boolean).join(", ");
  const go = solved ? button(t("More puzzles"), () => (location.href = "/puzzles"))
    : act(t("Solve it"), named, () => order({ do: "start_puzzle", game, puzzle: number }));
  return card(named, pictureAt(`/puzzles/${game}/${number}.svg`),
    [make("b", { textContent: named }), make("p", { textContent: `${title}, ${hardness(hard)}` }), make("p", { textContent: asks }), make("small", { className: "reached", textContent: stands })], [go]);
}

// A tap on the picture, or on what is told beside it, is one on the button that stands last: what somebody most likely wants.
/** @param {string} title @param {Node} picture @param {Node[]} told @param {HTMLElement[]} acts */
export function card(title, picture, told, acts) {
  const box = make("div", { className: "offer" }, picture, make("div", {}, ...told), make("div", { className: "choices" }, ...acts));
  for (const each of acts) each.classList.toggle("short", (each.textContent ?? "").length <= SHORT);
  box.addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest(".choices") || /** @type {HTMLElement | null} */ (box.querySelector(".choices > :last-child"))?.click());
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", title);
  return box;
}

/** @param {string} words @param {string} title @param {() => Promise<any>} does */
export function act(words, title, does) {
  const made = button(words, async () => {
    made.disabled = true; // a second tap would begin it twice
    await does();
    made.disabled = false;
  });
  made.setAttribute("aria-label", `${words}: ${title}`);
  return made;
}

/** @param {GameOffered} game @param {number} level */
export async function solo(game, level) {
  const { alone } = await import("./opponents.js");
  return { do: "new_game", game: game.name, opponents: alone(game, 2, level) };
}
