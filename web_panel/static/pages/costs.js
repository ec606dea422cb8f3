// The page on what a move costs: shells to turn, examples, and questions. Every cost is asked of the service.

import { ask, messageOf } from "../common/api.js";
import { $, button, make } from "../common/dom.js";
import { drawFacing, meaning, pairList, steps } from "../board/facing.js";
import { t } from "../common/text.js";

/** @import { Facing } from "../common/types.js" */

/** @typedef {{ cells: number, shells: string[], mode?: string }} Asked */

// Pairs of cells: how many nodes their shells have, how many sides each cell has, and on which they meet.
const CELLS = [
  { name: t("Two hexes"), n: 6, sides: [6, 6], meet: [1, 4] },
  { name: t("Two squares"), n: 4, sides: [4, 4], meet: [1, 3] },
  { name: t("An octagon and a square"), n: 8, sides: [8, 4], meet: [2, 3] },
];
/** @type {(Asked & { words: string })[]} */
const EXAMPLES = [
  { words: t("Mirror images: all pairs match."), cells: 0, shells: ["110100", "001011"] },
  { words: t("One pair of six differs."), cells: 0, shells: ["110100", "001010"] },
  { words: t("Two of six: 2 : 4 is reduced."), cells: 0, shells: ["110000", "000000"] },
  { words: t("Half of them differ."), cells: 0, shells: ["110100", "110011"] },
  { words: t("Full against empty: closed."), cells: 1, shells: ["1111", "0000"] },
  { words: t("The same shells, rotated instead of mirrored."), cells: 0, shells: ["110100", "001010"], mode: "rotate" },
  { words: t("A square among octagons has eight nodes, too."), cells: 2, shells: ["11000000", "00000001"] },
];
const state = { cells: 0, shells: ["110100", "011000"], mode: "reflect" };
const trained = { asked: 0, right: 0, streak: 0 };
let newest = 0;

/** @param {Asked} asked @returns {Promise<Facing>} */
const facing = ({ cells, shells: [shell_a, shell_b], mode = "reflect" }) => {
  const { sides, meet } = CELLS[cells];
  return ask(`cost?${new URLSearchParams(/** @type {any} */ ({ shell_a, shell_b, side_a: meet[0], side_b: meet[1], sides_a: sides[0], sides_b: sides[1], mode }))}`);
};

// Node j is at j + by afterwards.
/** @param {string} shell @param {number} by */
const turned = (shell, by) => [...shell].map((_, j) => shell[(j - by + shell.length) % shell.length]).join("");
/** @param {string} shell @param {number} node */
const toggled = (shell, node) => [...shell].map((on, j) => (j === node ? String(1 - Number(on)) : on)).join("");
/** @param {number} n */
const drawn = (n) => Array.from({ length: n }, () => (Math.random() < 0.5 ? "1" : "0")).join("");

// ---- two shells to turn ----

async function show() {
  const mine = (newest += 1);
  [$("cells").value, $("mode").value] = [state.cells, state.mode];
  history.replaceState(null, "", `#${[CELLS[state.cells].n, ...state.shells, state.mode].join(",")}`);
  try {
    const found = await facing(state);
    if (mine !== newest) return; // turned on meanwhile
    const focused = /** @type {any} */ (document.activeElement)?.dataset?.node;
    $("drawn").replaceChildren(drawFacing(found, (cell, node) => change(cell, toggled(state.shells[cell], node))));
    $("told").replaceChildren(pairList(found), steps(found));
    $("refused").textContent = "";
    if (focused) $("drawn").querySelector(`[data-node="${focused}"]`)?.focus();
  } catch (error) {
    if (mine === newest) $("refused").textContent = messageOf(error);
  }
}

/** @param {number} cell @param {string} shell */
function change(cell, shell) {
  state.shells = state.shells.map((each, n) => (n === cell ? shell : each));
  show();
}

/** @param {Asked} asked */
function take({ cells, shells, mode = "reflect" }) {
  Object.assign(state, { cells, shells, mode });
  show();
}

