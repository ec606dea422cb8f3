// The board for a television: read only, large, with names, clocks, whose turn it is, what happened last and how the game stands; while
// nobody plays, this evening's games.

import { ask } from "../common/api.js";
import { Board } from "../board/board.js";
import { showCaptured } from "../board/captured.js";
import { make, setText } from "../common/dom.js";
import { showCheers } from "../play/cheers.js";
import { Drawings } from "../board/drawings.js";
import { eveningLines } from "../play/evening.js";
import { drawMarks, emptyAt, placesAt } from "../board/marks.js";
import { headlines } from "../play/match.js";
import { watch } from "./screen.js";
import { Seats, playerName, saysTurn, sideOf } from "../play/seats.js";
import { all as namesOf, t } from "../common/text.js";
import { toldInOne } from "../play/told_in_one.js";
import { wholeEnd } from "../common/whole_end.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { Geometry, PanelView, You } from "../common/types.js" */
/** @import { Put } from "../board/board.js" */

const $ = /** @type {(id: string) => PageElement} */ ((id) => document.getElementById(id));

const board = new Board(/** @type {any} */ ($("board")));
const drawings = new Drawings(() => state.view && show(state.view, state.you, state.simulated));
const seats = new Seats({ others: $("seats"), mine: $("mine") });
/** @type {{ view: PanelView | null, you: You | null, geometry: Geometry | null, awaited: string | null, evening: string, simulated: boolean, fitted: string }} */
const state = { simulated: false, fitted: "", view: null, you: null, geometry: null, awaited: null, evening: "" };
const GAMES = 4; // of an evening, the newest: as many as there is room for beside who won how many
const AGAIN_MS = 1500, EVENING_MS = 900_000; // so often it is looked whether an evening that is shown is over
const SMALLEST = 0.5, SMALLER = 0.98; // part of the size that is read best, and by how much smaller at least what had no room is tried
const SMALL = 0.75; // so small it becomes for the sake of all games of the evening
const BRIEF = 0.85; // before people of the evening are drawn smaller than that, their stories and the last move go

/** @param {PanelView} view @param {You | null} you @param {boolean} simulated */
function show(view, you, simulated) {
  Object.assign(state, { view, you, simulated });
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
  showBeside(view, you, simulated);
}

// A simulated board may have become another one. What was told while it was fetched is shown with it, the newest.
/** @param {string} name */
async function follow(name) {
  if (state.awaited === name) return;
  state.awaited = name;
  const geometry = await ask("board").catch(() => null);
  state.awaited = null;
  if (!geometry) return void setTimeout(() => state.view && show(state.view, state.you, state.simulated), AGAIN_MS);
  state.geometry = geometry;
  board.draw(geometry);
  if (state.view && [geometry.name, ""].includes(state.view.board)) show(state.view, state.you, state.simulated);
}

/** @param {PanelView} view @param {string} name */
function lookOf({ sites, seats: all, kinds, places }, name) {
  const { light = "#000000", blink = false, label = "", piece = null, on = false } = sites[name] ?? {};
  const said = piece ? [sideOf(all, piece.seat), kinds[piece.kind]].filter(Boolean).join(" ") : emptyAt(name);
  return { light, blink, name: [label || name, said, ...placesAt(places, label)].join(", "), sensed: on && !piece, outside: false };
}

/** @param {PanelView} view @param {You | null} you @param {boolean} simulated */
function showBeside(view, you, simulated) {
  const { title, stage, phase, seating, seats: all, plies } = view, over = phase === "over", made = plies.at(-1);
  const { crowned, headline, beside } = headlines(view, you, saidOf(view, you));
  setText($("title"), [title, stage].filter(Boolean).join(" · ") || "Beaconboard");
  seats.show(view, you, 0, board.drawings, acting(view, you));
  if (you) showCheers(you);
  document.body.classList.toggle("crowd", all.length > 2);
  document.body.classList.toggle("crowned", crowned);
  document.body.classList.toggle("begins", !plies.length); // how one wins has room then, whatever else stands there
  document.body.classList.toggle("idle", phase === "idle");
  const invites = $("invites"); // none where no phone gets in
  if (invites) setText(invites, phase === "idle" ? t("Scan to join") : t("Watch or join:"));
  showCaptured(view, board.drawings);
  setText($("sentence"), headline);
  setText($("advice"), simulated ? "" : view.advice); // hands on phones are told there what to do
  setText($("seated"), [seating, beside, you?.wants_next].filter(Boolean).join(" "));
  const words = made && told(view);
  const { name = "", level = 0 } = all[made?.seat ?? -1] ?? {};
  const theBoard = t("The board");
  const who = made && (view.last?.by_board && !level ? t("{person} ({seat})", { person: theBoard, seat: name }) : playerName(view, you, made.seat)); // somebody plays in its place now
  setText($("last"), words ? t("{name}: {move}", { name: who, move: words }) : "");
  const lines = over || inSecret(view) ? [] : view.lines; // how it stands: in secret, only who is ready is known
  if (JSON.stringify(lines) !== $("lines").dataset.now) {
    $("lines").dataset.now = JSON.stringify(lines);
    $("lines").replaceChildren(...lines.map((textContent) => make("li", { textContent })));
  }
  showEvening(view);
  fit();
}

