// Who plays each seat of a new game: a person, or the board at a level.

import { met, usual } from "../common/device.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { GameOffered, LevelTold } from "../common/types.js" */

const COACHED = 2; // up to this level who plays alone has the coach beside
/** @typedef {{ levels: number[], characters?: string[], answers: boolean, coach?: boolean }} Chosen who plays each seat; no `coach` where nobody has said so */

// Whether the coach is beside where nobody has said so, of a game with the board at these `levels`.
/** @param {number[]} levels */
const coached = (levels) => levels.some((level) => level && level <= COACHED) && levels.filter((level) => !level).length === 1;

/** @param {LevelTold} level */
export const named = ({ level, name }) => t("Board: {level} {name}", { level, name });

// Fields for `count` seats of `game`, as `levels` has them now (0: a person); `changed()` is called when one is chosen.
/** @param {GameOffered} game @param {number} count @param {LevelTold[]} known @param {Chosen} chosen @param {() => void} changed */
export function seatPlayers(game, count, known, { levels, characters = [], answers, coach }, changed) {
  const rows = Array.from({ length: count }, (_, seat) => {
    const select = make("select", { name: "player" }, new Option(t("Person"), "0", false, !levels[seat]),
      ...known.map((each) => new Option(named(each), String(each.level), false, each.level === levels[seat])));
    const line = make("small", { textContent: known.find(({ level }) => level === levels[seat])?.line ?? "" });
    select.onchange = changed;
    return [make("label", { className: "field" }, make("span", { textContent: game.seats[seat] }), select, line),
      ...(levels[seat] && game.characters?.length ? [characterField(game, seat, characters[seat], changed)] : [])];
  }).flat();
  /** @param {string} name @param {boolean | undefined} checked @param {string} words @param {string} [more] */
  const check = (name, checked, words, more = "") => make("label", { className: "field" }, make("span", { textContent: words }),
    make("input", { type: "checkbox", name, checked: Boolean(checked) }), make("small", { textContent: more }));
  if (levels.some(Boolean)) rows.push(check("answers", answers, t("Resigns, answers draw offers")));
  const beside = check("coach", coach ?? coached(levels), t("Coach"), t("Says which move lost much. For games alone or against the board, without a clock."));
  beside.classList.toggle("said", coach !== undefined);
  beside.onchange = () => beside.classList.add("said");
  return [...rows, beside];
}

// How the board likes to play in `seat`.
/** @param {GameOffered} game @param {number} seat @param {string | undefined} name @param {() => void} changed */
function characterField({ seats, characters }, seat, name, changed) {
  const now = characters.find((each) => each.name === name);
  const select = make("select", { name: "character" }, new Option(t("No character"), "", false, !now),
    ...characters.map((each) => new Option(each.title, each.name, false, each === now)));
  select.dataset.seat = seat;
  select.onchange = changed;
  return make("label", { className: "field" },
    make("span", { textContent: t("{seat}: character", { seat: seats[seat] }) }), select, make("small", { textContent: now?.line ?? "" }));
}

// What is chosen in `box`: levels and, if there are any, characters by seat, and whether the board answers. For the `game` that begins with
// that it is kept; then it is also settled whether the coach is beside: with a `clock` only where somebody has said so.
/** @param {PageElement} box @param {string} [game] @param {boolean} [clock] @returns {Chosen} */
export function readPlayers(box, game, clock = false) {
  const levels = [...box.querySelectorAll("[name=player]")].map(({ value }) => Number(value));
  const level = levels.find(Boolean);
  if (level && game) met(game, level);
  /** @param {string} name */
  const checked = (name) => Boolean(box.querySelector(`[name=${name}]`)?.checked);
  const characters = levels.map((_, seat) => box.querySelector(`[name=character][data-seat="${seat}"]`)?.value ?? "");
  const said = Boolean(box.querySelector(".said"));
  return { levels, ...(characters.some(Boolean) ? { characters } : {}), answers: checked("answers"),
    ...(said || game ? { coach: checked("coach") && (said || !clock) } : {}) };
}

// A person in the seat that begins, else in the first one; the board in all others, at the level that was last chosen here for `game`.
/** @param {Pick<GameOffered, "name" | "begins">} game @param {number} count @param {number} [level] @returns {Chosen} */
export function alone({ name, begins }, count, level = usual(name)) {
  const levels = Array.from({ length: count }, (_, seat) => (seat === (begins ?? 0) ? 0 : level));
  return { levels, answers: false, coach: coached(levels) };
}
