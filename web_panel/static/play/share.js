// A form for a ply that shares units out: a number for each, and what is left of the sum. Loaded when a game asks for it.

import { make, setText, styled } from "../common/dom.js";
import { announce, lookBack } from "./ready.js";
import { isOwn, playerName } from "./seats.js";
import { all, t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, Share, You } from "../common/types.js" */

const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));

/** @typedef {Share & { advised: string[], game: number | null, seat: number, name: string, own: boolean, waits: string[], made: number }} Shown */
/** @typedef {Partial<Shown>} MayShow */
/** @typedef {import("../common/dom.js").Lenient & HTMLInputElement} Field */

// What is confirmed before it is due: { game, seat, text, made }, else null.
/** @type {{ game: number | null, seat: number, text: string, made: number } | null} */
let ready = null;

// Shows the form for what is shared out on this phone, which is that of `you`; none where nothing is. `order(what)` resolves to
// null where it was refused.
/** @param {PanelView | null} view @param {You | null} you @param {Give} order */
export function showShare(view, you, order) {
  styled("share.css");
  const here = shareHere(view, you);
  show(here ?? {}, order);
  lookBack(you, here?.ahead ? here.seat : null, Boolean(ready));
}

// What is shared out on this phone: that of the seat to move; where no phone holds that, every one at the table has it.
/** @param {PanelView | null} view @param {You | null} you */
function shareHere(view, you) {
  const mover = view?.seats.findIndex((each) => each.to_move) ?? -1;
  const seat = view?.share?.ahead ? you?.seats[0] ?? -1 : mover;
  const may = you && (seat in you.held ? you.seats.includes(seat) : you.role !== "guest");
  if (!view?.share || seat < 0 || !may) return null;
  const among = view.share.among.map((each, n) => (each === view.seats[n]?.name ? playerName(view, you, n) : each));
  const missing = (/** @type {number} */ n) => n === mover || (n > mover && n !== seat && !view.seats[n].out && !you.ready.includes(n));
  const waits = view.share.ahead ? [...view.seats.keys()].filter(missing).map((n) => playerName(view, you, n)) : [];
  const own = isOwn(view, you, seat) && you.seats.length < 2;
  const sentence = [view.proposal, view.share.sentence].filter(Boolean).join(" ") || view.waits;
  const advised = view.help.ply?.split(" ").slice(1) ?? [];
  return { ...view.share, sentence, among, advised, game: view.game_id, seat, name: playerName(view, you, seat), own, waits, made: view.plies.length };
}

// Shows the form for `share` of the view, with the number of its `game`, its `seat`, the `name` of who plays that, whether that is
// the phone's `own` person, who is "you" in it, and how many plies are `made`. One that is `ahead` is kept on this phone until that
// seat is to move; `waits` are those who are to do so, too. Numbers stay as they are until the form is another seat's,
// or help shows those of a good move.
/** @param {MayShow} shown @param {Give} order */
function show({ made = 0, ...share }, order) {
  const whose = share.seat === undefined ? "" : `${share.seat} ${share.units} ${share.among?.length}`;
  if (ready && (ready.game !== share.game || ready.seat !== share.seat || made < ready.made)) ready = null; // it is about another position
  if (ready && !share.ahead) return send(ready, order);
  find("#sentence").hidden = Boolean(ready); // it asks for what is done
  const now = JSON.stringify([share, ready, share.ahead ? 0 : made]);
  const form = find("#share");
  if (form?.dataset.now === now) return;
  const typed = form?.dataset.whose === whose ? [...form.querySelectorAll("input")].map((each) => each.value) : [];
  const numbers = share.advised?.length ? share.advised : typed;
  form?.remove();
  if (!whose) return;
  const shown = /** @type {Shown} */ ({ made, ...share });
  find("#question").after(ready ? waiting(ready.text, shown, now, order) : makeForm(shown, now, order, numbers));
  find("#share").dataset.whose = whose;
}

/** @param {{ seat: number, text: string }} due @param {Give} order */
async function send({ seat, text }, order) {
  ready = null;
  find("#sentence").hidden = false;
  find("#share")?.remove();
  if (!await order({ do: "ply", text, seat })) announce(seat, false);
}

// That `text` is ready, and who is not yet.
/** @param {string} text @param {string[]} names */
const awaited = (text, names) => [t("Ready: {done}.", { done: text }), names.length && t("Waiting for {names}.", { names: all(names) })].filter(Boolean).join(" ");

