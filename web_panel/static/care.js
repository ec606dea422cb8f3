// Board care: a live map of the sensors, the walk over them, the link and the log. The figures come from the service.

import { Board, make, svg, t } from "./board.js";
import { ask } from "./play.js";

const $ = (id) => document.getElementById(id);
const EVERY_MS = 500;
const OFTEN = 0.2; // of a sensor's changes

const board = new Board($("board"));
const state = { report: null, drawn: false, walk: null };

async function look() {
  try {
    state.report = await ask("care");
    $("told").textContent = "";
    show(state.report);
  } catch (error) {
    $("told").textContent = error.message;
  }
  setTimeout(look, document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

function show({ sites, weak, recent, link, log, board: { geometry } }) {
  if (!state.drawn) {
    board.draw(geometry);
    board.label(Object.entries(geometry.sites).filter(([, site]) => site.kind === "cell").map(([name]) => [name, name]));
    state.drawn = true;
  }
  if (state.walk) stepWalk(recent);
  board.show((name) => look_(name, sites[name]), "img");
  board.mark("over", Object.entries(sites).filter(([, { bounces }]) => bounces).map(([name, { bounces }]) => count(name, bounces)));
  $("link").textContent = link.up ? t("The sensor board answers.") : link.last_losses.at(-1) ?? t("The sensor board has not answered yet.");
  setRows($("weak"), weak.slice(0, 12).map((name) => [name, sites[name].bounces, sites[name].changes, ms(sites[name].shortest_ms)]));
  setLines($("figures"), [
    t("Changes heard: {touches}; in the last minute: {touches_per_minute}", link),
    t("Snapshots: {snapshots}", link), t("Losses of the link: {losses}", link), ...link.last_losses.slice(-3),
  ]);
  const atEnd = $("log").scrollHeight - $("log").scrollTop - $("log").clientHeight < 30;
  if ($("log").textContent !== log.join("\n")) $("log").textContent = log.join("\n");
  if (atEnd) $("log").scrollTop = $("log").scrollHeight;
}

const ms = (value) => (value === null ? "" : `${value} ms`);

function look_(name, { on, bounces, changes }) {
  const asked = state.walk?.asked === name;
  const light = asked ? "#3b8fe0" : bounces ? (bounces / changes > OFTEN ? "#d2691e" : "#b8972a") : "#000000";
  return { light, blink: asked, sensed: on, outside: false, name: [name, on ? t("a magnet") : t("empty"), t("bounces: {bounces}", { bounces })].join(", ") };
}

function count(name, bounces) {
  const { x, y } = board.sites.get(name);
  const text = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": (0.5 * board.inner).toFixed(1), class: "cost" });
  text.textContent = bounces;
  return text;
}

function setLines(list, lines) {
  if (list.dataset.now === JSON.stringify(lines)) return;
  list.dataset.now = JSON.stringify(lines);
  list.replaceChildren(...lines.map((line) => make("li", { textContent: line })));
}

function setRows(table, rows) {
  while (table.rows.length > 1) table.deleteRow(1);
  for (const row of rows) table.append(make("tr", {}, ...row.map((cell) => make("td", { textContent: cell }))));
}

// ---- the walk ----

function beginWalk() {
  const left = [...state.report.board.chain];
  state.walk = { left, heard: {}, asked: left.shift(), since: state.report.recent.at(-1)?.n ?? 0 };
  $("findings").replaceChildren();
  for (const id of ["silent", "end"]) $(id).hidden = false;
  tellAsked();
}

// A touch that came after the question answers it, wherever it came.
function stepWalk(recent) {
  const touched = recent.filter(({ n, on }) => on && n > state.walk.since);
  if (touched.length) answer([touched[0].site], touched[0].n);
}

function answer(sites, n) {
  const { walk } = state;
  walk.heard[walk.asked] = sites;
  walk.since = n;
  walk.asked = walk.left.shift() ?? null;
  if (walk.asked === null) endWalk();
  else tellAsked();
}

function tellAsked() {
  const done = Object.keys(state.walk.heard).length;
  $("asked").textContent = t("Put a magnet on {site} ({done} of {all} walked).", { site: state.walk.asked, done, all: done + 1 + state.walk.left.length });
}

async function endWalk() {
  const { heard } = state.walk;
  state.walk = null;
  for (const id of ["silent", "end"]) $(id).hidden = true;
  try {
    const { findings } = await ask("care/walk", { heard });
    $("asked").textContent = findings.length
      ? t("The walk is done:")
      : t("The walk is done: all {count} sensors answered where they should.", { count: Object.keys(heard).length });
    setLines($("findings"), findings.map(({ what, advice }) => `${what} ${advice}`));
  } catch (error) {
    $("asked").textContent = error.message;
  }
}

$("walk").onclick = beginWalk;
$("silent").onclick = () => answer([], state.report.recent.at(-1)?.n ?? 0);
$("end").onclick = endWalk;
look();