// What the address names, as the page writes it there.
function arrive() {
  const [n, a = "", b = "", mode] = location.hash.slice(1).split(",");
  const cells = CELLS.findIndex((each) => String(each.n) === n);
  const good = cells >= 0 && [a, b].every((shell) => /^[01]+$/.test(shell) && shell.length === CELLS[cells].n);
  if (good) Object.assign(state, { cells, shells: [a, b], mode: mode === "rotate" ? "rotate" : "reflect" });
}

$("cells").append(...CELLS.map(({ name }, n) => new Option(name, String(n))));
$("cells").onchange = () => take({ cells: $("cells").selectedIndex, shells: [0, 1].map(() => drawn(CELLS[$("cells").selectedIndex].n)), mode: state.mode });
$("mode").onchange = () => take({ ...state, mode: $("mode").value });
for (const each of /** @type {NodeListOf<any>} */ (document.querySelectorAll("[data-turn]"))) {
  const [cell, by] = each.dataset.turn.split(" ").map(Number);
  each.onclick = () => change(cell, turned(state.shells[cell], by));
}

// ---- examples ----

/** @param {Asked & { words: string }} each */
async function example(each) {
  const open = button("", () => {
    take(each);
    $("explorer").scrollIntoView({ behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }, { className: "example" });
  const item = make("li", {}, open);
  $("examples").append(item);
  const found = await facing(each).catch(() => null);
  if (found) open.append(drawFacing(found));
  open.append(make("b", { textContent: found?.cost ?? "" }), make("span", { textContent: each.words }));
}

// ---- questions ----

// Begins with what is usual; after some right answers other cells and the other mode come, too.
function question() {
  const cells = trained.right < 3 ? 0 : Math.floor(Math.random() * CELLS.length);
  return { cells, shells: [drawn(CELLS[cells].n), drawn(CELLS[cells].n)], mode: trained.right < 6 || Math.random() < 0.5 ? "reflect" : "rotate" };
}

async function next() {
  const found = await facing(question()).catch((error) => {
    $("refused").textContent = messageOf(error);
    return null;
  });
  if (!found) return;
  const mode = found.mode === "rotate" ? t("Rotated:") : t("Mirrored:");
  /** @type {Facing} */
  const hidden = { ...found, pairs: found.pairs.map(([a, b]) => [a, b, false]) };
  const picture = drawFacing(hidden);
  picture.classList.add("unmarked");
  picture.setAttribute("aria-label", t("{mode} shell of A {a}, shell of B {b}", { mode, a: found.shells[0], b: found.shells[1] }));
  $("asked").replaceChildren(make("p", { textContent: mode }), picture);
  $("verdict").textContent = "";
  $("why").replaceChildren();
  $("answers").replaceChildren(...found.prices.map((price) => button(price, (event) => answer(found, price, event.currentTarget))));
}

/** @param {Facing} found @param {string} price @param {HTMLElement} pressed */
function answer(found, price, pressed) {
  const right = price === found.cost;
  trained.asked += 1;
  trained.right += right ? 1 : 0;
  trained.streak = right ? trained.streak + 1 : 0;
  pressed.classList.add(right ? "right" : "wrong");
  for (const each of /** @type {Iterable<any>} */ ($("answers").children)) each.disabled = true;
  $("verdict").textContent = right ? t("Right: {cost}. {meaning}", { cost: found.cost, meaning: meaning(found) })
    : t("Not {price}: it is {cost}. {meaning}", { price, cost: found.cost, meaning: meaning(found) });
  $("asked").replaceChildren(drawFacing(found));
  $("why").replaceChildren(pairList(found), steps(found));
  $("score").textContent = t("{right} of {asked} right, {streak} in a row", trained);
}

$("next-question").onclick = next;
addEventListener("hashchange", () => {
  arrive();
  show();
});
arrive();
show();
for (const each of EXAMPLES) example(each);
next();
