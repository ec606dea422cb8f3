// The sealed line from a page far away to its board: requests, and what there is to see. The relay in between has no key.
// What is said is in controller/afar/phone.py; how it is sealed, and why nothing is heard twice, in controller/afar/sealing.py.

import { t } from "../common/text.js";
import { blake2b, xchacha20poly1305 } from "../vendor/noble.js";
/**
 * What a page asks, until it is answered: said again at `at`, then after `again`, given up at `until`.
 * @typedef {object} Call
 * @property {Record<string, any>} what
 * @property {(answer: Answer) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {string} to the board to which it was sent, "" before
 * @property {number} again
 * @property {number} at
 * @property {number} until
 */
/** @typedef {{ status: number, body: any }} Answer */
/** @typedef {{ fetch: typeof fetch, EventSource: typeof EventSource }} Native what the browser itself has */
/** @typedef {InstanceType<ReturnType<typeof sourceOver>>} Source */

const VERSION = 1;
const [KEY_BYTES, NONCE_BYTES, NAME_BYTES] = [32, 24, 8];
const PERSON = "beaconboard key\0";
const SEAT = -2; // in place of a seat: the keys of a phone's link
const [AGAIN_MS, MOST_AGAIN_MS] = [1500, 8000]; // after which something is said again
const GIVE_UP_MS = 30_000;
const HERE_MS = 8000;
const SILENT_MS = 25_000; // without a word, after which the board counts as away
const REOPEN_MS = 1500;

const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {number} count */
export const random = (count) => crypto.getRandomValues(new Uint8Array(count));
/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** @param {string} error @returns {Answer} */
export const refused = (error) => ({ status: 409, body: { error } });

// The key in `#k=…`, or null where there is none, or not all of it.
/** @param {string} hash */
export function keyOf(hash) {
  const [, text] = /^#k=([\w-]{43})$/.exec(hash) ?? [];
  return text ? fromBase64(text.replaceAll("-", "+").replaceAll("_", "/")) : null;
}

export class Sealing {
  /** @param {Uint8Array} key */
  constructor(key) {
    /** @param {string} name @returns {Uint8Array} */
    const derived = (name) => blake2b(encoder.encode(name), { key, dkLen: KEY_BYTES, personalization: encoder.encode(PERSON) });
    this.room = hex(derived("room")).slice(0, 32);
    this.about = encoder.encode(this.room);
    this.out = derived(`up ${SEAT}`);
    this.in = derived(`down ${SEAT}`);
  }

  /** @param {object} what */
  seal(what) {
    const nonce = random(NONCE_BYTES);
    const sealed = xchacha20poly1305(this.out, nonce, this.about).encrypt(encoder.encode(JSON.stringify(what)));
    const whole = new Uint8Array(nonce.length + sealed.length);
    whole.set(nonce);
    whole.set(sealed, nonce.length);
    return whole;
  }

  // Throws where it was not sealed with this link's key.
  /** @param {Uint8Array} data */
  open(data) {
    const plain = xchacha20poly1305(this.in, data.slice(0, NONCE_BYTES), this.about).decrypt(data.slice(NONCE_BYTES));
    return JSON.parse(decoder.decode(plain));
  }
}

