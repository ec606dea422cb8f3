// The guided check of the board on the page "Board care": its questions, the answers, and what is wrong. The questions
// and the findings come from the service; here somebody taps the cell that glows.

import { ask, askOrTell, request } from "../common/api.js";
import { $, ARROWS, make, setText } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Board } from "../board/board.js" */
/** @import { CheckTold } from "../common/types.js" */

const STAY_MS = 3000;
const ASKED = "#3b8fe0";

/** @type {{ check: CheckTold | null, stayed: number, refresh: () => any, made: boolean }} */
const state = { check: null, stayed: 0, refresh: () => {}, made: false };

const checking = () => state.check?.running && state.check.yours;

// The colour of a cell on the map: the one that a magnet is asked for.
/** @param {string} name @param {{ asked: string | null }} check */
export const lightOf = (name, check) => (check.asked === name ? ASKED : "#000000");

// Shows the check of the report, and while a game is `playing` how to pause it; `refresh` asks for a new report at once.
/** @param {Board} board @param {CheckTold | null} check @param {string} role @param {boolean} playing @param {() => any} refresh */
export function showCheck(board, check, role, playing, refresh) {
  if (!state.made) listen(board);
  Object.assign(state, { check, refresh, made: true });
  if (checking() && performance.now() - state.stayed > STAY_MS) stay();
  $("check-begin").hidden = Boolean(check?.running) || role !== "owner";
  $("check-pause").hidden = $("check-begin").hidden || !playing;
  $("check-why").hidden = Boolean(checking());
  $("check-answers").hidden = !checking();
  $("none").hidden = check?.of !== "lights";
  $("silent").hidden = check?.of !== "sensors";
  $("back").disabled = !check?.number;
  const over = check && !check.running;
  $("check-more").hidden = !over || role !== "owner";
  $("learn").hidden = !check?.learn;
  $("again").hidden = !over || Boolean(check?.done);
  $("every").hidden = !over || !check?.done || Boolean(check.all);
  setText($("asked"), sentence(check, role));
  const now = JSON.stringify(over ? check.findings : []);
  if ($("findings").dataset.now === now) return;
  $("findings").dataset.now = now;
  $("findings").replaceChildren(...(over ? check.findings ?? [] : []).map(({ what, advice }) => make("li", {}, make("b", { textContent: what }), ` ${advice}`)));
}

/** @param {CheckTold | null} check @param {string} role */
function sentence(check, role) {
  if (!check) return role === "owner" ? "" : t("Only the owner's phone can run a board check.");
  if (!check.running) return check.ended || verdict(check);
  if (!check.yours) return t("Another phone is running a board check.");
  return [check.told, check.pressed ? t("Take the magnet off again.") : question(check)].filter(Boolean).join(" ");
}

/** @param {CheckTold} check */
function question({ of, asked, number, count }) {
  const place = { number: number + 1, count, site: asked };
  if (of === "sensors") return t("{number} of {count}: put a magnet on {site} and take it off again.", place);
  return count === null
    ? t("Light {number}: find the lit cell on the board and tap it on this map, or put a magnet on it.", place)
    : t("Light {number} of {count}: find the lit cell on the board and tap it on this map, or put a magnet on it.", place);
}

/** @param {CheckTold} check */
function verdict({ findings, done, all, of }) {
  if (findings?.length) return t("Problems found:");
  if (!done) return t("No problems so far.");
  if (of === "sensors") return t("All sensors respond where they should.");
  return all ? t("All lights come on where they should.") : t("The lights are in the right order.");
}

// ---- what people do ----

/** @param {string} sentence */
const tell = (sentence) => ($("check-told").textContent = sentence);

/** @param {string} path @param {object} body */
async function send(path, body) {
  tell("");
  const answer = await askOrTell(`care/walk/${path}`, body, tell);
  await state.refresh();
  return answer;
}

/** @param {object} more */
async function begin(more) {
  if (await send("begin", more)) $("board").scrollIntoView({ block: "nearest" });
}

// No game sees the board while it is checked, so that the one that is on has to wait.
async function pause() {
  tell("");
  await askOrTell("order", { do: "pause", on: true }, tell);
  await state.refresh();
}

async function stay() {
  state.stayed = performance.now();
  await ask("care/walk/stay", {}).catch(() => null); // that a check has ended meanwhile comes with the next report
}

/** @param {object} more */
const answer = (more) => send("answer", { number: state.check?.number, ...more });

/** @param {Board} board */
function listen(board) {
  /** @param {string | null} site */
  const tapped = (site) => checking() && state.check?.of === "lights" && site && answer({ site });
  $("board").addEventListener("click", ({ clientX, clientY }) => tapped(board.near(board.point(clientX, clientY))));
  $("board").addEventListener("keydown", (event) => {
    const name = event.target.dataset?.site;
    const arrow = ARROWS[event.key];
    if (!name || !(arrow || event.key === "Enter" || event.key === " ")) return;
    event.preventDefault();
    if (!arrow) return tapped(name);
    const next = board.beside(name, ...arrow);
    board.focus(next);
    next.group.focus();
  });
  $("lights").onclick = () => begin({ of: "lights" });
  $("sensors").onclick = () => begin({ of: "sensors" });
  $("again").onclick = () => begin({ of: state.check?.of, again: true });
  $("every").onclick = () => begin({ of: "lights", again: true, few: false });
  $("pause").onclick = pause;
  for (const id of ["none", "silent"]) $(id).onclick = () => answer({});
  $("back").onclick = () => answer({ number: state.check?.number, back: true });
  $("end").onclick = () => send("end", {});
  $("learn").onclick = async () => {
    const answered = await send("learn", {});
    if (answered) tell(answered.told);
  };
  document.querySelector("header a")?.addEventListener("click", () => checking() && leave());
}

// Who goes back to the board needs its lights at once.
function leave() {
  request("care/walk/end", {}, { keepalive: true }).catch(() => null);
}
