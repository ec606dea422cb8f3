// A first evening as plain text: what people told, and what the board adds where they want that. Pure; it knows no page.

import { t } from "../common/text.js";

/** @import { BegunAndFinished, FirstEvening, LessonLeft } from "../common/types.js" */

/**
 * What people told of an evening.
 * @typedef {object} Told
 * @property {string} version
 * @property {string} people
 * @property {string} children
 * @property {string[]} games
 * @property {string[]} ways
 * @property {string[]} places
 * @property {string} stopped
 * @property {string} loved
 * @property {string} browser
 */

// The whole text. `added` is what the board knows, null where nobody wants it; `lessons` and `game` say what of it is told.
/** @param {Told} told @param {FirstEvening | null} added @param {{ lessons: boolean, game: boolean }} wanted */
export function evening(told, added, { lessons, game }) {
  const list = (/** @type {string[]} */ some) => some.join(", ");
  const parts = [
    told.version ? t("A first evening with Beaconboard {version}", told) : t("A first evening with Beaconboard"),
    lines(
      told.people && t("People: {people}", told), told.children && t("Children among them: {children}", told),
      told.games.length && t("Games: {games}", { games: list(told.games) }), told.ways.length && t("Tried: {ways}", { ways: list(told.ways) }),
      told.places.length && t("Played: {places}", { places: list(told.places) }),
      told.browser && t("Phone and browser: {browser}", told)),
    told.stopped && lines(t("Where somebody stopped, or wondered what to do:"), told.stopped),
    told.loved && lines(t("What we loved:"), told.loved),
    added && lessons && fromRecord(added),
    added && game && lines(t("The last game:"), added.last.text.trim() || added.last.why),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** @param {(string | number | boolean)[]} some */
const lines = (...some) => some.filter(Boolean).join("\n");

/** @param {FirstEvening} added */
function fromRecord({ lessons, games, puzzles, unread }) {
  const nothing = !lessons.length && !games.length && !puzzles.length;
  return lines(
    t("From the board's own record, the newest first:"),
    ...counted(lessons.map(leftAt)), lessons.length && t("Steps of a lesson that are only read are not in the record, and not counted."),
    ...games.map(begun), ...puzzles.map(tried),
    nothing && t("No lesson, game or puzzle was begun yet."), unread && t("Not readable, and not counted: {unread}", { unread }));
}

// Each line once, with how often it is there.
/** @param {string[]} said */
const counted = (said) => [...new Set(said)].map((line) => {
  const times = said.filter((each) => each === line).length;
  return times > 1 ? `${line} (×${times})` : line;
});

/** @param {LessonLeft} lesson */
const leftAt = (lesson) => (lesson.step === null ? t("- Lesson {title}: all {of} moves were made", lesson)
  : t("- Lesson {title}: {made} of {of} moves were made, then it was left before that of step {step}: “{words}”", lesson));

/** @param {BegunAndFinished} game */
const begun = (game) => t("- {title}: games begun: {begun}, finished: {finished}", game);

/** @param {BegunAndFinished} puzzle */
const tried = (puzzle) => t("- {title}: puzzles tried: {begun}, solved: {finished}", puzzle);
