// The workshop: runs of many games, how far each is, its report; and a form that starts one.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { $, button, make, setText } from "../common/dom.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { RunBegun, RunTold, RunsPage } from "../common/types.js" */

const PLAYING_MS = 2000, QUIET_MS = 10_000;
/** @type {Map<string, Card>} */
const cards = new Map();
/** @type {ReturnType<typeof setTimeout>} */
let timer;
let playing = "", unheard = false;

// ---- the runs ----

/** @param {RunTold} run */
function what({ players, varied, begun }) {
  const day = new Date(`${begun.replace(" ", "T")}Z`).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  return [players.join(", "), ...varied.map(({ title, values }) => t("{title}: {sentence}", { title, sentence: values.join(", ") })), day].join(" · ");
}

/** @param {RunTold} run */
function progressOf({ played, of, state, seconds_left: left, report }) {
  const count = t("{played} of {of} games", { played, of });
  if (state === "ends") return t("{count}. The report is being written …", { count });
  if (state === "rests") return played < of || report ? count : t("{count}. There is no report on them yet.", { count });
  if (left === null) return t("{count}. The first ones are being played …", { count });
  return left < 90 ? t("{count}, {left} s left", { count, left }) : t("{count}, {left} min left", { count, left: Math.round(left / 60) });
}

// A run as the list shows it. It stays the same element, so that nobody loses the button they are about to press.
class Card {
  /** @param {string} name */
  constructor(name) {
    this.title = make("span");
    this.what = make("small");
    this.bar = make("progress");
    this.progress = make("span", { id: `progress-${name}` });
    this.bar.setAttribute("aria-labelledby", this.progress.id);
    this.report = make("a", { className: "go", href: `/workshop/runs/${encodeURIComponent(name)}/report.html`, textContent: t("Report") });
    this.end = button(t("End"), () => act("end", name));
    this.goOn = button(t("Go on"), () => act("go-on", name));
    this.remove = button(t("Delete"), () => removed(name));
    for (const each of [this.report, this.end, this.goOn, this.remove]) each.setAttribute("aria-label", `${each.textContent}: ${name}`);
    this.element = make("li", {}, make("b", { dir: "auto", textContent: name }), this.title, this.what, this.bar, this.progress,
      make("div", { className: "choices" }, this.report, this.end, this.goOn, this.remove));
  }

  /** @param {RunTold} run @param {RunsPage} page */
  show(run, { owner, installed, playing: other }) {
    setText(this.title, run.title);
    setText(this.what, what(run));
    setText(this.progress, progressOf(run));
    [this.bar.max, this.bar.value] = [run.of, run.played];
    const here = run.state !== "rests";
    this.bar.hidden = !here;
    this.report.hidden = !run.report || here;
    this.end.hidden = !owner || run.state !== "plays";
    this.goOn.hidden = !owner || !installed || Boolean(other) || (run.played >= run.of && run.report);
    this.remove.hidden = !owner || here;
  }
}

/** @param {RunsPage} page */
function showRuns(page) {
  const names = new Set(page.runs.map(({ name }) => name));
  for (const [name, card] of cards) {
    if (names.has(name)) continue;
    card.element.remove();
    cards.delete(name);
  }
  page.runs.forEach((run, place) => {
    const card = cards.get(run.name) ?? new Card(run.name);
    cards.set(run.name, card);
    card.show(run, page);
    if ($("runs").children[place] !== card.element) $("runs").insertBefore(card.element, $("runs").children[place] ?? null);
  });
  $("none").hidden = page.runs.length > 0;
}

/** @param {RunsPage} page */
function show(page) {
  showRuns(page);
  $("missing").hidden = page.installed;
  const form = document.getElementById("run");
  if (form) {
    form.hidden = !page.installed;
    $("start").disabled = Boolean(page.playing);
    setText($("busy"), page.playing ? t("One at a time: {name} is being played.", { name: page.playing }) : "");
  }
  if (playing && !page.playing) {
    const over = page.runs.find(({ name, report }) => name === playing && report);
    setText($("told"), over ? t("The report on {name} is written.", { name: playing }) : "");
  }
  if (page.wrong || unheard) setText($("wrong"), page.wrong);
  playing = page.playing;
  unheard = false;
}

async function look() {
  clearTimeout(timer);
  try {
    show(await ask("runs"));
  } catch (error) {
    setText($("wrong"), messageOf(error));
    unheard = true;
  }
  timer = setTimeout(look, playing && !document.hidden ? PLAYING_MS : QUIET_MS);
}

// Lets the service do something with a run; returns whether it was done.
/** @param {string} path @param {string} name */
async function act(path, name) {
  setText($("wrong"), "");
  setText($("told"), "");
  if (await askOrTell(`runs/${path}`, { name }, (wrong) => setText($("wrong"), wrong))) await look();
}

/** @param {string} name */
async function removed(name) {
  if (await sure(t("Delete {name} with all its games and its report?", { name }), t("Delete"))) await act("remove", name);
}

// ---- the form ----

const optionsOfAll = [...document.querySelectorAll("#run-option option")];

// Offers the options of the game that is chosen.
function offer() {
  const [game] = $("run-play").value.split("/");
  $("run-option").replaceChildren(...optionsOfAll.filter((each) => !each.getAttribute("data-game") || each.getAttribute("data-game") === game));
  $("run-option").selectedIndex = 0;
  tell();
}

// Says what the chosen option means, and suggests all of its values where they are few.
function tell() {
  const chosen = $("run-option").querySelector("option:checked");
  setText($("help-option"), chosen?.dataset.help ?? "");
  $("run-values").value = chosen?.dataset.values ?? "";
  $("values").hidden = !$("run-option").value;
}

async function start() {
  const [game, variant = ""] = $("run-play").value.split("/");
  const levels = [...$("run").querySelectorAll("[name=level]")].map(({ value }) => value).filter(Boolean);
  setText($("wrong"), "");
  setText($("told"), "");
  $("start").disabled = true;
  try {
    /** @type {RunBegun} */
    const { name } = await ask("runs/begin", {
      game, variant, levels, games: Math.trunc(Number($("run-games").value)), option: $("run-option").value,
      values: $("run-option").value ? $("run-values").value : "", name: $("run-name").value.trim(),
    });
    await look();
    $("run-name").value = "";
    cards.get(name)?.element.scrollIntoView({ block: "center" });
  } catch (error) {
    $("start").disabled = false;
    setText($("wrong"), messageOf(error));
    $("wrong").scrollIntoView({ block: "center" });
  }
}

if (document.getElementById("run")) {
  $("run-play").addEventListener("change", offer);
  $("run-option").addEventListener("change", tell);
  $("run").addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  offer();
}
look();
