// Who holds this phone: a name and a colour, given once and remembered here for the next table.

import { choose, chosen } from "./device.js";
import { make } from "./dom.js";
import { t } from "./text.js";

const MOST_LETTERS = 40;
// Told apart by lightness as well as by hue, and none of them the colour of a light.
const colours = () => [["#e4572e", t("red")], ["#f3b61f", t("yellow")], ["#76b041", t("green")], ["#17bebb", t("turquoise")],
  ["#3d7dd8", t("blue")], ["#9b5de5", t("violet")], ["#f49ac2", t("pink")], ["#b0b3b8", t("grey")]];

// What is sent when this phone asks to join: what it remembers of its person.
export function remembered() {
  const [name, colour] = [chosen("name", ""), chosen("colour", "")];
  return { ...(name ? { name } : {}), ...(colour ? { colour } : {}) };
}

// A form for name and colour; `send(path, body)` resolves to null where it was refused, `done()` is called after.
export function nameForm(send, done) {
  const input = make("input", { name: "person", value: chosen("name", ""), maxLength: MOST_LETTERS, required: true, autocomplete: "nickname", spellcheck: false });
  const kept = chosen("colour", "");
  const swatches = make("div", { className: "swatches" }, ...colours().map(([value, title]) => {
    const radio = make("input", { type: "radio", name: "colour", value, checked: value === kept });
    radio.setAttribute("aria-label", title);
    radio.style.background = value;
    return radio;
  }));
  swatches.setAttribute("role", "radiogroup");
  swatches.setAttribute("aria-label", t("Your colour"));
  const form = make("form", { className: "me" }, make("label", {}, make("span", { textContent: t("Your name") }), input),
    make("button", { textContent: t("Save"), className: "primary" }), swatches);
  form.onsubmit = async (event) => {
    event.preventDefault();
    const colour = form.querySelector("[name=colour]:checked")?.value ?? "";
    if (!await send("me", { name: input.value, colour })) return;
    choose("name", input.value);
    choose("colour", colour);
    done?.();
  };
  return form;
}
