// The workshop of rules: options of a game are changed, looked at on a board, and kept as a variant.

import { ask, askOrTell, messageOf } from "../common/api.js";
import { $, make, setText } from "../common/dom.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { RulesLookedAt, VariantKept } from "../common/types.js" */

const form = $("workshop");
const game = form.dataset.game;

// What is typed in: the service reads numbers from their text, and says what it cannot read.
function options() {
  const controls = [...form.querySelectorAll("#rules-side [name]")];
  return Object.fromEntries(controls.map((control) => [control.getAttribute("name"), control.getAttribute("type") === "checkbox" ? control.checked : control.value.trim()]));
}

// Shows each sentence beside what it is about, and goes to the first; what was typed stays. Returns whether all is well.
/** @param {Record<string, string>} wrong */
function showWrong(wrong) {
  for (const place of form.querySelectorAll("p[id^='wrong-']")) {
    const name = place.id.slice("wrong-".length);
    setText(place, wrong[name] ?? "");
    document.getElementById(`rule-${name}`)?.toggleAttribute("aria-invalid", name in wrong);
  }
  const rest = Object.entries(wrong).filter(([name]) => !document.getElementById(`wrong-${name}`)).map(([, sentence]) => sentence);
  if (rest.length) setText($("wrong-"), rest.join(" "));
  const first = Object.keys(wrong).map((name) => name && document.getElementById(`rule-${name}`)).find(Boolean);
  if (first) first.focus();
  return !Object.keys(wrong).length;
}

// Draws the board as the game begins with these options; nothing of it is kept.
async function look() {
  setText($("looked"), "");
  try {
    /** @type {RulesLookedAt} */
    const found = await ask("variants/look", { game, options: options() });
    if (!showWrong(found.wrong)) return false;
    const drawn = new DOMParser().parseFromString(found.picture, "image/svg+xml").documentElement;
    $("board-as-it-will-be").replaceChildren(document.importNode(drawn, true));
    setText($("looked"), drawn.getAttribute("aria-label") ?? "");
    return true;
  } catch (error) {
    return showWrong({ "": messageOf(error) });
  }
}

document.getElementById("look")?.addEventListener("click", async () => {
  if (await look()) $("board-as-it-will-be").scrollIntoView({ block: "nearest" });
});

// Tries the variant and keeps it; what the trial found is told below.
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (!document.getElementById("save")) return void look();
  const [title, about] = [$("rule-title").value, $("rule-about").value];
  $("saved").replaceChildren(make("p", { textContent: t("Games at random are tried …") }));
  $("save").disabled = true;
  try {
    /** @type {VariantKept} */
    const kept = await ask("variants/save", { game, options: options(), title, about, name: form.dataset.variant });
    $("saved").replaceChildren();
    if (showWrong(kept.wrong)) showKept(kept, title, about);
  } catch (error) {
    $("saved").replaceChildren();
    showWrong({ "": messageOf(error) });
  } finally {
    $("save").disabled = false;
  }
});

/** @param {VariantKept} kept @param {string} title @param {string} about */
function showKept({ name, remarks }, title, about) {
  const address = `/workshop/rules/${game}?variant=${name}`;
  form.dataset.variant = name;
  if (about) setText($("lead"), about);
  history.replaceState(null, "", address);
  $("saved").replaceChildren(make("p", { className: "well", textContent: t("{title} is saved: it can be chosen for a new game.", { title }) }),
    ...remarks.map((textContent) => make("p", { className: "note", textContent })));
  for (const link of $("variants").querySelectorAll("a")) link.removeAttribute("aria-current");
  const link = $("variants").querySelector(`[data-variant="${name}"]`) ?? make("a", { href: address });
  link.setAttribute("data-variant", name);
  link.setAttribute("aria-current", "page");
  link.textContent = title;
  $("variants").append(link, " ");
  $("play").href = `/#new=${game}/${name}`;
  $("many").href = `/workshop?play=${game}/${name}`;
  $("play").hidden = $("remove").hidden = false;
  look();
}

document.getElementById("remove")?.addEventListener("click", async () => {
  if (!await sure(t("Delete this variant? Games that were played with it stay as they are."), t("Delete"))) return;
  const removed = await askOrTell("variants/remove", { name: form.dataset.variant }, (wrong) => showWrong({ "": wrong }));
  if (removed) location.href = `/workshop/rules/${game}`;
});
