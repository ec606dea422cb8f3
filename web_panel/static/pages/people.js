// The page of who is at the table: seats to take and to free, phones to send away.

import { askOrTell } from "../common/api.js";
import { choose } from "../common/device.js";
import { make, setText } from "../common/dom.js";
import { Line } from "../common/lost.js";
import { t } from "../common/text.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { SeatView, You } from "../common/types.js" */

const AGAIN_MS = 1500;
const $ = /** @type {(id: string) => PageElement} */ ((id) => document.getElementById(id));
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

/** @param {string} sentence */
const tell = (sentence) => ($("toast").textContent = sentence);

/** @param {string} path @param {object} body */
async function post(path, body) {
  if (await askOrTell(path, body, tell)) tell("");
}

function show() {
  const me = you;
  if (!me) return;
  setText($("role"), me.role === "guest" ? t("You are watching. Join on the board's page to take a seat.")
    : me.role === "owner" ? t("You own this table.") : t("You are at the table."));
  const mayAct = me.role !== "guest";
  $("chairs").replaceChildren(...seats.map(({ name, level }, seat) => {
    const holder = me.held[seat];
    const mine = me.seats.includes(seat);
    const row = make("li", {}, make("b", { textContent: name }), make("span", { textContent: holder ?? (level ? t("Board · level {level}", { level }) : t("open")) }));
    if (mayAct && !holder && !level) row.append(button(t("Take"), () => post("seat", { seat }), t("Take {seat}", { seat: name })));
    if (mine || (holder && me.role === "owner")) row.append(button(t("Release"), () => post("seat", { seat, take: false }), t("Release {seat}", { seat: name })));
    return row;
  }));
  $("chairs-part").hidden = !seats.length;
  $("phones-part").hidden = !me.phones.length;
  $("phones").replaceChildren(...me.phones.map(({ id, name, owner, you: mine }) => {
    const row = make("li", {}, make("b", { textContent: name }),
      make("span", { textContent: [mine && t("this device"), owner && t("owner")].filter(Boolean).join(", ") }));
    if (mine && !me.profile) row.append(button(t("Say your name"), sayName));
    if (mine && id !== "local") row.append(button(t("Leave the table"), () => { choose("joined", null); post("leave", {}); }));
    else if (me.role === "owner" && id !== "local") row.append(button(t("Remove"), () => post("revoke", { id }), t("Remove {name}", { name })));
    return row;
  }));
}

/** @type {HTMLElement | null} */
let asked = null; // stays while the rows are drawn anew, with what is typed

async function sayName() {
  const { whoBox } = await import("../play/who.js");
  asked ??= whoBox((path, body) => askOrTell(path, body, tell), () => { asked?.remove(); asked = null; }, true);
  $("phones").after(asked);
  asked.querySelector("input")?.focus();
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
