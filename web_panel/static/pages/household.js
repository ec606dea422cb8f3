// Who has played here: everybody with their games, and what can be done about a name. Loaded by the page of the people.

import { ask } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { sure } from "../common/sure.js";
import { t } from "../common/text.js";
import { inARow, reachedSo } from "../play/progress.js";
import { dot, nameForm } from "../play/who.js";

/** @import { Send } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { GameRecord, PersonGames, PersonKnown, RecordLine } from "../common/types.js" */

export class Household {
  // `send(path, body)` resolves to null after the person was told why not.
  /** @param {{ part: PageElement, list: PageElement, send: Send }} parts */
  constructor({ part, list, send }) {
    this.part = part;
    this.list = list;
    this.send = send;
    /** @type {string | null} */
    this.open = null;
    this.shown = "";
  }

  // Shows everybody as the board knows them now.
  async look() {
    /** @type {PersonGames[] | null} */
    const people = await ask("people/games").catch(() => null);
    const now = JSON.stringify(people);
    if (!people || now === this.shown) return;
    this.shown = now;
    this.part.hidden = !people.length;
    this.list.replaceChildren(...people.map((person) => this.#person(person, people)));
  }

  /** @param {PersonGames} person @param {PersonGames[]} people */
  #person(person, people) {
    const { id, name, colour, here, you } = person;
    const stands = [you && t("this device"), here && !you && t("at the table"), numbers(person), person.streak > 1 && t("puzzles: {days}", { days: inARow(person.streak) })].filter(Boolean).join(", ");
    const summary = make("summary", {}, make("b", {}, ...(colour ? [dot(colour)] : []), name), make("span", { textContent: stands }));
    const parts = [table(t("By game"), person.by_game), table(t("By opponent"), person.by_opponent)].filter((each) => each !== null);
    const details = make("details", { open: this.open === id }, summary, ...parts, ...(person.may ? [this.#changes(person, people)] : []));
    details.ontoggle = () => details.open ? (this.open = id) : this.open === id && (this.open = null);
    return make("li", {}, details);
  }

  /** @param {PersonKnown} person @param {PersonGames[]} people */
  #changes({ id, name, colour }, people) {
    const box = make("div", { className: "changes" });
    const others = people.filter((other) => other.id !== id && other.may);
    const rename = () => box.replaceChildren(nameForm({ name, colour }, (/** @type {object} */ given) => this.#do("change", { id, ...given })));
    const merge = () => box.replaceChildren(make("p", { textContent: t("{name} is the same person as:", { name }) }),
      make("div", { className: "choices" }, ...others.map((other) => button(other.name, () => this.#merge({ id, name }, other)))));
    box.append(make("div", { className: "choices" }, button(t("Rename"), rename),
      ...(others.length ? [button(t("The same person as …"), merge)] : []), button(t("Remove"), () => this.#remove({ id, name }))));
    return box;
  }

  /** @param {{ id: string, name: string }} person @param {PersonGames} other */
  async #merge({ id, name }, other) {
    const asked = t("Are {name} and {other} one person? All games of {name} are then {other}'s. This cannot be undone.", { name, other: other.name });
    if (await sure(asked, t("One person"))) await this.#do("merge", { id, into: other.id });
  }

  /** @param {{ id: string, name: string }} person */
  async #remove({ id, name }) {
    if (await sure(t("Remove {name}? The games stay, without the name.", { name }), t("Remove"))) await this.#do("remove", { id });
  }

  /** @param {string} what @param {object} body */
  async #do(what, body) {
    if (await this.send(`people/${what}`, body)) {
      this.shown = "";
      await this.look();
    }
  }
}

/** @param {PersonGames} person */
const numbers = ({ games, won, lost }) =>
  (games ? t("games: {games}, won: {won}, lost: {lost}", { games, won, lost }) : t("no finished game yet"));

/** @param {string} title @param {(RecordLine | GameRecord)[]} lines */
function table(title, lines) {
  if (!lines.length) return null;
  const rows = lines.map(({ name, games, won, lost, ...more }) =>
    make("tr", {}, make("th", { scope: "row" }, name, ...("level" in more ? [make("small", { textContent: reachedSo(more) })] : [])), ...[games, won, lost].map((n) => make("td", { textContent: n }))));
  const head = make("tr", {}, make("th", { scope: "col", textContent: title }),
    ...[t("games"), t("won"), t("lost")].map((textContent) => make("th", { scope: "col", textContent })));
  return make("table", { className: "record" }, make("thead", {}, head), make("tbody", {}, ...rows));
}
