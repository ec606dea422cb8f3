// What this phone lets be heard and felt: sounds of wood, a short buzz, and moves in words, by its own voice or for a screen
// reader. All words come from the service, which says to nobody what is secret. Begun by the first press, as browsers demand.

import { ask } from "../common/api.js";
import { chosen } from "../common/device.js";
import { soundsFor } from "../common/sounds_for.js";
import { make } from "../common/dom.js";
import { onRest } from "../common/rest.js";
import { t } from "../common/text.js";
import { leftAfter } from "./seats.js";
import { play, unlock } from "./sounds.js";
import { wholeEnd } from "../common/whole_end.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, You } from "../common/types.js" */

const LOW_MS = [30_000, 10_000]; // left on a clock when it is said that time runs out
const TICK_MS = 500;
const STANDS_MS = 1000; // that something to set up or put right must stand to be said: a board on the screen does it by itself
/** @type {Record<string, number[]>} */
const BUZZ_MS = {
  put: [15], capture: [20, 40, 20], check: [40, 40, 40], built: [20, 30, 50], wrong: [90, 60, 90], low: [150, 80, 150],
  end: [60, 60, 60, 60, 200],
};

/** @param {PanelView} view */
const pieces = ({ sites }) => Object.values(sites).filter(({ piece }) => piece).length;
/** On corners, whose names are those of the cells round them. @param {PanelView} view */
const built = ({ sites }) => Object.keys(sites).filter((name) => name.includes(".") && sites[name].piece).length;
/** @param {PanelView} view */
const checked = ({ sites }) => Object.values(sites).some(({ meaning }) => meaning === "check");

// Which sound the step from one view to the next has, "" for none.
/** @param {PanelView} was @param {PanelView} now */
export function soundOf(was, now) {
  if (now.game_id !== was.game_id) return ""; // another game: no piece was moved
  if (now.phase === "over" && was.phase !== "over") return "end";
  if (now.plies.length <= was.plies.length) return now.phase === "fix" && was.phase !== "fix" ? "wrong" : "";
  if (checked(now) && !checked(was)) return "check";
  if (built(now) > built(was)) return "built";
  if (now.last?.plies.at(-1)?.feat) return "built";
  return pieces(now) < pieces(was) ? "capture" : "put";
}

