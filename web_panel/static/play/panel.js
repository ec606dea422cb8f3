// The page: watches the table, draws what it receives, sends what people request. Knows no rules.

import { Actions } from "./actions.js";
import { ask, askOrTell } from "../common/api.js";
import { backCloses, stayAwake } from "../common/app.js";
import { showBanner, showLink } from "./banner.js";
import { Board } from "../board/board.js";
import { brightness } from "./brightness.js";
import { choose, chosen } from "../common/device.js";
import { $, styled } from "../common/dom.js";
import { Drawings } from "../board/drawings.js";
import { viewed, written } from "../board/geometry.js";
import { Hand } from "../board/hand.js";
import { Join } from "./join.js";
import { onPress, whileAway } from "../common/later.js";
import { showLobby } from "./lobby.js";
import { Line } from "../common/lost.js";
import { showMoves } from "../board/moves.js";
import { News } from "./news.js";
import { OwnHands } from "../board/own_hands.js";
import { Scene } from "./scene.js";
import { Seats, turnedFor } from "./seats.js";
import { t } from "../common/text.js";
import { forgetPassing, refuse, tell } from "../common/toast.js";

/** @import { Geometry, PanelView, You } from "../common/types.js" */

const AGAIN_MS = 1500;
const MORE_MS = 2000;

/** What this page knows. @typedef {typeof state} PanelState */

const state = {
  /** The newest view, once there is one. @type {PanelView} */
  view: /** @type {any} */ (null),
  /** The same as the service sent it: a phone that has left a lesson shows an empty table. @type {PanelView} */
  sent: /** @type {any} */ (null),
  /** What this phone shows of what was sent. */
  seenHere: (/** @type {PanelView} */ view) => view,
  /** Whether a game is left lying, in whose place the choice of games stands here. */
  lies: false,
  /** The game that was shown last. @type {number | null} */
  game: null,
  /** Who this phone is. @type {You | null} */
  you: null,
  /** The way in, once somebody wants to join. @type {Join | null} */
  join: null,
  /** The board that is drawn, once one is. @type {Geometry} */
  geometry: /** @type {any} */ (null),
  /** Whether the board is simulated, with pieces to be moved here. */
  hasHand: false,
  /** What lets the dialog of a new game follow who plays here, once it was opened. @type {(() => void) | null} */
  follow: null,
  /** How many choices of who moves the pieces are not answered yet. */
  choosing: 0,
  /** Whether the stream is open, and why not. */
  line: new Line(() => showLine()),
  /** The stream, once it is open. @type {EventSource} */
  source: /** @type {any} */ (null),
  /** The board that is being fetched, "" where none is. */
  awaited: "",
  /** What zooms, once somebody has pressed anything. @type {import("../board/zoom.js").Zoom | null} */
  zoom: null,
  /** From when on further scripts are loaded, null before the first view, and the timer for that. @type {number | null} */
  moreAt: null,
  later: 0,
  /** What marks joined sides, once a board has such. @type {any} */
  seams: null,
  /** What lets fingers turn shells, once a board has such. @type {ReturnType<typeof import("../board/shells.js").shells> | null} */
  shells: null,
  /** What lets moves be heard, once somebody has pressed anything. @type {import("./heard.js").Heard | null} */
  heard: null,
  /** What shows prices between cells, once there are such; while it is fetched, the promise of it. @type {import("../board/prices.js").Prices | null} */
  prices: null,
  /** @type {any} */
  pricing: null,
  /** What sets pieces up in secret, once a game has asked for it: on its way, and there. @type {any} */
  arranging: null,
  /** @type {import("./arrange.js").Arranging | null} */
  arranged: null,
  /** The promise of what shows the card of a lifted piece, once one was lifted. @type {any} */
  card: null,
  /** Whether the hand held something when the banner was last shown. */
  holds: false,
};
const board = new Board(/** @type {any} */ ($("board")));
const drawings = new Drawings(show);
const hand = new Hand({
  board, tray: $("tray"), post: send, changed: showBoard, moved: () => scene.showTokens(),
  sliding: (event) => event.shiftKey || $("slide").checked,
  asks: () => actions.inspecting, ask: (site) => actions.openPlies(site),
  watches: () => state.you?.role === "guest" && state.hasHand && !state.you.asked,
  choose: (site, choices, pick) => actions.openChoices(site, choices, pick),
  turns: (site) => Boolean(state.shells?.turns(site)),
  own: new OwnHands({ known: () => state.view, may: (seat) => actions.mayAct(seat), open: isOpen, tell: (sentence) => tell(sentence, true),
    refuse, changed: () => (showTurn(state.view), showBoard()) }),
});
const scene = new Scene({ board, hand, state });
const news = new News(tell);
const brighten = brightness($("brightness"), (percent) => order({ do: "brightness", percent }));
const seats = new Seats({ others: $("others"), mine: $("mine") });
const actions = new Actions({ send, tell, differs: standsOtherwise, unfinished: () => hand.unfinished, seat: ownSeat, you: () => state.you,
  clear: () => (hand.putBack(), hand.queue), lifted: () => [...hand.lifted.keys()] });

