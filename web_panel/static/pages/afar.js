// Play with another board: the invitations and joined games of this one, how each stands, and the ways to begin and end them.

import { ask, messageOf } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { copied } from "../common/copied.js";
import { noticesRow } from "../play/notices.js";
import { sure, sureToLeave } from "../common/sure.js";
import { t } from "../common/text.js";
import { saved, showSaved } from "./steps.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { AfarTold, BoardLink, FarPhone, SeatOffered, WayToOthers } from "../common/types.js" */

const LOOK_MS = 2000;
const find = /** @type {(selector: string) => PageElement} */ ((selector) => document.querySelector(selector));
let shown = "";

/** @param {() => Promise<any>} what */
async function act(what) {
  find("#told").textContent = "";
  try {
    await what();
  } catch (error) {
    find("#told").textContent = messageOf(error);
    find("#told").scrollIntoView({ block: "nearest" });
  }
  await look();
}

// With `seat` null the other board only shows the game.
/** @param {number | null} seat */
const invite = (seat) => act(() => ask("afar/invite", { seat }));

/** @param {string} room */
const end = (room) => act(async () => {
  if (await sure(t("End this link? Both boards keep the game as it is, and no longer hear of each other."), t("End the link"))) {
    await ask("afar/end", { room });
  }
});

/** @param {number | null} seat */
const invitePhone = (seat) => act(async () => {
  await ask("afar/phone", { seat, name: seat === null ? null : find("#phone-name").value.trim() || null });
  find("#phone-name").value = "";
});

/** @param {string} text @param {HTMLElement} from */
async function copy(text, from) {
  if (await copied(text)) from.textContent = t("Copied");
  else /** @type {any} */ (from.previousElementSibling)?.select?.(); // to be copied by hand
}

/** @type {Record<string, () => string>} */
const TURNS = { here: () => t("Your turn"), there: () => t("The other board is to move."), over: () => t("This game is over.") };

// Puts a game on the table that waits beside it; the one that lies there waits in its place.
/** @param {number} game_id */
const takeUp = (game_id) => act(async () => {
  if (await sureToLeave(t("Take this game up? The current game stays in Games played."), t("Take this game up"))) await ask("order", { do: "resume", game_id });
});

// Makes the board at the other end home.
/** @param {string} room */
const handOver = (room) => act(async () => {
  if (await sure(t("Make the other board home? It then has the last word on this game, and keeps its clocks; this board follows."), t("Make the other board home"))) {
    await ask("afar/hand", { room });
  }
});

// Who has the last word, where it is no longer who invited.
/** @param {boolean} home */
const whoIsHome = (home) => (home ? t("This board is home to the game now.") : t("The other board is home to the game now."));

/** @param {BoardLink} link @param {SeatOffered[]} seats */
function linkCard({ room, invited, home, hands, seat, title, text, state, said, there, turn, game_id: game, on_table: lies }, seats) {
  const name = seats.find((each) => each.seat === seat)?.name ?? t("Seat {n}", { n: seat + 1 });
  const watches = seat < 0;
  const heading = watches && title ? (invited ? t("{title}: another board looks on", { title }) : t("{title}: this board looks on", { title })) : invited ? t("{title}: {seat} is played at another board", { title, seat: name })
    : title ? t("{title}: this board plays {seat}", { title, seat: name }) : t("A game at another board");
  /** @type {Node[]} */
  const parts = [make("h3", { textContent: heading }), make("p", { className: there ? "there" : "", textContent: state })];
  if (invited !== home) parts.push(make("p", { textContent: whoIsHome(home) }));
  if (said && said !== state) parts.push(make("p", { className: "note", textContent: said }));
  if (TURNS[turn] && !watches) parts.splice(1, 0, make("p", { className: turn === "here" ? "turn" : "", textContent: TURNS[turn]() }));
  if (game && !lies) parts.push(button(t("Take this game up"), () => takeUp(game), { className: turn === "here" ? "primary" : "" }));
  if (text) parts.push(make("p", { textContent: watches ? t("Send this link to one family only: who has it sees this game.") : t("Send this link to one family only: who has it plays this seat.") }), ...linkParts(room, text));
  if (hands) parts.push(button(t("Make the other board home"), () => handOver(room)));
  parts.push(button(t("End the link"), () => end(room)));
  return make("section", { ariaLabel: heading }, ...parts);
}

// A link to be sent on: as text, to be copied, and as a picture.
/** @param {string} room @param {string} text */
function linkParts(room, text) {
  const field = make("input", { type: "text", readOnly: true, value: text, ariaLabel: t("The link") });
  /** @type {HTMLButtonElement} */
  const take = button(t("Copy the link"), () => copy(text, take));
  const code = make("details", {}, make("summary", { textContent: t("As a QR code") }),
    make("img", { src: `/afar/${room}.svg`, alt: t("QR code of the link"), width: 232, height: 232, loading: "lazy" }));
  return [field, take, code];
}

