// The walk over the board on the page of board care: its questions, the answers, and what is wrong. The questions and
// the findings come from the service; here somebody taps the cell that glows.

import { make, t } from "./board.js";
import { ask } from "./play.js";

const $ = (id) => document.getElementById(id);
const STAY_MS = 3000;
const ASKED = "#3b8fe0";
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const state = { walk: null, stayed: 0, refresh: null, made: false };

const walking = () => state.walk?.running && state.walk.yours;

// The colour of a cell on the map: the one that a magnet is asked for.
export const lightOf = (name, walk) => (walk.asked === name ? ASKED : "#000000");

// Shows the walk of the report; `refresh` asks for a new report at once.
export function showWalk(board, walk, role, refresh) {
  if (!state.made) listen(board);
  Object.assign(state, { walk, refresh, made: true });
  if (walking() && performance.now() - state.stayed > STAY_MS) stay();
  $("walk-begin").hidden = Boolean(walk?.running) || role !== "owner";
  $("walk-why").hidden = Boolean(walking());
  $("walk-answers").hidden = !walking();
  $("none").hidden = walk?.of !== "lights";
  $("silent").hidden = walk?.of !== "sensors";
  $("back").disabled = !walk?.number;
  const over = walk && !walk.running;
  $("walk-more").hidden = !over || role !== "owner";
  $("learn").hidden = !walk?.learn;
  $("again").hidden = !over || walk.done;
  $("every").hidden = !over || !walk.done || walk.all;
  say($("asked"), sentence(walk, role));
  const now = JSON.stringify(over ? walk.findings : []);
  if ($("findings").dataset.now === now) return;
  $("findings").dataset.now = now;
  $("findings").replaceChildren(...(over ? walk.findings : []).map(({ what, advice }) => make("li", {}, make("b", { textContent: what }), ` ${advice}`)));
}

function say(element, text) {
  if (element.textContent !== text) element.textContent = text; // else a screen reader would say it again
}

function sentence(walk, role) {
  if (!walk) return role === "owner" ? "" : t("Only the owner's phone can walk over the board.");
  if (!walk.running) return walk.ended || verdict(walk);
  if (!walk.yours) return t("Another phone walks over the board.");
  return [walk.told, walk.pressed ? t("Take the magnet off again.") : question(walk)].filter(Boolean).join(" ");
}

function question({ of, asked, number, count }) {
  const place = { number: number + 1, count, site: asked };
  if (of === "sensors") return t("{number} of {count}: put a magnet on {site} and take it off again.", place);
  return count === null
    ? t("Light {number}: tap the cell that glows here on the map, or put a magnet on it.", place)
    : t("Light {number} of {count}: tap the cell that glows here on the map, or put a magnet on it.", place);
}

function verdict({ findings, done, all, of }) {
  if (findings.length) return t("This is wrong:");
  if (!done) return t("Nothing is wrong so far.");
  if (of === "sensors") return t("All sensors answer where they should.");
  return all ? t("All lights shine where they should.") : t("The lights are in the right order.");
}

// ---- what people do ----

async function send(path, body) {
  $("walk-told").textContent = "";
  try {
    return await ask(`care/walk/${path}`, body);
  } catch (error) {
    $("walk-told").textContent = error.message;
    return null;
  } finally {
    await state.refresh();
  }
}

async function begin(more) {
  if (await send("begin", more)) $("board").scrollIntoView({ block: "nearest" });
}

async function stay() {
  state.stayed = performance.now();
  await ask("care/walk/stay", {}).catch(() => null); // a walk that has ended meanwhile is told with the next report
}

const answer = (more) => send("answer", { number: state.walk.number, ...more });

function listen(board) {
  const tapped = (site) => walking() && state.walk.of === "lights" && site && answer({ site });
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
  $("again").onclick = () => begin({ of: state.walk.of, again: true });
  $("every").onclick = () => begin({ of: "lights", again: true, few: false });
  for (const id of ["none", "silent"]) $(id).onclick = () => answer({});
  $("back").onclick = () => answer({ number: state.walk.number, back: true });
  $("end").onclick = () => send("end", {});
  $("learn").onclick = async () => {
    const answered = await send("learn", {});
    if (answered) $("walk-told").textContent = answered.told;
  };
  document.querySelector("header a").addEventListener("click", () => walking() && leave());
}

// Who goes back to the board needs its lights at once.
function leave() {
  const body = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", keepalive: true };
  fetch("/api/care/walk/end", body).catch(() => null);
}
