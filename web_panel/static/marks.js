// What a game tells beside its pieces: units in stores, costs between cells, terrain and fortresses.
// Knows no rules: all of it is in the view's `data`.

import { SEATS } from "./board.js";
import { svg } from "./dom.js";

const TILES = { hill: "▲", forest: "♣", grassland: "≈" };

// Draws `data` of the view; `at(label)` is the board's site of the game's own name, or undefined.
export function drawMarks(board, { data }, at) {
  board.mark("under", [...tiles(board, data, at)]);
  board.mark("over", [...stores(board, data, at), ...costs(board, data, at)]);
}

function written(words, x, y, size, attributes = {}) {
  const made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...attributes });
  made.textContent = words;
  return made;
}

function* tiles({ inner }, { tiles = {}, fortresses = [], centres = [] }, at) {
  const low = ({ x, y }, glyph, name) => written(glyph, x, y + 0.88 * inner, 0.42 * inner, { class: `tile ${name}` });
  for (const [cell, tile] of Object.entries(tiles)) {
    const site = at(cell);
    if (!site) continue;
    yield outline(site, `tile ${tile}`);
    if (TILES[tile]) yield low(site, TILES[tile], tile);
  }
  for (const [seat, cell] of fortresses.entries()) {
    const site = at(cell);
    if (site) yield outline(site, "tile fortress");
    if (site) yield low(site, "♜", `fortress of-${seat}`);
  }
  for (const [seat, cell] of centres.entries()) {
    const site = at(cell);
    if (site && cell !== fortresses[seat]) yield low(site, "✥", `centre of-${seat}`);
  }
}

function outline({ x, y, outline: corners }, name) {
  const points = corners.map(([px, py]) => `${(x + (px - x) * 0.9).toFixed(1)},${(y + (py - y) * 0.9).toFixed(1)}`).join(" ");
  return svg("polygon", { class: name, points });
}

// How many units of each seat a store holds, on the token that stands for them.
function* stores({ inner }, { stores = {} }, at) {
  for (const [cell, units] of Object.entries(stores)) {
    const site = at(cell);
    const held = units.map((count, seat) => ({ count, seat })).filter(({ count }) => count);
    if (!site || !held.length) continue;
    const most = Math.max(...held.map(({ count }) => count));
    const dominant = held.filter(({ count }) => count === most).length === 1;
    const label = written("", site.x, site.y, (held.length > 1 ? 0.4 : 0.55) * inner, { class: "store" });
    for (const [n, { count, seat }] of held.entries()) {
      const { body: [light, dark], letter, ink } = SEATS[seat];
      const pale = letter > "#888888";
      const part = svg("tspan", held.length > 1 || !dominant ? { fill: ink, class: "apart" } : { fill: letter, stroke: pale ? dark : light });
      part.textContent = `${n ? " " : ""}${count}`;
      label.append(part);
    }
    yield label;
  }
}

function* costs({ inner }, { costs = {} }, at) {
  for (const [pair, cost] of Object.entries(costs)) {
    const [a, b] = pair.split("-").map(at);
    if (a && b) yield written(cost, (a.x + b.x) / 2, (a.y + b.y) / 2, 0.24 * inner, { class: `cost ${cost === "1:0" ? "closed" : cost === "0:1" ? "free" : ""}` });
  }
}
