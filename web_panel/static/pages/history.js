// Games played: the list, one game ply by ply, playing on, bringing in. Positions come from the service.
// Each has an address, /history/7?ply=23, so that it can be reloaded, sent, and gone back to.

import { Analysis } from "./analysis.js";
import { ask, messageOf } from "../common/api.js";
import { Board, mark } from "../board/board.js";
import { capturedLines } from "../board/captured.js";
import { claimLines } from "./claims.js";
import { $, make } from "../common/dom.js";
import { savesFilm } from "../common/film.js";
import { Drawings } from "../board/drawings.js";
import { give, showGiven } from "../common/link.js";
import { drawMarks, emptyAt, placesAt } from "../board/marks.js";
import { drawPrices } from "../board/prices.js";
import { sureToLeave } from "../common/sure.js";
import { t } from "../common/text.js";
import { when } from "../common/when.js";

/** @import { CapturedCount, GamePlayed, GamesPlayed, PastPosition } from "../common/types.js" */

const STEP_MS = 900;

const board = new Board(/** @type {any} */ ($("board")));
const drawings = new Drawings();
/** @type {{ game: GamePlayed, ply: number, oldest: number | null, timer: number, asked: number }} */
const state = { game: /** @type {any} */ (null), ply: 0, oldest: null, timer: 0, asked: 0 }; // no game before one is opened

/** @param {number} ply */
const leap = (ply) => go(ply, true);
const analysis = new Analysis($("analysis"), leap, null);

/** @param {() => Promise<any>} what @returns {Promise<any>} */
async function tried(what) {
  $("told").textContent = "";
  try {
    return await what();
  } catch (error) {
    $("told").textContent = messageOf(error);
    $("told").scrollIntoView({ block: "nearest" });
    return null;
  }
}

// ---- the list ----

async function list() {
  /** @type {GamesPlayed | null} */
  const page = await tried(() => ask(`history${state.oldest === null ? "" : `?before=${state.oldest}`}`));
  if (!page) return;
  state.oldest = page.games.at(-1)?.id ?? state.oldest;
  $("older").hidden = !page.more;
  if (!page.games.length && !$("games").children.length) $("games").append(make("li", { textContent: t("No game has been played on this board yet.") }));
  $("games").append(...page.games.map(({ id, title, started, result }) => make("li", {}, make("a", { href: `/history/${id}` },
    make("b", { textContent: title }), " ", make("time", { textContent: when(started, "medium") }), " ", make("span", { textContent: result })))));
}

// ---- one game ----

// Which game and position the address names: { id, ply }, with null where it names none.
function addressed() {
  const [, id] = /^\/history\/(\d+)$/.exec(location.pathname) ?? /^#(\d+)$/.exec(location.hash) ?? [];
  const ply = new URLSearchParams(location.search).get("ply");
  return { id: id ? Number(id) : null, ply: /^\d+$/.test(ply ?? "") ? Number(ply) : null };
}

// Writes the position into the address. A leap is a page of its own to the browser's Back, a walk step by step is one.
/** @param {boolean} leaps */
function address(leaps) {
  const there = `/history/${state.game.id}?ply=${state.ply}`;
  if (`${location.pathname}${location.search}` === there && !location.hash) return;
  history[leaps ? "pushState" : "replaceState"](null, "", there);
}

