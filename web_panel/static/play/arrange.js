// Pieces that a seat sets up in secret: composed on this phone, on the drawn board, and sent all at once when it is the seat's
// turn. Loaded when a game asks for it. Knows no rules: pieces, cells and arrays come from the service, which checks the result.

import { token } from "../board/board.js";
import { chosen, choose } from "../common/device.js";
import { button, make, setText, svg, styled } from "../common/dom.js";
import { announce, lookBack } from "./ready.js";
import { playerName } from "./seats.js";
import { t } from "../common/text.js";

/** @import { Give, Tell } from "../common/api.js" */
/** @import { Board, Looks, Put } from "../board/board.js" */
/** @import { Lenient, PageElement } from "../common/dom.js" */
/** @import { Arrange, PanelView, Piece, You } from "../common/types.js" */

const DRAG_PX = 6;
const MOST_KEPT = 8;
const HOME = "#2f7f57";
const PICKED = "#e0b040";

/** @typedef {{ box: HTMLElement, said: HTMLElement & Lenient, kinds: HTMLElement & Lenient, arrays: HTMLElement & Lenient, done: HTMLButtonElement, clear: HTMLButtonElement, keep: HTMLButtonElement }} Form */
/** @typedef {{ cell: string | null, kind?: string, x: number, y: number, at: { x: number, y: number } | null }} Drag */

