// The first win of somebody without a name: the panel asks for it once, for as long as that end is shown, and hides nothing for it.

import { choose, chosen } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { PanelView, You } from "../common/types.js" */

// What is asked after the game of `view`; nothing where this phone has lost, has a name, or was asked after an earlier game.
/** @param {PanelView} view @param {You | null} you @param {Send} send */
export function askedName({ game_id: game, winner, seats }, you, send) {
  const alone = you?.seats.filter((seat) => !seats[seat]?.level).length === 1; // else nobody knows who has played
  if (!you || you.role === "guest" || you.profile || !alone || winner === null || !you.seats.includes(winner)) return [];
  if (chosen("won", game) !== game) return [];
  choose("won", game);
  const why = t("Enter your name, so that this win counts as yours.");
  const box = make("div", { id: "own-win" });
  // Where the form for a name is open already, a sentence is enough.
  box.append(document.querySelector("#joining .who") ? why : button(why, async () => {
    const { whoBox } = await import("./who.js");
    box.replaceChildren(whoBox(send, undefined, true));
  }));
  return [box];
}
