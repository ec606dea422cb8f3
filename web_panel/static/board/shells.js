// What a board with nodes has besides: shells that a finger turns, and corners on which a piece is built. Loaded for such boards alone.

import { Built } from "./built.js";
import { Ring } from "./ring.js";

/** @import { PanelView } from "../common/types.js" */

/** @param {ConstructorParameters<typeof Ring>[0]} parts */
export function shells(parts) {
  const [ring, built] = [new Ring(parts), new Built(parts.board)];
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
