// Two cells side by side with their shells: which nodes face each other, which of them differ, and how the cost follows.
// Draws what the service says of a pair (controller/rules/facing.py). Knows no rules.

import { make, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Drawn } from "../common/dom.js" */
/** @import { Facing } from "../common/types.js" */

const INNER = 100; // of a cell, to its sides
const RING = 70;
const BOW = 116; // how far out the line between the two farthest nodes goes
const APART = 2 * INNER + 30;
const NODE = 15;
const FINGER = 33; // less where nodes are close
const WHOLE = 2 * Math.PI;

/** @param {number} x @param {number} angle @param {number} r @returns {[number, number]} */
const at = (x, angle, r) => [x + r * Math.cos(angle), r * Math.sin(angle)];
/** @param {number} number */
const fixed = (number) => number.toFixed(1);

/** @typedef {(cell: number, node: number) => void} Toggle turns a node of a cell on or off */

// A drawing of `facing`. `toggle(cell, node)` makes its nodes buttons; cells are 0 and 1.
/** @param {Facing} facing @param {Toggle | null} [toggle] */
export function drawFacing(facing, toggle = null) {
  const n = facing.pairs.length;
  const near = facing.pairs[0];
  const picture = svg("svg", { class: "facing", viewBox: `-122 -128 ${APART + 244} 256`, role: toggle ? "group" : "img", "aria-label": inWords(facing) });
  const places = [0, 1].map((cell) => (/** @type {number} */ node) => at(cell * APART, cell * Math.PI + ((node - Number(near[cell])) * WHOLE) / n, RING));
  picture.append(...[0, 1].map((cell) => outline(facing, cell)));
  for (const [i, [a, b, differs]] of facing.pairs.entries()) picture.append(line(places[0](a), places[1](b), i, n, differs, facing.mode));
  for (const cell of [0, 1]) {
    const label = svg("text", { class: "cell-name", x: cell * APART, y: 0 });
    label.textContent = facing.names[cell];
    picture.append(label);
    for (let node = 0; node < n; node += 1) picture.append(nodeAt(places[cell](node), facing, cell, node, toggle));
  }
  return picture;
}

/** @param {Facing} facing @param {number} cell */
function outline({ sides, meet }, cell) {
  const k = sides[cell];
  const corners = Array.from({ length: k }, (_, e) => at(cell * APART, cell * Math.PI + ((e - meet[cell] + 0.5) * WHOLE) / k, INNER / Math.cos(Math.PI / k)));
  return svg("polygon", { class: "face", points: corners.map((corner) => corner.map(fixed)).join(" ") });
}

// Pairs that face each other across the side lie at the same height: the farther apart, the wider the bow.
/** @param {[number, number]} one @param {[number, number]} other @param {number} i @param {number} n @param {boolean} differs @param {string} mode */
function line([ax, ay], [bx, by], i, n, differs, mode) {
  const away = i <= n / 2 ? i : i - n;
  const peak = Math.sign(away) * RING + ((BOW - RING) * 2 * away) / n;
  /** @param {number} y */
  const middle = (y) => y + (peak - y) / 0.75;
  const way = mode === "rotate" || !away ? "L" : `C${fixed(ax + 30)} ${fixed(middle(ay))} ${fixed(bx - 30)} ${fixed(middle(by))} `;
  return svg("path", { class: differs ? "differs" : "alike", d: `M${fixed(ax)} ${fixed(ay)}${way}${fixed(bx)} ${fixed(by)}` });
}

/** @param {[number, number]} place @param {Facing} facing @param {number} cell @param {number} node @param {Toggle | null} toggle */
function nodeAt([x, y], facing, cell, node, toggle) {
  const on = facing.shells[cell][node] === "1";
  const differs = facing.pairs.some((pair) => pair[cell] === node && pair[2]);
  const group = svg("g", { class: `shell-node${on ? " on" : ""}${differs ? " odd" : ""}` },
    svg("circle", { cx: fixed(x), cy: fixed(y), r: NODE }));
  const number = svg("text", { x: fixed(x), y: fixed(y) });
  number.textContent = node;
  group.append(number);
  if (!toggle) return group;
  group.append(svg("circle", { class: "finger", cx: fixed(x), cy: fixed(y), r: fixed(Math.min(FINGER, RING * Math.sin(Math.PI / facing.pairs.length))) }));
  const label = t("Node {node} of {cell}", { node, cell: facing.names[cell] });
  for (const [key, value] of Object.entries({ role: "switch", tabindex: 0, "aria-checked": on, "aria-label": label, "data-node": `${cell}:${node}` })) group.setAttribute(key, value);
  group.onclick = () => toggle(cell, node);
  group.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(cell, node);
  };
  return group;
}

/** @param {Facing} facing */
const inWords = ({ names, differ, alike, cost }) =>
  t("{a} and {b}: pairs that differ: {differ}, that match: {alike}; the cost is {cost}", { a: names[0], b: names[1], differ, alike, cost });

// The pairs one beside the other, as a list: above the node of the first cell, below the one that faces it.
/** @param {Facing} facing */
export function pairList({ names, shells, pairs }) {
  /** @param {boolean} on */
  const state = (on) => make("i", { className: on ? "on" : "", textContent: "" });
  return make("ol", { className: "pairs" }, ...pairs.map(([a, b, differs]) => {
    const ons = [shells[0][a] === "1", shells[1][b] === "1"];
    const item = make("li", { className: differs ? "differs" : "alike" }, make("small", { textContent: a }), state(ons[0]),
      make("b", { textContent: differs ? "≠" : "=" }), state(ons[1]), make("small", { textContent: b }));
    const values = { a: names[0], b: names[1], i: a, j: b };
    item.setAttribute("aria-label", differs ? t("node {i} of {a} and node {j} of {b} differ", values) : t("node {i} of {a} and node {j} of {b} match", values));
    return item;
  }));
}

// How the cost follows, line by line.
/** @param {Facing} facing */
export function steps({ differ, alike, divisor, cost, pay, move }) {
  const lines = [t("Pairs of nodes that face each other: {differ} differ, {alike} match.", { differ, alike })];
  if (pay && move) {
    lines.push(divisor > 1 ? t("{differ} : {alike}, both divided by {divisor}, is {cost}.", { differ, alike, divisor, cost })
      : t("{differ} : {alike} cannot be reduced.", { differ, alike }));
  } else lines.push(t("{differ} : {alike} is {cost}.", { differ, alike, cost }));
  return make("ol", { className: "steps" }, ...lines.map((textContent) => make("li", { textContent })),
    make("li", { className: "price" }, make("b", { textContent: cost }), ` ${meaning({ pay, move })}`));
}

// What p:m means, in words.
/** @param {{ pay: number, move: number }} price */
export function meaning({ pay, move }) {
  if (!pay) return t("Free: nothing is paid, any number may move.");
  if (!move) return t("Closed: nothing may move.");
  return t("Pay {pay}, then up to {move} may move.", { pay, move });
}
