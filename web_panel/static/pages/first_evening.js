// The form about a first evening. What would be sent is shown in full first; then people copy or share it themselves.

import { ask, messageOf } from "../common/api.js";
import { choose, chosen } from "../common/device.js";
import { $, make } from "../common/dom.js";
import { copied } from "../common/copied.js";
import { t } from "../common/text.js";
import { evening } from "./first_evening_text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { FirstEvening, GameOffered } from "../common/types.js" */

const KEPT = "firstEvening"; // on this phone: what was filled in
const MOST_LETTERS = 4000; // of an answer in one's own words
const LONGEST_LINK = 6000; // letters of an address that browsers and GitHub surely take
const form = $("evening");

// ---- what was filled in ----

/** @param {string} id */
const ticked = (id) => [...$(id).querySelectorAll("input:checked")].map((box) => box.closest("label").textContent.trim());

/** @param {string} id */
const labelOf = (id) => /** @type {HTMLElement} */ (document.querySelector(`label[for="${id}"]`)).textContent;

// What stands in the field; throws one sentence where it cannot be told.
/** @param {string} id */
function written(id) {
  const text = $(id).value.trim();
  if (text.length > MOST_LETTERS) {
    throw refusal(id, t("“{field}” has {count} letters; the limit is {most}. Shorten it a little.", { field: labelOf(id), count: text.length, most: MOST_LETTERS }));
  }
  return text;
}

/** @param {string} id */
function counted(id) {
  const field = /** @type {HTMLInputElement} */ (/** @type {unknown} */ ($(id)));
  if (!field.checkValidity()) {
    throw refusal(id, t("“{field}” takes a whole number from {low} to {high}, or nothing.", { field: labelOf(id), low: field.min, high: field.max }));
  }
  return field.value;
}

/** @param {string} id @param {string} sentence */
function refusal(id, sentence) {
  $(id).setAttribute("aria-invalid", true);
  $(id).focus();
  return new Error(sentence);
}

function told() {
  const [people, children] = [counted("people"), counted("children")];
  if (people && Number(children) > Number(people)) throw refusal("children", t("There are more children than people: change one of the two numbers."));
  return {
    version: form.dataset.version, people, children, games: ticked("which"), ways: ticked("ways"), places: ticked("places"),
    stopped: written("stopped"), loved: written("loved"), browser: written("browser"),
  };
}

// ---- what would be sent ----

async function show() {
  refuse("");
  for (const field of form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  const [lessons, game] = [$("with-lessons").checked, $("with-game").checked];
  try {
    const people = told();
    /** @type {FirstEvening | null} */
    const added = lessons || game ? await ask("first-evening") : null; // nothing is even read before that
    put(evening(people, added, { lessons, game }), game ? added : null);
  } catch (error) {
    refuse(messageOf(error));
  }
}

/** @param {string} text @param {FirstEvening | null} added */
function put(text, added) {
  const box = $("text");
  box.value = text;
  $("sent").hidden = false;
  grow(box);
  $("done").textContent = "";
  const last = added?.last.text ? added.last.id : null;
  $("with-recording").hidden = last === null;
  $("recording").href = `/api/history/${last}/recording`;
  link(text);
  $("sent-title").focus();
  $("sent").scrollIntoView({ block: "start" });
}

// Makes a box as high as its text: all of it is seen, without scrolling in the box.
/** @param {PageElement} box */
function grow(box) {
  box.style.height = "";
  box.style.height = `${box.scrollHeight + 2}px`;
}

// Where the project's issues are known, a new one; filled in where an address can hold the text.
/** @param {string} text */
function link(text) {
  const { issue } = form.dataset;
  if (!issue) return;
  const filled = `${issue}&told=${encodeURIComponent(text)}`;
  $("issue").href = filled.length > LONGEST_LINK ? issue : filled;
  $("issue").hidden = false;
  if (filled.length > LONGEST_LINK) say(t("The text is too long for a link: copy it, open the issue, and paste it there."));
}

/** @param {string} sentence */
function refuse(sentence) {
  $("refused").textContent = sentence;
  if (!sentence) return;
  hide();
  $("refused").scrollIntoView({ block: "nearest" });
}

/** @param {string} sentence */
const say = (sentence) => ($("done").textContent = sentence);

// What is shown is what would be sent: once something is changed it is shown again.
function hide() {
  $("sent").hidden = true;
  $("text").value = "";
}

async function copy() {
  const done = await copied($("text").value);
  if (!done) $("text").select();
  say(done ? t("Copied. Paste it into a message.") : t("This browser does not let the page copy: the text is selected, copy it by hand."));
}

async function share() {
  try {
    await navigator.share({ title: t("A first evening"), text: $("text").value });
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") say(t("This phone could not share it: copy it instead."));
  }
}

// ---- a page that is closed in between ----

/** @returns {PageElement[]} */
const fields = () => [...form.querySelectorAll("input, textarea:not(#browser)")];

/** @param {PageElement} field */
const nameOf = (field) => field.id || field.closest("label")?.textContent?.trim() || "";

// What was filled in stays on this phone until the form is emptied.
const keep = () => choose(KEPT, Object.fromEntries(fields().map((field) => [nameOf(field), field.matches("[type=checkbox]") ? field.checked : field.value])));

function restore() {
  const kept = chosen(KEPT, {});
  for (const field of fields().filter((each) => nameOf(each) in kept)) {
    if (field.matches("[type=checkbox]")) field.checked = kept[nameOf(field)] === true;
    else field.value = String(kept[nameOf(field)]);
  }
}

function begin() {
  $("browser").value = navigator.userAgent;
  grow($("browser"));
}

// ---- the page ----

/** @param {GameOffered[]} games */
const offer = (games) => $("which").append(...games.map(({ title }) =>
  make("label", { className: "check" }, make("input", { type: "checkbox" }), make("span", { textContent: title }))));

begin();
$("hand-on").hidden = !navigator.share;
form.addEventListener("input", () => {
  hide();
  keep();
});
form.addEventListener("reset", () => setTimeout(() => {
  choose(KEPT, null);
  hide();
  refuse("");
  begin();
}));
form.addEventListener("submit", (event) => {
  event.preventDefault();
  show();
});
$("copy").onclick = copy;
$("hand-on").onclick = share;

try {
  offer(await ask("games"));
  restore();
} catch (error) {
  refuse(messageOf(error));
}
