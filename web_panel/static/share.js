// A form for a ply that shares units out: a number for each, and what is left of the sum. Loaded when a game asks for it.

import { make, setText } from "./dom.js";
import { t } from "./text.js";

const find = (selector) => document.querySelector(selector);

// Shows the form for `share` of the view, with `seat` to move, its `name` and how many plies are `made`; null hides it.
// `order(what)` resolves to null where it was refused. Numbers stay as they are until another seat is to move.
export function showShare(share, order) {
  const now = JSON.stringify(share);
  const form = find("#share");
  if (form?.dataset.now === now) return;
  form?.remove();
  if (share) find("#question").after(makeForm(share, now, order));
}

function makeForm(share, now, order) {
  const { word, units, among, sentence, seat, name } = share;
  const labels = among.map((each, n) => (n === seat ? t("{name} (you)", { name: each }) : each));
  const numbers = labels.map((each) => number(each, units));
  const left = make("output");
  const confirm = make("button", { type: "submit", className: "primary", textContent: t("Confirm") });
  const count = () => {
    const rest = units - sum(numbers);
    const good = numbers.every((each) => each.checkValidity());
    confirm.disabled = !good || rest !== 0;
    const words = !good ? t("Whole numbers only, 0 or more") : rest > 0 ? t("{rest} of {units} left", { rest, units })
      : rest < 0 ? t("{more} too many", { more: -rest }) : t("All {units} shared out", { units });
    setText(left, words);
  };
  const form = make("form", { id: "share", noValidate: true, autocomplete: "off" },
    make("h2", { id: "share-title", textContent: name }), make("p", { textContent: sentence }),
    ...among.map((each, n) => row(each, labels[n], numbers[n], () => units - sum(numbers), count)), make("div", { className: "choices" }, left, confirm));
  form.setAttribute("aria-labelledby", "share-title");
  form.dataset.now = now;
  form.oninput = count;
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (confirm.disabled) return;
    confirm.disabled = true;
    const text = `${word} ${numbers.map((each) => each.valueAsNumber).join(" ")}`;
    if (!await order({ do: "ply", text, seat })) count();
  };
  count();
  return form;
}

const sum = (numbers) => numbers.reduce((all, each) => all + (each.valueAsNumber || 0), 0);

function number(name, most) {
  const input = make("input", { type: "number", inputMode: "numeric", min: 0, max: most, step: 1, value: 0, required: true });
  input.setAttribute("aria-label", name);
  input.onfocus = () => input.select();
  return input;
}

// One number with a big button on either side; none leads below 0 or beyond what is left.
function row(name, label, input, rest, count) {
  const by = (step) => () => {
    const value = (input.valueAsNumber || 0) + step;
    if (value < 0 || (step > 0 && rest() < step)) return;
    input.value = value;
    count();
  };
  const stepper = (textContent, step, label) => {
    const button = make("button", { type: "button", textContent, onclick: by(step) });
    button.setAttribute("aria-label", label);
    return button;
  };
  return make("div", { className: "share-row" }, make("b", { textContent: label }), stepper("−", -1, t("One less for {name}", { name })),
    input, stepper("+", 1, t("One more for {name}", { name })));
}