// ---- talking to the service ----

// As `ask`, but tells the person and resolves to null.
/** @param {string} path @param {object} [body] */
async function send(path, body) {
  const answer = await askOrTell(path, body, refuse);
  if (answer && body) forgetPassing();
  return answer;
}

/** @param {object} what */
const order = (what) => send("order", what);

function watch() {
  state.source?.close();
  const source = new EventSource("/api/watch");
  state.source = source;
  source.addEventListener("open", connected);
  source.addEventListener("view", (event) => {
    const made = state.view?.plies.length;
    state.sent = viewed(event.data);
    state.view = state.seenHere(state.sent);
    if (state.view.plies.length !== made) forgetPassing();
    hand.own.see(state.view);
    news.see(state.view, state.you);
    state.shells?.see(state.view);
    show();
    state.heard?.see(state.view);
  });
  source.addEventListener("you", (event) => {
    const first = !state.you;
    const you = state.you = JSON.parse(event.data);
    if (first && location.hash.startsWith("#new=")) $("new-game").click();
    if (state.lies !== Boolean(you.lying)) atStart(({ lay }) => lay(state.lies));
    state.lies = Boolean(you.lying);
    turnAsChosen();
    if (state.view) showTurn(state.view);
    news.hear(you.told);
    showJoining();
    if (you.knock || $("knock")) import("./knock.js").then(({ showKnock }) => showKnock(state.you?.knock ?? null, send));
    if (you.cheers?.length) import("./cheers.js").then(({ showCheers }) => showCheers(you));
    offerArranging();
    if ($("dialog").open) state.follow?.();
    if (state.view && state.geometry) showMore(state.view);
    actions.showActs();
    offerGames();
  });
  source.addEventListener("pieces", (event) => {
    state.hasHand = true;
    hand.receive(JSON.parse(event.data));
    showJoining();
  });
  source.addEventListener("error", () => {
    state.line.failed(source);
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, AGAIN_MS);
  });
}

async function connected() {
  state.hasHand = false; // until pieces are reported
  news.missed = true;
  hand.forget();
  const brought = $("geometry");
  const geometry = brought ? written(brought.textContent) : await fetchBoard();
  brought?.remove(); // what the page brought along saves a request once
  if (!geometry) return;
  state.line.found(state.source);
  drawBoard(geometry);
  show();
}

// Nobody draws the board before it is there: where it does not come, it is asked for again, as long as the stream is open.
async function fetchBoard() {
  const { source } = state;
  let geometry = await send("board");
  while (!geometry && source === state.source && source.readyState === EventSource.OPEN) {
    await new Promise((again) => setTimeout(again, AGAIN_MS));
    geometry = await ask("board").catch(() => null); // it was told once
    if (geometry) forgetPassing();
  }
  return geometry;
}

