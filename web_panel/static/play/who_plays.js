// Who plays each seat of the game that is on, from now: a person, or the board at a level. And sides changed with the board.

import { ask } from "../common/api.js";
import { met } from "../common/levels_met.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";
import { named } from "./opponents.js";

/** @import { Give, Send } from "../common/api.js" */
/** @import { LevelTold, PanelView, PersonOffered, You } from "../common/types.js" */

// Whether somebody can change who plays: in no lesson, and not between boards.
/** @param {PanelView} view */
export const canChange = ({ phase, lesson, seats }) => phase !== "idle" && phase !== "over" && !lesson && !seats.some(({ afar }) => afar);

// Shows the sheet, with who plays each seat, and why this phone does not change that. `may(seat)` says whether it may give a
// person's seat to the board; `open(title, ...parts)` shows a sheet, which `stay()` keeps while others move, and `done` sends an
// order and closes it, as `close()` does. Where a phone plays several seats each has a name of its own: two people may share it.
/** @param {{ view: PanelView, you: You | null, may: (seat: number) => boolean, open: (title: string, ...parts: Node[]) => void, stay: () => void, done: Give, send: Send, close: () => void }} tools */
export async function openWhoPlays({ view: { game, seats }, you, may, open, stay, done, send, close }) {
  /** @type {LevelTold[]} */
  const known = await ask("levels");
  const now = seats.map(({ level }) => level);
  const selects = seats.map(({ level }) => make("select", {}, new Option(t("Person"), "0", false, !level),
    ...known.map((each) => new Option(named(each), String(each.level), false, each.level === level))));
  const freed = (/** @type {number} */ seat) => Boolean(you?.releases.includes(seat) && you.away.includes(seat));
  selects.forEach((select, seat) => (select.disabled = !now[seat] && !may(seat) && !freed(seat)));
  /** @param {number} seat */
  const called = (seat) => you?.people[seat]?.name ?? "";
  const here = [...seats.keys()].filter((seat) => !now[seat] && !seats[seat].out && may(seat));
  /** @type {PersonOffered[]} */
  const people = here.length > 1 ? await ask("people").catch(() => []) : [];
  const listed = make("datalist", { id: "known-people" }, ...people.filter(({ elsewhere }) => !elsewhere).map(({ name }) => new Option(name, name)));
  const names = new Map(here.length > 1 ? here.map((seat) => {
    const input = make("input", { value: called(seat), maxLength: 40, placeholder: t("Name"), autocomplete: "off", ariaLabel: t("Who plays {seat} on this device", { seat: seats[seat].name }) });
    input.setAttribute("list", "known-people");
    return /** @type {const} */ ([seat, input]);
  }) : []);
  /** @param {number} seat */
  const told = (seat) => {
    const { name } = seats[seat], person = called(seat);
    const words = make("span", { textContent: person ? t("{person} ({seat})", { person, seat: name }) : name });
    const stands = [you?.away.includes(seat) && t("away"), selects[seat].disabled && t("only that phone changes this")].filter(Boolean).join(" · ");
    const own = names.get(seat);
    return make("label", { className: "field hints" }, words, selects[seat], ...(own ? [own] : []), ...(stands ? [make("small", { textContent: stands })] : []));
  };
  const goOn = async () => {
    const levels = selects.map(({ value }) => Number(value));
    const renamed = [...names].filter(([seat, { value }]) => !levels[seat] && value.trim() !== called(seat));
    for (const [seat, { value }] of renamed) if (!(await send("seat/person", { seat, name: value.trim() || null }))) return;
    if (renamed.length && levels.every((level, seat) => level === now[seat])) return close();
    const other = levels.find((level, seat) => level && level !== now[seat]);
    if (other) met(game, other);
    return done({ do: "who_plays", levels });
  };
  const person = now.findIndex((level) => !level);
  const others = selects.some((select) => select.disabled);
  const sides = seats.length === 2 && person >= 0 && now[1 - person] && may(person);
  const away = make("p", { textContent: you?.role === "owner" ? t("You can release somebody's seat on the page “People”: then anybody may take it.")
    : t("The seat of somebody who has been away for ten minutes can be released on the page “People”, by whoever owns this table at any time: then anybody may take it.") });
  open(t("Who plays"), ...seats.flatMap(({ out }, seat) => (out ? [] : [told(seat)])), listed, ...(others ? [away] : []),
    make("div", { className: "choices" }, button(t("Play on like this"), goOn, { className: "primary" }),
      ...(sides ? [button(t("Change sides with the board"), () => done({ do: "who_plays", levels: [...now].reverse(), seats: "turn" }))] : []),
      ...(others ? [button(t("People"), () => (location.href = "/join"))] : [])));
  stay();
}
