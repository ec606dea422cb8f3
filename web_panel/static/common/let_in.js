// Letting phones in, or only this computer: the board starts again for that.

import { ask, messageOf } from "./api.js";
import { t } from "./text.js";

/** @import { Tell } from "./api.js" */
/** @import { ReachTold } from "./types.js" */

const BACK_LOOK_MS = 500, BACK_MS = 20_000;

/** @returns {Promise<ReachTold | null>} */
export const reached = () => ask("reach").catch(() => null);

// Resolves to how it stands once the board is back, or to null where it was refused; `tell` says what happens.
/** @param {boolean} open @param {Tell} tell */
export async function letIn(open, tell) {
  try {
    await ask("reach", { open });
  } catch (error) {
    tell(messageOf(error));
    return null;
  }
  tell(t("The board starts again: one moment."));
  const began = performance.now();
  for (;;) {
    await new Promise((again) => setTimeout(again, BACK_LOOK_MS));
    const reach = await reached();
    if (reach && !reach.changing) return reach;
    if (performance.now() - began > BACK_MS) tell(t("The board is not back yet: start Beaconboard again on this computer. This page then comes back by itself."));
  }
}
