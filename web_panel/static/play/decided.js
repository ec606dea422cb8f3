// What decided a game that is over: up to three moves, each with its picture and its sentence, to be seen, played on from, set as a puzzle and shared.
// Knows no rules: the moves and their sentences come from the service, which looks for them when somebody asks.

import { ask, messageOf } from "../common/api.js";
import { button, make } from "../common/dom.js";
import { handPicture } from "../common/film.js";
import { give } from "../common/link.js";
import { drawTurns } from "./share_picture.js";
import { sureToLeave } from "../common/sure.js";
import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { Analysed, TurningPoint } from "../common/types.js" */

const AGAIN_MS = 1000;

// Shows it in a sheet. `title` is the game's name and `ended` the sentence of its end; `open` shows a sheet, `done` sends an order and
// closes it.
/** @param {{ id: number, title: string, ended: string, open: (title: string, ...parts: Node[]) => void, done: Give }} tools */
export function openDecided({ id, title, ended, open, done }) {
  const box = make("div", { id: "decided" });
  box.setAttribute("aria-live", "polite");
  open(t("What decided the game"), box);
  /** @param {string} textContent */
  const note = (textContent) => box.replaceChildren(make("p", { textContent }));
  /** @param {object} [asks] */
  const look = async (asks) => {
    /** @type {Analysed} */
    let found;
    try {
      found = await ask(`history/${id}/analysis`, asks);
    } catch (error) {
      return note(messageOf(error));
    }
    if (found.state === "failed") return note(/** @type {string} */ (found.sentence));
    if (found.state === "done") return box.replaceChildren(...told(found, { id, title, ended, done }));
    note(found.state === "runs" ? t("Analysing: {done} of {of} positions.", { done: found.done ?? 0, of: found.of ?? 0 })
      : t("The analysis waits until the board has time for it."));
    setTimeout(() => box.isConnected && look(), AGAIN_MS);
  };
  return look({});
}

// Says above what is read in `sheet` that another game is on the table meanwhile, and whether one is to move there; `go` leads to it.
/** @param {HTMLElement} sheet @param {boolean} mine @param {() => void} go */
export function showGoneOn(sheet, mine, go) {
  const sentence = mine ? t("Another game has begun, and it is your move.") : t("Another game has begun.");
  if (sheet.querySelector("#gone-on p")?.textContent === sentence) return;
  sheet.querySelector("#gone-on")?.remove();
  const said = make("p", { textContent: sentence });
  said.setAttribute("role", "status");
  sheet.scrollTop = 0;
  sheet.querySelector("header")?.after(make("div", { id: "gone-on" }, said, make("div", { className: "choices" }, button(t("Go to the game"), go, { className: "primary" }))));
}

/** @param {Analysed} found @param {{ id: number, title: string, ended: string, done: Give }} game */
function told({ turns = [], sentence: early = "", calm = "" }, { id, title, ended, done }) {
  // Another phone may have begun something since.
  /** @param {string} from */
  const begin = async (from) => { if (await sureToLeave()) done(await ask(`history/${id}/${from}`)); };
  const rows = turns.map(({ ply, sentence, parts = [sentence], puzzle }) => make("li", {},
    make("img", { src: `/history/${id}/position.svg?ply=${ply - 1}`, alt: t("The position before move {ply}", { ply }), loading: "lazy" }),
    make("div", { className: "said" }, ...parts.map((textContent) => make("p", { textContent }))),
    make("div", { className: "choices" }, make("a", { href: `/history/${id}?ply=${ply - 1}`, textContent: t("Show it") }),
      button(t("Play on from here"), () => begin(`order?ply=${ply - 1}`)),
      ...(puzzle ? [button(t("Make it a puzzle"), () => begin(`puzzle?ply=${ply}`))] : []))));
  const said = make("p", {});
  said.setAttribute("role", "status");
  const share = button(t("Share"), async () => {
    const text = [t("{title}: {sentence}", { title, sentence: ended }), ...(early ? [early] : []), ...turns.map(({ sentence }) => sentence), ...(calm ? [calm] : [])].join("\n");
    await give(said, { url: new URL(`/history/${id}`, location.href).href, title, text });
  }, { className: "primary" });
  const save = button(t("Save as a picture"), async () => {
    const picture = await drawTurns(turns, { id, title, ended }).catch(() => null);
    if (!picture) return void (said.textContent = t("This browser makes no picture. Share the text instead."));
    await handPicture(picture, `game-${id}.png`, said);
  });
  return [make("p", { textContent: ended }), ...(early ? [make("p", { textContent: early })] : []), ...(calm ? [make("p", { textContent: calm })] : []), ...(rows.length ? [make("ol", {}, ...rows)] : []),
    make("div", { className: "choices" }, share, ...(turns.length ? [save] : [])), said];
}