/** @param {Geometry} geometry */
function drawBoard(geometry) {
  if (JSON.stringify(geometry) === JSON.stringify(state.geometry)) return;
  state.geometry = geometry;
  board.draw(geometry);
  scene.forget();
  if (geometry.joined?.length) fetched("seams", () => import("/static/board/seams.js").then(({ Seams }) => new Seams(board)));
}

async function startTurning() {
  if (state.shells) return;
  const { shells } = await import("../board/shells.js");
  state.shells ??= shells({
    board, table: $("table"), tell: refuse, view: state.view, plays: (choice) => actions.make(choice),
    may: () => state.view?.phase === "play" && (hand.finishes || !state.hasHand) && !actions.inspecting,
  });
}

// A simulated board may have become another one. It has by the time that a view says so, so one request finds it.
/** @param {string} name */
async function follow(name) {
  if (state.awaited === name) return;
  state.awaited = name;
  const geometry = await fetchBoard();
  state.awaited = "";
  if (!geometry) return;
  drawBoard(geometry);
  if (geometry.name === state.view.board) show();
}

// ---- who this is ----

// Whether nobody holds `seat` while others hold theirs.
/** @param {number} seat */
function isOpen(seat) {
  const { held = {} } = state.you ?? {};
  return !state.view?.lesson && !(seat in held) && Object.keys(held).some((each) => each in (state.view?.seats ?? []));
}

function ownSeat() {
  const { seats } = state.you ?? { seats: [] };
  return seats.length === 1 ? seats[0] : null;
}

// A guest sees a button; all else about joining begins when it is wanted.
function showJoining() {
  const { you } = state;
  if (!you) return;
  document.body.dataset.role = you.role;
  const asks = you.role === "guest" ? chosen("joined", false) // it was sent away
    : you.phones.some((phone) => phone.you) ? !(you.seats.length && you.profile) : !you.profile && (chosen("profile", "") !== "" || (state.view?.phase === "idle" && !chosen("nameless", false)));
  const wanted = asks || you.asked || you.knocking || /^#(\d{8}|join)$/.test(location.hash);
  if (state.join) state.join.show(you, state.view, state.hasHand);
  else if (wanted) startJoining();
  else $("joining").hidden = you.role !== "guest";
}

function startJoining() {
  if (!state.join) {
    state.join = new Join({ box: $("joining"), table: $("table"), send, again: watch });
    state.join.arrive();
  }
  showJoining();
  return state.join;
}

/** @param {object} what */
const joinAndOrder = (what) => startJoining().ask(() => order(what));

$("join").addEventListener("click", () => startJoining().ask());

// Who has no seat is told why a tap moves nothing.
$("board").addEventListener("pointerdown", ({ target }) => state.you?.seats.length || import("./remind.js").then(({ remind }) => remind(target, state, actions.inspecting, hand, startJoining)));

// ---- showing ----

const showLine = () => showLink(!state.line.lost, state.line.lost ? state.line.sentence(state.you?.shut) : (state.view?.link ?? ""));

function show() {
  showLine();
  if (!state.view || !state.geometry) return;
  if (state.view.board && state.view.board !== state.geometry.name) return follow(state.view.board);
  board.drawings = drawings.of(state.view.game);
  if (state.view.game_id !== state.game) scrollTo(0, 0); // who has read on below sees the board of the next game
  state.game = state.view.game_id;
  turnAsChosen();
  showTurn(state.view);
  showRecord(state.view);
  stayAwake(["play", "fix"].includes(state.view.phase));
  showBoard();
  showJoining();
  offerArranging();
  actions.show(state.view);
  offerGames();
  showMore(state.view);
  if (state.view.lesson || $("lesson")) import("./lesson.js").then(({ showLesson }) => showLesson(state.view, state.you, order, toStart));
}

