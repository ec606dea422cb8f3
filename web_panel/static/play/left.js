// Games that were left before their end: what tells one from another, and the cards that lead on with them.

import { make } from "../common/dom.js";
import { face, pictureAt } from "./face.js";
import { t } from "../common/text.js";
import { lately } from "../common/when.js";

/** @import { Give } from "../common/api.js" */
/** @import { GameLeft, GameOffered } from "../common/types.js" */
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

// The card of one, where the board has its game still.
/** @param {GameLeft} left @param {GameOffered[]} games @param {Give} order @param {Pick<Lobby, "act" | "card">} made */
export function goOn(left, games, order, { act, card }) {
  const { id, game, title, count } = left;
  const known = games.find(({ name, fits }) => name === game && fits !== false);
  if (!known) return [];
  const named = t("Go on with {game}", { game: title }), which = knownBy(left);
  const stands = make("p", { textContent: count === 1 ? t("1 move played") : t("{count} moves played", { count }) });
  return [card([named, which].filter(Boolean).join(", "), pictureOf(id, known), [make("b", { textContent: named }), make("p", { textContent: which }), stands],
    [act(t("Go on"), [title, which].filter(Boolean).join(", "), async () => await goesOn(left) && order({ do: "resume", game_id: id }))])];
}
