// What linear hall sensors read, on the map of the page "Board care", and what is wrong by that. The service judges.

import { $, make, svg } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { Board, Site } from "../board/board.js" */
/** @import { FieldsTold } from "../common/types.js" */

// Says what is wrong; of a board without such sensors nothing.
/** @param {FieldsTold | null} fields */
export function showFields(fields) {
  $("fields").hidden = !fields;
  const now = JSON.stringify(fields?.findings ?? []);
  if ($("field-findings").dataset.now === now) return;
  $("field-findings").dataset.now = now;
  $("field-findings").replaceChildren(...(fields?.findings ?? []).map(({ what, advice }) => make("li", {}, make("b", { textContent: what }), ` ${advice}`)));
}

// The figure of each cell, below its middle.
/** @param {Board} board @param {FieldsTold | null} fields */
export function fieldMarks(board, fields) {
  return Object.entries(fields?.sites ?? {}).map(([name, field]) => {
    const { x, y } = /** @type {Site} */ (board.sites.get(name));
    const text = svg("text", { x: x.toFixed(1), y: (y + 0.6 * board.inner).toFixed(1), "font-size": (0.42 * board.inner).toFixed(1), class: "mark between", fill: "#ffe9c4", "data-field": name });
    text.textContent = field;
    return text;
  });
}

// What a reader of the screen hears of a cell's field.
/** @param {string} name @param {FieldsTold | null} fields */
export const fieldOf = (name, fields) => (fields?.sites[name] ? [t("{field} mT", { field: fields.sites[name] })] : []);
