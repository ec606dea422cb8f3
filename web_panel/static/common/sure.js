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

// As `sure`, where what was begun on the table goes on; where nothing does, nothing is lost and nothing asked.
/** @param {string} question @param {string} yes @returns {Promise<boolean>} */
export async function sureToLeave(question, yes) {
  const { games } = await ask("history").catch(() => ({ games: [] }));
  const last = games.length && await ask("history/last").catch(() => null);
  return !last || last.over || !last.count || sure(question, yes);
}