// The seats that are to act now: while all choose in secret, each that has not done so yet.
/** @param {PanelView} view @param {You | null} you */
function acting(view, you) {
  const all = view.seats.map((_, seat) => seat);
  if (!inSecret(view)) return all.filter((seat) => view.seats[seat].to_move);
  return all.filter((seat) => !view.seats[seat].out && !you?.ready.includes(seat));
}

// Whether all at this board choose in secret, each on a phone: of people elsewhere the service itself says whom they wait for.
/** @param {PanelView} view */
const inSecret = ({ secret, seats: all }) => secret && !all.some(({ afar }) => afar);

// What somebody asks the others, else whose turn it is, or how the game ended. What is asked of a player in turn is for phones.
/** @param {PanelView} view @param {You | null} you */
function saidOf(view, you) {
  const act = acting(view, you), { proposal, sentence, phase } = view;
  if (phase === "over") return wholeEnd(view);
  if (phase === "idle" && you?.here.length) return you.here.length > 1 ? t("Here are {names}.", { names: namesOf(you.here) }) : t("{name} is here.", { name: you.here[0] });
  if (proposal || !act.length) return proposal || sentence;
  if (!inSecret(view)) return saysTurn(view, you, act[0]) ? t("{seat} to move.", { seat: playerName(view, you, act[0]) }) : sentence;
  const names = namesOf(act.map((seat) => playerName(view, you, seat)));
  return view.share ? t("Waiting for {names} to share out units.", { names }) : t("Waiting for {names} to set up in secret.", { names });
}

// What was done last in a turn in words, as a story tells it. What was shared out is told by `seating`, what was set up is seen.
/** @param {PanelView} view */
function told({ last, lesson, plies }) {
  const made = plies.at(-1);
  return last ? toldInOne(last.plies) : lesson ? made?.words || made?.text : "";
}

// Who won what this evening, once a game is over or before one begins.
/** @param {PanelView} view */
async function showEvening({ phase, game_id: game }) {
  const now = phase === "over" || phase === "idle" ? `${phase} ${game} ${Math.floor(Date.now() / EVENING_MS)}` : "";
  if (now === state.evening) return;
  state.evening = now;
  const lines = now ? await eveningLines(GAMES) : [];
  if (now !== state.evening) return;
  $("evening").replaceChildren(...lines);
  fit();
}

// A screen cannot be scrolled: all that stands beside the board is drawn as small as it has to be to have room. That takes a slow
// television a while, and is done only once there is something else to be read.
function fit() {
  const beside = $("beside");
  const now = [innerWidth, innerHeight, beside.querySelectorAll("svg").length, beside.textContent?.replace(/\d/g, "")].join();
  if (now === state.fitted) return;
  state.fitted = now;
  document.body.classList.remove("brief");
  if (shrunk() >= BRIEF || !document.querySelector(".tonight")) return;
  document.body.classList.add("brief");
  shrunk();
}

// How small what stands beside the board is now that it has room.
function shrunk() {
  const beside = $("beside"), { style } = document.documentElement;
  let size = 1;
  for (let room = 0, next = 1; room < 1 && next > SMALLEST; next *= Math.min(SMALLER, Math.sqrt(room))) {
    size = next;
    style.setProperty("--fit", size.toFixed(2));
    room = beside.clientHeight / beside.scrollHeight;
    if (room === 1 && size > SMALL && hides($("evening"))) room = SMALLER ** 4;
  }
  return size;
}

// Whether a line of `box` has no room: it stands in a second column then.
/** @param {PageElement} box */
const hides = (box) => box.scrollWidth > box.clientWidth + 1;

addEventListener("resize", fit);
setInterval(() => state.view && showEvening(state.view), EVENING_MS);
watch(show);