// What stands in the form's place until the seat is to move.
/** @param {string} text @param {Shown} share @param {string} now @param {Give} order */
function waiting(text, share, now, order) {
  const change = make("button", { type: "button", textContent: t("Change") });
  const numbers = text.split(" ").slice(1);
  const box = make("div", { id: "share" }, make("h2", { hidden: share.own, textContent: share.name }),
    make("p", { textContent: awaited(numbers.join(" · "), share.waits) }),
    ...numbers.map((value) => make("input", { type: "hidden", value })), make("div", { className: "choices" }, change));
  change.onclick = () => {
    ready = null;
    announce(share.seat, false);
    show(share, order);
  };
  box.dataset.now = now;
  return box;
}

/** @param {Shown} share @param {string} now @param {Give} order @param {string[]} values */
function makeForm(share, now, order, values) {
  const { word, units, among, sentence, seat, name, own, ahead, made, game } = share;
  const mine = own ? seat : -1;
  const labels = among.map((each, n) => (n === mine ? t("You") : each));
  const numbers = labels.map((each, n) => number(each, units, values[n] ?? "0"));
  const left = make("output");
  const confirm = make("button", { type: "submit", className: "primary", textContent: ahead ? t("Ready") : t("Confirm") });
  const alike = make("button", { type: "button", textContent: t("Equally") });
  const count = () => {
    const rest = units - sum(numbers);
    const good = numbers.every((each) => each.checkValidity());
    confirm.disabled = !good || rest !== 0;
    const words = !good ? t("Whole numbers only, 0 or more") : rest > 0 ? t("{rest} of {units} left", { rest, units })
      : rest < 0 ? t("{more} too many", { more: -rest }) : t("All {units} shared out", { units });
    setText(left, words);
  };
  const form = make("form", { id: "share", noValidate: true, autocomplete: "off" },
    make("h2", { id: "share-title", hidden: own, textContent: name }), make("p", { id: "share-why", textContent: sentence }),
    ...labels.map((label, n) => row(label, n === mine, numbers[n], () => units - sum(numbers), count)), make("div", { className: "choices" }, left, alike, confirm));
  form.setAttribute("aria-labelledby", own ? "share-why" : "share-title");
  form.dataset.now = now;
  form.oninput = count;
  alike.onclick = () => {
    const [each, rest] = [Math.floor(units / numbers.length), units % numbers.length];
    for (const [n, input] of numbers.entries()) input.value = String(each + (n === seat ? rest : 0));
    count();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (confirm.disabled) return;
    confirm.disabled = true;
    const text = `${word} ${numbers.map((each) => each.valueAsNumber).join(" ")}`;
    if (ahead) {
      ready = { game, seat, text, made };
      announce(seat, true);
      return show(share, order);
    }
    if (!await order({ do: "ply", text, seat })) count();
  };
  count();
  return form;
}

/** @param {HTMLInputElement[]} numbers */
const sum = (numbers) => numbers.reduce((all, each) => all + (each.valueAsNumber || 0), 0);

/** @param {string} name @param {number} most @param {string} value */
function number(name, most, value) {
  const input = make("input", { type: "number", inputMode: "numeric", min: 0, max: most, step: 1, value, required: true });
  input.setAttribute("aria-label", name);
  input.onfocus = () => input.select();
  return input;
}

// One number with a big button on either side; none leads below 0 or beyond what is left.
/** @param {string} name @param {boolean} own @param {HTMLInputElement} input @param {() => number} rest @param {() => void} count */
function row(name, own, input, rest, count) {
  /** @param {number} step */
  const by = (step) => () => {
    const value = (input.valueAsNumber || 0) + step;
    if (value < 0 || (step > 0 && rest() < step)) return;
    input.value = String(value);
    count();
  };
  /** @param {string} textContent @param {number} step @param {string} label */
  const stepper = (textContent, step, label) => {
    const button = make("button", { type: "button", textContent, onclick: by(step) });
    button.setAttribute("aria-label", label);
    return button;
  };
  return make("div", { className: "share-row" }, make("b", { textContent: name }), stepper("−", -1, own ? t("One less for you") : t("One less for {name}", { name })),
    input, stepper("+", 1, own ? t("One more for you") : t("One more for {name}", { name })));
}