export class Arranging {
  // `order(what)` resolves to null where it was refused; `changed()` is called when the board is to be drawn anew.
  /** @param {{ board: Board, table: PageElement, order: Give, tell: Tell, changed: () => void }} parts */
  constructor({ board, table, order, tell, changed }) {
    this.board = board;
    this.order = order;
    this.tell = tell;
    this.changed = changed;
    /** @type {PanelView & { arrange: Arrange }} */
    this.view = /** @type {any} */ (null); // until it is shown
    /** @type {You | null} */
    this.you = null;
    /** @type {string | null | undefined} */
    this.key = undefined;
    /** @type {Form | null} */
    this.form = null;
    this.sending = false;
    this.sentAt = -1; // how many plies there were when it was sent: the board may show it later than it says that it has it
    /** @type {Map<string, string>} */
    this.draft = new Map(); // cell, by the game's name → kind
    /** @type {{ cell?: string, kind?: string } | null} */
    this.picked = null; // { cell } or { kind }
    /** @type {number | null} */
    this.game = null; // the number of the one that is being set up
    /** @type {number | null} */
    this.ready = null; // how many plies there were when "Ready" was pressed, null before
    /** @type {Drag | null} */
    this.drag = null;
    styled("arrange.css").then(() => import("../common/room.js")).then(({ watchRoom }) => watchRoom()); // its buttons have changed their size
    table.addEventListener("pointerdown", (event) => this.#down(event), { capture: true });
    table.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    document.addEventListener("pointermove", (event) => this.#moved(event));
    document.addEventListener("pointerup", (event) => this.#up(event));
    document.addEventListener("pointercancel", () => this.#drop());
  }

  /** @param {PanelView} view @param {You} you */
  show(view, you) {
    this.view = /** @type {PanelView & { arrange: Arrange }} */ (view);
    this.you = you;
    const { arrange } = view;
    const key = arrange && JSON.stringify([view.game, arrange.seat, arrange.pieces, arrange.cells]);
    if (key !== this.key) this.#begin(key);
    if (!arrange) return;
    const other = view.game_id !== this.game || view.plies.length < Number(this.ready); // it is about another position now
    this.game = view.game_id;
    if (other) this.ready = null;
    if (this.ready !== null && this.#due() && view.plies.length !== this.sentAt) this.#send();
    lookBack(you, this.#due() ? null : arrange.seat, this.ready !== null);
    this.#draw();
  }

  get active() {
    return Boolean(this.key) && this.ready === null;
  }

  /** @param {string | null} key */
  #begin(key) {
    this.key = key;
    this.sentAt = -1;
    this.ready = null;
    this.picked = null;
    this.drag = null;
    this.draft.clear();
    this.form?.box.remove();
    this.form = null;
    document.body.classList.toggle("arranging", Boolean(key));
    this.#toTop();
    if (!key) return this.changed();
    try {
      const [kept, draft] = JSON.parse(String(sessionStorage.getItem("arrange"))) ?? [];
      if (kept === key) this.draft = new Map(draft);
    } catch { /* nothing kept, or nothing that can be */ }
    this.#makeForm();
    this.changed();
  }

  // What is to be done now, or has become of it, is in sight, though somebody has read on.
  #toTop() {
    /** @type {HTMLElement} */ (document.querySelector("#told")).scrollTop = 0;
  }

  // Whether it is this seat's turn to send.
  #due() {
    return this.view.seats[this.view.arrange.seat]?.to_move;
  }

  // How many of each kind are still beside the board.
  #left() {
    const left = new Map(Object.entries(this.view.arrange.pieces));
    for (const kind of this.draft.values()) left.set(kind, Number(left.get(kind)) - 1);
    return left;
  }

  #complete() {
    const { optional } = this.view.arrange;
    return [...this.#left()].every(([kind, count]) => count === 0 || optional.includes(kind));
  }

  // The kind that the next tap puts down: the chosen one while some are left, else the first of which some are.
  #kind() {
    const left = this.#left();
    if (this.picked?.kind && left.get(this.picked.kind)) return this.picked.kind;
    const { optional } = this.view.arrange;
    return [...left].find(([kind, count]) => count && !optional.includes(kind))?.[0] ?? null;
  }

  // ---- what is drawn on the board ----

  /** @param {string} name @param {Looks} looked */
  look(name, looked) {
    const cell = this.view?.sites[name]?.label ?? "";
    if (!this.key || !this.view.arrange?.cells.includes(cell)) return looked;
    const kind = this.draft.get(cell);
    const light = this.picked?.cell === cell ? PICKED : this.ready === null ? HOME : looked.light;
    return { ...looked, light, name: [cell, kind ? this.view.kinds[kind] : t("empty")].join(", ") };
  }

  /** @returns {Put[]} */
  tokens() {
    if (!this.key || !this.view.arrange) return [];
    const { seat } = this.view.arrange;
    const sites = new Map(Object.entries(this.view.sites).map(([name, { label }]) => [label, name]));
    /** @type {Put[]} */
    const found = [...this.draft].filter(([cell]) => !this.drag?.at || this.drag.cell !== cell).map(([cell, kind]) =>
      ({ id: `draft ${cell}`, piece: this.#piece(kind, seat), site: sites.get(cell), state: this.picked?.cell === cell ? "lifted" : "set" }));
    if (this.drag?.at) found.push({ id: "draft in hand", piece: this.#piece(String(this.drag.kind), seat), ...this.drag.at, state: "dragged" });
    return found;
  }

  /** @param {string} kind @param {number} seat @returns {Piece} */
  #piece(kind, seat) {
    return { seat: this.view.arrange.nobodys?.includes(kind) ? null : this.view.seats[seat].colour, kind };
  }

  // ---- taps and fingers ----

  /** @param {PointerEvent} event */
  #cellAt(event) {
    const name = this.board.near(this.board.point(event.clientX, event.clientY));
    return name ? this.view.sites[name]?.label ?? "" : "";
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (!this.active || event.button !== 0) return;
    event.stopPropagation();
    const cell = this.#cellAt(event);
    this.drag = { cell, kind: this.draft.get(cell), x: event.clientX, y: event.clientY, at: null };
  }

  /** @param {PointerEvent} event @param {string} kind */
  #downOnTray(event, kind) {
    if (!this.active || event.button !== 0 || !this.#left().get(kind)) return;
    /** @type {any} */ (event.currentTarget).releasePointerCapture?.(event.pointerId);
    this.drag = { cell: null, kind, x: event.clientX, y: event.clientY, at: null };
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { drag } = this;
    if (!drag?.kind || (!drag.at && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX)) return;
    drag.at = this.board.point(event.clientX, event.clientY);
    this.changed();
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const { drag } = this;
    if (!drag) return;
    this.drag = null;
    const cell = this.#cellAt(event);
    if (!drag.at) return drag.cell === null ? undefined : this.tap(drag.cell);
    if (!this.#mine(cell)) drag.cell === null ? null : this.draft.delete(drag.cell); // off the cells: beside the board again
    else if (drag.cell === null) this.draft.set(cell, String(drag.kind));
    else this.#exchange(drag.cell, cell);
    this.picked = null;
    this.#changed();
  }

  #drop() {
    if (!this.drag) return;
    this.drag = null;
    this.changed();
  }

  /** @param {KeyboardEvent & { target: any }} event */
  #key(event) {
    const name = event.target.dataset?.site;
    if (!this.active || !name || !["Enter", " ", "Delete", "Backspace"].includes(event.key)) return;
    event.stopPropagation();
    event.preventDefault();
    const cell = this.view.sites[name]?.label ?? "";
    if (event.key === "Enter" || event.key === " ") return this.tap(cell);
    this.draft.delete(cell);
    this.#changed();
  }

  /** @param {string} cell */
  #mine(cell) {
    return this.view.arrange.cells.includes(cell);
  }

  // A piece is picked up, put down on a free cell, or exchanged with the one that stands there.
  /** @param {string} cell */
  tap(cell) {
    if (!this.#mine(cell)) return this.tell(t("Only the lit cells are yours."));
    const from = this.draft.has(this.picked?.cell ?? "") ? this.picked?.cell : undefined; // it may have been dragged away since
    const kind = this.#kind();
    if (from !== undefined) {
      if (from !== cell) this.#exchange(from, cell);
      this.picked = null;
    } else if (this.draft.has(cell)) this.picked = { cell };
    else if (kind) this.draft.set(cell, kind);
    this.#changed();
  }

  /** @param {string} from @param {string} to */
  #exchange(from, to) {
    const [moved, there] = [String(this.draft.get(from)), this.draft.get(to)];
    this.draft.set(to, moved);
    if (from === to) return;
    if (there) this.draft.set(from, there);
    else this.draft.delete(from);
  }

  /** @param {string} kind */
  #pick(kind) {
    if (this.picked?.cell) this.draft.delete(this.picked.cell);
    this.picked = this.picked?.cell ? null : { kind };
    this.#changed();
  }

  #changed() {
    try {
      sessionStorage.setItem("arrange", JSON.stringify([this.key, [...this.draft]]));
    } catch { /* then it lasts as long as this page */ }
    this.#draw();
    this.changed();
  }

