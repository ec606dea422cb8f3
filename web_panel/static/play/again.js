// What may be played after a game: the same afresh, as everybody sits, with the next phone in the seat that begins or with those who wait,
// the next game of a match, or against the board at another level; and what decided it. Loaded once a game is over.

import { LEVELS } from "../common/device.js";
import { ended, met } from "../common/levels_met.js";
import { styled } from "../common/dom.js";
import { all, t } from "../common/text.js";
import { wholeEnd } from "../common/whole_end.js";
import { proposed } from "./opponents.js";
import { playsNext } from "./plays_next.js";

/** @import { Give, Send } from "../common/api.js" */
/** @import { PanelView, You } from "../common/types.js" */
/** @import { Act } from "./actions.js" */

/** @typedef {{ sheet: HTMLDialogElement, open: (title: string, ...parts: Node[]) => any, done: Give, now: () => PanelView, mine: () => boolean, stay: (stays: () => boolean) => any }} Tools */

// The likeliest of these is bright: who has beaten the board goes on to the next level, all others play again as they did. `own` is the
// seat of this phone, or null. In a match nobody else plays before it is decided.
/** @param {PanelView} view @param {You | null} you @param {number | null} own @param {Give} order @returns {Act[]} */
export function playAgain(view, you, own, order) {
  const { match } = view, acts = asBefore(view, you, own, order);
  return match && match.winner === null ? acts : withWhoWaits(view, you, order, acts);
}

// Where others asked to play next, those who come first in the line are proposed before all play the `same` again who have played; that
// says whom it leaves out, but not to one of these.
/** @param {PanelView} view @param {You | null} you @param {Give} order @param {Act[]} acts @returns {Act[]} */
function withWhoWaits({ seats, game_id: over }, you, order, [same, ...others]) {
  const line = you?.line ?? [], waiting = line.filter(({ wants, away, seat }) => wants && !away && seat === null);
  if (!waiting.length || seats.some(({ afar }) => afar)) return [same, ...others];
  const people = proposed(line, seats.map(({ level }) => level), seats.length), fresh = waiting.filter(({ id }) => people.includes(id));
  /** @param {typeof line} some */
  const mine = (some) => some.some(({ you: own }) => own);
  /** @param {typeof line} some */
  const names = (some) => all(some.map(({ name }) => name));
  const label = mine(fresh) ? t("Play again: you play, too") : t("Play again with {people}", { people: names(fresh) });
  const withThem = { id: `with ${people}`, label, likeliest: true, act: () => order({ do: "play_again", people, over }) };
  const without = { ...same, label: t("Play again without {people}", { people: names(waiting) }), likeliest: false };
  const level = others.filter(({ id }) => id.startsWith("level"));
  return [...(fresh.length ? [withThem] : []), ...(mine(waiting) ? [] : [without]), ...level.map((act) => ({ ...act, likeliest: false }))];
}

/** @param {PanelView} view @param {You | null} you @param {number | null} own @param {Give} order @returns {Act[]} */
function asBefore({ game, game_id: over, seats, begins, match, winner }, you, own, order) {
  const { held = {}, people = {} } = you ?? {};
  const sat = seats.map(({ level }, seat) => held[seat] ?? (level ? t("the board") : ""));
  /** @param {number} seat what its player is called, "" where there is no name for that */
  const called = (seat) => (seat in held ? people[seat]?.name ?? "" : sat[seat]);
  /** @type {(seats: "keep" | "turn", label: string) => Act} */
  const again = (seats, label) => ({ id: `again ${seats}`, label, likeliest: true, act: () => order({ do: "play_again", seats, over }) });
  const first = begins === null ? null : (begins + 1) % sat.length;
  if (match) return [again("turn", nextGame(match.winner === null, first !== null && first === own, first === null ? "" : called(first)))];
  const same = again("keep", t("Play again"));
  const other = otherLevel(seats, winner);
  const stronger = other > Math.max(...seats.map(({ level }) => level));
  if (other) return [{ ...same, likeliest: !stronger }, { id: `level ${other}`, label: t("Play again at level {level}", { level: other }), likeliest: stronger, act: () => (met(game, other), order({ do: "play_again", seats: "keep", level: other, over })) }];
  if (first === null || !sat.some((name) => name !== sat[0])) return [same];
  const next = called(first);
  const beyond = sat.length > 2 ? t("Play again: the next player begins") : t("Play again: the other side begins");
  return [same, { ...again("turn", first === own ? t("Play again: you begin") : next ? t("Play again: {name} begins", { name: next }) : beyond), likeliest: false }];
}

// Who plays alone against the board meets a stronger one after a win, and a weaker one after a loss; 0 where nothing is to be said.
/** @param {PanelView["seats"]} seats @param {number | null} winner */
function otherLevel(seats, winner) {
  const levels = seats.map(({ level }) => level).filter(Boolean);
  if (levels.length !== 1 || seats.length !== 2 || winner === null) return 0;
  const next = levels[0] + (seats[winner].level ? -1 : 1);
  return next >= 1 && next <= LEVELS ? next : 0;
}

// Keeps whether this phone's `own` seat has just lost to the board: what it is offered next goes by that.
/** @param {PanelView} view @param {number | null} own */
export function heed({ game, seats, winner }, own) {
  if (winner !== null && own !== null && seats.length === 2 && seats[1 - own]?.level) ended(game, winner !== own);
}

// In a match the players change sides after each game, so that each begins in turn.
/** @param {boolean} goesOn @param {boolean} own @param {string} begins */
function nextGame(goesOn, own, begins) {
  if (!goesOn) return t("New match");
  if (own) return t("Next game: you begin");
  return begins ? t("Next game: {name} begins", { name: begins }) : t("Next game");
}

// What whoever has no seat can do for the next game, or who of several may lose it since others wait: whoever has won stays; and what decided the one that is over.
/** @param {PanelView} view @param {You | null} you @param {Send} send @param {Tools} tools @returns {Act[]} */
export function afterwards(view, you, send, tools) {
  const { winner } = view, people = view.seats.filter(({ level }) => !level).length;
  const mayLose = people > 1 && (you?.line?.length ?? 0) > people && !(winner !== null && you?.seats.includes(winner));
  const waits = you && (!you.seats.length || mayLose);
  return [...(waits ? playsNext(you, send) : []), ...decided(view, tools)];
}

// What decided the game of `view`, in the sheet of the `tools`: nothing does before the second move.
/** @param {PanelView} view @param {Tools} tools @returns {Act[]} */
function decided({ game_id: id, plies, title, sentence, ranking }, { sheet, open, done, now, mine, stay }) {
  if (id === null || plies.length < 2) return [];
  const act = async () => {
    const [{ openDecided, showGoneOn }] = await Promise.all([import("./decided.js"), styled("decided.css")]);
    openDecided({ id, title, ended: wholeEnd({ sentence, ranking }), open, done });
    stay(() => {
      if (now().game_id !== id && now().phase !== "idle") showGoneOn(sheet, mine(), () => sheet.close());
      return true;
    });
  };
  return [{ id: "decided", label: t("What decided the game"), act }];
}
