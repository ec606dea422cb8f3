// What a phone far away chooses in secret: sealed on this page, kept in this browser, and told to the board as a hash alone until
// the choices of all are sealed; then this page opens it by itself. What is hashed is in controller/commitments.py. Knows no rules:
// the forms say what is legal, and the board looks again when it is opened.

import { hex, random, refused } from "./far_line.js";
import { t } from "../common/text.js";
import { blake2b } from "../vendor/noble.js";

/** @import { Answer } from "./far_line.js" */
/** @import { Arrange, PanelView, SealedView, SealingView, Share } from "../common/types.js" */

const [NONCE_BYTES, HASH_BYTES] = [32, 32];
const PERSON = "beaconboard bid\0";
const NONCE = /^[0-9a-f]{64}$/;
const MOST_KEPT = 40; // choices of one link

/** @typedef {{ plies: string[], nonce: string, against?: Record<string, string> }} Kept a choice as it is kept */
/** @typedef {{ at: string, commit: string }} Waiting a choice of which the board does not know yet */
/** @typedef {{ choices: Record<string, Kept>, waiting: Waiting | null }} Store what this browser keeps */
/** @typedef {PanelView & { sealing: SealingView }} Sealed */

const encoder = new TextEncoder();
/** @param {string} text */
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (two) => parseInt(two, 16));

// The hash that binds `seat` to `plies`: as text, since a seed may be longer than a number holds here.
/** @param {{ game: string, seed: string, seat: number, made: number, plies: string[], nonce: string }} bid */
export function commitment({ game, seed, seat, made, plies, nonce }) {
  const text = `[${JSON.stringify(game)},${seed},${seat},${made},${JSON.stringify(plies)}]`;
  return hex(blake2b(encoder.encode(text), { key: bytes(nonce), dkLen: HASH_BYTES, personalization: encoder.encode(PERSON) }));
}

export class Sealer {
  // `order(what)` resolves to the board's answer, and is given until there is one; `changed()` shows the newest view anew.
  /** @param {{ room: string, order: (what: object) => Promise<Answer>, changed: () => void }} parts */
  constructor({ room, order, changed }) {
    this.place = `beaconboard sealed ${room}`;
    this.order = order;
    this.changed = changed;
    /** @type {Sealed} */
    this.view = /** @type {any} */ (null); // as the board tells it
    this.bound = false; // whether there is something to tell the board yet
    /** @type {Map<string, string>} */
    this.given = new Map(); // what was ordered since the page was opened → what there was to see when it was refused, else ""
    /** @type {{ at: string, sentence: string } | null} */
    this.refusal = null; // { at, sentence } of the board
  }

  // ---- what this browser keeps: the choices by their hash, and the one of which the board does not know yet ----

