// The small drawings beside the links of the menu, by the address that a link leads to, and what people show each other.

import { svg } from "../common/dom.js";

const SIZE_REM = 1.25;
const FACE = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z";
/** @type {Record<string, string>} */
const STROKES = {
  rules: "M5 4h9a4 4 0 0 1 4 4v12H9a4 4 0 0 1-4-4zM9 9h5M9 13h5",
  join: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18.5 14.5c1.8 1 2.7 3 3 5.5",
  afar: "M3 8h6v6H3zM15 8h6v6h-6zM9 11h6M6 14v4M18 14v4",
  history: "M4 5v5h5M4.5 10a8 8 0 1 1-.5 4M12 8v4.5l3 2",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  "rules/costs": "M12 3l7.8 4.5v9L12 21l-7.8-4.5v-9zM12 8v8M8.5 10l7 4M15.5 10l-7 4",
  puzzles: "M4 8h4.2a2.3 2.3 0 1 1 4.3 0H17v4.2a2.3 2.3 0 1 1 0 4.3V21H4z",
  tv: "M3 5h18v12H3zM8 21h8M12 17v4",
  clock: "M12 21a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 8v5l3 2",
  "first-evening": "M5 4h14v11h-8l-4 4v-4H5zM9 8h6M9 11h4",
  workshop: "M5 5h6v6H5zM13 13h6v6h-6zM15 4l5 5-5 1zM4 20l3-6 3 6z",
  care: "M14.5 5.5a4.5 4.5 0 0 0 5 6L12 19a2.8 2.8 0 0 1-4-4l7.5-7.5",
  clap: "M9 21a3.2 3.2 0 0 1-3-2l-2.5-6.4a1.6 1.6 0 0 1 3-1.2L8 15V8a1.6 1.6 0 0 1 3.2 0v9.5A3 3 0 0 1 9 21ZM15 21a3.2 3.2 0 0 0 3-2l2.5-6.4a1.6 1.6 0 0 0-3-1.2L16 15V8a1.6 1.6 0 0 0-3.2 0v9.5A3 3 0 0 0 15 21ZM12 4V2M8 4L7 2.5M16 4l1-1.5",
  laugh: `${FACE}M6.8 10.5c.6-1.4 2.2-1.4 2.8 0M14.4 10.5c.6-1.4 2.2-1.4 2.8 0M7.5 13.5h9a4.5 4.5 0 0 1-9 0Z`,
  wow: `${FACE}M9 8.5v1M15 8.5v1M12 17.6a2 2.4 0 1 0 0-4.8 2 2.4 0 0 0 0 4.8Z`,
  oh_no: `${FACE}M7 10.2l2.8-1.6M17 10.2l-2.8-1.6M8 16.8c1-2.6 7-2.6 8 0`,
};

// The drawing for `page`, or an empty one.
/** @param {string} page */
export function icon(page) {
  const drawing = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", fill: "none", stroke: "currentColor",
    "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round" }, svg("path", { d: STROKES[page] ?? "" }));
  drawing.style.cssText = `width: ${SIZE_REM}rem; height: ${SIZE_REM}rem; margin-inline-end: .5rem; flex: none`;
  return drawing;
}
