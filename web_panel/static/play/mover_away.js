// What can be done while the phone of whoever is to move is away. Loaded when it is.

import { usual } from "../common/device.js";
import { sureToRelease } from "../common/sure.js";
import { t } from "../common/text.js";
import { lately } from "../common/when.js";
import { canChange } from "./who_plays.js";

/** @import { Send } from "../common/api.js" */
/** @import { PanelView, You } from "../common/types.js" */
/** @import { Add } from "./actions.js" */

// That the phone of whoever is to move is away; after a long time when it was there last.
/** @param {PanelView} view @param {You | null} you @param {number} mover */
export function awayTold(view, you, mover) {
  const name = you?.people[mover]?.name, last = you?.last_here?.[mover];
  if (name && last) return t("{person} was last here: {when}.", { person: name, when: lately(last) });
  return name ? t("{name}'s phone is away.", { name }) : t("The phone of {seat} is away.", { seat: view.seats[mover].name });
}

// Adds what `you` can do for `seat`, and returns what else there is to be said. `lifted` are the pieces in the hand.
/** @param {PanelView} view @param {You} you @param {number} seat @param {{ add: Add, send: Send, lifted: string[] }} page */
export function awayActs(view, you, seat, { add, send, lifted }) {
  // What that phone has left in the hand of a simulated board anybody puts back: nobody could move on else.
  if (lifted.length) add("put back", t("Put the piece back"), () => Promise.all(lifted.map((piece) => send("put_back", { piece }))));
  const { owner_here: person } = you, waits = !you.releases.includes(seat);
  if (waits && person && you.seats.length) return canChange(view) ? t("{person} can let the board play on now, or release the seat.", { person }) : t("{person} can release the seat now.", { person });
  if (waits) return you.seats.length ? t("Wait, or release the seat in ten minutes: then the board or somebody else can play on.") : "";
  const release = async () => await sureToRelease(view, you, seat) && send("seat", { seat, take: false });
  add(`release ${seat}`, t("Release the seat"), release);
  if (!canChange(view)) return t("Wait, or release the seat: then anybody may take it.");
  const levels = view.seats.map(({ level }) => level);
  levels[seat] = Math.max(...levels) || usual(view.game); // as strong as it plays here already; "Who plays …" has the others
  add(`board ${seat}`, t("Let the board play"), () => send("order", { do: "who_plays", levels }));
  return t("Wait, release the seat, so that anybody may take it, or let the board play on.");
}