/** @param {number} id @param {number | null} ply */
async function open(id, ply) {
  stop();
  /** @type {GamePlayed | null} */
  const game = await tried(() => ask(`history/${id}`));
  if (!game) return;
  state.game = game;
  showGiven($("copied"));
  board.drawings = await drawings.ready(game.game);
  $("replay").hidden = false;
  $("resume").hidden = game.over && !game.ended_by_word; // from any of its positions one may play on
  $("continue").classList.toggle("primary", game.over);
  for (const id of ["text", "recording"]) $(id).hidden = game.secret;
  $("what").textContent = t("{title}: {sentence}", game);
  board.draw(game.geometry);
  board.label(Object.entries(game.geometry.sites).filter(([, site]) => site.kind === "cell").map(([name]) => /** @type {[string, string]} */ ([name, name])));
  $("ply").max = game.plies.length;
  $("text").href = `/api/history/${id}/text`;
  $("recording").href = `/api/history/${id}/recording`;
  showFigures(game);
  showClaims(game);
  $("plies").replaceChildren(...game.plies.map(({ colour, text, words }, n) => {
    const button = make("button", { type: "button", textContent: words || text, title: text, onclick: () => leap(n + 1) });
    return make("li", { className: `seat-${colour}` }, mark(colour, board.drawings), button);
  }));
  scrollTo(0, 0); // from the list, to the board and the way back
  await go(ply ?? game.plies.length);
  analysis.drawings = board.drawings;
  analysis.drawn = () => go(state.ply);
  analysis.show(game);
}

/** @param {GamePlayed} game */
function showFigures({ people, plies, minutes, started, captured, seats, kinds, signs }) {
  const names = people.map(([seat, name]) => (name ? t("{name} ({seat})", { name, seat }) : seat)).join(" – ");
  const figures = [names, when(started, "long"),
    t("Moves: {count}, minutes: {minutes}", { count: plies.length, minutes })];
  $("figures").replaceChildren(...figures.filter(Boolean).map((textContent) => make("li", { textContent })),
    ...capturedLines(captured, { seats, kinds, signs, drawings: board.drawings }).map((line) => make("li", {}, ...line)));
}

// Who played without a name may say so here; then the game is told anew, with that name.
/** @param {GamePlayed} game */
async function showClaims(game) {
  const lines = await claimLines(game, tried, () => open(game.id, state.ply));
  if (state.game === game) $("figures").append(...lines);
}

/** @param {number} ply @param {boolean} [leaps] */
async function go(ply, leaps = false) {
  const { game } = state, before = state.ply;
  state.ply = Math.max(0, Math.min(ply, game.plies.length));
  if (state.ply !== before) showGiven($("copied")); // what is said there is of another position
  const asked = ++state.asked;
  /** @type {PastPosition | null} */
  const position = await tried(() => ask(`history/${game.id}?ply=${state.ply}`));
  if (!position || asked !== state.asked) return; // a later step has overtaken it
  address(leaps);
  $("picture").href = `/history/${game.id}/position.svg?ply=${state.ply}`;
  $("picture").download = `game-${game.id}-move-${state.ply}.svg`;
  $("ply").value = state.ply;
  const made = game.plies[state.ply - 1];
  $("now").textContent = made
    ? t("Move {ply} of {count}, {name}: {words}", { ply: state.ply, count: game.plies.length, name: game.seats[made.seat], words: made.words })
    : t("The start. Moves that follow: {count}.", { count: game.plies.length });
  for (const [n, row] of /** @type {HTMLElement[]} */ ([...$("plies").children]).entries()) {
    if (n + 1 === state.ply) {
      row.setAttribute("aria-current", "step");
      $("plies").scrollTop = row.offsetTop - ($("plies").clientHeight - row.offsetHeight) / 2; // the list alone: the page stays
    } else row.removeAttribute("aria-current");
  }
  $("lines").replaceChildren(...position.lines.map((line) => make("li", { textContent: line })));
  const changed = new Set(position.changed);
  /** @param {string} kind */
  const named = (kind) => game.kinds[kind] ?? kind;
  /** @param {import("../common/types.js").Piece} piece */
  const nameOf = ({ seat, kind }) => (seat === null ? named(kind) : t("{seat} {kind}", { seat: position.sides[seat], kind: named(kind) }));
  board.show((name) => ({
    light: changed.has(name) && state.ply ? "#6b5a12" : "#000000", blink: false, sensed: false, outside: false,
    name: [name, position.pieces[name] ? nameOf(position.pieces[name]) : emptyAt(name), ...placesAt(position.places, name)].join(", "),
  }), "img");
  board.signs = game.signs;
  board.put(Object.entries(position.pieces).map(([site, piece]) => ({ id: site, piece, site, state: "set" })));
  /** @param {string} label */
  const at = (label) => board.sites.get(label);
  const between = (position.marks ?? []).filter(({ at }) => at.length > 1);
  const all = $("all-prices").getAttribute("aria-pressed") === "true"; // they cover nodes and beacons: shown to who asks
  $("all-prices").hidden = !between.length;
  const last = !state.game.over && state.ply === state.game.plies.length; // from there one goes on with the game itself
  $("continue").hidden = state.game.secret || position.over || last; // there is nothing to play on
  board.root.classList.toggle("heat", all && between.length > 0);
  drawMarks(board, position, at, [...drawPrices(board, between, at, "", all), ...analysis.ways(state.ply, at)]);
  analysis.at(state.ply);
  for (const [id, at] of /** @type {[string, number][]} */ ([["first", 0], ["back", 0], ["next", game.plies.length], ["last", game.plies.length]])) $(id).disabled = state.ply === at;
}

