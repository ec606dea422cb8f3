// The board for a television: read only, large, with names, clocks and the last move; while nobody plays, this evening's games.

import { ask } from "../common/api.js";
import { Board } from "../board/board.js";
import { showCaptured } from "../board/captured.js";
import { setText } from "../common/dom.js";
import { Drawings } from "../board/drawings.js";
import { eveningLines } from "../play/evening.js";
import { drawMarks, placesAt } from "../board/marks.js";
import { watch } from "./screen.js";
import { Seats, playerName, sideOf } from "../play/seats.js";
import { t } from "../common/text.js";
import { toldInOne } from "../play/told_in_one.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Geometry, PanelView, You } from "../common/types.js" */
/** @import { Put } from "../board/board.js" */

const $ = /** @type {(id: string) => PageElement} */ ((id) => document.getElementById(id));

const board = new Board(/** @type {any} */ ($("board")));
const drawings = new Drawings(() => state.view && show(state.view, state.you));
const seats = new Seats({ others: $("seats"), mine: $("mine") });
/** @type {{ view: PanelView | null, you: You | null, geometry: Geometry | null, awaited: string | null, evening: string }} */
const state = { view: null, you: null, geometry: null, awaited: null, evening: "" };
const GAMES = 4; // of an evening, the newest: as many as there is room for
const AGAIN_MS = 1500;

/** @param {PanelView} view @param {You | null} you */
function show(view, you) {
  Object.assign(state, { view, you });
  const { geometry } = state;
  if (!geometry || (view.board && view.board !== geometry.name)) return follow(view.board);
  board.drawings = drawings.of(view.game);
  board.signs = view.signs;
  const sites = Object.entries(view.sites).filter(([name]) => board.sites.has(name));
  const labelled = sites.filter(([, { label }]) => label);
  board.label(labelled.map(([name, { label }]) => [label ?? "", name]));
  board.show((name) => lookOf(view, name), "img");
  board.crop(labelled.map(([name]) => name).join(" "));
  board.put(/** @type {Put[]} */ (sites.filter(([, { piece }]) => piece).map(([name, { piece, on }]) => ({ id: name, piece, site: name, state: on ? "set" : "ghost" }))));
  const placed = new Map(labelled.map(([name, { label }]) => [label, board.sites.get(name)]));
  drawMarks(board, view, (label) => placed.get(label));
  showBeside(view, you);
}

// A simulated board may have become another one. What was told while it was fetched is shown with it, the newest.
/** @param {string} name */
async function follow(name) {
  if (state.awaited === name) return;
  state.awaited = name;
  const geometry = await ask("board").catch(() => null);
  state.awaited = null;
  if (!geometry) return void setTimeout(() => state.view && show(state.view, state.you), AGAIN_MS);
  state.geometry = geometry;
  board.draw(geometry);
  if (state.view && [geometry.name, ""].includes(state.view.board)) show(state.view, state.you);
}

/** @param {PanelView} view @param {string} name */
function lookOf({ sites, seats: all, kinds, places }, name) {
  const { light = "#000000", blink = false, label = "", piece = null, on = false } = sites[name] ?? {};
  const said = piece ? [sideOf(all, piece.seat), kinds[piece.kind]].filter(Boolean).join(" ") : t("empty");
  return { light, blink, name: [label || name, said, ...placesAt(places, label)].join(", "), sensed: on && !piece, outside: false };
}

/** @param {PanelView} view @param {You | null} you */
function showBeside(view, you) {
  setText($("title"), view.title || "Beaconboard");
  seats.show(view, you, 0, board.drawings);
  document.body.classList.toggle("crowd", view.seats.length > 2);
  showCaptured(view, board.drawings);
  setText($("sentence"), view.phase === "over" || !view.seats.length ? view.sentence : view.proposal || view.advice || view.question || turnOf(view, you));
  showEvening(view);
  const made = view.plies.at(-1);
  setText($("last"), made ? t("Move {n}, {name}: {move}", { n: view.plies.length, name: playerName(view, you, made.seat), move: told(view) }) : "");
}

// The moves made last in a turn in words, as a story tells them; else the last one as it is written.
/** @param {PanelView} view */
function told({ last, plies }) {
  return toldInOne(last?.plies ?? []) || plies.at(-1)?.text || "";
}

// Who won what this evening, once a game is over or before one begins.
/** @param {PanelView} view */
async function showEvening({ phase, game_id: game }) {
  const now = phase === "over" || phase === "idle" ? `${phase} ${game}` : "";
  if (now === state.evening) return;
  state.evening = now;
  const lines = now ? await eveningLines(GAMES) : [];
  if (now === state.evening) $("evening").replaceChildren(...lines);
}

/** @param {PanelView} view @param {You | null} you */
function turnOf(view, you) {
  const mover = view.seats.findIndex((seat) => seat.to_move);
  return mover < 0 || view.phase === "setup" ? view.sentence : t("{seat} to move.", { seat: playerName(view, you, mover) });
}

watch(show);
