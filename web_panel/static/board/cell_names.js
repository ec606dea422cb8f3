// The names of cells that do not lie in files and ranks: each within its cell. Fetched with the first such board, and by itself: it
// imports nothing.

/** @import { Name, Site } from "./board.js" */

const SIZE = 0.36; // of a cell's inner radius

// Where the names stand: in the corner of the cell that lies farthest to the left and up, where no piece covers them.
/** @param {[string, Site][]} names @returns {Name[]} */
export function within(names) {
  return names.filter(([, { kind }]) => kind === "cell").map(([text, { x, y, inner, outline }]) => {
    const [cx, cy] = outline.reduce((best, corner) => (corner[0] + corner[1] < best[0] + best[1] - 0.1 ? corner : best));
    const part = 0.42 + (0.24 * inner) / Math.hypot(cx - x, cy - y);
    return { text, x: x + part * (cx - x), y: y + part * (cy - y), size: SIZE * inner };
  });
}
