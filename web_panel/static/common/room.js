// The room of the card: what just happened is told where it covers nothing that is needed, and where it is seen; no line is half
// seen above the buttons.

import { $ } from "./dom.js";

/** @import { PageElement } from "./dom.js" */

const GAP_PX = 6;
const AIR_PX = 2; // of the room around the letters: a line that ends just at the edge, in the shade, looks cut as well
const WHOLE_LINES = 2; // a longer sentence that has no room is begun all the same, or much of the card would stay empty
const PASSES = 3; // beside a line that is cut another one may stand a little higher
const ASKS = "#sentence, #lesson, #advice, #waits, #question, #card, #share, #arrange"; // what to do, and what the piece in hand can, of all that the card tells
let watches = false;

// Sees to the room now, and from now on whenever the card changes.
export function watchRoom() {
  const card = $("status");
  if (!watches && card) {
    watches = true;
    $("told").style.marginBottom = "var(--cut, 0)"; // set at the card: others watch what is told, and would answer each change of it
    new MutationObserver(seeTo).observe(card, { subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"] });
    const sizes = new ResizeObserver(seeTo);
    for (const each of [card, $("foot"), $("lines")]) sizes.observe(each); // they also grow when a style comes that was waited for
    addEventListener("resize", seeTo); // which may change what the card tells, and not its size
  }
  seeTo();
}

function seeTo() {
  if (!$("told")) return;
  $("status").style.setProperty("--cut", "0px");
  const story = [...document.querySelectorAll("#last-turn > span")].map((each) => /** @type {HTMLElement} */ (each));
  for (const each of story) each.style.webkitLineClamp = "";
  shorten(story, $("told").getBoundingClientRect().bottom - cutOff($("told")));
  $("status").style.setProperty("--cut", `${cutOff($("told"))}px`);
  if ($("toast").textContent) place($("toast"), $("status"));
}

// Says `sentence` in the dialog that lies over the page, where one does: nobody sees or hears what is told behind it.
/** @param {string} sentence */
export function sayInside(sentence) {
  const dialog = /** @type {PageElement | null} */ (document.querySelector("dialog[open]"));
  dialog?.querySelector(".told")?.remove();
  if (!dialog || !sentence) return;
  const line = Object.assign(document.createElement("p"), { className: `told ${$("toast").className}`, role: "alert", textContent: sentence });
  dialog.append(line);
  if (!dialog.querySelector("#gone-on")) line.scrollIntoView({ block: "nearest" }); // that is at the head, and matters more
}

// Lets the one of the sentences that reaches below the `edge` end there with an ellipsis, until somebody wants all of it: nobody sees else
// that more is to be read.
/** @param {HTMLElement[]} story @param {number} edge */
function shorten(story, edge) {
  if ($("last-turn")?.dataset.whole) return;
  const range = document.createRange();
  for (const each of story) {
    range.selectNodeContents(each);
    const bottoms = [...new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom)))];
    const seen = bottoms.filter((bottom) => bottom < edge + AIR_PX).length;
    if (seen && seen < bottoms.length) each.style.webkitLineClamp = String(seen);
  }
}

// How much earlier what is told has to end so that its edge cuts no line, as long as there is another one before that.
/** @param {HTMLElement} told */
function cutOff(told) {
  if (told.scrollHeight <= told.clientHeight + 1) return 0;
  const { top, bottom } = told.getBoundingClientRect(), lines = linesOf(told);
  let edge = bottom;
  for (let pass = 0; pass < PASSES; pass++) {
    edge = Math.min(edge, ...lines.filter((line) => line.top < edge - 1 && line.bottom > edge + 1).map((line) => line.top));
  }
  return lines.some((line) => line.top >= top - 1 && line.bottom <= edge + 1) ? bottom - edge : 0;
}

// Where the lines of text are, and what is seen as one: of the sentences below what to do no short one is begun that has no room.
// Who beats whom is a picture beside lines: it takes none of them along where it ends too low.
/** @param {HTMLElement} told */
function linesOf(told) {
  /** @param {DOMRect} box */
  const aired = ({ x, y, width, height }) => new DOMRect(x, y + AIR_PX, width, height);
  const range = document.createRange(), lines = [...told.querySelectorAll("button:not(#last-turn), svg:not(.who-beats *)")].map((each) => each.getBoundingClientRect());
  lines.push(...[...told.querySelectorAll("#lines > li:not(.who-beats)")].filter((each) => {
    range.selectNodeContents(each);
    return range.getClientRects().length <= WHOLE_LINES;
  }).map((each) => aired(each.getBoundingClientRect()))); // or it would begin within the line above it
  for (const walk = document.createTreeWalker(told, NodeFilter.SHOW_TEXT); walk.nextNode();) {
    if (walk.currentNode.parentElement?.closest("details:not([open]) > ul")) continue; // folded: Chromium knows boxes of it all the same
    range.selectNodeContents(walk.currentNode);
    lines.push(...[...range.getClientRects()].map(aired));
  }
  const turn = told.querySelector("#last-turn")?.getBoundingClientRect(); // its edge is seen with its first line, or not at all
  const first = turn && lines.find(({ top, bottom }) => top >= turn.top && bottom <= turn.bottom);
  if (first) lines.push(new DOMRect(turn.x, turn.y, turn.width, first.bottom - turn.y));
  return lines.filter(({ height }) => height);
}

// Lifts `line` from the dock, where a style puts it, to the foot of what the card tells, if it covers nothing there that says what to do.
// Where it would, it lies over the others' seats instead, unless it is so long that it would cover cells there. Over the dock taps go through it.
// One that is higher than the dock would cover the card's buttons: it covers what is told above them instead.
/** @param {HTMLElement} line @param {HTMLElement} card */
function place(line, card) {
  line.style.translate = "";
  const own = line.getBoundingClientRect(), { left, width, bottom } = card.getBoundingClientRect(), foot = $("foot").getBoundingClientRect();
  const asked = Math.max(0, ...[...card.querySelectorAll(ASKS)].map((each) => each.getBoundingClientRect().bottom));
  const rise = own.bottom - (foot.height ? foot.top : bottom) + GAP_PX;
  const buttons = foot.height > 0 && own.top < foot.bottom;
  const up = rise > 0 && own.top - rise > asked ? -rise : (atSeats(own.height) ?? (buttons ? own.top - rise : own.top)) - own.top;
  line.style.translate = `${left + width / 2 - own.left - own.width / 2}px ${up}px`;
  line.style.pointerEvents = up ? "" : "none";
}

// Where a line of that height begins which lies over the others' seats; undefined where those are not shown, or cells are in its way.
/** @param {number} height */
function atSeats(height) {
  const { top, bottom, height: room } = $("others").getBoundingClientRect();
  if (matchMedia("(orientation: landscape)").matches) return room ? top : undefined;
  const begin = Math.max(0, bottom - height), cells = [...document.querySelectorAll("#board .site")].map((each) => each.getBoundingClientRect().top);
  return room && begin + height < Math.min(...cells) ? begin : undefined;
}
