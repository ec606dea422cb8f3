// What was played this evening, and who won how many.

import { ask } from "../common/api.js";
import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Evening } from "../common/types.js" */

// The newest games, at most `most`, with the tally; nothing where none was begun, or the board does not say.
/** @param {number} most @returns {Promise<Node[]>} */
export async function eveningLines(most) {
  /** @type {Evening | null} */
  const evening = await ask("evening").catch(() => null);
  if (!evening?.games.length) return [];
  const lines = evening.games.slice(0, most).map(({ title, sentence }) => make("li", { textContent: t("{title}: {sentence}", { title, sentence }) }));
  return [make("h3", { textContent: t("This evening") }), make("ul", {}, ...lines), make("p", { className: "tally", textContent: evening.tally })];
}
