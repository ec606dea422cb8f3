// Games and lessons that were left before their end: what tells one from another, and the cards that lead on with them.

import { button, make } from "../common/dom.js";
import { face, pictureAt } from "./face.js";
import { all, t } from "../common/text.js";
import { lately } from "../common/when.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameLeft, GameOffered, LessonWaits, ProgressTold } from "../common/types.js" */
/** @import { LyingTold } from "./lobby.js" */
/** What there is to choose from. @typedef {{ progress: ProgressTold | null, lying?: LyingTold | null, learning: Node[], offers: Node[], today: Node[] }} Choices */
/** @typedef {typeof import("./lobby.js")} Lobby */

// Which of them one is: who plays, and when it was begun.
/** @param {GameLeft} left */
export function knownBy({ players, started }) {
  const words = [players, lately(started)].filter(Boolean).join(", ");
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

// Whether one may go on: that of others only after a question, since who goes on with it sits in no seat of it.
/** @param {GameLeft} left @returns {Promise<boolean>} */
export const goesOn = async (left) => !left.others
  || (await import("../common/sure.js")).sure(t("Others play this game: {who}. Go on with it?", { who: knownBy(left) }), t("Go on"));

// How one stands; where that cannot be drawn, the picture of its game.
/** @param {number} id @param {GameOffered} game */
function pictureOf(id, game) {
  const picture = pictureAt(`/history/${id}/position.svg`);
  Object.assign(picture.style, { objectFit: "cover", objectPosition: "top" }); // without the lines under it
  picture.onerror = () => picture.replaceWith(face(game)[0]);
  return picture;
}

// The choice of games for who comes back, or finds a game that was left: first the greeting, then what is one's own, the puzzle of
// the day for who is greeted, and only then what others have left.
/** @param {Choices} choices @param {GameOffered[]} games @param {Give} order @param {Pick<Lobby, "act" | "card" | "solo">} made */
export async function forWhoComes({ progress, lying, learning, offers, today }, games, order, made) {
  const left = progress?.left ?? [];
  const cards = (/** @type {GameLeft[]} */ some) => some.flatMap((each) => goOn(each, games, order, made));
  const welcome = progress?.welcome?.length ? (await import("./welcome.js")).greeted(progress, games, order, made) : null;
  const own = left.filter(({ id, others }) => !others && id !== welcome?.id);
  const daily = welcome && !progress?.today?.solved;
  const first = [...(welcome?.parts ?? []), ...learning, ...cards(own), ...(daily ? today : [])];
  if (!first.length) first.push(...offers.splice(0, 1)); // what stands first is what stands out
  const theirs = left.filter(({ id, others }) => others && id !== lying?.sent.game_id);
  return [...first, ...(lying ? [stands(lying)] : []), ...cards(theirs), ...offers, ...(daily ? [] : today)];
}

// Whose game stands on the board all the same, and the way to it.
/** @param {LyingTold} lying */
function stands({ sent: { title }, names, look }) {
  const told = names.length ? t("{game} of {people} stands on the board, and is kept when another game begins.", { game: title, people: all(names) })
    : t("{game} stands on the board, and is kept when another game begins.", { game: title });
  const box = make("div", { id: "lying", className: "offer" }, make("p", { textContent: told }), make("div", { className: "choices" }, button(names.length ? t("Look at it") : t("Go on"), look)));
  Object.assign(box.style, { gridColumn: "1 / -1", gridTemplateColumns: "minmax(0, 1fr)" });
  return box;
}

// The card of one, where the board has its game still; it may greet the person instead of naming the game.
/** @param {GameLeft} left @param {GameOffered[]} games @param {Give} order @param {Pick<Lobby, "act" | "card">} made @param {string} [greeting] */
export function goOn(left, games, order, { act, card }, greeting = "") {
  const { id, game, title, count } = left;
  const known = games.find(({ name, fits }) => name === game && fits !== false);
  if (!known) return [];
  const named = t("Go on with {game}", { game: title }), which = knownBy(left);
  const stands = make("p", { textContent: count === 1 ? t("1 move played") : t("{count} moves played", { count }) });
  return [card([named, which].filter(Boolean).join(", "), pictureOf(id, known), [make("b", { textContent: greeting || named }), make("p", { textContent: which }), stands],
    [act(greeting ? t("Go on with your game") : t("Go on"), [title, which].filter(Boolean).join(", "), async () => await goesOn(left) && order({ do: "resume", game_id: id }))])];
}

// A lesson that waits, and what goes on with it.
/** @param {LessonWaits} waiting @param {GameOffered[]} games @param {() => any} back @param {Pick<Lobby, "act" | "card">} made */
export function goOnLearning(waiting, games, back, { act, card }) {
  const known = games.find(({ name }) => name === waiting.game);
  if (!known) return [];
  const named = t("Go on learning {game}", { game: waiting.title });
  const stands = make("p", { textContent: t("Step {step} of {steps}", waiting) });
  return [card(named, face(known)[0], [make("b", { textContent: named }), stands], [act(t("Go on"), waiting.title, async () => back())])];
}
