// What a phone reads that has found no seat: who holds them all, and what it can do.

import { choose, chosen } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { all, t } from "../common/text.js";
import { playsNext } from "./plays_next.js";
import { canChange } from "./who_plays.js";

/** @import { Send } from "../common/api.js" */
/** @import { PanelView, You } from "../common/types.js" */

// For whoever held a seat with a phone that is away, or has it played by the board: the way back to it, and how it stands with that.
/** @param {PanelView} view @param {You} you @param {Send} send @returns {Node[]} */
export function wayBack({ seats }, { again, elsewhere, people, lent, knocking }, send) {
  if (!again.length) return [];
  const told = knocking === "waits" ? t("Those at the table are asked whether it is you.") : knocking ? t("Those at the table have said that it is not you.") : "";
  const acts = knocking === "waits" ? [] : again.filter((seat) => seats[seat] && (!elsewhere.length || elsewhere[0] === seat)).map((seat) => {
    const { name } = people[seat] ?? lent[seat] ?? {};
    if (elsewhere.length) return button(t("Play here again"), () => send("seat/again", { seat }), { className: "primary" });
    if (lent[seat]?.you) return button(t("I am back"), () => send("seat/again", { seat }), { className: "primary" });
    return button(name ? t("I am {name}", { name }) : t("I played {seat}", { seat: seats[seat].name }), () => send("seat/again", { seat }));
  });
  return [...(told ? [make("p", { textContent: told, role: "status" })] : []), ...acts];
}

// The parts, of which `watch()` is called where nothing more is to be said of it.
/** @param {PanelView} view @param {You} you @param {Send} send @param {() => void} watch */
export function seatsTaken(view, you, send, watch) {
  const { seats } = view;
  const people = seats.map(({ name, level, afar }, seat) => {
    const unnamed = level ? t("the board") : afar ? t("another board") : t("another phone");
    return t("{person} ({seat})", { person: you.people[seat]?.name ?? unnamed, seat: name });
  }).join(", ");
  const here = seats.flatMap((_, seat) => (seat in you.held ? [you.people[seat]?.name ?? t("another phone")] : []));
  const boards = canChange(view) ? seats.flatMap(({ level, out }, seat) => (level && !out ? [seat] : [])) : [];
  const takes = async (/** @type {number} */ seat) => {
    const levels = seats.map(({ level }, each) => (each === seat ? 0 : level));
    if (await send("order", { do: "who_plays", levels })) await send("seat", { seat });
  };
  const played = chosen("played", null), left = played !== null && played !== view.game_id;
  const own = you.again.find((seat) => you.lent[seat]?.you), { name: seat } = seats[own ?? -1] ?? {};
  if (you.elsewhere.length) return [make("p", { textContent: t("You play with another phone now."), role: "status" }), make("div", { className: "choices" }, ...wayBack(view, you, send), button(t("Just watch"), watch))];
  const next = playsNext(you, send), waits = !seat && !boards.length && !left && !you.again.length && next.length > 0;
  if (waits) { // nothing is to be done now: whose turn it is stays in sight
    const box = /** @type {HTMLElement} */ (document.getElementById("joining")), isIn = /** @type {HTMLElement | null} */ (box.querySelector(":scope > p"));
    box.classList.remove("foremost");
    if (isIn && !you.asked) isIn.hidden = true; // which goes without saying
  }
  const told = make("p", { textContent: seat ? t("The board plays {seat} for you meanwhile.", { seat }) : waits ? t("All seats are taken. You can watch, and play the next game.") : t("All seats are taken: {people}.", { people }) });
  told.setAttribute("role", "status");
  const may = boards.length
    ? you.barred ? t("You can watch, or ask {people}: under “Menu”, “Who plays …” they let you play in place of the board.", { people: all([...new Set(here)], "disjunction") })
      : t("You can watch, or play in place of the board.")
    : t("You can watch, or ask one of them to release a seat on the page “People”.");
  const back = wayBack(view, you, send), other = !seat && you.named; // who has a name is hardly somebody else
  const gone = left ? [make("p", { textContent: t("Another game is on the table now. Yours is kept among the games played.") })] : [];
  return [...gone, told, ...(seat || waits ? [] : [make("p", { textContent: may })]),
    make("div", { className: "choices" }, ...(other ? [] : back), ...(you.barred || seat ? [] : boards).map((seat) => button(t("Play {seat}", { seat: seats[seat].name }), () => takes(seat))),
      ...next.map(({ label, act }) => button(label, act)), button(t("Just watch"), () => (choose("played", null), watch())), ...(other ? back : []), button(t("People"), () => (location.href = "/join")))];
}