// Does `what` with the start, which few phones ever show, and shows what there is to see then.
/** @param {(start: typeof import("./start.js")) => void} [what] */
async function atStart(what) {
  const start = await import("./start.js");
  what?.(start);
  state.seenHere = start.seenHere;
  if (!state.sent) return;
  state.view = start.seenHere(state.sent);
  show();
}

// Shows the choice of games, while the lesson waits.
const toStart = () => atStart(({ leave }) => leave(state.sent));

// An empty table is there to begin a game on: nobody waits for that.
function offerGames() {
  const { view, you, sent } = state;
  const here = view !== sent && sent.lesson && !sent.lesson.puzzle;
  if (view) showLobby(view, you, you?.role === "guest" ? joinAndOrder : order, here ? /** @type {any} */ ({ ...sent, ...sent.lesson }) : you?.waits ? view.waiting : null,
    here ? () => atStart(({ goBack }) => goBack()) : null, view !== sent && !sent.lesson ? { sent, look: () => atStart(({ look }) => look(sent)) } : null);
}

// What few views have is loaded when one has it; on a page that was just opened not before all else is there, but for a form to fill
// in now, and what others have played. Of a game that is over it is all there is to do: there it waits for the page alone.
/** @param {PanelView} view */
function showMore(view) {
  state.moreAt ??= performance.now() + MORE_MS;
  const early = (view.share && state.you && state.you.role !== "guest") || (view.last && !state.you?.seats.includes(view.last.seat)) || (view.phase === "over" && document.readyState === "complete") ? 0 : state.moreAt - performance.now();
  clearTimeout(state.later);
  if (early > 0) return void (state.later = setTimeout(() => showMore(state.view), early));
  // What waits for a file takes the view that there is then: of several, any may come last.
  if (Object.values(state.geometry.sites).some(({ kind }) => kind === "node")) startTurning();
  if (priced(view)) fetched("pricing", () => import("../board/prices.js").then(startPricing));
  if (state.view && (state.you?.ready.length || $("ready"))) import("./ready.js").then(({ showReady }) => showReady(state.view, state.you));
  if (state.view?.share || $("share")) import("./share.js").then(({ showShare }) => showShare(state.view, state.you, order));
  if (view.captures.length || document.querySelector(".seat .captured")) import("../board/captured.js").then(({ showCaptured }) => showCaptured(state.view, board.drawings));
  if (state.you?.afar || view.seats.some(({ afar }) => afar)) import("/static/play/notices.js").then(({ seeTurn }) => seeTurn(state.view, state.you));
  if (view.phase === "over") import("./again.js").then((again) => actions.offerAgain(again));
  if (view.phase === "over" || $("over")) import("./over.js").then(({ showOver }) => showOver(state.view, state.you, send, () => actions.openEvening()));
  if (view.ring) import("./who_beats.js").then(({ showRing }) => showRing(state.view, board.drawings));
  import("../common/room.js").then(({ watchRoom }) => watchRoom());
  if (view.last || view.help.way || view.lesson?.refuted.length || $("last-turn")) import("./story.js").then(({ seeLast }) => seeLast(state, { board, scene, send, beside: $("seated") }));
  if ($("look-back")?.open) import("./look_back.js").then(({ goesOn }) => goesOn(state.view));
}

$("plies").addEventListener("click", async (event) => {
  const row = event.target.closest("[data-ply]");
  if (!row) return;
  const [{ lookBack }] = await Promise.all([import("./look_back.js"), styled("look_back.css")]);
  lookBack(Number(row.dataset.ply), { geometry: state.geometry, view: state.view, you: state.you, drawings: board.drawings, turned: board.turned, send });
});

