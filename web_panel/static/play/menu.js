// The menu: pages, what can be done about the game that is on, hints by light. Knows no rules.

import { installButton } from "../common/app.js";
import { button, make } from "../common/dom.js";
import { cheersRow } from "./cheers.js";
import { openFriend } from "./friend.js";
import { helpPart } from "./help.js";
import { icon } from "./icons.js";
import { isOwn, playerName } from "./seats.js";
import { t } from "../common/text.js";
import { canChange, openWhoPlays } from "./who_plays.js";

/** @import { Give } from "../common/api.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, You } from "../common/types.js" */

/** @type {[string, string][]} */
const OF_PLAY = [["rules", t("How to play")], ["rules/costs", t("What a move costs")], ["puzzles", t("Puzzles")], ["history", t("Games played")], ["join", t("People")], ["afar", t("Another board")]];
/** @type {[string, string][]} */
const OF_THE_BOARD = [["settings", t("Settings")], ["tv", t("For the television")], ["clock", t("Clocks")], ["care", t("Board care")], ["workshop", t("Workshop")], ["first-evening", t("How was your evening?")]];
/** @type {() => Record<string, string>} */
const hintLevels = () => ({
  none: t("No hints"), legal: t("Where a lifted piece may go"), movable: t("Also what can move"), threatened: t("Also what is in danger"),
});
/**
 * What the menu needs of the page.
 * @typedef {object} Tools
 * @property {PanelView} view
 * @property {You | null} you
 * @property {number | null} seat
 * @property {(seat: number) => boolean} may
 * @property {import("./help.js").Tools} help
 * @property {import("../common/api.js").Send} send
 * @property {Give} order
 * @property {Give} done
 * @property {() => void} legend
 * @property {() => void} evening
 * @property {(title: string, ...parts: Node[]) => void} open
 * @property {() => void} close
 * @property {() => void} stay
 */

// Opens it. `view` is what is on the table; `you` all that this phone knows of itself, or null, and `seat` whose it is, or null;
// `may(seat)` says whether it may act for a seat. `order` and `done` send an order, `done` closes the sheet then; `open(title, ...parts)`
// shows a sheet, `close()` closes it and `stay()` keeps it while others move, `legend()` shows what the lights mean, `evening()` this evening's table. `help` is for `helpPart`.
/** @param {Tools} tools */
export async function openMenu(tools) {
  const { view, you } = tools;
  const priced = view.marks?.some(({ at }) => at.length > 1);
  const links = [OF_PLAY.filter(([path]) => path !== "rules/costs" || priced), OF_THE_BOARD].map((pages) => make("nav", {}, ...pages.map(([path, title]) =>
    make("a", { href: path === "rules" && view.game ? `/rules/${view.game}` : `/${path}` }, icon(path), title))));
  links[1].ariaLabel = t("This board");
  const people = you?.afar ? [] : [make("div", { className: "choices" }, button(t("A friend joins …"), () => openFriend(tools)), toEvening(tools))];
  const more = make("div", { className: "choices" }, button(t("What the lights mean"), tools.legend),
    ...[installButton()].filter((each) => each !== null));
  // What is about the game that is on stands first: that is why most people come here.
  const ofTheGame = view.phase === "idle" ? gameParts(tools) : [...gameParts(tools), ...helpPart(view, tools.help), make("hr")];
  tools.open(view.title || "Beaconboard", ...cheersRow(you, tools.send, tools.close), ...ofTheGame, ...people, links[0], make("h3", { textContent: t("This board") }), links[1], more);
  if (you?.seats.length && (you.afar || view.seats.some(({ afar }) => afar))) showNotices(more);
}

/** @param {Tools} tools */
function toEvening(tools) {
  const made = button(t("This evening"), tools.evening);
  import("./evening.js").then(({ nameEvening }) => nameEvening(made));
  return made;
}

// What a phone does when it is its turn: in games with people elsewhere.
/** @param {HTMLElement} after */
async function showNotices(after) {
  const { noticesRow } = await import("/static/play/notices.js");
  after.after(make("div", { id: "notices" }, make("h3", { textContent: t("When it is your turn") }), ...noticesRow()));
}

// What can be done about the game that is on, by who may do it.
/** @param {Tools} tools */
function gameParts(tools) {
  const { view: { phase, paused, seats, lesson, no_draws: noDraws }, you, seat, may, order, done, open, close } = tools;
  const acting = seats.map((_, n) => n).filter(may);
  if (!acting.length) return whoPlays(tools).map((each) => make("div", { className: "choices" }, each));
  /** @type {Node[]} */
  const parts = [];
  if (phase !== "over" && !lesson) {
    const mover = seats.findIndex(({ to_move: moves }) => moves);
    const playing = acting.filter((n) => !seats[n].out);
    const who = seat ?? (playing.includes(mover) ? mover : playing[0] ?? acting[0]);
    const { name, out } = seats[who];
    const alone = seats.every((_, n) => isOwn({ seats }, you, n) === (n === who)); // it is clear who is meant
    const yes = button(alone ? t("Yes, resign") : t("Yes, {name} resigns", { name }), () => done({ do: "resign", seat: who }), { className: "danger" });
    const others = alone ? t("The others play on without you, and your pieces leave the board.") : t("The others play on, and the pieces of {name} leave the board.", { name });
    const goesOn = seats.filter(({ out: gone }) => !gone).length > 2 ? [make("p", { textContent: others })] : [];
    const sure = () => open(alone ? t("Resign?") : t("Resign as {name}?", { name }), ...goesOn, make("div", { className: "choices" }, yes, button(t("Keep playing"), close)));
    const ending = [
      ...(noDraws ? [] : [button(alone ? t("Offer a draw") : t("{name} offers a draw", { name }), () => done({ do: "offer_draw", seat: who }))]),
      button(alone ? t("Resign …") : t("{name} resigns …", { name }), sure)];
    parts.push(make("div", { className: "choices" },
      button(paused ? t("Continue") : t("Pause"), () => done({ do: "pause", on: !paused })), ...(out ? [] : ending), ...whoPlays(tools)));
  }
  return [...parts, make("h3", { textContent: t("Hints by light") }), ...acting.map((n) => hints(playerName(tools.view, you, n), seats[n].hints, n, order))];
}

/** @param {Tools} tools */
const whoPlays = (tools) => (tools.you?.role !== "guest" && !tools.you?.barred && canChange(tools.view) ? [button(t("Who plays …"), () => openWhoPlays(tools))] : []);

/** @param {string} name @param {string} chosen @param {number} seat @param {Give} order */
function hints(name, chosen, seat, order) {
  const select = make("select", {}, ...Object.entries(hintLevels()).map(([level, words]) => new Option(words, level, false, level === chosen)));
  select.onchange = () => order({ do: "hints", seat, level: select.value });
  return make("label", { className: "field hints on-top" }, make("span", { textContent: name }), select);
}
