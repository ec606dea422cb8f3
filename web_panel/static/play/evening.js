// This evening: who has won how many and the best moment of each, to be shared, too; and what was played.

import { ask } from "../common/api.js";
import { button, make, styled } from "../common/dom.js";
import { t } from "../common/text.js";
import { read } from "../common/when.js";

/** @import { Evening, PersonTonight } from "../common/types.js" */

/** @returns {Promise<Evening | null>} */
const evening = () => ask("evening").catch(() => null);

const LASTS_MS = 12 * 3_600_000; // after its newest game has begun: then it is the last one, until another begins

/** @param {Pick<Evening["games"][0], "started">[]} games the newest first */
export const called = ([newest]) => (Date.now() - read(newest.started).getTime() < LASTS_MS ? t("This evening") : t("The last evening"));

// Calls it on a `button` that leads there as it is called there.
/** @param {HTMLElement} button */
export async function nameEvening(button) {
  const games = (await evening())?.games ?? [];
  if (games.length) button.textContent = called(games);
}

/** @param {PersonTonight} person */
export const wonTonight = ({ games, won }) => (games ? t("{won} of {games} won", { won, games }) : "");

// The table of people and the newest games, at most `most`; where nobody has said a name, the games with the tally. Nothing where none
// was begun, or the board does not say. A game leads to where it can be seen again, on a page that is `touched`.
/** @param {number} most @param {Evening | null} [known] @param {boolean} [touched] @returns {Promise<Node[]>} */
export async function eveningLines(most, known, touched) {
  const told = known ?? await evening();
  if (!told?.games.length) return [];
  const { games, tally, people } = told;
  const lines = games.slice(0, most).map(({ id, title, sentence }) => {
    const textContent = t("{title}: {sentence}", { title, sentence });
    return touched ? make("li", {}, make("a", { href: `/history/${id}`, textContent })) : make("li", { textContent });
  });
  const heading = make("h3", { textContent: called(games) });
  if (!people?.length) return [heading, make("ul", {}, ...lines), make("p", { className: "tally", textContent: tally })];
  return [heading, make("ol", { className: "tonight" }, ...people.map(row)), ...(lines.length ? [make("ul", {}, ...lines)] : [])];
}

/** @param {PersonTonight} person */
function row(person) {
  const { name, best, leads } = person;
  const crown = make("i", { className: "crown" });
  crown.setAttribute("role", "img");
  crown.setAttribute("aria-label", t("leads"));
  return make("li", {}, make("b", {}, ...(leads ? [crown, " "] : []), name), " ", make("span", { textContent: wonTonight(person) }), ...(best ? [" ", make("em", { textContent: best })] : []));
}

// Shows it in a sheet that `open` opens.
/** @param {(title: string, ...parts: Node[]) => void} open */
export async function openEvening(open) {
  const [told] = await Promise.all([evening(), styled("evening.css"), styled("crown.css")]), title = told?.games.length ? called(told.games) : t("This evening"), box = make("div", { id: "evening" }), said = make("p", {});
  const [, ...lines] = await eveningLines(Infinity, told, true); // its heading is that of the sheet
  said.setAttribute("role", "status");
  box.append(...(lines.length ? lines : [make("p", { textContent: t("No game is over yet.") })]));
  box.querySelector(".tonight ~ ul")?.before(make("h3", { textContent: t("Games played") }));
  box.querySelector("ol, ul")?.after(...(told?.people?.length ? [shares(`${title}, ${read(told.games[0].started).toLocaleDateString([], { dateStyle: "long" })}`, told.people, said), said] : []));
  open(title, box);
}

/** @param {string} title @param {PersonTonight[]} people @param {HTMLElement} said */
function shares(title, people, said) {
  const share = button(t("Share"), async () => {
    const { give } = await import("../common/link.js");
    const rows = people.map((person) => {
      const won = t("{name}: {move}", { name: person.name, move: wonTonight(person) });
      return (person.leads ? "★ " : "") + [won, person.best].filter(Boolean).join(". ");
    });
    const text = [title, ...rows].join("\n");
    await give(said, { url: new URL("/", location.href).href, title, text });
  }, { className: "primary" });
  const save = button(t("Save as a picture"), async () => {
    const [{ drawEvening }, { handPicture }] = await Promise.all([import("./share_picture.js"), import("../common/film.js")]);
    const rows = people.map((person) => ({ ...person, told: wonTonight(person) }));
    const picture = await drawEvening(title, rows).catch(() => null);
    if (!picture) return void (said.textContent = t("This browser makes no picture. Share the text instead."));
    await handPicture(picture, "evening.png", said);
  });
  return make("div", { className: "choices" }, share, save);
}