export class FarLine {
  // `said(sentence)` shows how it stands, "" where all is well; `native` has the browser's own fetch and EventSource.
  /** @param {Uint8Array} key @param {(sentence: string) => void} said @param {Native} native */
  constructor(key, said, native) {
    this.said = said;
    this.native = native;
    this.sealing = new Sealing(key);
    this.name = hex(random(NAME_BYTES));
    this.count = 0;
    this.home = ""; // the board as it calls itself since its last start
    /** @type {Set<string>} */
    this.left = new Set(); // names that it had before
    this.heard = 0; // the number of its last message
    this.heardAt = 0;
    /** @type {Map<string, Call>} */
    this.calls = new Map(); // id → what waits for an answer
    /** @type {Source | null} */
    this.watches = null; // the one source that is open
    /** @type {Promise<any>} */
    this.posting = Promise.resolve();
    this.stands = false;
    this.complains = false;
    /** @type {number | undefined} */
    this.helloAt = undefined;
    /** @type {number | undefined} */
    this.hereAt = undefined;
    this.ended = false;
    this.source = this.#open();
    setInterval(() => this.#passTime(), AGAIN_MS);
  }

  // ---- to the board ----

  // Resolves to { status, body }, or throws where no answer came. It is carried out once, however often it is sent; one that may be
  // carried out `again` without harm is sent until it is answered, whatever comes between.
  /** @param {string} method @param {string} path @param {string} body @param {{ again?: boolean }} [how] @returns {Promise<Answer>} */
  call(method, path, body, { again = false } = {}) {
    if (this.ended) return Promise.resolve(refused(t("The board has ended this link.")));
    const id = hex(random(8));
    return new Promise((resolve, reject) => {
      const what = { type: "call", id, method, path, body, language: document.documentElement.lang };
      const until = again ? Infinity : performance.now() + GIVE_UP_MS;
      const call = { what, resolve, reject, to: "", again: AGAIN_MS, at: 0, until };
      this.calls.set(id, call);
      this.#sendCall(call);
    });
  }

  /** @param {Call} call */
  #sendCall(call) {
    if (!this.home || this.ended) return;
    call.to = this.home;
    call.at = performance.now() + call.again;
    call.again = Math.min(2 * call.again, MOST_AGAIN_MS);
    this.#send(call.what);
  }

  /** @param {Source} source */
  watch(source) {
    this.watches?.close();
    this.watches = source;
    this.#watchAnew();
  }

  /** @param {Source} source */
  leave(source) {
    if (this.watches !== source) return;
    this.watches = null;
    this.#send({ type: "here", id: "" });
  }

