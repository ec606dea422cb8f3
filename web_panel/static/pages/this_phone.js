// Settings of this phone alone: its person, its language, sounds, and which side of the board is near. Nobody else sees them.

import { choose, chosen } from "../common/device.js";
import { soundsFor } from "../common/sounds_for.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";
import { whoBox } from "../play/who.js";

/** @import { Send } from "../common/api.js" */
/** @import { You } from "../common/types.js" */

const YEAR_S = 31_536_000;

// The rows, for `you`; `languages` are pairs of code and title, `send(path, body)` asks the service.
/** @param {You} you @param {[string, string][]} languages @param {Send} send */
export function thisPhone(you, languages, send) {
  const person = you.role === "guest" ? [] : [whoBox(send)];
  return [...person, languageRow(languages), turnedRow(), soundsRow(you)];
}

/** @param {string} id @param {string} title @param {HTMLElement} input @param {string} [help] */
function row(id, title, input, help = "") {
  input.id = id;
  const label = make("label", { textContent: title });
  label.htmlFor = id;
  return make("div", { className: "setting" }, label, input, ...(help ? [make("small", { textContent: help })] : []));
}

/** @param {[string, string][]} choices @param {string} now @param {(value: string) => void} change */
function select(choices, now, change) {
  const made = make("select", {}, ...choices.map(([value, title]) => new Option(title, value, false, value === now)));
  made.onchange = () => change(made.value);
  return made;
}

/** @param {[string, string][]} languages */
function languageRow(languages) {
  const now = /(?:^|; )language=([a-z]+)/.exec(document.cookie)?.[1] ?? "";
  return row("own-language", t("language"), select([["", t("same as the board")], ...languages], now, (code) => {
    document.cookie = `language=${code}; path=/; SameSite=Strict; max-age=${code ? YEAR_S : 0}`;
    location.reload();
  }));
}

function turnedRow() {
  const now = /** @type {Record<string, string>} */ ({ true: "yes", false: "no" })[chosen("turned", null)] ?? "";
  /** @type {[string, string][]} */
  const choices = [["", t("my side near")], ["no", t("never turned")], ["yes", t("always turned")]];
  return row("own-turned", t("board"), select(choices, now, (value) => choose("turned", value ? value === "yes" : null)));
}

/** @param {You} you */
function soundsRow(you) {
  /** @type {[string, string][]} */
  const choices = [["off", t("off")], ["sounds", t("sounds")], ["speech", t("sounds and speech")]];
  return row("own-sounds", t("sounds"), select(choices, soundsFor(you), (value) => choose("sounds", value)),
    t("Speech tells each move in words, and what a lifted piece or a cell under a resting finger is attacked by."));
}
