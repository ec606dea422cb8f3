// The settings page: a form made from what the service says can be set. A change acts at once; the board above shows it.

import { ask, askOrTell } from "../common/api.js";
import { Board } from "../board/board.js";
import { offerCode } from "../common/console_code.js";
import { $, make } from "../common/dom.js";
import { all, t } from "../common/text.js";
import { playerName } from "../play/seats.js";
import { helpOf, nameOf, searched } from "./setting_words.js";
import { thisPhone } from "./this_phone.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, SettingTold, SettingsForm, You } from "../common/types.js" */

const board = new Board(/** @type {any} */ ($("board")));
/** @type {{ form: SettingsForm | null, view: PanelView | null, you: You | null }} */
const state = { form: null, view: null, you: null };
const HEADINGS = ["lights", "sound", "people", "this_board", "house", "touches", "technical"];
/** @type {[string, string][]} */
const LANGUAGES = JSON.parse(document.body.dataset.languages ?? "[]");

/** @param {string} sentence */
const tell = (sentence) => ($("toast").textContent = sentence);

/** @param {string} path @param {object} [body] */
async function post(path, body) {
  const answer = await askOrTell(path, body, tell);
  if (answer) tell("");
  return answer;
}

/** @param {Record<string, any>} values */
async function choose(values) {
  const form = await post("settings", { values });
  if (form) state.form = form;
  show();
  if (form && "language" in values) location.reload();
  if (Object.keys(values).some((name) => name.startsWith("house"))) showHouse();
}

// ---- the form ----

/** @param {SettingTold} field @param {string} id @returns {[HTMLInputElement | HTMLSelectElement, () => any]} */
function control(field, id) {
  const { kind, value, choices, low, high } = field;
  if (kind === "choice") {
    const select = make("select", { id });
    select.append(...choices.map((choice) => new Option(t(String(choice)), choice, false, choice === value)));
    return [select, () => select.value];
  }
  if (field.name === "language") {
    const select = make("select", { id });
    select.append(...[["auto", t("same as the phone")], ...LANGUAGES].map(([code, title]) => new Option(title, code, false, code === value)));
    return [select, () => select.value];
  }
  const input = make("input", { id, type: /** @type {Record<string, string>} */ ({ int: "number", bool: "checkbox" })[kind] ?? "text" });
  if (field.name === "brightness") input.type = "range";
  if (field.given !== undefined) Object.assign(input, { type: "password", autocomplete: "off", placeholder: field.given ? "••••••••" : "" });
  if (kind === "bool") input.checked = value;
  else Object.assign(input, /** @type {any} */ ({ min: low ?? "", max: high ?? "", value }));
  return [input, () => (kind === "bool" ? input.checked : kind === "int" ? input.valueAsNumber : input.value)];
}

/** @param {SettingTold} field */
function row(field) {
  const id = `set-${field.name}`;
  const [input, value] = control(field, id);
  input.setAttribute("aria-describedby", `${id}-help`);
  input.disabled = state.you?.role !== "owner";
  input.addEventListener("change", () => input.reportValidity() && choose({ [field.name]: value() }));
  const reset = make("button", { type: "button", className: "reset", textContent: "↺", onclick: () => choose({ [field.name]: null }) });
  reset.setAttribute("aria-label", t("Reset {setting}", { setting: nameOf(field.name) }));
  reset.disabled = input.disabled || (field.value === field.default && !field.given);
  const name = make("label", { textContent: nameOf(field.name) });
  name.htmlFor = id;
  const help = make("small", { id: `${id}-help`, textContent: helpOf(field) + bounds(field) });
  return make("div", { className: "setting", id: `row-${field.name}` }, name, input, reset,
    ...(input.type === "range" ? [shownNumber(input)] : []), help);
}

// How far a slider is, also while it is moved.
/** @param {HTMLElement & { value: any }} slider */
function shownNumber(slider) {
  const told = () => t("{percent}%", { percent: slider.value }), number = make("output", { textContent: told() });
  slider.addEventListener("input", () => (number.textContent = told()));
  return number;
}

/** @param {SettingTold} field */
function bounds({ kind, low, high, name }) {
  return kind === "int" && name !== "brightness" ? " " + t("{low} to {high}.", { low, high }) : "";
}

/** @param {SettingsForm} form */
function colours(form) {
  const chosen = form.fields.find(({ name }) => name === "own_colours")?.value;
  const own = new Map(chosen.split(" ").filter(Boolean).map((/** @type {string} */ pair) => pair.split("=")));
  return Object.entries(form.colours).map(([meaning, colour]) => {
    const input = make("input", { type: "color", id: `colour-${meaning}`, value: own.get(meaning) ?? colour, disabled: state.you?.role !== "owner" });
    input.addEventListener("change", () => {
      own.set(meaning, input.value);
      choose({ own_colours: [...own].map((pair) => pair.join("=")).join(" ") });
    });
    const label = make("label", { textContent: t(meaning.replaceAll("_", " ")) });
    label.htmlFor = input.id;
    return make("div", { className: "setting" }, label, input);
  });
}

