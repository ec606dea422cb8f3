// A question of the page's own, in place of the browser's: it looks like the page, speaks its language, and stops nothing else.

import { button, make } from "./dom.js";
import { t } from "./text.js";

/** @import { PanelView, You } from "./types.js" */

// Asks `question`; resolves to whether it was answered with the button named `yes`. Escape is no.
/** @param {string} question @param {string} yes @returns {Promise<boolean>} */
export function sure(question, yes) {
  return new Promise((answered) => {
    const text = make("p", { id: "sure-question", textContent: question });
    const dialog = make("dialog", { id: "sure" }, text, make("div", { className: "choices" },
      button(t("Cancel"), () => dialog.close()), button(yes, () => dialog.close("yes"), { className: "primary" })));
    dialog.setAttribute("aria-labelledby", text.id);
    dialog.onclose = () => {
      answered(dialog.returnValue === "yes");
      dialog.remove();
    };
    document.body.append(dialog);
    dialog.showModal();
  });
}

// Asks before a seat is released that somebody else holds; says whose, and which.
/** @param {Pick<PanelView, "seats">} view @param {You} you @param {number} seat */
export function sureToRelease({ seats }, you, seat) {
  const { name } = seats[seat], person = you.people[seat]?.name;
  const whose = person ? t("{person} ({seat})", { person, seat: name }) : name;
  return sure(t("Release the seat of {name}? Anybody may take it then.", { name: whose }), t("Release"));
}

// Whether a game would be left, but one that others left lying, one of others also before its first move, a lesson that somebody else may be in, or somebody
// unseated who has sat down: the board plays those with `levels`. Without these it is no other game that is begun, and one in
// which others sit counts as theirs, too.
/** @param {PanelView | null} view @param {You | null} you @param {number[]} [levels] */
export function running(view, you, levels) {
  if (!view || ["over", "idle"].includes(view.phase) || you?.barred || you?.lying) return false;
  if (view.lesson) return !view.lesson.puzzle && !view.lesson.over && (you?.phones ?? []).some((phone) => !phone.you);
  const others = Object.keys(you?.held ?? {}).map(Number).filter((seat) => !you?.seats.includes(seat));
  const theirs = (!levels || !you?.seats.length) && others.some((seat) => seat < view.seats.length);
  return view.plies.length > 0 || theirs || others.some((seat) => Boolean(levels?.[seat]));
}

// The question whether something else is to be begun over what `running` finds; `going` asks so of a game that has moves. Who else
// plays in that is told before.
/** @param {PanelView | null} view @param {You | null} you @param {string} [going] */
export const askedOver = (view, you, going) => (view?.lesson ? t("A lesson is going on at this board, and would end. Start anyway?")
  : !view?.plies.length ? t("{game} has just begun at this board, and others sit at it. Start anyway?", { game: view?.title })
    : along(view, you) + (going ?? t("{game} is being played: it stays among the games played, and can be resumed. Start another one?", { game: view?.title })));

/** @param {PanelView} view @param {You | null} you */
function along({ seats }, you) {
  const names = seats.flatMap((_, seat) => (you && seat in you.held && !you.seats.includes(seat) ? [you.people[seat]?.name ?? t("another phone")] : []));
  const told = t("Others are playing here: {people}.", { people: [...new Set(names)].join(", ") });
  return names.length ? `${told} ` : "";
}

// What is on the table now, and who this phone is; nothing where the board does not answer.
/** @returns {Promise<{ view: PanelView | null, you: You | null }>} */
function atTable() {
  return new Promise((told) => {
    const source = new EventSource("/api/watch");
    /** @type {You | null} */
    let you = null;
    /** @param {PanelView | null} view */
    const end = (view) => {
      source.close();
      told({ view, you });
    };
    source.addEventListener("you", (event) => { you = JSON.parse(event.data); }); // comes before the view
    source.addEventListener("view", (event) => end(JSON.parse(event.data)));
    source.addEventListener("error", () => end(null));
  });
}

// As `sure`, where something is on the table that is not to end unasked. `question` is about a game; a lesson has its own.
/** @param {string} [question] @param {string} [yes] @returns {Promise<boolean>} */
export async function sureToLeave(question, yes) {
  const { view, you } = await atTable();
  if (!running(view, you)) return true;
  return sure(askedOver(view, you, question), (!view?.lesson && view?.plies.length && yes) || t("Start anyway"));
}
