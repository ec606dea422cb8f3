// Play with another board: the invitations and joined games of this one, how each stands, and the ways to begin and end them.

import { ask } from "./api.js";
import { button, make } from "./dom.js";
import { sure } from "./sure.js";
import { t } from "./text.js";

const LOOK_MS = 2000;
const find = (selector) => document.querySelector(selector);
let shown = "";

async function act(what) {
  find("#told").textContent = "";
  try {
    await what();
  } catch (error) {
    find("#told").textContent = error.message;
    find("#told").scrollIntoView({ block: "nearest" });
  }
  await look();
}

// With `seat` null the other board only shows the game.
const invite = (seat) => act(() => ask("afar/invite", { seat }));

const end = (room) => act(async () => {
  if (await sure(t("End this link? Both boards keep the game as it is, and no longer hear of each other."), t("End the link"))) {
    await ask("afar/end", { room });
  }
});

async function copy(text, from) {
  try {
    await navigator.clipboard.writeText(text);
    from.textContent = t("Copied");
  } catch {
    from.previousElementSibling?.select?.(); // where a page may not write there, it is copied by hand
  }
}

function linkCard({ room, home, seat, title, text, state, said, there }, seats) {
  const name = seats.find((each) => each.seat === seat)?.name ?? t("Seat {n}", { n: seat + 1 });
  const watches = seat < 0;
  const heading = watches && title ? (home ? t("{title}: another board looks on", { title }) : t("{title}: this board looks on", { title })) : home ? t("{title}: {seat} is played at another board", { title, seat: name })
    : title ? t("{title}: this board plays {seat}", { title, seat: name }) : t("A game at another board");
  const parts = [make("h3", { textContent: heading }), make("p", { className: there ? "there" : "", textContent: state })];
  if (said && said !== state) parts.push(make("p", { className: "note", textContent: said }));
  if (text) {
    const field = make("input", { type: "text", readOnly: true, value: text, ariaLabel: t("The link") });
    const take = button(t("Copy the link"), () => copy(text, take));
    const code = make("details", {}, make("summary", { textContent: t("As a QR code") }),
      make("img", { src: `/afar/${room}.svg`, alt: t("QR code of the link"), width: 232, height: 232, loading: "lazy" }));
    parts.push(make("p", { textContent: watches ? t("Send this link to one family only: who has it sees this game.") : t("Send this link to one family only: who has it plays this seat.") }), field, take, code);
  }
  parts.push(button(t("End the link"), () => end(room)));
  return make("section", { ariaLabel: heading }, ...parts);
}

async function look() {
  const { invites, seats, links } = await ask("afar");
  const now = JSON.stringify([invites, seats, links]);
  if (now === shown) return;
  shown = now;
  const open = document.querySelector("#links details[open]");
  find("#links").replaceChildren(...links.map((link) => linkCard(link, seats)));
  if (open) document.querySelector("#links details")?.setAttribute("open", "");
  find("#invite").hidden = false;
  find("#no-broker").hidden = invites;
  const buttons = seats.map(({ seat, name, afar }) =>
    button(afar ? t("{name}: a new link", { name }) : t("Another board plays {name}", { name }), () => invite(seat), { disabled: !invites }));
  if (buttons.length) buttons.push(button(t("Another board looks on"), () => invite(null), { disabled: !invites }));
  find("#seats").replaceChildren(...(buttons.length ? buttons : [make("p", { textContent: t("Begin a game first: then others can be invited to it.") })]));
}

find("#join").addEventListener("submit", (event) => {
  event.preventDefault();
  act(async () => {
    if (await sure(t("Join this game? The current game stays in Games played."), t("Join this game"))) {
      await ask("afar/join", { link: find("#link").value });
      find("#link").value = "";
    }
  });
});

await act(async () => {});
setInterval(() => document.hidden || look().catch(() => {}), LOOK_MS);
