// A closer look at the board: two fingers or Ctrl and the wheel zoom, a double tap on a free cell goes nearer and back,
// and where cells are small a finger has a magnifier above it. Knows no rules and moves no pieces.

import { choose, chosen } from "../common/device.js";
import { styled, svg } from "../common/dom.js";
import { t } from "../common/text.js";
import { tell } from "../common/toast.js";

/** @import { Board, Point } from "./board.js" */
/** @import { Drawn } from "../common/dom.js" */

const CLOSEST = 4; // times
const TAP_ZOOM = 2;
const TOGETHER_MS = 250; // two fingers that come down so soon after each other pinch, unless each is on a piece
const DOUBLE_MS = 320;
const SMALL_PX = 44; // a finger covers a cell smaller than that
const TIGHT_PX = 32; // in a smaller one fingers miss: then two of them are spoken of, once on each phone
const LENS_PX = 132;
const SAME_PX = 30; // two taps of a finger on one place lie so far apart at most

/** @typedef {{ x: number, y: number, since: number, piece: boolean, quiet?: boolean }} Finger */

export class Zoom {
  /** @param {Board} board */
  constructor(board) {
    styled("zoom.css");
    this.board = board;
    /** @type {Map<number, Finger>} */
    this.fingers = new Map(); // pointer → { x, y, since }
    /** @type {{ span: number, at: Point, scale: number } | null} */
    this.pinch = null; // { span, at, scale } when it began
    /** @type {Drawn | null} */
    this.lens = null;
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    /** @type {{ site: string | null, when: number }} */
    this.tapped = { site: "", when: 0 };
    this.lifted = { x: 0, y: 0, when: -Infinity }; // where a finger was lifted from the board last
    const { root } = board;
    root.classList.add("zooms");
    this.reset();
    root.addEventListener("reframed", () => this.reset());
    root.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    root.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    document.addEventListener("pointermove", (event) => this.#move(event), { capture: true });
    document.addEventListener("click", (event) => this.#second(event), { capture: true });
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, (/** @type {any} */ event) => this.#end(event), { capture: true });
  }

  reset() {
    this.scale = 1;
    this.#show();
  }

  // Zooms to `scale`, with the point `at` of the board kept where the client pixel (x, y) is.
  /** @param {number} scale @param {Point} at @param {number} x @param {number} y */
  to(scale, at, x, y) {
    this.scale = Math.min(CLOSEST, Math.max(1, scale));
    const box = this.board.root.getBoundingClientRect();
    const [left, top, width, height] = this.board.view;
    const [wide, high] = [width / this.scale, height / this.scale];
    /** @param {number} low @param {number} size @param {number} whole @param {number} part */
    const within = (low, size, whole, part) => Math.min(low + whole - part, Math.max(low, size));
    this.left = within(left, at.x - (wide * (x - box.left)) / box.width, width, wide);
    this.top = within(top, at.y - (high * (y - box.top)) / box.height, height, high);
    this.#show();
  }

  #show() {
    const { root, view } = this.board;
    if (!view) return;
    const close = this.scale > 1.01;
    root.classList.toggle("zoomed", close);
    root.setAttribute("viewBox", (close ? [this.left, this.top, view[2] / this.scale, view[3] / this.scale] : view).join(" "));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const at = this.board.point(event.clientX, event.clientY);
    this.to(this.scale * Math.exp(-event.deltaY / 300), at, event.clientX, event.clientY);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.pointerType !== "touch") return;
    const { pointerId, clientX: x, clientY: y, timeStamp: since } = event;
    this.fingers.set(pointerId, { x, y, since, piece: this.#pieceAt(this.board.near(this.board.point(x, y))) });
    this.#hint();
    const [one, other, third] = [...this.fingers.values()];
    if (other && !third && other.since - one.since < TOGETHER_MS && !(one.piece && other.piece)) {
      event.stopPropagation();
      event.preventDefault();
      const [first] = this.fingers.keys();
      this.#hideLens();
      this.pinch = { span: span(one, other), at: this.board.point((one.x + other.x) / 2, (one.y + other.y) / 2), scale: this.scale };
      /** @type {Finger} */ (this.fingers.get(first)).quiet = true;
      document.dispatchEvent(new PointerEvent("pointercancel", { pointerId: first, bubbles: true })); // the hand lets go
      return;
    }
    if (other) this.#hideLens();
    else this.#lens(event);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger) return;
    Object.assign(finger, { x: event.clientX, y: event.clientY });
    if (!this.pinch) return this.fingers.size === 1 ? this.#lens(event) : undefined;
    event.stopPropagation();
    const [one, other] = [...this.fingers.values()];
    this.to((this.pinch.scale * span(one, other)) / this.pinch.span, this.pinch.at, (one.x + other.x) / 2, (one.y + other.y) / 2);
  }

  /** @param {PointerEvent} event */
  #end(event) {
    const finger = this.fingers.get(event.pointerId);
    if (!finger || (event.type === "pointercancel" && !event.isTrusted && finger.quiet)) return; // our own word to the hand
    this.fingers.delete(event.pointerId);
    this.lifted = { x: event.clientX, y: event.clientY, when: event.timeStamp };
    this.#hideLens();
    if (this.pinch) {
      event.stopPropagation();
      this.pinch = null;
      this.fingers.clear();
    } else if (event.type === "pointerup") this.#tap(event);
  }

  // Two taps on the same free cell, on which nothing has been put by the first.
  /** @param {PointerEvent} event */
  #tap(event) {
    const at = this.board.point(event.clientX, event.clientY);
    const site = this.board.near(at);
    const busy = this.#pieceAt(site) || this.board.layers.air.firstChild;
    const twice = site && !busy && this.tapped.site === site && event.timeStamp - this.tapped.when < DOUBLE_MS;
    this.tapped = twice || busy ? { site: "", when: 0 } : { site, when: event.timeStamp };
    if (twice) this.to(this.scale > 1.01 ? 1 : Math.max(TAP_ZOOM, SMALL_PX / this.#cellPx()), at, event.clientX, event.clientY);
  }

  // The second of two quick taps on one place, where the first has opened something over the board: it was meant for the cell.
  /** @param {MouseEvent} event */
  #second(event) {
    const { x, y, when } = this.lifted, { clientX, clientY, timeStamp } = event;
    if (this.board.root.contains(/** @type {Node} */ (event.target)) || timeStamp - when > DOUBLE_MS) return;
    if (Math.hypot(clientX - x, clientY - y) > SAME_PX) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  // How wide a cell is, in pixels.
  #cellPx() {
    const { root, inner, view } = this.board, { width, height } = root.getBoundingClientRect();
    return 2 * inner * this.scale * Math.min(width / view[2], height / view[3]);
  }

  // It waits while a lesson or a puzzle says what to do and how that came out, and while the end of a game is told.
  #hint() {
    if (document.body.matches(".learning, [data-phase='over']")) return;
    if (this.#cellPx() >= TIGHT_PX || chosen("nearer", false)) return;
    tell(t("Two fingers make the board larger."));
    choose("nearer", true);
  }

  /** @param {string | null} site */
  #pieceAt(site) {
    return [...this.board.tokens.values()].some(({ group }) => group.dataset.on === site);
  }

  /** @param {PointerEvent} event */
  #lens({ clientX: x, clientY: y }) {
    const { root, inner, view } = this.board;
    if (this.#cellPx() >= SMALL_PX) return;
    if (!this.lens) {
      const [left, top, width, height] = view;
      this.lens = svg("svg", { class: "lens", "aria-hidden": "true", width: LENS_PX, height: LENS_PX });
      this.lens.append(svg("use", { href: `#${root.id}`, x: left, y: top, width, height }));
      document.body.append(this.lens);
    }
    const at = this.board.point(x, y);
    const side = LENS_PX / ((SMALL_PX * 1.4) / (2 * inner));
    this.lens.setAttribute("viewBox", `${at.x - side / 2} ${at.y - side / 2} ${side} ${side}`);
    const above = y > LENS_PX + 50 ? y - LENS_PX - 40 : y + 50;
    this.lens.style.transform = `translate(${Math.min(innerWidth - LENS_PX, Math.max(0, x - LENS_PX / 2))}px, ${above}px)`;
  }

  #hideLens() {
    this.lens?.remove();
    this.lens = null;
  }
}

/** @param {Point} one @param {Point} other */
const span = (one, other) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
