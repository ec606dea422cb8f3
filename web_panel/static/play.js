// What a person does on the phone beside moving pieces: plies written or chosen, clocks, resigning, draws, hints.
// Knows no rules: every ply offered here comes from the service.

import { make, SEATS, svg, t } from "./board.js";

const TICK_MS = 250;
const hintLevels = () => ({
  none: t("No hints"), legal: t("Where a lifted piece may go"), movable: t("Also what can move"), threatened: t("Also what is in danger"),
});
const PAGES = [["rules", t("How to play")], ["history", t("Games played")], ["care", t("Board care")]];

const button = (textContent, onclick, more = {}) => make("button", { type: "button", textContent, onclick, ...more });

// Milliseconds as people read them on a clock.
export function time(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// Sends a request; resolves to the answer, or throws an Error with the sentence for the person who asked.
export async function ask(path, body) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, body && {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
  } catch {
    throw new Error(t("The board did not answer; is it switched on and in the same network?"));
  }
  const read = await answer.json().catch(() => ({ error: `The board answered with ${answer.status}.` }));
  if (!answer.ok) throw new Error(read.error);
  return read;
}

export class Play {
  // `send` is `ask` that tells the person what was refused; `differs()` says whether simulated pieces stand otherwise than
  // they should; `seat()` is whose phone this is, or null, `seats()` are all that it holds; `held()` the names of the phones
  // by the seats that they hold.
  constructor({ send, tell, differs, seat, seats, held }) {
    Object.assign(this, { send, tell, differs, seat, seats, held });
    this.inspecting = false;
    this.acts = document.querySelector("#acts");
    this.sheet = make("dialog", { id: "sheet" });
    document.body.append(this.sheet);
    this.sheet.addEventListener("click", (event) => event.target === this.sheet && this.sheet.close());
    this.#makeWriting();
    document.querySelector("#more").onclick = () => this.openMore();
    document.querySelector("#cell-plies").onclick = () => this.inspect(!this.inspecting);
    setInterval(() => this.#showClocks(), TICK_MS);
  }

  order(what) {
    return this.send("order", what);
  }

  ply(text) {
    return this.order(this.#written(text));
  }

  #written(text) {
    return { do: "ply", text, ...(this.seat() === null ? {} : { seat: this.seat() }) };
  }

  // ---- what is shown with every view ----

  show(view) {
    this.view = view;
    this.since = performance.now();
    const playing = !["idle", "setup", "over"].includes(view.phase);
    document.querySelector("#cell-plies").disabled = !playing;
    if (!playing) this.inspect(false);
    this.writing.hidden = !playing;
    this.showActs();
    this.#showClocks();
    if (this.sheet.open && this.sheet.dataset.version !== this.#stamp()) this.sheet.close(); // it is about another position
  }

  #stamp() {
    const { game, plies, phase } = this.view;
    return `${game} ${plies.length} ${plies.at(-1)?.text} ${phase}`;
  }

  // The buttons under the sentence: what only the phone can do, and what waits for an answer.
  showActs() {
    if (!this.view) return;
    const { taps, phase, paused } = this.view;
    const acts = [];
    if (this.differs()) acts.push(["set up", phase === "setup" ? t("Set the pieces up for me") : t("Do it for me")]);
    if (paused) acts.push(["go on", t("Go on")]);
    for (const [seat, { name, offers_draw: offers }] of this.view.seats.entries()) {
      if (offers) acts.push([`agree ${seat}`, t("{name} offers a draw: agree", { name })], [`refuse ${seat}`, t("No draw")]);
    }
    if (phase === "over" && this.view.back === this.view.plies.length) acts.push(["back", t("Take the end back")]);
    if (phase === "over" && !this.view.lesson) acts.push(...this.#playAgain());
    for (const { ply, words } of taps) acts.push([`ply ${ply}`, words || ply]);
    const hint = this.#secretHint(acts);
    const now = JSON.stringify([hint, acts]);
    if (this.acts.dataset.now === now) return;
    this.acts.dataset.now = now;
    this.acts.hidden = !hint && !acts.length;
    this.acts.replaceChildren(...(hint ? [make("p", { textContent: hint })] : []),
      ...acts.map(([what, label]) => button(label, () => this.#act(what))));
  }

  // A phone without a seat is told why it sees no plies, and can take the seat: "" where there is nothing to say.
  #secretHint(acts) {
    const mover = this.view.seats.findIndex((seat) => seat.to_move);
    if (!this.view.secret || mover < 0 || this.seats().length) return "";
    const [{ name: seat }, holder] = [this.view.seats[mover], this.held()[mover]];
    if (holder) return t("What {seat} can do now is secret: only the phone of {holder} shows it.", { seat, holder });
    acts.push([`take ${mover}`, t("Play {seat}", { seat })]);
    return t("What {seat} can do now is secret. Play {seat} on this phone to see it here.", { seat });
  }

  // The same game afresh, as everybody sits, or with the next phone in the seat that begins.
  #playAgain() {
    const { seats, begins } = this.view;
    const sat = seats.map((_, seat) => this.held()[seat] ?? "");
    const again = [["again keep", t("Play again")]];
    if (begins === null || !sat.some((name) => name !== sat[0])) return again;
    const next = sat[(begins + 1) % sat.length];
    return [...again, ["again turn", next ? t("Play again: {name} begins", { name: next }) : t("Play again: the other side begins")]];
  }

  #act(what) {
    const [verb, ...rest] = what.split(" ");
    const others = (seat) => this.view.seats.map((_, n) => n).filter((n) => n !== seat && !this.view.seats[n].offers_draw);
    if (what === "set up") return this.send("set_up", {});
    if (what === "go on") return this.order({ do: "pause", on: false });
    if (what === "back") return this.order({ do: "take_back", to: this.view.back, made: this.view.plies.length });
    if (verb === "ply") return this.ply(rest.join(" "));
    if (verb === "take") return this.send("seat", { seat: Number(rest[0]) });
    if (verb === "again") return this.order({ do: "play_again", seats: rest[0] });
    const who = this.seat() ?? others(Number(rest[0]))[0] ?? 0;
    return this.order({ do: verb === "agree" ? "offer_draw" : "refuse_draw", seat: who });
  }

  #showClocks() {
    if (!this.view) return;
    const passed = performance.now() - this.since;
    for (const [n, row] of [...document.querySelectorAll("#seats li")].entries()) {
      const { left_ms: left, running } = this.view.seats[n] ?? {};
      if (left === null || left === undefined) continue;
      const clock = row.querySelector("time") ?? row.appendChild(make("time"));
      clock.textContent = time(Math.max(0, left - (running ? passed : 0)));
      clock.classList.toggle("running", Boolean(running));
    }
  }

  // ---- plies of a cell, and written ones ----

  inspect(on) {
    this.inspecting = on;
    document.querySelector("#cell-plies").setAttribute("aria-pressed", on);
    document.body.classList.toggle("inspecting", on);
  }

  async openPlies(site) {
    this.inspect(false);
    if (!this.view?.sites[site]?.label || this.view.phase === "setup") return;
    const name = this.view.sites[site].label;
    const plies = await this.send(`plies?site=${encodeURIComponent(site)}`);
    if (plies && !plies.length) this.tell(this.#noPly(name));
    if (plies?.length) this.#openList(t("Plies of {cell}", { cell: name }), plies);
  }

  #noPly(name) {
    const mover = this.view.seats.findIndex((seat) => seat.to_move);
    if (!this.view.secret || this.seat() === mover) return t("No ply can be made at {cell} now.", { cell: name });
    return t("What can be made now is secret: only a phone that plays {seat} sees it. Take that seat under People.", { seat: this.view.seats[mover]?.name });
  }

  #openList(title, plies) {
    const list = make("div", { className: "plies" }, ...plies.map(({ ply, words }) =>
      button(words || ply, () => this.#choose(ply), words && words !== ply ? { title: ply } : {})));
    this.#open(title, list);
    list.querySelector("button").focus();
  }

  async #choose(ply) {
    if (await this.ply(ply)) this.sheet.close();
  }

  #open(title, ...parts) {
    const close = button(t("Close"), () => this.sheet.close(), { className: "close" });
    this.sheet.dataset.version = this.#stamp();
    this.sheet.replaceChildren(make("header", {}, make("h2", { textContent: title }), close), ...parts);
    this.sheet.setAttribute("aria-label", title);
    if (!this.sheet.open) this.sheet.showModal();
  }

  #makeWriting() {
    const input = make("input", { name: "ply", maxLength: 2000, autocomplete: "off", spellcheck: false, placeholder: t("Write a ply") });
    input.setAttribute("aria-label", t("Write a ply"));
    input.setAttribute("autocapitalize", "off");
    const refusal = make("p", { className: "refusal" });
    refusal.setAttribute("role", "alert");
    this.writing = make("form", { id: "writing", hidden: true }, input, make("button", { textContent: t("Play") }), refusal);
    this.writing.onsubmit = async (event) => {
      event.preventDefault();
      refusal.textContent = await this.#write(input);
    };
    document.querySelector("#history").append(this.writing);
  }

