// The page of who is at the table: seats to take and to free, phones to send away.

import { askOrTell } from "../common/api.js";
import { offerCode } from "../common/console_code.js";
import { choose, chosen } from "../common/device.js";
import { $, make, setText } from "../common/dom.js";
import { Line } from "../common/lost.js";
import { sure, sureToRelease } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { SeatView, You } from "../common/types.js" */

const AGAIN_MS = 1500;
/** @param {string} textContent @param {() => void} onclick @param {string} [label] */
const button = (textContent, onclick, label) => {
  const made = make("button", { type: "button", textContent, onclick });
  if (label) made.setAttribute("aria-label", label);
  return made;
};
/** @type {You | null} */
let you = null;
/** @type {SeatView[]} */
let seats = [];

/** @param {string} id @param {string} name */
const remove = async (id, name) => await sure(t("Remove {name}? That phone leaves the table, and its seats are free.", { name }), t("Remove")) && post("revoke", { id });

/** @param {string} sentence */
const tell = (sentence) => ($("toast").textContent = sentence);

/** @param {string} path @param {object} body */
async function post(path, body) {
  if (await askOrTell(path, body, tell)) tell("");
}

function show() {
  const me = you;
  if (!me) return;
  setText($("role"), [me.elsewhere.length > 0 && t("You play with another phone now."), me.named && t("You are {name}.", { name: me.name }), me.role === "guest" ? t("You are watching. Join on the board's page to take a seat.")
    : me.role === "owner" ? t("You own this table.") : t("You are at the table.")].filter(Boolean).join(" "));
  askName(me);
  offerCode($("console-code"), me, (path, body) => askOrTell(path, body, tell));
  const mayAct = me.role !== "guest";
  $("chairs").replaceChildren(...seats.map(({ name, level }, seat) => {
    const holder = me.held[seat];
    const mine = me.seats.includes(seat);
    const who = holder ?? (level ? t("Board · level {level}", { level }) : t("open"));
    const row = rowOf(name, who, holder ? [mine && t("this device"), me.away.includes(seat) && t("away")] : []);
    if (mayAct && !holder && !level) row.append(button(t("Take"), () => post("seat", { seat }), t("Take {seat}", { seat: name })));
    if ((me.role !== "owner" || me.lent[seat]?.you) && me.knocking !== "waits" && me.again.includes(seat)) row.append(button(me.elsewhere.includes(seat) ? t("Play here again") : me.lent[seat]?.you ? t("I am back") : t("That is me"), () => post("seat/again", { seat }), t("Go on with {seat} on this device", { seat: name })));
    if (holder && me.releases.includes(seat)) row.append(button(t("Release"), () => release(me, seat), t("Release {seat}", { seat: name })));
    return row;
  }));
  $("chairs-part").hidden = !seats.length;
  $("phones-part").hidden = !me.phones.length;
  $("phones").replaceChildren(...me.phones.map(({ id, name, owner, away, seats: held, you: mine }) => {
    const plays = held.map((seat) => seats[seat]?.name).filter(Boolean).join(", ");
    const row = rowOf(name, "", [plays, mine && t("this device"), owner && t("owner"), !mine && (away ? t("away") : t("here now"))]);
    if (mine && id !== "local") row.append(button(t("Leave the table"), () => leave(me.seats)));
    else if (me.role === "owner" && id !== "local") row.append(button(t("Remove"), () => remove(id, name), t("Remove {name}", { name })));
    return row;
  }));
}

// Frees a seat; that of somebody else only after a question.
/** @param {You} me @param {number} seat */
async function release(me, seat) {
  if (me.seats.includes(seat) || await sureToRelease({ seats }, me, seat)) post("seat", { seat, take: false });
}

// Leaves the table; who holds seats is asked first, since anybody may take them then.
/** @param {number[]} held */
async function leave(held) {
  if (held.length && !await sure(t("Your seat is free then, and this device only watches. Leave the table?"), t("Leave"))) return;
  choose("joined", null);
  post("leave", {});
}

// A row: what it is of, and below that what there is to say, of which `told` is cut first where it is long.
/** @param {string} title @param {string} told @param {(string | false)[]} stands */
function rowOf(title, told, stands) {
  const more = stands.filter(Boolean).join(" · ");
  const parts = [...(told ? [make("span", { textContent: told, title: told })] : []), ...(more ? [make("small", { textContent: told ? ` · ${more}` : more })] : [])];
  return make("li", {}, make("b", { textContent: title, title }), make("div", {}, ...parts));
}

// Whether this phone only looks on: there is a game, and no seat of it is this one's or free.
/** @param {You} me */
const watches = (me) => seats.length > 0 && !me.seats.length && seats.every(({ level, afar }, seat) => level || afar || seat in me.held);

let asks = false; // whether a name is asked for; what is typed stays while the rows are drawn anew

// Asks who holds this phone until that is said, or is not to be asked.
/** @param {You} me */
function askName(me) {
  const wanted = me.role !== "guest" && !me.profile && !me.elsewhere.length && !chosen("nameless", false);
  $("naming").querySelector(".nameless")?.toggleAttribute("hidden", watches(me));
  if (wanted === asks) return;
  asks = wanted;
  $("naming").hidden = !asks;
  if (!asks) return $("naming").replaceChildren();
  const later = button(t("Play without a name"), () => (choose("nameless", true), askName(me)));
  Object.assign(later, { className: "nameless", hidden: watches(me) });
  $("naming").replaceChildren(make("p", { textContent: t("The board does not know yet who holds this device.") }),
    make("div", { className: "choices" }, button(t("Enter your name"), sayName), later));
}

async function sayName() {
  const { whoBox } = await import("../play/who.js");
  $("naming").replaceChildren(whoBox((path, body) => askOrTell(path, body, tell), undefined, true));
}

/** @type {import("./household.js").Household | null} */
let household = null;

async function showHousehold() {
  const { Household } = await import("./household.js");
  household ??= new Household({ part: $("household"), list: $("household-list"), send: (path, body) => askOrTell(path, body, tell) });
  household.look();
}

const line = new Line(() => (line.lost ? setText($("role"), line.sentence(you?.shut)) : show()));

function watch() {
  const source = new EventSource("/api/watch");
  source.addEventListener("open", () => line.found(source));
  source.addEventListener("you", (event) => { you = JSON.parse(event.data); show(); showHousehold(); });
  source.addEventListener("view", (event) => { ({ seats } = JSON.parse(event.data)); show(); });
  source.addEventListener("error", () => {
    line.failed(source);
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, AGAIN_MS);
  });
}

watch();
