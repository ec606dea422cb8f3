// Who holds this phone: the people whom the board knows to choose from, and a form for somebody new.

import { ask } from "../common/api.js";
import { chosen } from "../common/device.js";
import { button, make, styled } from "../common/dom.js";
import { remember } from "../common/me.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { PersonOffered } from "../common/types.js" */

const MOST_LETTERS = 40;
// Told apart by lightness as well as by hue, and none of them the colour of a light.
/** @type {() => [string, string][]} */
const colours = () => [["#e4572e", t("red")], ["#f3b61f", t("yellow")], ["#76b041", t("green")], ["#17bebb", t("turquoise")],
  ["#3d7dd8", t("blue")], ["#9b5de5", t("violet")], ["#f49ac2", t("pink")], ["#b0b3b8", t("grey")]];

// A form for a name and a colour, filled with those of `person`; `save({ name, colour })` is called with what was given.
/** @param {{ name?: string, colour?: string }} person @param {(given: { name: string, colour: string }) => void} save */
export function nameForm(person, save) {
  styled("who.css");
  const input = make("input", { name: "person", value: person.name ?? "", maxLength: MOST_LETTERS, required: true, autocomplete: "nickname", spellcheck: false });
  const swatches = make("div", { className: "swatches" }, ...colours().map(([value, title]) => {
    const radio = make("input", { type: "radio", name: "colour", value, checked: value === person.colour });
    radio.setAttribute("aria-label", title);
    radio.style.background = value;
    return radio;
  }));
  swatches.setAttribute("role", "radiogroup");
  swatches.setAttribute("aria-label", t("Your colour"));
  const form = make("form", { className: "me" }, make("label", {}, make("span", { textContent: t("Your name") }), input),
    make("button", { textContent: t("Save"), className: "primary" }), swatches);
  form.onsubmit = (event) => {
    event.preventDefault();
    save({ name: input.value, colour: form.querySelector("[name=colour]:checked")?.value ?? "" });
  };
  return form;
}

// A dot in the colour of a person, before the name.
/** @param {string} colour */
export function dot(colour) {
  const made = make("i", { className: "person" });
  made.style.background = colour;
  return made;
}

// Asks who holds this phone; `send(path, body)` resolves to null where it was refused, `done()` is called after. With
// `typing` the name can be typed at once.
/** @param {Send} send @param {() => void} [done] @param {boolean} [typing] */
export function whoBox(send, done, typing = false) {
  styled("who.css");
  const box = make("div", { className: "who" });
  const fill = async () => {
    /** @type {PersonOffered[]} */
    const known = await ask("people").catch(() => []);
    const people = known.filter(({ elsewhere }) => !elsewhere); // nobody sits there twice
    const own = people.find(({ you }) => you);
    /** @param {object} who */
    const be = async (who) => {
      const person = await send("me", who);
      if (!person) return;
      remember(person);
      await fill();
      done?.();
    };
    /** @param {{ name?: string, colour?: string }} person */
    const form = (person) => nameForm(person, be);
    /** @param {string} id @param {object} given */
    const change = async (id, given) => await send("people/change", { id, ...given }) && be({ profile: id }); // the same person under another name
    const last = { name: chosen("name", ""), colour: chosen("colour", "") };
    if (!people.length) {
      box.replaceChildren(form(last));
      return typing && box.querySelector("input").focus();
    }
    const fresh = button(t("Somebody new"), () => {
      box.querySelector("form")?.remove();
      box.append(form(own ? {} : last));
      box.querySelector("input").focus();
    });
    const buttons = people.map(({ id, name, colour, you }) => {
      const made = button("", () => be({ profile: id }), { className: you ? "primary" : "" });
      made.append(...(colour ? [dot(colour)] : []), name);
      made.setAttribute("aria-pressed", String(you));
      return made;
    });
    return box.replaceChildren(make("p", { textContent: t("Who plays on this device?") }), make("div", { className: "choices" }, ...buttons, fresh),
      ...(own ? [nameForm(own, (given) => change(own.id, given))] : []));
  };
  fill();
  return box;
}

// Remembers who the board takes this phone's person for.
/** @param {string} profile */
export async function keep(profile) {
  /** @type {PersonOffered[]} */
  const people = await ask("people").catch(() => []);
  const own = people.find(({ id }) => id === profile);
  if (own) remember(own);
}