  // Plays what is written, several plies with ";" between them; resolves to a sentence where one was refused. Those that were
  // not played stay to be mended, unless something else was written meanwhile.
  async #write(input) {
    const sent = input.value;
    const texts = sent.split(";").map((text) => text.trim()).filter(Boolean);
    let refusal = "";
    while (texts.length && !refusal) {
      try {
        await ask("order", this.#written(texts[0]));
        texts.shift();
      } catch (error) {
        refusal = error.message;
      }
    }
    if (input.value === sent) input.value = texts.join("; ");
    return refusal;
  }

  // ---- everything else ----

  async openMore() {
    const { phase, paused, seats } = this.view;
    const links = make("nav", {}, ...PAGES.map(([path, title]) =>
      make("a", { href: path === "rules" && this.view.game ? `/rules/${this.view.game}` : `/${path}`, textContent: title })));
    const parts = [links];
    if (seats.length && phase !== "over") {
      const who = this.seat() ?? Math.max(0, seats.findIndex((seat) => seat.to_move));
      const name = seats.length ? seats[who].name : "";
      parts.push(make("div", { className: "choices" },
        button(paused ? t("Go on") : t("Pause"), () => this.#done({ do: "pause", on: !paused })),
        button(t("{name} offers a draw", { name }), () => this.#done({ do: "offer_draw", seat: who })),
        button(t("{name} resigns …", { name }), () => this.#confirmResigning(who, name))));
    }
    if (seats.length) parts.push(make("h3", { textContent: t("Hints by light") }), ...seats.map((seat, n) => this.#hints(seat, n)));
    const tally = make("div", { id: "evening" });
    parts.push(tally);
    this.#open(this.view.title || "Beaconboard", ...parts);
    this.#showEvening(tally);
  }

  async #done(order) {
    if (await this.order(order)) this.sheet.close();
  }

  #confirmResigning(seat, name) {
    const yes = button(t("Yes, {name} resigns", { name }), () => this.#done({ do: "resign", seat }), { className: "primary" });
    this.#open(t("{name} gives up?", { name }), make("div", { className: "choices" }, yes, button(t("No"), () => this.sheet.close())));
  }

  #hints({ name, hints }, seat) {
    const select = make("select", {}, ...Object.entries(hintLevels()).map(([level, words]) => new Option(words, level, false, level === hints)));
    select.onchange = () => this.order({ do: "hints", seat, level: select.value });
    return make("label", { className: "field hints" }, make("span", { textContent: name }), select);
  }

  async #showEvening(box) {
    const evening = await ask("evening").catch(() => null);
    if (!evening?.games.length) return;
    box.append(make("h3", { textContent: t("This evening") }), make("ul", {}, ...evening.games.map(({ title, sentence }) =>
      make("li", { textContent: `${title}: ${sentence}` }))),
    make("p", { className: "tally", textContent: evening.tally }));
  }
}

// ---- what a game tells beside its pieces: units in stores, costs between cells, terrain and fortresses ----

const TILES = { hill: "▲", forest: "♣", grassland: "≈" };

// Draws `data` of the view; `at(label)` is the board's site of the game's own name, or undefined.
export function drawMarks(board, { data }, at) {
  board.mark("under", [...tiles(board, data, at)]);
  board.mark("over", [...stores(board, data, at), ...costs(board, data, at)]);
}

function written(words, x, y, size, attributes = {}) {
  const made = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "font-size": size.toFixed(1), ...attributes });
  made.textContent = words;
  return made;
}

function* tiles({ inner }, { tiles = {}, fortresses = [], centres = [] }, at) {
  const low = ({ x, y }, glyph, name) => written(glyph, x, y + 0.88 * inner, 0.42 * inner, { class: `tile ${name}` });
  for (const [cell, tile] of Object.entries(tiles)) {
    const site = at(cell);
    if (!site) continue;
    yield outline(site, `tile ${tile}`);
    if (TILES[tile]) yield low(site, TILES[tile], tile);
  }
  for (const [seat, cell] of fortresses.entries()) {
    const site = at(cell);
    if (site) yield outline(site, "tile fortress");
    if (site) yield low(site, "♜", `fortress of-${seat}`);
  }
  for (const [seat, cell] of centres.entries()) {
    const site = at(cell);
    if (site && cell !== fortresses[seat]) yield low(site, "✥", `centre of-${seat}`);
  }
}

function outline({ x, y, outline: corners }, name) {
  const points = corners.map(([px, py]) => `${(x + (px - x) * 0.9).toFixed(1)},${(y + (py - y) * 0.9).toFixed(1)}`).join(" ");
  return svg("polygon", { class: name, points });
}

// How many units of each seat a store holds, on the token that stands for them.
function* stores({ inner }, { stores = {} }, at) {
  for (const [cell, units] of Object.entries(stores)) {
    const site = at(cell);
    const held = units.map((count, seat) => ({ count, seat })).filter(({ count }) => count);
    if (!site || !held.length) continue;
    const most = Math.max(...held.map(({ count }) => count));
    const dominant = held.filter(({ count }) => count === most).length === 1;
    const label = written("", site.x, site.y, (held.length > 1 ? 0.4 : 0.55) * inner, { class: "store" });
    for (const [n, { count, seat }] of held.entries()) {
      const { body: [light, dark], letter, ink } = SEATS[seat];
      const pale = letter > "#888888";
      const part = svg("tspan", held.length > 1 || !dominant ? { fill: ink, class: "apart" } : { fill: letter, stroke: pale ? dark : light });
      part.textContent = `${n ? " " : ""}${count}`;
      label.append(part);
    }
    yield label;
  }
}

function* costs({ inner }, { costs = {} }, at) {
  for (const [pair, cost] of Object.entries(costs)) {
    const [a, b] = pair.split("-").map(at);
    if (a && b) yield written(cost, (a.x + b.x) / 2, (a.y + b.y) / 2, 0.24 * inner, { class: `cost ${cost === "1:0" ? "closed" : cost === "0:1" ? "free" : ""}` });
  }
}