function stop() {
  clearInterval(state.timer);
  state.timer = 0;
  $("play").textContent = t("Play back");
}

function run() {
  if (state.timer) return stop();
  $("play").textContent = t("Stop");
  if (state.ply === state.game.plies.length) state.ply = -1;
  state.timer = setInterval(() => (state.ply < state.game.plies.length ? go(state.ply + 1) : stop()), STEP_MS);
  return go(state.ply + 1);
}

// ---- onto the table ----

/** @param {object} order @param {string} what */
async function lay(order, what) {
  if (!await sureToLeave(t("Put {what} on the board? The current game stays in this list.", { what }), t("Put it on the board"))) return;
  await tried(async () => {
    await ask("order", order);
    location.href = "/";
  });
}

$("continue").onclick = async () => {
  const order = await tried(() => ask(`history/${state.game.id}/order?ply=${state.ply}`));
  if (order) await lay(order, t("{title} after move {ply}", { title: state.game.title, ply: state.ply }));
};
$("resume").onclick = () => lay({ do: "resume", game_id: state.game.id }, state.game.title);
$("first").onclick = () => leap(0);
$("back").onclick = () => go(state.ply - 1);
$("next").onclick = () => go(state.ply + 1);
$("last").onclick = () => leap(Infinity);
$("copy").onclick = () => give($("copied"), { url: location.href, title: state.game.title });
savesFilm($("film"), () => ({ id: state.game.id, count: state.game.plies.length }), $("copied"));
$("play").onclick = run;
$("all-prices").onclick = () => {
  $("all-prices").setAttribute("aria-pressed", $("all-prices").getAttribute("aria-pressed") !== "true");
  return go(state.ply);
};
$("ply").oninput = () => go(Number($("ply").value));
$("older").onclick = list;
$("file").onchange = async () => {
  const [file] = $("file").files ?? [];
  if (file) await tried(async () => {
    const most = Number($("written").dataset.most);
    if (file.size > most) throw new Error(t("{name} has {size} bytes; the limit is {most}.", { name: file.name, size: file.size, most }));
    $("written").value = await file.text();
  });
};
$("bring").onsubmit = async (event) => {
  event.preventDefault();
  const read = await tried(() => ask("import", { text: $("written").value }));
  if (read) await lay(read.order, read.words);
};

/** @type {Record<string, () => any>} */
const KEYS = { ArrowLeft: () => go(state.ply - 1), ArrowRight: () => go(state.ply + 1), Home: () => leap(0), End: () => leap(Infinity) };
document.addEventListener("keydown", (event) => {
  const step = KEYS[event.key];
  if (!step || !state.game || event.ctrlKey || event.metaKey || event.altKey || /** @type {Element} */ (event.target).matches("input, textarea, select")) return;
  event.preventDefault();
  stop();
  step();
});

// What the address names, as the browser's Back and Forward change it.
async function follow() {
  const { id, ply } = addressed();
  if (id === null) return;
  if (id !== state.game?.id) await open(id, ply);
  else await go(ply ?? state.game.plies.length);
}
window.onpopstate = follow;
window.onhashchange = follow;

await list();
await follow();
