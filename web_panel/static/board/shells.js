// What a board with nodes has besides: shells that a finger turns, and corners on which a piece is built. Loaded for such boards alone.

import { Built } from "./built.js";
import { Ring } from "./ring.js";

/** @import { PanelView } from "../common/types.js" */

// `view` is what is seen so far.
/** @param {ConstructorParameters<typeof Ring>[0] & { view: PanelView | null }} parts */
export function shells(parts) {
  const [ring, built] = [new Ring(parts), new Built(parts.board)];
  if (parts.view) built.see(parts.view);
  return {
    /** @param {string} site */
    turns: (site) => ring.turns(site),
    /** @param {PanelView} view */
    see(view) {
      ring.see(view);
      built.see(view);
    },
  };
}
