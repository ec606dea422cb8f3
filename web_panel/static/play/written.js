// Moves that are typed: loaded when the first one is sent.

import { ask, messageOf } from "../common/api.js";

/** @import { PanelView } from "../common/types.js" */

// Plays what is written, several plies with ";" between them; resolves to how many were played, and what was said where one
// was refused. Those that were not played stay to be mended, unless something else was written meanwhile. `order(text)` is
// what is sent for a ply, `view()` the newest one.
/** @param {HTMLInputElement} input @param {(text: string) => object} order @param {() => PanelView} view */
export async function write(input, order, view) {
  const sent = input.value;
  const texts = sent.split(";").map((text) => text.trim()).filter(Boolean);
  let [said, played] = ["", 0];
  while (texts.length && !said) {
    try {
      await play(texts[0], order, view);
      texts.shift();
      played += 1;
    } catch (error) {
      said = messageOf(error);
    }
  }
  if (input.value === sent) input.value = texts.join("; ");
  return { said, played };
}

// Plays what is written as the game writes it, or in the words that lists have for it; rejects where it is refused.
/** @param {string} text @param {(text: string) => object} order @param {() => PanelView} view */
async function play(text, order, view) {
  try {
    await ask("order", order(text));
  } catch (error) {
    if (!text.includes(" ")) throw error;
    const { plySaid } = await import("./listed_plies.js");
    const ply = await plySaid(text, view());
    if (!ply) throw error;
    await ask("order", order(ply));
  }
}
