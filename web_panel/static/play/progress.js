// How far somebody has come, in words. What counts, the service knows.

import { make } from "../common/dom.js";
import { t } from "../common/text.js";

/** @import { GameProgress } from "../common/types.js" */

// What was reached in a game, "" for nothing yet; `solved` is how many puzzles were.
/** @param {{ lesson: boolean, level: number, solved: number }} reached */
export const reachedSo = ({ lesson, level, solved }) => [
  lesson && t("lesson done"), level && t("level {level} beaten", { level }), solved && (solved === 1 ? t("1 puzzle") : t("{solved} puzzles", { solved })),
].filter(Boolean).join(", ");

// The line for the card of a game.
/** @param {GameProgress} progress */
export const reachedLine = ({ solved, ...more }) => make("small", { className: "reached", textContent: `✓ ${reachedSo({ ...more, solved: solved.length })}` });

// On how many days in a row a puzzle was found, "" for fewer than two.
/** @param {number} streak */
export const inARow = (streak) => (streak > 1 ? t("{streak} days in a row", { streak }) : "");

/** @param {number} hard */
export const hardness = (hard) => [t("easy"), t("medium"), t("hard")][hard - 1];
