// A question of the page's own, in place of the browser's: it looks like the page, speaks its language, and stops nothing else.

import { ask } from "./api.js";
import { button, make } from "./dom.js";
import { t } from "./text.js";

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

// As `sure`, where a game that was begun is on the table: nothing is asked over one that is over, a lesson or a puzzle.
/** @param {string} question @param {string} yes @returns {Promise<boolean>} */
export async function sureToLeave(question, yes) {
  const { games } = await ask("history").catch(() => ({ games: [] }));
  const last = games.length && await ask("history/last").catch(() => null);
  const goesOn = last && !last.over && last.count && games.some((/** @type {{ id: number }} */ { id }) => id === last.id);
  return !goesOn || sure(question, yes);
}
