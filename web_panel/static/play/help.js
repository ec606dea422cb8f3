// Help that the board gives when it is asked: what may be asked now, more of it, and the end of it.

import { choose } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { PanelView } from "../common/types.js" */

/** @param {PanelView} view */
const moving = (view) => view.seats.findIndex((seat) => seat.to_move);
/** @param {PanelView} view @param {number} seat @param {string} about */
const asking = (view, seat, about) => ({ do: "ask_help", seat, about, made: view.plies.length });

// Lets the coach speak or not, as whoever holds this phone wants it in the next games against the board, too.
/** @param {Give} order @param {boolean} on */
const coach = (order, on) => (choose("no coach", !on || null), order({ do: "coach", on }));

/** @typedef {{ inspecting: boolean, may: (seat: number) => boolean, order: Give }} Tools */

// The buttons under the sentence, each `{id, label, act}`: more of the help that is shown, or enough of it, and, while somebody
// has asked what can be done here (`inspecting`), what the board can be asked. `may(seat)` says whether this phone acts for a
// seat, `order(what)` sends.
/** @param {PanelView} view @param {Tools} tools */
export function helpActs(view, { inspecting, may, order }) {
  const { about, more, ply } = view.help;
  const mover = moving(view);
  const asked = about === "coach" ? view.plies.at(-1)?.seat ?? -1 : mover;
  /** @type {{ id: string, label: string, act: () => any }[]} */
  const acts = [];
  /** @param {string} id @param {string} label @param {object} what */
  const add = (id, label, what) => acts.push({ id: `help ${id}`, label, act: () => order(what) });
  if (about && asked >= 0 && may(asked)) {
    // What is to be put back on a board of wood is taken back by a tap.
    if (about === "coach" && view.back !== null) add("back", t("Take back"), { do: "take_back", to: view.back, made: view.plies.length });
    if (ply && !view.share) add("make", t("Make this move"), { do: "ply", text: ply, seat: mover });
    if (more) add("more", t("Show me more"), asking(view, mover, "move"));
    add("enough", about === "coach" ? t("Play on") : t("Enough"), asking(view, asked, "nothing"));
    if (about === "coach") acts.push({ id: "help silent", label: t("No more coaching"), act: () => coach(order, false) });
  }
  return inspecting ? [...acts, ...questions(view, may, order)] : acts;
}

// Where somebody is helped with a move, or was one move ago: in which game, whose it is, and how many are made before.
/** @param {PanelView} view */
export const placeOf = (view, ago = 0) => `${view.game_id} ${moving(view)} ${view.plies.length - ago}`;

// The button for more of the same: who was helped with a move, at the place `helped`, and is still to move after it, asks for the next
// one with a tap.
/** @param {PanelView} view @param {Tools} tools @param {string} helped */
export function nextStep(view, { may, order }, helped) {
  const { offers = [], about } = view.help;
  const mover = moving(view);
  if (about || !offers.includes("move") || !may(mover) || helped !== placeOf(view, 1)) return [];
  return [{ id: "help next", label: t("Next step"), act: () => order(asking(view, mover, "move")) }];
}

// What the board can be asked now, beside what it shows already.
/** @param {PanelView} view @param {(seat: number) => boolean} may @param {Give} order */
function questions(view, may, order) {
  const { offers = [], about } = view.help;
  const mover = moving(view);
  if (mover < 0 || !may(mover)) return [];
  const known = [["move", t("Help me")], ["threat", t("What would they do?")]];
  return known.filter(([what]) => offers.includes(what) && what !== about)
    .map(([what, label]) => ({ id: `help ${what}`, label, act: () => order(asking(view, mover, what)) }));
}

// Brings what was opened into view: where text is large it stands below the window.
/** @param {HTMLElement} acts */
export const seen = (acts) => acts.scrollIntoView({ block: "nearest" });

// The questions for the menu; where there is no help in this game, the sentence that says why.
/** @param {PanelView} view @param {Tools} tools */
export function helpPart(view, { may, order }) {
  const { off = "", coach: speaks = false } = view.help;
  const acts = [...questions(view, may, order),
    ...(view.phase === "over" || !view.seats.some((_, seat) => may(seat)) ? [] : [{ label: speaks ? t("No more coaching") : t("Let the coach speak"), act: () => coach(order, !speaks) }])];
  if (!off && !acts.length) return [];
  const body = off ? make("p", { className: "off", textContent: off })
    : make("div", { className: "choices" }, ...acts.map(({ label, act }) => button(label, act)));
  return [make("h3", { textContent: t("Help from the board") }), body];
}