// Whether simulated pieces stand otherwise than they should, and no hand is about to change that.
function standsOtherwise() {
  if (!state.hasHand || !state.view || hand.heldHere().length) return false;
  if (hand.unfinished) return hand.own.moves();
  if (hand.finishes && !["fix", "setup", "pause"].includes(state.view.phase)) return false; // a move that is not counted yet
  const standing = hand.standing();
  return Object.entries(state.view.sites).some(([name, { label, piece, secret }]) => {
    if (secret) return false;
    const there = standing.get(name);
    return label && (there?.seat !== piece?.seat || there?.kind !== piece?.kind);
  });
}

// Pieces that this seat sets up in secret, also while another one is to move.
async function offerArranging() {
  if (!state.view?.arrange && !state.arranging) return;
  await fetched("arranging", () => import("./arrange.js").then(({ Arranging }) => {
    state.arranged = new Arranging({ board, table: $("table"), order, tell: refuse, changed: showBoard });
  }));
  if (state.view && state.you) state.arranged?.show(state.view, state.you);
}

// Whether moves between cells have a price, as those of stores do.
/** @param {PanelView} view */
const priced = ({ marks }) => marks.some(({ at }) => at.length > 1);

// While a hand that finishes moves holds a store, the board need not ask what became of it: the next tap says so.
/** @param {PanelView} view */
function asked(view) {
  state.holds = hand.finishes && hand.heldHere().length > 0;
  const { plies, words } = hand.own.looked ?? {};
  if (plies) return { ...view, advice: words ?? "", question: "", choices: [] };
  if (!priced(view) || !state.holds || !view.question) return view;
  return { ...view, question: "", choices: [], waits: view.help.about && view.waits !== view.question ? view.waits : t("Tap the cell to send units to, or this one again to keep them here.") };
}

/** @param {PanelView} view */
function showTurn(view) {
  showBanner(asked(view), state.you, order);
  seats.show(view, state.you, board.turned, board.drawings);
}

/** @param {PanelView} view */
function showRecord(view) {
  showMoves($("plies"), view, board.drawings);
  brighten(view.brightness);
}

function showBoard() {
  if (!state.view || !state.geometry) return;
  scene.show();
  // Where the hand finishes moves nobody needs the tools of raw hands.
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".hand-only"))) element.hidden = !state.hasHand || hand.finishes;
  document.body.classList.toggle("has-hand", state.hasHand);
  $("tray").hidden = !state.hasHand;
  $("set-aside").disabled = !hand.current();
  $("by-hand").closest("label").hidden = !hand.canFinish;
  if (!state.choosing) $("by-hand").checked = !hand.finishes;
  hand.showTray((piece) => scene.pieceName(piece));
  if (state.holds !== (hand.finishes && hand.heldHere().length > 0)) showTurn(state.view);
  const lifted = scene.liftedFrom() || (hand.own.looked?.site ?? "");
  if (lifted || state.card) showCard(lifted, `${state.view.game_id} ${state.view.plies.length}`);
  state.heard?.lift(lifted);
  actions.showActs();
}

/** @param {string} site @param {string} version */
async function showCard(site, version) {
  (await fetched("card", () => import("../board/card.js").then(({ Card }) => new Card($("card"), board))))?.show(site, version);
}

/** @param {typeof import("../board/prices.js")} prices */
function startPricing({ Prices }) {
  state.prices = new Prices({ board, table: $("table"), status: $("told"), redraw: showBoard });
  scene.forget();
  showBoard();
}

// ---- what people do ----

// The keys are fetched with the first focus on the board; a key pressed until they are there is done then.
/** @type {Promise<any> | undefined} */
let keys;
/** @type {(event: any) => any} */
let key = (event) => keys?.then(() => key(event));
const fetchKeys = () => import("../board/keys.js").then(({ keysOf }) => {
  key = keysOf({ board, hand, hasHand: () => state.hasHand, meaningOf: (name) => scene.meaningOf(name), list: (name) => actions.openPlies(name), setAside,
    tell });
}).catch((error) => (keys = whileAway(error)));
$("board").addEventListener("keydown", (event) => key(event));
$("table").addEventListener("focusin", () => keys ??= fetchKeys());

