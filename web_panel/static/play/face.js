// A game as it is offered: its picture, its name, and how many play it for how long.

import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { GameOffered } from "../common/types.js" */

/** @param {string[]} list */
const either = (list) => list.reduce((one, other) => t("{one} or {other}", { one, other }));

// The picture at `address`. It comes once the page is there: it has its room.
/** @param {string} address */
export function pictureAt(address) {
  const picture = make("img", { alt: "", width: 96, height: 96, loading: "lazy" });
  const load = () => (picture.src = address);
  if (document.readyState === "complete") load();
  else addEventListener("load", load, { once: true });
  return picture;
}

// Where this board has no room for the game, the line says which board has.
/** @param {GameOffered} game */
export function face({ name, title, minutes, complexity, seats, options, players_option, fits, boards = [] }) {
  const counts = options.find((option) => option.name === players_option);
  const players = counts?.choices.length ? either(counts.choices) : counts ? t("{low} to {high}", counts) : seats.length;
  const line = fits === false ? (boards.length ? t("Needs: {boards}", { boards: either(boards) }) : t("Needs a board of its own")) : t("{players} players, {minutes} min", { players, minutes });
  const learnt = complexity < 3 ? t("easy to learn") : complexity > 3 ? t("takes longer to learn") : "";
  return [pictureAt(`/pictures/${name}.svg`), make("b", { textContent: title }), make("small", { textContent: [line.replace(/ (?=\S+$)/, "\u00a0"), learnt].filter(Boolean).join(", ") })];
}
