// The page "Board care": a live map of the sensors, the link and the log. The figures come from the service.

import { ask, messageOf } from "../common/api.js";
import { Board } from "../board/board.js";
import { $, make, setText, svg } from "../common/dom.js";
import { fieldMarks, fieldOf, showFields } from "./fields.js";
import { lightOf, showCheck } from "./guided_check.js";
import { lookAtHouse } from "./house_told.js";
import { showKinds } from "./kinds.js";
import { showRests } from "./rests.js";
import { t } from "../common/text.js";

/** @import { Looks } from "../board/board.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Care, CheckTold, FieldsTold, HealthTold, SensorTold } from "../common/types.js" */
/** @import { Site } from "../board/board.js" */

const EVERY_MS = 500;
const HEALTH_EVERY_MS = 10_000;
const MARGIN_MS = 10;
const OFTEN = 0.2; // of a sensor's changes

const board = new Board(/** @type {any} */ ($("board")));
let drawn = false;
let asked = 0;
let shown = 0; // the report's number: an older one that comes late is not shown over it

// The one sentence of how the board is doing. Where it cannot be asked, the report below says so.
async function lookAtHealth() {
  /** @type {HealthTold | null} */
  const health = await ask("health").catch(() => null);
  if (health) setText($("health"), health.told);
  setTimeout(lookAtHealth, HEALTH_EVERY_MS);
}

async function refresh() {
  const mine = ++asked;
  try {
    const report = await ask("care");
    if (mine < shown) return;
    shown = mine;
    show(report);
    $("told").textContent = "";
  } catch (error) {
    $("told").textContent = messageOf(error);
  }
}

async function look() {
  await refresh();
  setTimeout(look, document.hidden ? 4 * EVERY_MS : EVERY_MS);
}

/** @param {Care} report */
function show({ sites, weak, gap_ms: gap, flicker_ms: flicker, link, log, walk: check, fields, role, playing, board: { geometry } }) {
  if (!drawn) {
    board.draw(geometry);
    board.label(Object.entries(geometry.sites).filter(([, site]) => site.kind === "cell").map(([name]) => /** @type {[string, string]} */ ([name, name])));
    drawn = true;
  }
  showCheck(board, check, role, playing, refresh);
  const checking = check?.running && check.yours;
  board.show((name) => lookOf(name, sites[name], checking ? check : asks(fields), fields), checking ? "button" : "img");
  const counts = Object.entries(sites).filter(([, { bounces }]) => bounces).map(([name, { bounces }]) => count(name, bounces));
  board.mark("over", [...(checking ? [] : counts), ...fieldMarks(board, fields)]);
  showFields(fields);
  showKinds(fields?.kinds, role, refresh);
  showRests(fields?.rests, role, refresh);
  $("link").textContent = link.up ? t("The sensor board answers.") : link.last_losses.at(-1) ?? t("The sensor board has not answered yet.");
  setRows($("weak"), weak.slice(0, 12).map((name) => [name, sites[name].bounces, sites[name].changes, ms(sites[name].shortest_ms)]));
  $("calibrate").hidden = gap === null || gap < flicker;
  setText($("calibrate"), t("A magnet disappeared for {gap} ms. Seat it better, or raise flicker in the settings from {flicker} to {wanted} ms.", { gap, flicker, wanted: Number(gap) + MARGIN_MS }));
  setLines($("figures"), [
    t("Changes received: {touches}; in the last minute: {touches_per_minute}", link),
    t("Full reads: {snapshots}", link), t("Connection losses: {losses}", link), ...link.last_losses.slice(-3),
  ]);
  const atEnd = $("log").scrollHeight - $("log").scrollTop - $("log").clientHeight < 30;
  if ($("log").textContent !== log.join("\n")) $("log").textContent = log.join("\n");
  if (atEnd) $("log").scrollTop = $("log").scrollHeight;
}

/** @param {number | null} value */
const ms = (value) => (value === null ? "" : `${value} ms`);

// The cell that the walk over the kinds asks for is lit as that of a check is.
/** @param {FieldsTold | null} fields */
const asks = (fields) => (fields?.kinds?.asked ? fields.kinds : null);

/** @param {string} name @param {SensorTold} sensor @param {{ asked: string | null } | null} check @param {FieldsTold | null} fields @returns {Looks} */
function lookOf(name, { on, bounces, changes }, check, fields) {
  const light = check ? lightOf(name, check) : bounces ? (bounces / changes > OFTEN ? "#d2691e" : "#b8972a") : "#000000";
  return { light, blink: check?.asked === name, sensed: on, outside: false, name: [name, on ? t("a magnet") : t("empty"), ...fieldOf(name, fields), t("bounces: {bounces}", { bounces })].join(", ") };
}

/** @param {string} name @param {number} bounces */
function count(name, bounces) {
  const { x, y } = /** @type {Site} */ (board.sites.get(name));
  const text = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": (0.5 * board.inner).toFixed(1), class: "mark between", fill: "#ffe9c4" });
  text.textContent = bounces;
  return text;
}

/** @param {PageElement} list @param {string[]} lines */
function setLines(list, lines) {
  if (list.dataset.now === JSON.stringify(lines)) return;
  list.dataset.now = JSON.stringify(lines);
  list.replaceChildren(...lines.map((line) => make("li", { textContent: line })));
}

/** @param {PageElement} table @param {any[][]} rows */
function setRows(table, rows) {
  while (table.rows.length > 1) table.deleteRow(1);
  for (const row of rows) table.append(make("tr", {}, ...row.map((cell) => make("td", { textContent: cell }))));
}

look();
lookAtHealth();
lookAtHouse($("house-told"));
