// A turn of several plies in one clause, as a story and the television tell it.

import { t } from "../common/text.js";

/** @import { PlyTold } from "../common/types.js" */

// The plies of a turn in words; "" where they have none.
/** @param {PlyTold[]} plies */
export const toldInOne = (plies) => plies.map(({ words, feat }) => words && feat ? t("{words}. {feat}", { words, feat }) : words).filter(Boolean).reduce((one, other) => one && other ? t("{one}; {other}", { one, other }) : one || other, "");
