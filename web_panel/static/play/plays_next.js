// The way into the next game: who wants to play it says so, and is among those who are proposed for it.

import { t } from "../common/text.js";

/** @import { Send } from "../common/api.js" */
/** @import { You } from "../common/types.js" */
/** @import { Act } from "./actions.js" */

/** @param {You} you @param {Send} send @returns {Act[]} */
export function playsNext({ line = [] }, send) {
  const own = line.find(({ you }) => you);
  if (!own) return [];
  const label = own.wants ? t("Do not play next after all") : t("I want to play next");
  return [{ id: `next ${own.wants}`, label, act: () => send("seat/next", { on: !own.wants }) }];
}
