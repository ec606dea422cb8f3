// A word from the phone itself when this phone's seat is to move: by the board, also while the page is closed, where the board and
// the browser can do that; else by the page, while it is open behind others.

import { ask } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { allowed, prepare, push, renew, switchOff, switchOn, tagOf, worker } from "./push.js";
import { t } from "../common/text.js";

/** @import { PanelView, You } from "../common/types.js" */

/** @type {boolean | null} */
let mine = null; // whether it was this phone's turn, null before anything was seen
/** @type {[PanelView, You | null] | null} */
let shown = null; // what was seen last
/** @type {string | null} */
let given = null; // the seats with which this browser was made known to the board
/** @type {Promise<any> | null} */
let giving = null; // the promise of that
let seen = ""; // the turn that somebody has looked at

// Notes whose turn it is in a `view` of a game with people elsewhere, for `you`.
/** @param {PanelView} view @param {You | null} you */
export async function seeTurn(view, you) {
  shown = [view, you];
  const now = ["play", "fix"].includes(view.phase) && Boolean(you?.seats.includes(moverOf(view)));
  const came = now && mine === false;
  mine = now;
  if (!allowed()) return;
  await makeKnown(view, you);
  const [newest] = shown, mover = moverOf(newest); // the game may have gone on meanwhile
  // A move of the other board has been seen, too, that hands are still to follow here.
  if (!document.hidden && (mine || newest.seats[mover]?.afar)) await tellSeen(newest, mover);
  else if (came && mine && document.hidden && !push.on) await notify(newest);
}

/** @param {PanelView} view */
const moverOf = (view) => view.seats.findIndex((seat) => seat.to_move);

document.addEventListener("visibilitychange", () => shown && !document.hidden && seeTurn(...shown));

// The board forgets a browser when a game is over: for the next one it is told again.
/** @param {PanelView} view @param {You | null} you */
async function makeKnown(view, you) {
  const seats = ["over", "idle"].includes(view.phase) || !you?.seats.length ? null : String(you.seats);
  if (seats !== given) giving = seats === null ? null : renew();
  given = seats;
  await giving;
}

// Spares this phone the notice, and takes away one that is there.
/** @param {PanelView} view @param {number} mover */
async function tellSeen(view, mover) {
  const turn = `${view.game_id} ${mover} ${view.plies.length} ${view.seats[mover].afar ? view.waits : ""}`;
  if (!push.on || seen === turn) return;
  seen = turn;
  await ask("notices/seen", { version: view.version }).catch(() => (seen = ""));
  const made = await worker();
  for (const notice of await made.getNotifications({ tag: tagOf(made) })) notice.close();
}

/** @param {PanelView} view */
async function notify(view) {
  const made = await worker();
  const body = [view.title, view.last?.plies.at(-1)?.words || view.plies.at(-1)?.words || view.plies.at(-1)?.text].filter(Boolean).join(" – ");
  await made.showNotification(t("Your turn"), { body, tag: tagOf(made), icon: "/static/icon-192.png" });
}

// What says whether this phone gives notices, with the button that changes it.
export function noticesRow() {
  if (!globalThis.isSecureContext || !globalThis.Notification) {
    return [make("p", { textContent: t("The title of the page says when it is your turn. Where the panel is served by https, this device can give notices, too.") }),
      make("p", {}, make("a", { href: "/secure", textContent: t("Secure pages") }))];
  }
  const says = make("p", { className: "says" });
  const why = make("p", { className: "note" });
  const change = button("", async () => {
    change.disabled = true;
    await (allowed() ? switchOff() : switchOn()).catch(() => {}); // what came of it is shown
    change.disabled = false;
    show();
  });
  const show = () => {
    const denied = Notification.permission === "denied";
    says.textContent = allowed() ? (push.on ? t("This device tells you when it is your turn, also while the page is closed.") : t("This device tells you when it is your turn, as long as the page of the board is open."))
      : denied ? t("Notices are forbidden for this page: allow them in the settings of the browser.")
        : push.key ? t("The title of the page says when it is your turn. This device can give notices, too, also while the page is closed.")
          : t("The title of the page says when it is your turn. This device can give notices, too, as long as the page of the board is open.");
    why.textContent = push.why;
    why.hidden = !push.why || denied;
    change.textContent = allowed() ? t("No notices") : t("Notices on this device");
    change.hidden = denied;
  };
  show();
  (allowed() ? renew() : prepare()).then(show);
  return [says, why, make("div", { className: "choices" }, change)];
}
