// Lists of plies to choose from: those that have to do with a cell, and those that a tap may mean. Loaded when one is wanted.
// Knows no rules: every ply comes from the service.

import { ask } from "../common/api.js";
import { button, make, styled } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Send, Tell } from "../common/api.js" */
/** @import { Card, Choice, PanelView, You } from "../common/types.js" */

/**
 * What a list needs of the page: `view()` is the newest, `open` shows a sheet that `stays` while the last function given to
 * that says so, `close` ends it; `ply` makes one and resolves to whether it was made; `seat()` is whose phone this is, or null.
 * @typedef {object} Sheet
 * @property {() => PanelView} view
 * @property {Send} send
 * @property {Tell} tell
 * @property {(title: string, ...parts: Node[]) => void} open
 * @property {(stays: () => any) => void} stays
 * @property {() => void} close
 * @property {(ply: string) => Promise<any>} ply
 * @property {() => number | null} seat
 * @property {() => You | null} you
 */

// Opens the list of all that can be done on `site`, or says why there is nothing.
/** @param {string} site @param {Sheet} sheet */
export async function openPlies(site, sheet) {
  const name = sheet.view().sites[site].label ?? "";
  /** @type {() => Promise<Choice[] | null>} */
  const asked = () => sheet.send(`plies?site=${encodeURIComponent(site)}`);
  const plies = await asked();
  if (plies && !plies.length) sheet.tell(await whyNot(site, siteCalled(name), sheet));
  if (!plies?.length) return;
  await openList(titleOn(name), plies, sheet);
  const listed = JSON.stringify(plies);
  sheet.stays(async () => JSON.stringify(await asked()) === listed);
}

// Lets a person choose among the `plies` that a tap on `site` may mean; `pick` gets the one chosen.
/** @param {string} site @param {Choice[]} plies @param {(ply: string) => void} pick @param {Sheet} sheet */
export function openChoices(site, plies, pick, sheet) {
  return openList(titleOn(sheet.view().sites[site]?.label || site), plies, sheet, (ply) => {
    sheet.close();
    pick(ply);
  });
}

/** @param {string} name */
const cellsOf = (name) => name.split("#")[0].split(".");

// The title of a list of what can be done on the site `name` of a game.
/** @param {string} name */
const titleOn = (name) => cellsOf(name).length > 1 ? t("Moves between {cells}", { cells: listed(cellsOf(name)) }) : t("Moves on {cell}", { cell: siteCalled(name) });

// The `names` as the language of the page lists them: "a3 and a4".
/** @param {string[]} names */
function listed(names) {
  const { lang } = document.documentElement;
  return new Intl.ListFormat(lang === "en" ? "en-GB" : lang).format(names); // else a comma stands before the last "and"
}

// How sentences call the site `name` of a game: the name of a node or a corner is for programs.
/** @param {string} name */
function siteCalled(name) {
  const [cell, node] = name.split(":");
  if (node) return t("node {node} of {cell}", { node, cell });
  return cellsOf(name).length > 1 ? t("the corner of {cells}", { cells: listed(cellsOf(name)) }) : name;
}

// Why the piece on `site`, called `name`, cannot move; else that nothing can be done there, and what stands there if its card is not open.
/** @param {string} site @param {string} name @param {Sheet} sheet @returns {Promise<string>} */
async function whyNot(site, name, sheet) {
  /** @type {Card | null} */
  const card = await sheet.send(`card?site=${encodeURIComponent(site)}`);
  /** @type {HTMLElement | null} */
  const open = document.querySelector("#card:not([hidden])");
  return card?.stays || [noPly(name, sheet), ...(card && open?.dataset.site !== site ? [t("{title}: {sentence}", { title: card.name, sentence: card.moves }), ...card.facts] : [])].join(" ");
}

/** @param {string} name @param {Sheet} sheet */
function noPly(name, sheet) {
  const { seats, secret, sentence } = sheet.view();
  const mover = seats.findIndex((seat) => seat.to_move);
  if (!secret || sheet.seat() === mover) return t("There is nothing to do on {cell} now.", { cell: name });
  if (seats[mover]?.chooses) return sentence;
  const [seat, holder] = [seats[mover]?.name, sheet.you()?.people[mover]?.name];
  if (holder) return t("{seat}'s choices are secret: only {holder}'s phone shows them.", { seat, holder });
  return t("{seat}'s choices are secret: take that seat under People to see them.", { seat });
}

// Plies that a number tells apart share a dial; one that is alone in the list is opened at once. That for which a lesson waits, or the
// only one, is bright.
/** @param {string} title @param {Choice[]} plies @param {Sheet} sheet @param {(ply: string) => any} [pick] */
async function openList(title, plies, sheet, pick = async (ply) => (await sheet.ply(ply)) && sheet.close()) {
  if (plies.some((ply) => ply.dial)) return openDials(title, plies, sheet, pick);
  const how = make("p", { hidden: plies.length < 2, textContent: document.body.classList.contains("has-hand") ? t("Tap a move here. Or close this, and tap its cells on the board one after the other.") : t("Tap a move here, or make it with the piece.") });
  const list = make("div", { className: "plies" }, ...plies.map(({ ply, words }) =>
    button(words || ply, () => pick(ply), { className: plies.length < 2 || ply === sheet.view().lesson?.ply ? "primary" : "" })));
  sheet.open(title, how, list);
  /** @type {HTMLElement | null} */ (list.querySelector(".primary") ?? list.querySelector("button"))?.focus();
}

/** @param {string} title @param {Choice[]} plies @param {Sheet} sheet @param {(ply: string) => any} pick */
async function openDials(title, plies, sheet, pick) {
  const [{ dial, grouped, groups }] = await Promise.all([import("../board/dial.js"), styled("dial.css")]);
  /** @param {string} name */
  const siteOf = (name) => Object.entries(sheet.view().sites).find(([, { label }]) => label === name)?.[0] ?? name;
  /** @type {(group: import("../board/dial.js").Group) => void} */
  const turn = (group) => sheet.open(group.title, dial(group, pick, siteOf, sheet.view().help.ply));
  const [first, ...others] = groups(plies);
  if (others.length) sheet.open(title, grouped(plies, turn, pick));
  else turn(first);
  /** @type {HTMLElement | null} */ (document.querySelector("#sheet .confirm, #sheet .plies button"))?.focus();
}

/** @param {string} text */
const plain = (text) => text.toLowerCase().replace(/[\s.]+/g, " ").trim();

// The one ply that reads like `text`, which names one of its cells; "" where there is none.
/** @param {string} text @param {PanelView} view */
export async function plySaid(text, { sites }) {
  const said = plain(text), words = said.split(/[^\p{L}\p{N}]+/u);
  const [site] = Object.entries(sites).find(([, { label }]) => label && words.includes(label.toLowerCase())) ?? [];
  const plies = site ? await ask(`plies?site=${encodeURIComponent(site)}`).catch(() => []) : [];
  const [one, ...more] = plies.filter((/** @type {Choice} */ each) => plain(each.words) === said);
  return one && !more.length && !one.sure ? one.ply : "";
}