  #watchAnew() {
    if (!this.watches || this.ended) return;
    this.watches.id = hex(random(8));
    this.watches.n = 0;
    this.watches.askedAt = performance.now();
    this.#sendWatch();
  }

  #sendWatch() {
    if (this.home && this.watches) this.#send({ type: "watch", id: this.watches.id, language: document.documentElement.lang });
  }

  #hello() {
    this.helloAt = performance.now();
    this.#send({ type: "hello" }, "");
  }

  // One after the other: what arrives after a later message is not heard.
  /** @param {object} what @param {string} [to] */
  #send(what, to = this.home) {
    if (this.ended) return;
    const message = this.sealing.seal({ v: VERSION, from_: this.name, to, n: ++this.count, what });
    const post = { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: message };
    this.posting = this.posting.then(() => this.native.fetch(`/line?room=${this.sealing.room}`, post)).catch(() => {}); // it is sent again
  }

  // What was not answered is said again.
  #passTime() {
    if (this.ended) return;
    const now = performance.now();
    if (!this.home || now - this.heardAt > SILENT_MS) {
      if (this.home) this.#lost();
      if (this.stands) this.#hello();
    }
    for (const [id, call] of this.calls) {
      if (now > call.until) this.#drop(id, new TypeError());
      else if (now > call.at) this.#sendCall(call);
    }
    const { watches } = this;
    if (!watches || !this.home) return;
    if (!watches.n && now - watches.askedAt > AGAIN_MS) this.#sendWatch();
    else if (watches.n && now - (this.hereAt ?? 0) > HERE_MS) {
      this.hereAt = now;
      this.#send({ type: "here", id: watches.id });
    }
  }

  /** @param {string} id @param {Error} error */
  #drop(id, error) {
    this.calls.get(id)?.reject(error);
    this.calls.delete(id);
  }

  /** @param {string} id @param {Answer} answer */
  #answer(id, answer) {
    this.calls.get(id)?.resolve(answer);
    this.calls.delete(id);
  }

  // ---- from the board ----

  #open() {
    const source = new this.native.EventSource(`/line?room=${this.sealing.room}`);
    this.source = source;
    source.onmessage = (event) => this.#came(event.data);
    source.addEventListener("stands", (event) => {
      this.stands = event.data === "true";
      if (this.stands) this.#hello();
      else this.#lost();
    });
    source.onerror = () => {
      this.stands = false;
      this.#lost();
      if (source.readyState === this.native.EventSource.CLOSED && !this.ended) setTimeout(() => this.#open(), REOPEN_MS);
    };
    return source;
  }

  #lost() {
    this.watches?.lost();
  }

  /** @param {string} text */
  #came(text) {
    let message;
    try {
      message = this.sealing.open(fromBase64(text));
    } catch {
      return this.#complain(t("A message was not sealed with the key of this link: it is not heard."));
    }
    if (message.v !== VERSION) return this.#complain(t("The board and this page are of different versions: update the board or the relay."));
    const { from_: from, to, n, what } = message;
    if (to !== this.name) {
      // The board may have been started again: it says so to everybody, once.
      if (!to && what.type === "hello" && from !== this.home && !this.left.has(from) && performance.now() - (this.helloAt ?? -AGAIN_MS) > AGAIN_MS / 2) this.#hello();
      return;
    }
    if (from !== this.home && !this.#met(from, what)) return;
    if (n <= this.heard) return this.#complain(t("A message came a second time, or after a later one: it is not heard."));
    this.heard = n;
    if (this.complains) this.#complain("");
    this.heardAt = performance.now();
    this.#hear(what);
  }

  /** @param {string} sentence */
  #complain(sentence) {
    this.complains = Boolean(sentence);
    this.said(sentence);
  }

  // Whether the message is the board's first word since it was started.
  /** @param {string} from @param {{ type: string }} what */
  #met(from, what) {
    if (what.type !== "hello") return false;
    if (this.left.has(from)) {
      // Either that one or the one of now is from before its last start: nothing that was written until now is heard any more.
      this.name = hex(random(NAME_BYTES));
      this.left = new Set();
      this.#hello();
      return false;
    }
    if (this.home) this.left.add(this.home);
    for (const [id, call] of this.calls) {
      // Whether the board had carried it out before it stopped, nobody knows: so it is not sent again.
      if (call.to && call.what.method === "POST" && call.until < Infinity) this.#answer(id, refused(t("The board was started again meanwhile: look whether that was done.")));
    }
    this.home = from;
    this.heard = 0;
    return true;
  }

  /** @param {any} what */
  #hear(what) {
    const { watches } = this;
    if (what.type === "hello") {
      this.said("");
      for (const call of this.calls.values()) this.#sendCall(call);
      this.#watchAnew();
    } else if (what.type === "answer") this.#answer(what.id, what);
    else if (what.type === "closed") this.#end();
    else if (what.type === "still" && watches?.n && (what.id !== watches.id || what.n > watches.n)) this.#watchAnew();
    else if (what.type === "news" && watches && what.id === watches.id) {
      if (what.n <= watches.n) return;
      if (what.n > watches.n + 1) return this.#watchAnew(); // something was lost on the way
      watches.n = what.n;
      watches.tell(what.event, what.data);
    }
  }

  #end() {
    this.ended = true;
    document.body.classList.add("ended");
    this.source.close();
    this.watches?.lost();
    for (const id of this.calls.keys()) this.#answer(id, refused(t("The board has ended this link.")));
    this.said(t("The board has ended this link."));
  }
}

// What an EventSource is to a page of the panel.
/** @param {{ watch: (source: any) => void, leave: (source: any) => void }} line */
export function sourceOver(line) {
  return class FarSource extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;

    id = ""; // of what is asked for it
    n = 0; // of the last that came
    askedAt = 0;

    constructor() {
      super();
      this.readyState = FarSource.CONNECTING;
      line.watch(this);
    }

    /** @param {string} kind @param {any} data */
    tell(kind, data) {
      if (this.readyState !== FarSource.OPEN) {
        this.readyState = FarSource.OPEN;
        this.dispatchEvent(new Event("open"));
      }
      this.dispatchEvent(new MessageEvent(kind, { data: JSON.stringify(data) }));
    }

    lost() {
      if (this.readyState === FarSource.CLOSED) return;
      this.readyState = FarSource.CONNECTING;
      this.dispatchEvent(new Event("error"));
    }

    close() {
      this.readyState = FarSource.CLOSED;
      line.leave(this);
    }
  };
}
