// Plies that a number tells apart, chosen on a dial with their price in view; the rest of a list stays a list.
// Knows no rules: every number on the dial is a ply of the service.

import { ask } from "../common/api.js";
import { button, make, setText } from "../common/dom.js";
import { drawFacing, steps } from "./facing.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Choice, Dial, Facing } from "../common/types.js" */

const MOST_CHIPS = 12;
/** @typedef {{ title: string, plies: Choice[] }} Group plies on one dial, or one alone */
/** @typedef {Choice & { dial: Dial }} Dialled a ply that has a place on a dial */

// The `plies` in their order: { title, plies } each, alone or with those on the same dial.
/** @param {Choice[]} plies @returns {Group[]} */
export function groups(plies) {
  /** @type {Map<string, Group>} */
  const found = new Map();
  for (const ply of plies) {
    const key = ply.dial ? `dial ${ply.dial.title}` : ply.ply;
    if (!found.has(key)) found.set(key, { title: ply.dial?.title ?? (ply.words || ply.ply), plies: [] });
    found.get(key)?.plies.push(ply);
  }
  return [...found.values()];
}

// A list of buttons for `plies`; `turn(group)` opens a dial, `pick(ply)` makes one that has none.
/** @param {Choice[]} plies @param {(group: Group) => void} turn @param {(ply: string) => void} pick */
export function grouped(plies, turn, pick) {
  return make("div", { className: "plies" }, ...groups(plies).map((group) => {
    const [first] = group.plies;
    if (!first.dial) return button(group.title, () => pick(first.ply), { title: first.ply });
    const made = button("", () => turn(group), { className: "to-dial" });
    made.append(make("span", { textContent: group.title }), first.dial.note ? make("small", { textContent: first.dial.note }) : make("small", { className: "few", textContent: `1–${group.plies.length}` }));
    return made;
  }));
}

// The dial of a `group`; `pick(ply)` makes the ply that is confirmed, `at(label)` is the board's site of the game's name. It stands on
// the ply that is `shown` to who asked for help.
/** @param {Group} group @param {(ply: string) => void} pick @param {(label: string) => string} at @param {string} [shown] */
export function dial({ plies }, pick, at, shown) {
  const sorted = /** @type {Dialled[]} */ ([...plies]).sort((one, other) => one.dial.units - other.dial.units);
  const { note = "", between = [] } = sorted[0].dial;
  const helped = sorted.findIndex(({ ply }) => ply === shown);
  let now = helped >= 0 ? helped : between.length ? sorted.length - 1 : 0; // what a way is paid for goes whole, what is given away one by one
  const told = make("p", { className: "told" });
  told.setAttribute("aria-live", "polite");
  const confirm = button("", () => pick(sorted[now].ply), { className: "primary confirm" });
  const numbers = sorted.length > 1 ? (sorted.length <= MOST_CHIPS ? chips(sorted, (n) => set(n)) : slider(sorted, (n) => set(n))) : null;
  /** @param {number} n */
  function set(n) {
    now = Math.max(0, Math.min(sorted.length - 1, n));
    const { units, told: words = "" } = sorted[now].dial;
    setText(told, words);
    setText(confirm, t("Confirm: {units}", { units }));
    numbers?.show(now);
  }
  const box = make("div", { className: "dial" });
  if (between.length) box.append(picture(between.map(at)));
  if (note) box.append(make("p", { className: "note", textContent: note }));
  if (numbers) box.append(numbers.box);
  box.append(told, confirm);
  set(now);
  return box;
}

// How the price comes about; its room is kept while the service is asked.
/** @param {string[]} between */
function picture([site, to]) {
  const figure = make("figure", { className: "of-price" });
  ask(`facing?${new URLSearchParams({ site, to })}`).catch(() => null).then((/** @type {Facing | null} */ facing) => (facing ? figure.append(drawFacing(facing), more(facing)) : figure.remove()));
  return figure;
}

/** @param {Facing} facing */
const more = (facing) => make("details", {}, make("summary", { textContent: t("Why?") }), steps(facing));

/** @param {Dialled[]} sorted @param {(n: number) => void} choose */
function chips(sorted, choose) {
  const each = sorted.map(({ dial: { units } }, n) => button(String(units), () => choose(n)));
  const box = make("div", { className: "chips" }, ...each);
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", t("How many"));
  return { box, show: (/** @type {number} */ n) => each.forEach((chip, i) => chip.setAttribute("aria-pressed", i === n)) };
}

// For numbers that are too many for a button each: one by one, or anywhere at once.
/** @param {Dialled[]} sorted @param {(n: number) => void} choose */
function slider(sorted, choose) {
  /** @type {HTMLInputElement & import("../common/dom.js").Lenient} */
  const range = make("input", { type: "range", min: 0, max: sorted.length - 1, step: 1, oninput: () => choose(range.valueAsNumber) });
  range.setAttribute("aria-label", t("How many"));
  /** @param {string} sign @param {number} by @param {string} label */
  const step = (sign, by, label) => {
    const made = button(sign, () => choose(range.valueAsNumber + by));
    made.setAttribute("aria-label", label);
    return made;
  };
  const box = make("div", { className: "turn" }, step("−", -1, t("One less")), range, step("+", 1, t("One more")));
  return { box, show: (/** @type {number} */ n) => {
    range.value = String(n);
    range.setAttribute("aria-valuetext", String(sorted[n].dial.units));
  } };
}