  // ---- the form ----

  #makeForm() {
    const { arrange } = this.view;
    const said = make("p");
    const kinds = make("div", { className: "hand" }, ...Object.keys(arrange.pieces).map((kind) => this.#kindButton(kind)));
    const arrays = make("div", { className: "arrays" });
    const done = button(t("Ready"), () => this.#pressReady(), { className: "primary" });
    const clear = button(t("Clear"), () => this.#fill({}));
    const keep = button(t("Keep this array"), () => this.#keepArray());
    const box = make("div", { id: "arrange" }, said, arrays, kinds, make("div", { className: "choices" }, done, clear, keep));
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", t("Set up {name}", { name: this.view.seats[arrange.seat].name }));
    document.querySelector("#question")?.after(box);
    this.form = { box, said, arrays, kinds, done, clear, keep };
  }

  /** @param {string} kind */
  #kindButton(kind) {
    const made = button("", () => this.#pick(kind));
    made.dataset.kind = kind;
    made.addEventListener("pointerdown", (event) => this.#downOnTray(event, kind));
    return made;
  }

  #draw() {
    if (!this.form) return;
    const { view, form } = this;
    const waits = this.ready !== null;
    const [left, kind] = [this.#left(), this.#kind()];
    const rest = [...left].reduce((all, [each, count]) => all + (view.arrange.optional.includes(each) ? 0 : count), 0);
    const mover = view.seats.findIndex((seat) => seat.to_move);
    setText(form.said, waits ? t("Your pieces are ready. They are sent when {name} has set up.", { name: mover < 0 ? "" : playerName(view, this.you, mover) })
      : rest ? t("Tap lit cells to put pieces down in secret, drag them, or begin with an array. Left: {count}.", { count: rest })
        : t("Tap two cells to exchange pieces. Nobody else sees them until all are ready."));
    for (const each of /** @type {Iterable<any>} */ (form.kinds.children)) this.#drawKind(each, left.get(each.dataset.kind), each.dataset.kind === kind);
    this.#drawArrays(form.arrays);
    form.done.textContent = waits ? t("Change") : t("Ready");
    form.done.disabled = !waits && !this.#complete();
    form.clear.disabled = waits || !this.draft.size;
    form.keep.disabled = waits || !this.#complete();
    for (const part of [form.kinds, form.arrays, form.clear, form.keep]) part.hidden = waits;
  }

  /** @param {HTMLElement & Lenient} each @param {number | undefined} count @param {boolean} on */
  #drawKind(each, count, on) {
    const { kind } = each.dataset;
    const now = `${count} ${on} ${Boolean(this.board.drawings)}`;
    each.setAttribute("aria-pressed", on);
    if (each.dataset.now === now) return;
    each.dataset.now = now;
    each.setAttribute("aria-label", t("{kind}: {count} left", { kind: this.view.kinds[kind], count }));
    each.classList.toggle("none", !count);
    const piece = this.#piece(kind, this.view.arrange.seat);
    each.replaceChildren(svg("svg", { viewBox: "-110 -110 220 220", "aria-hidden": "true" }, token(piece, this.view.signs[kind], 100, this.board.drawings)),
      make("b", { textContent: count }));
  }

  /** @param {HTMLElement & Lenient} arrays */
  #drawArrays(arrays) {
    const own = this.#kept();
    const now = JSON.stringify(own);
    if (arrays.dataset.now === now) return;
    arrays.dataset.now = now;
    /** @type {Node[]} */
    const made = this.view.arrange.arrays.map(({ title, at }) => button(title, () => this.#fill(at)));
    for (const [n, at] of own.entries()) {
      const name = t("Own array {number}", { number: n + 1 });
      const forget = button("✕", () => this.#setKept(own.filter((_, other) => other !== n)));
      forget.setAttribute("aria-label", t("Forget {name}", { name }));
      made.push(make("span", { className: "own" }, button(name, () => this.#fill(at)), forget));
    }
    arrays.replaceChildren(...made);
  }

  /** @param {Record<string, string>} at */
  #fill(at) {
    this.draft = new Map(Object.entries(at).filter(([cell]) => this.#mine(cell)));
    this.picked = null;
    this.#changed();
  }

  // ---- own arrays, kept on this phone by game and seat ----

  #place() {
    return `${this.view.game} ${this.view.arrange.seat}`;
  }

  /** @returns {Record<string, string>[]} */
  #kept() {
    return chosen("arrays", {})[this.#place()] ?? [];
  }

  /** @param {Record<string, string>[]} arrays */
  #setKept(arrays) {
    choose("arrays", { ...chosen("arrays", {}), [this.#place()]: arrays.slice(-MOST_KEPT) });
    this.#draw();
  }

  #keepArray() {
    const now = Object.fromEntries([...this.draft].sort());
    const others = this.#kept().filter((each) => JSON.stringify(each) !== JSON.stringify(now));
    this.#setKept([...others, now]);
  }

  // ---- sending ----

  #pressReady() {
    this.ready = this.ready === null ? this.view.plies.length : null;
    this.picked = null;
    if (this.ready !== null && this.#due()) return this.#send();
    announce(this.view.arrange.seat, this.ready !== null);
    this.#draw();
    this.#toTop();
    this.changed();
  }

  async #send() {
    if (this.sending) return;
    this.sending = true;
    const { arrange: { seat, optional, end }, plies: { length: sentAt } } = this.view;
    const texts = [...this.draft].map(([cell, kind]) => `${kind}@${cell}`);
    const left = this.#left();
    if (optional.some((kind) => left.get(kind))) texts.push(end);
    const done = await this.order({ do: "plies", texts, seat });
    this.sending = false;
    if (done) return void (this.sentAt = sentAt);
    announce(seat, false);
    this.ready = null;
    this.#draw();
    this.changed();
  }
}