  /** @returns {Store} */
  #kept() {
    try {
      return { choices: {}, waiting: null, ...JSON.parse(String(localStorage.getItem(this.place))) };
    } catch {
      return { choices: {}, waiting: null };
    }
  }

  // Whether it is kept.
  /** @param {Store} kept */
  #keep(kept) {
    const text = JSON.stringify({ ...kept, choices: Object.fromEntries(Object.entries(kept.choices).slice(-MOST_KEPT)) });
    try {
      localStorage.setItem(this.place, text);
      return localStorage.getItem(this.place) === text;
    } catch {
      return false;
    }
  }

  /** @param {Waiting | null} waiting */
  #wait(waiting) {
    this.#keep({ ...this.#kept(), waiting });
  }

  // ---- what there is to see ----

  // Takes a view of the board; returns it as this page shows it.
  /** @param {PanelView} view */
  see(view) {
    this.view = /** @type {Sealed} */ (view);
    this.bound = false;
    const { sealing } = view;
    if (!sealing) return view;
    const { choices, waiting } = this.#kept();
    const own = sealing.sealed.find(({ seat }) => seat === sealing.seat);
    const choice = own && this.#whole(own, choices[own.commit]);
    const wrong = choice && this.#wrong(sealing, choice);
    if (wrong) return { ...view, advice: wrong };
    if (!sealing.seats.includes(sealing.seat)) return view;
    if (!own) return this.#unsealed(this.view, choices[waiting?.commit ?? ""], waiting);
    if (waiting) this.#wait(null); // the board has it
    if (!choice) return own.nonce ? view : { ...view, advice: t("What this seat has sealed is not kept in this browser: open the link in the one in which it was chosen, or let the people at the board end this link.") };
    this.bound = !own.nonce;
    if (this.bound && sealing.seats.every((each) => sealing.sealed.some(({ seat }) => seat === each))) this.#open(own.commit, choice);
    return this.#shown(this.view, choice);
  }

  // A choice as it is kept, null where there is none, or it is not what this seat is bound to.
  /** @param {SealedView} own @param {Kept | undefined} choice */
  #whole({ seat, made, commit }, choice) {
    if (!choice || !Array.isArray(choice.plies) || !NONCE.test(choice.nonce)) return null;
    const { game, sealing: { seed } } = this.view;
    return commitment({ ...choice, game, seed, seat, made }) === commit ? choice : null;
  }

  // A view while the board knows of no choice of this seat.
  /** @param {Sealed} view @param {Kept | undefined} choice @param {Waiting | null} waiting */
  #unsealed(view, choice, waiting) {
    if (!choice || waiting?.at !== this.#at(view)) return this.#shown(view, null);
    const { seat, made } = view.sealing;
    this.bound = true;
    this.#give({ do: "commit", seat, made, commit: waiting.commit }, () => this.#wait(null));
    return { ...this.#shown(view, choice), share: null, arrange: null, waits: t("Your choice is sealed, and on its way to the board.") };
  }

  /** @param {Sealed} view @param {Kept | null} choice */
  #shown(view, choice) {
    const advice = this.refusal?.at === this.#at(view) ? this.refusal.sentence : view.advice;
    if (!choice) return { ...view, advice };
    return { ...view, advice, lines: [t("You have sealed: {plies}.", { plies: choice.plies.join(", ") }), ...view.lines] };
  }

  // For what is chosen.
  /** @param {Sealed} view */
  #at({ game, sealing }) {
    return `${game} ${sealing.seed} ${sealing.seat} ${sealing.made}`;
  }

  // Why the board is not to be believed, "" where it is: all are held to what they had sealed when this page opened its choice.
  /** @param {SealingView} sealing @param {Kept} choice */
  #wrong({ seat: mine, seed, sealed }, { against }) {
    const { game } = this.view;
    const others = sealed.filter(({ seat }) => seat !== mine);
    if (sealed.some((each) => each.nonce && !(NONCE.test(each.nonce) && commitment({ game, seed, plies: [], nonce: "", ...each }) === each.commit))) return t("What was opened at the board is not what was sealed there: do not believe this game.");
    const changed = against && (others.length < Object.keys(against).length || others.some(({ seat, commit }) => against[seat] !== commit));
    return changed ? t("What was sealed at the board was changed after this page had opened its choice: do not believe this game.") : "";
  }

  // ---- what the board is told ----

  /** @param {string} commit @param {Kept} choice */
  #open(commit, { nonce, plies }) {
    const { seat, sealed } = this.view.sealing;
    const kept = this.#kept();
    // To be held to it even if this page is closed now; a browser that keeps nothing any more opens nothing.
    const against = Object.fromEntries(sealed.filter((each) => each.seat !== seat).map((each) => [each.seat, each.commit]));
    if (!Object.keys(against).length && !this.view.plies.length) return; // somebody else has to be bound first
    if (this.#keep({ ...kept, choices: { ...kept.choices, [commit]: { nonce, plies, against } } })) this.#give({ do: "reveal", seat, nonce, plies });
  }

  // Gives an order once, and again after a refusal when there is something else to see.
  /** @param {object} what @param {() => void} [refusedThen] */
  async #give(what, refusedThen = () => {}) {
    const { phase, sealing, plies } = this.view;
    const [name, seen, at] = [JSON.stringify(what), JSON.stringify([phase, sealing, plies.length]), this.#at(this.view)];
    if (/** @type {any[]} */ (["", seen]).includes(this.given.get(name) ?? null)) return;
    this.given.set(name, "");
    const { status, body } = await this.order(what);
    if (status < 400) return;
    this.given.set(name, seen);
    this.refusal = { at, sentence: `${body.error.charAt(0).toUpperCase()}${body.error.slice(1)}` };
    refusedThen();
    this.changed();
  }

  // ---- what people do ----

  // The answer to an order of this page, or null where the board is to give it. What is chosen in secret goes no further than here.
  /** @param {any} order @returns {Answer | null} */
  answer(order) {
    const { view } = this;
    if (!view || !["ply", "plies"].includes(order.do)) return null;
    const { sealing, share, arrange } = view;
    if (!sealing?.seats.includes(sealing.seat)) return share || arrange ? refused(t("The board asks for this choice unsealed, and could read it before its own is made: let a new game be begun there.")) : null;
    const { waiting } = this.#kept();
    if (waiting?.at === this.#at(view) || sealing.sealed.some(({ seat }) => seat === sealing.seat)) return refused(t("Your choice is sealed: it cannot be changed any more."));
    const plies = chosen(order.texts ?? [order.text], view);
    if (!plies) return refused(t("This is not a whole choice: make it with the form."));
    return this.#seal(plies);
  }

  /** @param {string[]} plies */
  #seal(plies) {
    const { game, sealing } = this.view;
    const nonce = hex(random(NONCE_BYTES));
    const commit = commitment({ game, ...sealing, plies, nonce });
    const { choices } = this.#kept();
    const waiting = { at: this.#at(this.view), commit };
    if (!this.#keep({ choices: { ...choices, [commit]: { nonce, plies } }, waiting })) return refused(t("This browser keeps nothing, so that the choice could not be opened after a reload: allow it to store data, or open the link in a window that is not private."));
    this.refusal = null;
    this.changed();
    return { status: 200, body: {} };
  }
}

// The plies of a choice as the rules write them, null where they are not what the form of `view` asks for.
/** @param {string[]} texts @param {{ share: Share | null, arrange: Arrange | null }} view */
function chosen(texts, { share, arrange }) {
  if (share) return texts.length === 1 ? shared(texts[0], share) : null;
  return arrange && arranged(texts, arrange);
}

/** @param {string} text @param {Share} share */
function shared(text, { word, units, among }) {
  const [first, ...numbers] = text.trim().split(/\s+/);
  const whole = first === word && numbers.length === among.length && numbers.every((each) => /^\d{1,9}$/.test(each));
  return whole && numbers.reduce((all, each) => all + Number(each), 0) === units ? [[word, ...numbers.map(Number)].join(" ")] : null;
}

/** @param {string[]} texts @param {Arrange} arrange */
function arranged(texts, { pieces, cells, optional, end }) {
  const [left, free, ended] = [new Map(Object.entries(pieces)), new Set(cells), texts.at(-1) === end];
  for (const text of ended ? texts.slice(0, -1) : texts) {
    const [kind, cell, ...more] = text.split("@");
    if (more.length || !left.get(kind) || !free.delete(cell)) return null;
    left.set(kind, Number(left.get(kind)) - 1);
  }
  const out = [...left].filter(([, count]) => count).map(([kind]) => kind);
  return out.every((kind) => optional.includes(kind)) && Boolean(out.length) === ended ? texts : null;
}