/** @param {FarPhone} link @param {SeatOffered[]} seats */
function phoneCard({ room, seats: held, name, text, state, said, there }, seats) {
  const seat = seats.filter((each) => held.includes(each.seat)).map((each) => each.name).join(", ");
  const heading = seat ? (name ? t("{seat}: {name}, on a phone far away", { seat, name }) : t("{seat}: a phone far away", { seat })) : t("A phone far away looks on");
  /** @type {Node[]} */
  const parts = [make("h3", { textContent: heading }), make("p", { className: there ? "there" : "", textContent: state })];
  if (said) parts.push(make("p", { className: "note", textContent: said }));
  if (text) parts.push(make("p", { textContent: seat ? t("Send this link to one person only: who has it plays this seat.") : t("Send this link only to people you trust: who has it sees this game.") }), ...linkParts(room, text));
  return make("section", { ariaLabel: heading }, ...parts, button(t("End the link"), () => endPhone(room)));
}

/** @param {string} room */
const endPhone = (room) => act(async () => {
  if (await sure(t("End this link? The phone no longer sees the game, and its seat is free."), t("End the link"))) await ask("afar/end", { room });
});

/** @param {SeatOffered[]} seats @param {FarPhone[]} phones @param {boolean} relay */
function phoneButtons(seats, phones, relay) {
  const free = seats.filter(({ seat, afar }) => !afar && !phones.some((phone) => phone.seats.includes(seat)));
  const buttons = free.map(({ seat, name }) => button(t("A phone plays {name}", { name }), () => invitePhone(seat), { disabled: !relay }));
  return [...buttons, button(t("A phone watches"), () => invitePhone(null), { disabled: !relay })];
}

// The ways to invite another board to the game on the table, or why there are none.
/** @param {AfarTold} told */
function boardButtons({ invites, follows, seats, links, phones }) {
  if (!seats.length) return [make("p", { textContent: t("Begin a game first: then others can be invited to it.") })];
  if (follows) return [make("p", { textContent: t("Another board is home to this game: only people there can invite others.") })];
  const handed = links.some(({ home, invited, on_table: lies }) => lies && home && !invited); // then all other seats are played there
  const open = seats.filter(({ seat }) => !phones.some((phone) => phone.seats.includes(seat)));
  const buttons = handed ? [] : open.map(({ seat, name, afar }) =>
    button(afar ? t("{name}: a new link", { name }) : t("Another board plays {name}", { name }), () => invite(seat), { disabled: !invites }));
  return [...buttons, button(t("Another board looks on"), () => invite(null), { disabled: !invites })];
}

// The steps that say where others are met, for owners: folded, since few have such a server.
/** @param {boolean} owner */
async function showWay(owner) {
  if (!owner || !find("#way").hidden) return;
  await showSaved(find("#way form"));
  find("#way").hidden = false;
}

/** @param {boolean} well @param {string} textContent */
const told = (well, textContent) => make("p", { className: well ? "well" : "unwell", textContent });

// Saves the steps and tries the way, part by part.
async function tryWay() {
  const press = find("#way [type=submit]");
  press.disabled = true;
  find("#tried").replaceChildren(make("p", { textContent: t("Trying it: this may take some seconds.") }));
  try {
    await saved(find("#way form"));
    /** @type {WayToOthers} */
    const { tried } = await ask("afar/try", {});
    find("#tried").replaceChildren(...tried.map(({ well, told: sentence }) => told(well, sentence)));
  } catch (error) {
    find("#tried").replaceChildren(told(false, messageOf(error)));
  }
  press.disabled = false;
  await look();
}

async function look() {
  /** @type {AfarTold} */
  const stands = await ask("afar");
  const { invites, seats, links, relay, phones, owner } = stands;
  const now = JSON.stringify(stands);
  if (now === shown) return;
  shown = now;
  const open = document.querySelector("#links details[open]");
  find("#links").replaceChildren(...links.map((link) => linkCard(link, seats)), ...phones.map((phone) => phoneCard(phone, seats)));
  if (open) document.querySelector("#links details")?.setAttribute("open", "");
  await showWay(owner);
  // What needs a server that nobody has named is not there; that one is needed is said once.
  find("#no-broker").hidden = invites || stands.follows;
  find("#no-broker .owners").hidden = !owner;
  find("#invite").hidden = !invites && !stands.follows;
  find("#no-relay").hidden = relay;
  find("#phone").hidden = !seats.length || !relay;
  find("#phone-seats").replaceChildren(...phoneButtons(seats, phones, relay));
  find("#seats").replaceChildren(...boardButtons(stands));
}

find("#join").addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    if (await sureToLeave(t("Join this game? The current game stays in Games played."), t("Join this game"))) {
      await ask("afar/join", { link: find("#link").value });
      find("#link").value = "";
    }
  });
});

find("#way form").addEventListener("submit", (event) => {
  event.preventDefault();
  tryWay();
});

for (const press of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#way [data-broker]"))) {
  press.addEventListener("click", () => (find("#way-broker").value = press.dataset.broker));
}

// The page of a relay hands a link over by opening this one. It is filled in, and only who presses the button joins.
function takeHanded() {
  const handed = new URLSearchParams(location.hash.slice(1)).get("join");
  if (!handed) return;
  history.replaceState(null, "", location.pathname);
  find("#link").value = handed;
  find("#join").scrollIntoView({ block: "center" });
}

find("#notices").append(...noticesRow());
await act(async () => {});
takeHanded();
addEventListener("hashchange", takeHanded);
setInterval(() => document.hidden || look().catch(() => {}), LOOK_MS);
