// Who plays each seat of a new game: a person, or the board at a level.

import { choose, chosen, usual } from "../common/device.js";
import { met } from "../common/levels_met.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { GameOffered, InLine, LevelTold } from "../common/types.js" */

const COACHED = 2; // up to this level who plays alone has the coach beside
const AT_TABLE = "@"; // before the id of somebody in a choice, where a number is a level
/** @typedef {{ levels: number[], people?: string[], characters?: string[], answers: boolean, coach?: boolean }} Chosen who plays each seat: the board at a level, or who has that id in the line, "" for anybody; no `coach` where nobody has said so */

// Whether the coach is beside where nobody has said so, of a game with the board at these `levels`: not where it was switched off here.
/** @param {number[]} levels */
const coached = (levels) => !chosen("no coach", false) && levels.some((level) => level && level <= COACHED) && levels.filter((level) => !level).length === 1;

/** @param {LevelTold} level */
export const named = ({ level, name }) => t("Board: {level} {name}", { level, name });

// Fields for `count` seats of `game`, as `levels` (0: a person) and `people` have them now, who are of those in `line`; `changed()` is called
// when one is chosen. Who had another seat gives that to whoever was in the new one. `beside` is what stands by itself: the board's answers, the coach.
/** @param {GameOffered} game @param {number} count @param {LevelTold[]} known @param {Chosen} chosen @param {InLine[]} line @param {() => void} changed */
export function seatPlayers(game, count, known, { levels, people = [], characters = [], answers, coach: said }, line, changed) {
  const own = line.find(({ you }) => you)?.id.split("/")[0];
  const others = own ? [{ id: `${own}/`, words: t("Someone with me") }] : [];
  const sitters = line.length < 2 ? [] : [...line.map(({ id, name, you, away }) => ({ id, words: [name, you && t("you"), away && t("away")].filter(Boolean).join(" · ") })), ...others];
  /** @type {HTMLSelectElement[]} */
  const selects = [];
  const rows = Array.from({ length: count }, (_, seat) => {
    const select = make("select", { name: "player" }, ...sitters.map(({ id, words }) => new Option(words, AT_TABLE + id, false, !levels[seat] && id === people[seat])),
      new Option(sitters.length ? t("Anybody") : t("Person"), "0", false, !levels[seat] && !people[seat]),
      ...known.map((each) => new Option(named(each), String(each.level), false, each.level === levels[seat])));
    const told = make("small", { textContent: known.find(({ level }) => level === levels[seat])?.line ?? "" });
    const was = select.value;
    selects.push(select);
    select.onchange = () => {
      const twin = selects.find((each) => each !== select && each.value === select.value && /^@.*[^/]$/.test(each.value));
      if (twin) twin.value = was;
      changed();
    };
    return [make("label", { className: "field" }, make("span", { textContent: game.seats[seat] }), select, told),
      ...(select.value.endsWith("/") ? [nameField(game, seat)] : []),
      ...(levels[seat] && game.characters?.length ? [characterField(game, seat, characters[seat], changed)] : [])];
  }).flat();
  /** @param {string} name @param {boolean | undefined} checked @param {string} words @param {string} [more] */
  const check = (name, checked, words, more = "") => make("label", { className: "field" }, make("span", { textContent: words }),
    make("input", { type: "checkbox", name, checked: Boolean(checked) }), make("small", { textContent: more }));
  const coach = check("coach", said ?? coached(levels), t("Coach"), t("Says which move lost much. For games alone or against the board, without a clock."));
  coach.classList.toggle("said", said !== undefined);
  coach.onchange = () => coach.classList.add("said");
  return { rows, beside: [...(levels.some(Boolean) ? [check("answers", answers, t("Resigns, answers draw offers"))] : []), coach] };
}

// What somebody is called who plays `seat` with the phone of another one.
/** @param {GameOffered} game @param {number} seat */
function nameField({ seats }, seat) {
  const input = make("input", { name: "beside", maxLength: 40, autocomplete: "off" });
  input.dataset.seat = seat;
  return make("label", { className: "field" }, make("span", { textContent: t("{seat}: name", { seat: seats[seat] }) }), input);
}

// Who of the `line` plays: whoever comes first there sits in one of the seats that are left by `levels`, in their own where it is one.
/** @param {InLine[]} line @param {number[]} levels @param {number} count @returns {string[]} */
export function proposed(line, levels, count) {
  const open = [...Array(count).keys()].filter((seat) => !levels[seat]), next = line.slice(0, open.length);
  const stay = next.filter(({ seat }) => seat !== null && open.includes(seat)), rest = next.filter((each) => !stay.includes(each));
  return Array.from({ length: count }, (_, seat) => (open.includes(seat) ? stay.find((each) => each.seat === seat) ?? rest.shift() : undefined)?.id ?? "");
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
  const values = [...box.querySelectorAll("[name=player]")].map(({ value }) => value);
  const levels = values.map((value) => Number(value) || 0), people = values.map((value) => (value.startsWith(AT_TABLE) ? value.slice(1) : ""));
  const level = levels.find(Boolean);
  if (level && game) met(game, level);
  /** @param {string} name */
  const checked = (name) => Boolean(box.querySelector(`[name=${name}]`)?.checked);
  const characters = levels.map((_, seat) => box.querySelector(`[name=character][data-seat="${seat}"]`)?.value ?? "");
  const said = Boolean(box.querySelector(".said"));
  if (said && game) choose("no coach", !checked("coach") || null);
  return { levels, people, ...(characters.some(Boolean) ? { characters } : {}), answers: checked("answers"),
    ...(said || game ? { coach: checked("coach") && (said || !clock) } : {}) };
}

// A person in the seat that begins, else in the first one; the board in all others, at the level that was last chosen here for `game`.
/** @param {Pick<GameOffered, "name" | "begins">} game @param {number} count @param {number} [level] @returns {Chosen} */
export function alone({ name, begins }, count, level = usual(name)) {
  const levels = Array.from({ length: count }, (_, seat) => (seat === (begins ?? 0) ? 0 : level));
  return { levels, answers: false, coach: coached(levels) };
}
