// How things stand in one text, for who sees or hears no headline: with the end of a game also who came first, second and so on.

/** @import { PanelView } from "./types.js" */

/** @param {Pick<PanelView, "sentence" | "ranking">} view */
export const wholeEnd = ({ sentence, ranking }) => [sentence, ranking].filter(Boolean).join(" ");