function hints() {
  const levels = [["none", t("No hints")], ["legal", t("Where a lifted piece may go")], ["movable", t("Also what can move")], ["threatened", t("Also what is in danger")]];
  return (state.view?.seats ?? []).map(({ hints: level }, seat) => {
    const select = make("select", { id: `hints-${seat}`, disabled: (state.you?.role ?? "guest") === "guest" });
    select.append(...levels.map(([value, title]) => new Option(title, value, false, value === level)));
    select.addEventListener("change", () => post("order", { do: "hints", seat, level: select.value }));
    const label = make("label", { textContent: called(seat) });
    label.htmlFor = select.id;
    return make("div", { className: "setting" }, label, select);
  });
}

/** @param {number} seat */
const called = (seat) => playerName(/** @type {PanelView} */ (state.view), state.you, seat);

// Whose the settings are that only an owner changes, and how one becomes that.
/** @param {You} you */
function whoMay({ role, phones }) {
  const people = phones.filter(({ owner }) => owner).map(({ name }) => name);
  const place = t("For whoever set up this board");
  if (role === "owner") return t("You own this table: only you can change these, and whoever joins with the console's code.");
  return people.length ? t("Only an owner of this table can change these: {people}. Where that phone is lost, “{place}” at the end of this page says how to become one, too.", { people: all(people), place })
    : t("Only an owner of this table can change these. “{place}” at the end of this page says how to become one.", { place });
}

// How the connection stands to the house, under its settings.
async function showHouse() {
  const { lookAtHouse } = await import("./house_told.js");
  lookAtHouse($("house-told"));
}

/** @param {PageElement} fieldset @param {Node[]} rows */
function fill(fieldset, rows) {
  const focused = document.activeElement?.id;
  fieldset.replaceChildren(fieldset.querySelector("legend"), ...rows);
  fieldset.hidden = !rows.length;
  sift();
  if (focused) document.getElementById(focused)?.focus();
}

function show() {
  if (!state.form || !state.you || !state.view) return;
  $("role").textContent = whoMay(state.you);
  offerCode($("console-code"), state.you, post);
  const theme = state.form.fields.find(({ name }) => name === "theme")?.value;
  for (const heading of HEADINGS) {
    fill($(heading), state.form.fields.filter(({ panel, name }) => panel === heading && name !== "own_colours").map(row));
  }
  fill($("own"), theme === "own" ? colours(state.form) : []);
  fill($("hints"), hints());
  $("reset-all").disabled = state.you.role !== "owner";
  $("search").hidden = false;
  $("settings").hidden = false; // all at once, so that nothing moves
}

// Shows only the settings that have what is searched for, in name or explanation.
function sift() {
  const wanted = $("search").querySelector("input").value.trim().toLowerCase();
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#settings .setting"))) row.hidden = !searched(row).toLowerCase().includes(wanted);
  if (wanted) $("expert").open = true;
  for (const part of document.querySelectorAll("#settings fieldset")) part.classList.toggle("nothing", !part.querySelector(".setting:not([hidden])"));
}

$("search").addEventListener("input", sift);
$("settings").addEventListener("submit", (event) => event.preventDefault());
$("reset-all").addEventListener("click", () =>
  choose(Object.fromEntries(/** @type {SettingsForm} */ (state.form).fields
    .filter(({ panel }) => HEADINGS.includes(panel)).map(({ name }) => [name, null]))));

// ---- the board ----

function showBoard() {
  const { view } = state;
  if (!view || !board.geometry) return;
  board.show((name) => {
    const site = view.sites[name];
    return { light: site?.light ?? "#000000", blink: Boolean(site?.blink), name: "", sensed: false, outside: false };
  }, "presentation");
  $("board").style.setProperty("--glow", String(0.25 + (0.75 * view.brightness) / 100));
}

async function begin() {
  const [geometry, form] = await Promise.all([ask("board"), ask("settings")]);
  state.form = form;
  board.draw(geometry);
  for (const site of board.sites.values()) site.group.removeAttribute("tabindex"); // only to be looked at
  show();
  showBoard();
  showHouse();
}

const hinted = () => JSON.stringify(state.view?.seats.map(({ hints: level }, seat) => [called(seat), level]));

const source = new EventSource("/api/watch");
source.addEventListener("you", (event) => {
  const you = JSON.parse(event.data);
  const anew = you.role !== state.you?.role, before = hinted();
  if (anew) $("this-phone").replaceChildren($("this-phone-title"), ...thisPhone(you, LANGUAGES, post));
  state.you = you;
  if (anew) return show();
  $("role").textContent = whoMay(you);
  if (hinted() !== before) fill($("hints"), hints());
});
source.addEventListener("view", (event) => {
  const first = !state.view, before = hinted();
  state.view = JSON.parse(event.data);
  if (first) show();
  else if (hinted() !== before) fill($("hints"), hints());
  showBoard();
});
begin();