export class Heard {
  // `root` is the board; `known()` returns the newest view and who this phone is. `explain()` says what the lights mean, to
  // a finger that rests on the `banner`.
  /** @param {PageElement} root @param {() => { view: PanelView | null, you: You | null }} known @param {HTMLElement} banner @param {() => void} explain */
  constructor(root, known, banner, explain) {
    onRest(banner, explain);
    this.known = known;
    this.view = known().view;
    this.since = performance.now();
    this.lifted = "";
    this.keys = false;
    this.asked = false;
    this.turn = 0;
    this.wanted = 0;
    /** @type {number | undefined} */
    this.ticked = undefined;
    this.line = make("p", { id: "aloud" });
    this.line.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
    document.body.append(this.line);
    this.#unlock();
    document.addEventListener("pointerup", () => this.#unlock(), { once: true, capture: true }); // some allow it only within the press
    document.addEventListener("keydown", (event) => this.#key(event)); // a bid is made by keys that never reach the board
    onRest(root, (event) => this.#rested(event));
    setInterval(() => this.#clocks(), TICK_MS);
  }

  // "off", "sounds", or "speech", which has sounds too.
  mode() {
    return soundsFor(this.known().you);
  }

  // Lets the step to `view` be heard.
  /** @param {PanelView} view */
  see(view) {
    const was = this.view ?? view;
    this.view = view;
    this.since = performance.now();
    const sound = soundOf(was, view);
    if (sound) this.#sound(sound);
    if (sound === "put" || sound === "capture" || sound === "built") this.#ask();
    if (!this.#tells()) return;
    const sentence = this.mode() === "speech" && view.sentence !== was.sentence ? wholeEnd(view) : ""; // a screen reader reads it anyway
    const told = view.seating !== was.seating ? [view.seating] : []; // such as what all have received, once all have bid
    const back = this.#takenBack(was, view);
    const advice = this.mode() === "speech" ? [view.advice, view.question].filter((text) => text && text !== was.advice && text !== was.question) : [];
    const move = view.game_id === was.game_id && view.plies.length === was.plies.length + 1 ? `move=${view.plies.length}` : "";
    if (view.phase === "setup" || view.phase === "fix") {
      setTimeout(() => this.#tell("", ...[...told, sentence, ...advice].filter((text) => this.#stands(text))), STANDS_MS);
      this.#tell(move, back);
    } else this.#tell(move, back, ...told, sentence, ...advice);
  }

  // Which moves were just taken back, where they are of this phone's seat or of nobody's: those of others are told.
  /** @param {PanelView} was @param {PanelView} now */
  #takenBack(was, now) {
    const gone = now.game_id === was.game_id && !now.lesson ? was.plies.slice(now.plies.length) : [], { you } = this.known();
    if (!gone.length || (gone[0].seat in (you?.held ?? {}) && !you?.seats.includes(gone[0].seat))) return "";
    return t("Taken back: {moves}.", { moves: gone.map(({ text, words }) => words || text).join("; ") });
  }

  // Whether it is still shown.
  /** @param {string} text */
  #stands(text) {
    return Boolean(this.view && [this.view.seating, this.view.sentence, this.view.advice, this.view.question].includes(text));
  }

  // Says which piece is lifted; "" while none is.
  /** @param {string} site */
  lift(site) {
    if (site === this.lifted) return undefined;
    this.lifted = site;
    return site && this.#tells() ? this.#tell(`site=${encodeURIComponent(site)}`) : undefined;
  }

  #unlock() {
    if (this.mode() !== "off") unlock();
    if (this.mode() === "speech") this.#speak(""); // after this a voice may speak without a press
  }

  // With the first move that it sees: then there is something to be heard.
  async #ask() {
    const { you } = this.known();
    if (this.asked || this.mode() !== "off" || chosen("sounds", null) !== null || !you || you.role === "guest") return;
    this.asked = true;
    const { askSounds } = await import("./ask_sounds.js");
    askSounds(() => this.#unlock());
  }

  #tells() {
    return this.keys || this.mode() === "speech";
  }

  // Says what the service has to say to the query `what`, "" for nothing, and then the other sentences.
  /** @param {string} what @param {string[]} more */
  async #tell(what, ...more) {
    const turn = (this.turn += 1);
    const said = what ? await ask(`aloud?${what}`).catch(() => "") : "";
    const text = [said, ...more].filter(Boolean).join(" ");
    if (!text || turn < this.wanted) return; // something else was touched meanwhile
    const speaks = this.mode() === "speech";
    this.line.setAttribute("aria-live", speaks ? "off" : "assertive"); // not two voices at once
    this.line.textContent = this.line.textContent === text ? `${text}\u00a0` : text; // said again, it is read again
    if (speaks) this.#speak(text);
  }

  /** @param {string} text */
  #speak(text) {
    if (!window.speechSynthesis) return;
    const words = new SpeechSynthesisUtterance(text);
    words.lang = document.documentElement.lang;
    window.speechSynthesis.speak(words);
  }

  /** @param {string} name */
  #sound(name) {
    if (this.mode() === "off") return;
    play(name);
    navigator.vibrate?.(BUZZ_MS[name]);
  }

  // Says what stands at `site`, at once.
  /** @param {string} site */
  #touch(site) {
    this.wanted = this.turn + 1;
    if (this.mode() === "speech") window.speechSynthesis?.cancel();
    return this.#tell(`site=${encodeURIComponent(site)}`);
  }

  /** @param {KeyboardEvent & { target: any }} event */
  #key(event) {
    this.keys = true;
    const { site } = event.target.dataset ?? {};
    if (event.key === "h" && site) this.#touch(site);
  }

  // A finger that rests on a cell hears what is there; of a piece that it lifts it has heard.
  /** @param {PointerEvent & { target: any }} event */
  #rested(event) {
    const site = event.target.closest?.("[data-site]")?.dataset.site;
    if (site && site !== this.lifted && this.mode() === "speech") this.#touch(site);
  }

  // Warns once when little time is left, of the seats of this phone; without one, of all.
  #clocks() {
    if (!this.view) return;
    const own = this.known().you?.seats ?? [];
    this.view.seats.forEach((seat, n) => {
      if (!seat.running || seat.left_ms === undefined || (own.length && !own.includes(n))) return;
      const [before, now] = [this.ticked ?? 0, performance.now()].map((at) => leftAfter(seat, at - this.since));
      if (LOW_MS.some((low) => now <= low && before > low)) this.#sound("low");
    });
    this.ticked = performance.now();
  }
}
