// Seats of a game that somebody played without a name: whoever has one may say here that it was them, and take that back.

import { ask } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { GamePlayed, NamelessSeat } from "../common/types.js" */

// A line for each such seat of `game`; `tried(what)` tells of what was refused, `again()` shows the game anew.
/** @param {GamePlayed} game @param {(what: () => Promise<any>) => Promise<any>} tried @param {() => void} again */
export async function claimLines({ id, seats }, tried, again) {
  /** @type {NamelessSeat[]} */
  const found = await ask(`history/${id}/nameless`).catch(() => []);
  return found.map(({ seat, yours }) => {
    const claim = async () => await tried(() => ask(`history/${id}/nameless`, { seat, mine: !yours })) && again();
    const words = yours ? t("{seat}, without a name, counts as you.", { seat: seats[seat] }) : t("{seat} was played without a name.", { seat: seats[seat] });
    return make("li", {}, words, " ", button(yours ? t("That was not me") : t("That was me"), claim),
      " ", make("small", { textContent: t("It holds for all games played without a name on the same phone.") }));
  });
}
