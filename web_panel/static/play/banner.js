// The banner: whose turn it is, what the board waits for and asks; beside it the line about the connection and the page's title.

import { $, button, make, setText, styled } from "../common/dom.js";
import { acting, isOwn, moverAway, playerName, saysTurn, shared } from "./seats.js";
import { all, t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { Choice, PanelView, You } from "../common/types.js" */

// Shows what does not work: the connection of this page, else the board's own.
/** @param {boolean} connected @param {string} sentence */
export function showLink(connected, sentence) {
  setText($("banner"), sentence);
  $("banner").hidden = !sentence;
  document.body.classList.toggle("offline", !connected);
}

/** What of a match is told where, once one is played. @type {typeof import("./match.js").headlines | null} */
let headlines = null;
/** That who is to move is away. @type {typeof import("./mover_away.js").awayTold | null} */
let awayTold = null;
/** What was shown last. @type {Parameters<typeof showBanner>} */
let newest;

// Shows what `view` says to `you`; `order(what)` sends an answer to the question.
/** @param {PanelView} view @param {You | null} you @param {Give} order */
export function showBanner(view, you, order) {
  newest = [view, you, order];
  if (view.match && !headlines) return void import("./match.js").then((match) => (({ headlines } = match), showBanner(...newest)));
  const away = moverAway(view, you) && !view.back_asked && !view.seats.some((seat) => seat.offers_draw); // else it is for others to answer
  if (away && !awayTold) return void import("./mover_away.js").then((told) => (({ awayTold } = told), showBanner(...newest)));
  const mover = acting(view, you).find((seat) => you?.seats.includes(seat)) ?? view.seats.findIndex((seat) => seat.to_move); // who chooses as others do is to move, too
  const turn = mover < 0 || !["play", "fix"].includes(view.phase) ? "" : isOwn(view, you, mover) ? "mine" : "theirs";
  if (document.body.dataset.turn !== turn) $("told").scrollTop = 0; // who has read on below sees whose turn it is now
  document.body.dataset.turn = turn;
  document.body.dataset.phase = view.phase;
  document.body.classList.toggle("learning", Boolean(view.lesson));
  document.body.classList.toggle("asked", Boolean(view.back_asked) || view.seats.some((seat) => seat.offers_draw));
  setText($("title"), [view.title, view.stage].filter(Boolean).join(" · "));
  const over = view.phase === "over";
  const said = turn ? whoseTurn(view, you, mover, turn) : isDecided(view, you) && view.asks || view.sentence;
  const { crowned, headline, beside } = headlines?.(view, you, said) ?? { crowned: false, headline: said, beside: "" };
  if (document.body.classList.toggle("crowned", crowned)) styled("crown.css");
  setText($("sentence"), headline);
  $("sentence").classList.toggle("turn", Boolean(turn) && saysTurn(view, you, mover));
  setText($("seated"), [view.seating, over && beside, you?.wants_next].filter(Boolean).join(" "));
  setText($("advice"), view.advice);
  const asked = ownQuestion(view, you);
  const waits = view.advice || asked.question || view.lesson || over || (view.share && you?.role === "guest" && !(mover in you.held)) ? "" : (away && awayTold?.(view, you, mover)) || (turn === "mine" && view.todo) || (turn && namesMover(view, you, mover, said) ? "" : named(view, you));
  setText($("waits"), waits.startsWith(view.proposal) ? waits : [view.proposal, waits].filter(Boolean).join(" "));
  showTitle(view, turn);
  showQuestion(asked, order);
  showLines([over ? "" : beside, ...view.lines].filter((line) => line && !waits.startsWith(line)), over ? view.seats.length : Infinity);
}

// The sentence of the service with the seat's name in it, or the person's; where it says more than whose turn it is, as it is.
/** @param {PanelView} view @param {You | null} you @param {number} mover @param {string} turn */
function whoseTurn(view, you, mover, turn) {
  const seat = view.seats[mover].name;
  if (view.asks && (turn === "mine" || view.share?.ahead) && !(you && you.seats.length > 1)) return view.asks; // who shares out ahead does so, too
  if (view.go_on_ms && you?.seats.length === 1 && you.seats[0] === view.plies.at(-1)?.seat) return t("You may go on.");
  if (!saysTurn(view, you, mover)) return view.sentence;
  if (view.lesson) return ""; // its step says what to do
  if (turn === "mine" && shared(you) && you?.people[mover]) return t("Your turn, {person}", { person: playerName(view, you, mover) });
  if (turn === "mine") return you && you.seats.length > 1 ? t("Your turn: {seat}", { seat }) : t("Your turn");
  return t("{seat} to move.", { seat: playerName(view, you, mover) });
}

// Whether who looks at this phone has won, or lost with the one seat it has: somebody who plays all seats has not.
/** @param {PanelView} view @param {You | null} you */
function isDecided({ phase, lesson, winner, seats }, you) {
  const own = seats.filter((_, seat) => isOwn({ seats }, you, seat));
  return phase === "over" && !lesson && winner !== null && own.length < seats.length && (own.length === 1 || own.includes(seats[winner]));
}

// What the board waits for; while all choose in secret, for whom.
/** @param {PanelView} view @param {You | null} you */
function named(view, you) {
  const names = acting(view, you).map((seat) => playerName(view, you, seat));
  return names.length && view.waits === t("Waiting for all who are not ready yet.") ? t("Waiting for {names}.", { names: all(names) }) : view.waits;
}

// Whether the board waits for nothing but whoever is to move, whom the headline `said` names already.
/** @param {PanelView} view @param {You | null} you @param {number} mover @param {string} said */
function namesMover(view, you, mover, said) {
  return [view.seats[mover].name, playerName(view, you, mover)].some((seat) => said.includes(seat) && view.waits === t("Waiting for {seat}.", { seat }));
}

/** @param {PanelView} view @param {string} turn */
function showTitle({ title }, turn) {
  const parts = turn === "mine" ? [`● ${t("Your turn")}`, title] : [title, "Beaconboard"];
  document.title = parts.filter(Boolean).join(" – ");
}

// What is asked of who looks at this phone: a question about somebody else's piece is theirs.
/** @param {PanelView} view @param {You | null} you */
function ownQuestion({ question, choices, answerers, lesson }, you) {
  const own = choices.filter((_, n) => lesson || !((answerers[n] ?? -1) in (you?.held ?? {})) || you?.seats.includes(/** @type {number} */ (answerers[n])));
  return { question: own.length || !choices.length ? question : "", choices: own };
}

/** @param {{ question: string, choices: Choice[] }} asked @param {Give} order */
function showQuestion({ question, choices }, order) {
  const [asked, answers] = [$("question"), $("answers")];
  const now = JSON.stringify([question, choices]);
  if (answers.dataset.now === now) return;
  answers.dataset.now = now;
  asked.hidden = !question;
  asked.textContent = question;
  answers.hidden = !choices.length;
  answers.replaceChildren(...choices.map(({ ply, words: text }) => button(text || ply, () => order({ do: "ply", text: ply }))));
  if (question || choices.length) $("told").scrollTop = 0;
}

// The lines of the game; of more than so many that are `asked` for first, once it is over, the rest is folded.
/** @param {string[]} lines @param {number} asked */
function showLines(lines, asked) {
  const list = $("lines");
  const now = JSON.stringify([lines, asked]);
  if (list.dataset.now === now) return;
  list.dataset.now = now;
  const items = lines.map((line) => make("li", { textContent: line })), rest = items.splice(asked);
  list.replaceChildren(...items, ...(rest.length ? [make("li", {}, make("details", {}, make("summary", { textContent: t("More") }), make("ul", {}, ...rest)))] : []));
}