// Wherever the focus is: after a click it is on no cell. An open dialog takes Escape for itself.
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && state.hasHand && !document.querySelector("dialog[open]")) hand.putBack();
});

function setAside() {
  const id = hand.current();
  if (id) hand.setAside(id);
}

$("set-aside").addEventListener("click", setAside);
$("set-up").addEventListener("click", () => send("set_up", {}));
$("by-hand").addEventListener("change", ({ target }) => {
  const finish = async (/** @type {boolean} */ on) => {
    state.choosing++; // until the last choice is answered the box stays as it was ticked, whatever comes of an earlier one
    const done = await send("finish", { on });
    state.choosing--;
    if (done && $("by-hand").checked !== on) hand.finishes = on; // the pieces that say so may come after the answer
    showBoard();
  };
  if (target.checked || !(hand.heldHere().length || standsOtherwise())) return finish(!target.checked);
  target.checked = true; // until that is answered
  import("../board/by_hand.js").then(({ askFirst }) => askFirst({ open: (...parts) => actions.open(...parts), close: () => actions.sheet.close(), finish: () => finish(true) }));
});
// A piece in the hand goes back first: who has lifted it by mistake takes nothing else back.
$("take-back").addEventListener("click", () => (hand.heldHere().length && !standsOtherwise() ? hand.putBack() : actions.takeBack()));
$("turn").addEventListener("click", () => {
  choose("turned", null); // as it lies by itself, where it was turned
  if (turnedFor(state.view, state.you) === board.turned) choose("turned", !board.turned);
  turnAsChosen();
  if (state.view) showTurn(state.view);
});

function turnAsChosen() {
  const turned = turnedFor(state.view, state.you);
  if (turned === board.turned) return;
  board.turned = turned;
  $("turn").setAttribute("aria-pressed", Boolean(turned));
  if (state.geometry) board.draw(state.geometry);
  scene.forget();
  showBoard();
}

$("new-game").addEventListener("click", async () => {
  const [games, levels] = await Promise.all([send("games"), send("levels")]);
  if (!games) return;
  const [{ openDialog }] = await Promise.all([import("/static/play/new_game.js"), styled("new_game.css"), styled("menu.css")]);
  state.follow = openDialog($("dialog"), games, levels ?? [], state, (what) => ask("order", what));
});

document.querySelectorAll("dialog").forEach(backCloses);

/** @typedef {"seams" | "pricing" | "arranging" | "card"} Fetched */

// What `load` fetches is kept as state[name], and fetched again where that failed.
const fetched = (/** @type {Fetched} */ name, /** @type {() => Promise<any>} */ load) =>
  (state[name] ??= load().catch((error) => (state[name] = whileAway(error))));

// Nobody zooms before the first press, and browsers let nothing be heard before it.
onPress(["pointerdown", "wheel"], () => import("/static/board/zoom.js").then(({ Zoom }) => (state.zoom = new Zoom(board))));
onPress(["pointerdown", "keydown"], () => import("./heard.js").then(({ Heard }) => {
  state.heard = new Heard($("board"), () => state, $("sentence"), () => actions.openLegend());
}));

// A page that is not seen need not hold one of the few connections that a browser has.
document.addEventListener("visibilitychange", () => (document.hidden ? state.source.close() : watch()));
// What another tab of this browser has come in with is shown here only by a stream taken up anew.
addEventListener("storage", () => state.you?.role === "guest" && chosen("joined", false) && watch());
addEventListener("load", show);
watch();
const small = matchMedia("(max-width: 19.9rem), (max-height: 19rem)"), seeSize = () => small.matches && styled("large.css"); // text made large
small.onchange = seeSize;
seeSize();
if (chosen("left", null) !== null) atStart(); // it stays left after a reload
