// The dialog for a new game: a picture of each, and a form made from what the games say about their options.

import { ask, messageOf } from "../common/api.js";
import { offered } from "../common/device.js";
import { button, make } from "../common/dom.js";
import { face } from "./face.js";
import { goesOn, knownBy } from "./left.js";
import { reachedLine } from "./progress.js";
import { alone, proposed, readPlayers, seatPlayers } from "./opponents.js";
import { askedOver, running, sure } from "../common/sure.js";
import { wayBack } from "./taken.js";
import { all, t } from "../common/text.js";

/** @import { Lenient, PageElement } from "../common/dom.js" */
/** @import { GameLeft, GameOffered, GameProgress, InLine, LevelTold, Option as Field, PanelView, ProgressTold, VariantOffered, You } from "../common/types.js" */
/** @import { Chosen } from "./opponents.js" */
/** @typedef {{ sent: PanelView | null, you: You | null }} Table */

const FEW = 3; // options that are shown at once; the others wait under a line
const TIMES = [3, 5, 10, 15, 30]; // minutes for each player, a button each
/** @param {PageElement} dialog @param {string} id */
const find = (dialog, id) => dialog.querySelector(`#${id}`);

// Opens the dialog; `submit(order)` resolves once the game has begun, or throws an Error with a sentence. `levels` are those at
// which the board plays. `table` has what is going on, also later, and who this phone is and who else holds seats: over a game that
// is being played it asks first. Returns what is to be called when who plays here has come or gone.
/** @param {PageElement} dialog @param {GameOffered[]} games @param {LevelTold[]} levels @param {Table} table @param {(order: object) => Promise<any>} submit */
export function openDialog(dialog, games, levels, table, submit) {
  const { sent } = table;
  const current = sent?.game ?? "";
  const [, asks, wanted] = /^#new=([\w-]+)\/?([\w-]*)$/.exec(location.hash) ?? [];
  if (asks) history.replaceState(history.state, "", location.pathname); // once is enough
  const first = games.find(({ name, fits }) => fits !== false && name === (asks ?? current)) ?? games.find(({ fits }) => fits !== false);
  /** @type {Lenient | null} */
  let asked = null; // the button that asks first, and is bright meanwhile
  let said = ""; // what it says otherwise
  /** @type {number | null} */
  let over = null; // the game that was on the table then, 0 for none
  const onTable = () => (table.sent && table.sent.phase !== "idle" ? table.sent.game_id : 0);
  const [start, learn, solo, solve] = ["start", "learn", "solo", "solve"].map((each) => find(dialog, each));
  /** @param {Lenient | null} by @param {string} [anyway] */
  const asking = (by, anyway = "") => {
    if (asked) asked.textContent = said;
    [asked, said] = [by, by?.textContent ?? ""];
    if (by) by.textContent = anyway;
    for (const each of [start, learn, solo]) each.classList.toggle("primary", each === (by ?? start));
  };
  [start.textContent, learn.textContent] = [t("Start"), t("Learn it")];
  asking(null);
  find(dialog, "games").replaceChildren(...games.map((game) => card(game, game === first)));
  const chosen = () => /** @type {GameOffered} */ (games.find(({ name }) => name === dialog.querySelector("[name=game]:checked")?.value));
  const players = find(dialog, "players");
  /** @type {GameProgress[]} */
  let reached = []; // until it is known
  /** @type {Node[]} */
  let left = []; // what goes on with games that were
  const lots = () => Boolean(find(dialog, "seating").querySelector("[name=lots]")?.checked);
  const level = () => offered(chosen().name, reached.find(({ name }) => name === chosen().name));
  const showLevel = () => chosen() && (solo.textContent = t("Against the board, level {level}", { level: level() }));
  const here = () => table.you?.phones.filter(({ away }) => !away).length ?? 0;
  let barred = Boolean(table.you?.barred); // by those who play here
  /** @param {Chosen} [now] */
  const showSeats = (now = readPlayers(dialog)) => {
    for (const each of [learn, solo, solve]) each.disabled = barred;
    find(dialog, "left").replaceChildren(...(barred ? [] : left));
    if (barred) showWhy(dialog, table);
    if (!chosen()) return; // no game fits this board
    const count = playersOf(dialog, chosen());
    const line = table.you?.line ?? [], some = line.length > 1;
    const people = !some ? [] : now.people?.length === count ? now.people : proposed(line, now.levels, count);
    const fields = levels.length || some ? seatPlayers(chosen(), count, levels, { ...now, people }, line, () => showSeats()) : null;
    players.replaceChildren(...(fields?.rows ?? []));
    find(dialog, "coaching").replaceChildren(...(fields?.beside ?? []));
    const turn = (/** @type {string[]} */ turned) => showSeats({ ...readPlayers(dialog), people: turned });
    find(dialog, "seating").replaceChildren(...(some ? seatFields(people, line, lots(), turn) : leftOut(Array.from({ length: count }, (_, seat) => now.levels[seat] ?? 0), line)));
    solo.hidden = !levels.length || count !== 2 || now.levels.slice(0, count).some(Boolean);
    showLevel();
  };
  solo.onclick = () => {
    const [now, own] = [readPlayers(dialog), alone(chosen(), playersOf(dialog, chosen()), level())];
    if (!may(solo, t("Against the board anyway"), own.levels)) return;
    const mine = table.you?.line?.find(({ you }) => you)?.id ?? "";
    showSeats({ ...now, levels: own.levels, people: own.levels.map((each) => (each ? "" : mine)) });
    if (dialog.querySelector("form").reportValidity()) begin();
  };
  find(dialog, "games").onchange = () => { showGame(dialog, chosen(), here()); showSeats({ ...readPlayers(dialog), people: undefined }); };
  find(dialog, "options").oninput = (/** @type {any} */ { target }) => {
    if (target.name === "variant") {
      showGame(dialog, chosen(), here(), target.value);
      find(dialog, "options").querySelector("[name=variant]").focus();
    }
    if (["variant", chosen()?.players_option].includes(target.name)) showSeats();
  };
  find(dialog, "cancel").onclick = () => dialog.close();
  // Whether a game with the board at these `levels` may be begun, or a lesson: over one that is being played the button that was
  // pressed asks first.
  /** @param {Lenient} begins @param {string} anyway @param {number[]} [levels] */
  const may = (begins, anyway, levels) => {
    const free = (asked === begins && over === onTable()) || !running(table.sent, table.you, levels);
    over = onTable();
    find(dialog, "refusal").classList.toggle("asks", !free);
    find(dialog, "refusal").textContent = free ? "" : leaving(table, begins === learn);
    if (!free) asking(begins, anyway);
    return free;
  };
  /** @param {() => Promise<any>} begin */
  const tried = (begin) => begin().then(() => dialog.close(), (error) => (find(dialog, "refusal").textContent = messageOf(error)));
  tick(find(dialog, "games"), ({ id }) => id !== sent?.game_id, async (what, goOn) => (!running(table.sent, table.you) || await sure(leftFor(table), goOn)) && tried(() => submit(what)))
    .then((found) => { ({ reached, left } = found); showSeats(); });
  solve.onclick = () => (location.href = "/puzzles");
  learn.onclick = () => may(learn, t("Learn it anyway")) && tried(() => submit({ do: "start_lesson", over, game: chosen().name }));
  const begin = () => tried(() => {
    const clock = readClock(dialog);
    const { people, ...opponents } = readPlayers(dialog, chosen().name, Boolean(clock));
    const sitting = players.querySelector("[value^='@']") ? { people, seats: lots() ? "lots" : "keep" } : { seats: "keep" };
    const variant = variantOf(dialog, chosen());
    return submit({ do: "new_game", over, game: chosen().name, options: { ...read(dialog, chosen().options), ...variant?.options }, ...(variant ? { variant: variant.title } : {}), ...sitting,
      ...(clock ? { clock } : {}), ...(opponents.levels.some(Boolean) || opponents.coach ? { opponents } : {}), ...readMatch(dialog) })
      .then(() => nameBeside(players));
  });
  dialog.querySelector("form").onsubmit = (event) => {
    event.preventDefault();
    if (may(start, t("Start anyway"), readPlayers(dialog).levels)) begin();
  };
  showGame(dialog, chosen(), here(), wanted);
  find(dialog, "seating").replaceChildren();
  showSeats({ levels: [], answers: false });
  dialog.showModal();
  dialog.querySelector("[name=game]:checked")?.focus({ preventScroll: true }); // what stands before it comes later, and goes
  return () => {
    if (barred === Boolean(table.you?.barred)) return;
    barred = !barred;
    find(dialog, "refusal").classList.remove("asks");
    find(dialog, "refusal").textContent = "";
    start.disabled = !chosen();
    showSeats();
  };
}

// Says why this phone can begin nothing over the game of others, from when on it can, and has what it can do now.
/** @param {PageElement} dialog @param {Table} table */
function showWhy(dialog, { sent, you }) {
  const why = find(dialog, "refusal");
  find(dialog, "start").disabled = true;
  why.classList.add("asks");
  if (!sent || !you) return;
  const names = [...new Set(Object.keys(you.held).filter((seat) => seat in sent.seats).map((seat) => you.people[Number(seat)]?.name ?? t("another phone")))];
  const told = names.length === 1 ? t("{person} plays here: only they, or who owns this table, can begin another game. Ask them, or wait until they have been away for ten minutes.", { person: names[0] })
    : t("{people} play here: only they, or who owns this table, can begin another game. Ask them, or wait until they have been away for ten minutes.", { people: all(names) });
  /** @param {string} path @param {object} [body] */
  const send = (path, body) => ask(path, body).then(() => dialog.close(), (error) => (why.textContent = messageOf(error)));
  why.replaceChildren(told, make("span", { className: "choices" }, ...wayBack(sent, you, send)));
}

// The question before what is on the `table` is left, for a lesson or for another game.
/** @param {Table} table @param {boolean} learns */
const leaving = ({ sent: view, you }, learns) => askedOver(view, you, learns
  ? t("{game} is being played: it stays among the games played, and can be resumed. Begin the lesson?", { game: view?.title }) : undefined);

// The question before that is left for a game of another evening.
/** @param {Table} table */
const leftFor = ({ sent: view, you }) => (view?.lesson ? t("A lesson is going on at this board, and would end. Go on with the other game?")
  : askedOver(view, you, t("{game} is being played: it stays among the games played, and can be resumed. Go on with the other one?", { game: view?.title })));

// A game that this board has no room for is grey, and says which board has.
/** @param {GameOffered} game @param {boolean} checked */
function card(game, checked) {
  const { name, title, fits } = game;
  const input = make("input", { type: "radio", name: "game", value: name, checked, disabled: fits === false });
  input.setAttribute("aria-label", title);
  return make("label", { className: fits === false ? "card unfit" : "card" }, input, ...face(game));
}

// Says in the card of each game how far this phone's person has come in it. Resolves to how far, and to the buttons of the games that
// were left before their end: one that `may` go on does so by `order`, which gets what its button is `named`.
/** @param {PageElement} box @param {(left: GameLeft) => boolean} may @param {(order: object, named: string) => Promise<any>} order */
async function tick(box, may, order) {
  /** @type {ProgressTold | null} */
  const progress = await ask("progress").catch(() => null);
  for (const game of progress?.games ?? []) box.querySelector(`[value="${game.name}"]`)?.closest("label").append(reachedLine(game));
  const left = (progress?.left ?? []).filter(may).map((game) => {
    const named = t("Go on with {game}", { game: game.title });
    const made = button(named, async () => await goesOn(game) && order({ do: "resume", game_id: game.id }, named));
    made.append(" ", make("small", { textContent: knownBy(game) }));
    return made;
  });
  return { reached: progress?.games ?? [], left };
}

// The seats where they have names of their own, and all take part.
/** @param {GameOffered} game */
function about({ minutes, seats, players_option: some }) {
  if (some || seats.every((seat) => /\d/.test(seat))) return t("About {minutes} minutes.", { minutes });
  return t("About {minutes} minutes. Players: {players}.", { minutes, players: seats.join(", ") });
}

// A game's form, with the variant called `wanted` where it has one, for all who are `here` where it is one for so many.
/** @param {PageElement} dialog @param {GameOffered | undefined} game @param {number} here @param {string} [wanted] */
function showGame(dialog, game, here, wanted = "") {
  const variant = game?.variants?.find(({ name }) => name === wanted);
  find(dialog, "blurb").textContent = game ? [variant ? variant.about || variant.changes : game.blurb, about(game)].join(" ") : "";
  find(dialog, "refusal").textContent = "";
  find(dialog, "game").value = game?.name ?? "";
  find(dialog, "start").disabled = !game;
  const fields = (game?.options ?? []).map((option) => field(option.name === game?.players_option ? forAll(option, here) : option, variant));
  const rest = fields.splice(fields.length > FEW + 1 ? FEW : fields.length);
  find(dialog, "options").replaceChildren(...variantField(game, variant), ...fields, ...(rest.length ? [more(rest)] : []));
  find(dialog, "clock").replaceChildren(matchField(), ...clockFields(game));
  find(dialog, "begins").textContent = game ? begins(game) : "";
  const link = find(dialog, "rules");
  link.hidden = !game;
  link.href = game ? `/rules/${game.name}` : "";
}

// For all who are here, or so many of them as the game has a number for.
/** @param {Field} option @param {number} here */
function forAll(option, here) {
  const all = option.kind === "choice" ? option.choices.filter((count) => count <= here).at(-1) : Math.min(here, option.high ?? here);
  return { ...option, default: Math.max(option.default, all ?? 0) };
}

// The usual rules or a variant, and the way to others.
/** @param {GameOffered | undefined} game @param {VariantOffered | undefined} variant */
function variantField(game, variant) {
  if (!game?.variants) return [];
  const select = make("select", { name: "variant" }, new Option(t("The usual rules"), ""),
    ...game.variants.map(({ name, title }) => new Option(title, name, false, name === variant?.name)));
  const href = `/workshop/rules/${game.name}${variant ? `?variant=${variant.name}` : ""}`;
  return [...(game.variants.length ? [make("label", { className: "field" }, make("span", { textContent: t("Rules") }), select)] : []),
    make("a", { className: "change-rules", href, textContent: t("Change the rules") })];
}

/** @param {PageElement} dialog @param {GameOffered} game */
const variantOf = (dialog, game) => game.variants?.find(({ name }) => name === dialog.querySelector("[name=variant]")?.value);

// Options under a line, which opens where one of them keeps the game from starting.
/** @param {HTMLElement[]} fields */
function more(fields) {
  const box = make("details", {}, make("summary", { textContent: t("More options ({count})", { count: fields.length }) }), ...fields);
  box.addEventListener("invalid", () => (box.open = true), { capture: true });
  return box;
}

// The seat that begins is the rules' word; who sits there is for the people.
/** @param {GameOffered} game */
function begins({ begins: seat, seats }) {
  if (seat === null) return t("The bids decide who begins.");
  return t("{name} begins, at the bottom of the board.", { name: seats[seat] });
}

// How many seats take part in the game as its options are now.
/** @param {PageElement} dialog @param {GameOffered} game */
function playersOf(dialog, { options, players_option, seats }) {
  const players = options.find(({ name }) => name === players_option);
  return players ? Math.min(Number(read(dialog, [players])[players_option]), seats.length) : seats.length; // any number can be typed
}

// What becomes of the `people` who are chosen from the `line`: they move on by one seat, or draw lots; and who gets up for them.
/** @param {string[]} people @param {InLine[]} line @param {boolean} checked @param {(people: string[]) => void} turn */
function seatFields(people, line, checked, turn) {
  const taken = [...people.keys()].filter((seat) => people[seat]);
  const turned = () => people.map((who, seat) => (who ? people[taken[(taken.indexOf(seat) + 1) % taken.length]] : ""));
  const lots = make("label", { className: "choice" }, make("input", { type: "checkbox", name: "lots", checked }), make("span", { textContent: t("Random seats") }));
  const moves = taken.length < 2 ? [] : [button(people.length === 2 ? t("Swap seats") : t("Rotate seats"), () => turn(turned())), ...(people.some((who) => who.endsWith("/")) ? [] : [lots])];
  return [...(moves.length ? [make("div", { className: "choices" }, ...moves)] : []), ...without(line.filter(({ id, seat }) => seat !== null && !people.includes(id)).map(({ name }) => name))];
}

/** @param {string[]} people */
const without = (people) => (people.length ? [make("p", { className: "note", textContent: t("Without a seat in that game: {people}. They are told so, and can watch.", { people: all(people) }) })] : []);

// Says who plays beside the person of this phone in the game that has begun.
/** @param {PageElement} players */
async function nameBeside(players) {
  for (const { value, dataset } of players.querySelectorAll("[name=beside]")) if (value.trim()) await ask("seat/person", { seat: Number(dataset.seat), name: value.trim() });
}

// Who of the `line` has a seat and none where the board plays at these `levels`: of one place for people, whoever begins the game takes it.
/** @param {number[]} levels @param {InLine[]} line */
function leftOut(levels, line) {
  const stay = levels.filter((level) => !level).length > 1 ? levels : [];
  return without(line.filter(({ seat, you }) => seat !== null && !you && stay[seat] !== 0).map(({ name }) => name));
}

// A single game, or several of which so many decide.
function matchField() {
  const select = make("select", { name: "match" }, new Option(t("A single game"), ""),
    new Option(t("Best of three"), "2"), new Option(t("Best of five"), "3"), new Option(t("First to five"), "5"));
  return make("label", { className: "field" }, make("span", { textContent: t("Match") }), select);
}

/** @param {PageElement} dialog */
function readMatch(dialog) {
  const to = Number(dialog.querySelector("[name=match]").value);
  return to ? { match: { to } } : {};
}

// Each player has half the time that the game takes, in steps of five minutes, where nobody says otherwise.
/** @param {GameOffered} [game] */
function clockFields(game) {
  /** @type {Record<string, string>} */
  const told = { sudden: t("Minutes for the whole game"), increment: t("Minutes, plus seconds added each move"), delay: t("Minutes, with a delay each move") };
  const kind = make("select", { name: "clock_kind" }, new Option(t("No clock"), ""), new Option(t("Minutes"), "sudden"),
    new Option(t("Plus seconds"), "increment"), new Option(t("With a delay"), "delay"));
  /** @param {string} name @param {number} value @param {string} words */
  const number = (name, value, words) => make("label", { className: "field" }, make("span", { textContent: words }),
    make("input", { name, type: "number", min: name === "minutes" ? 1 : 0, max: 600, value, required: true }));
  const minutes = number("minutes", Math.ceil((game?.minutes ?? 60) / 10) * 5, t("Minutes per player"));
  const times = make("div", { className: "choices times", role: "group", ariaLabel: t("Minutes") },
    ...TIMES.map((each) => button(String(each), () => (minutes.querySelector("input").value = String(each)))));
  const seconds = number("seconds", 10, t("Seconds per move"));
  const about = make("small");
  const show = () => {
    about.textContent = told[kind.value] ?? "";
    minutes.hidden = times.hidden = !kind.value;
    seconds.hidden = !["increment", "delay"].includes(kind.value);
    for (const label of [minutes, seconds]) label.querySelector("input").disabled = Boolean(label.hidden); // else it could keep a game from starting
  };
  kind.onchange = show;
  show();
  return [make("label", { className: "field" }, make("span", { textContent: t("Clock") }), kind, about), minutes, times, seconds];
}

/** @param {PageElement} dialog */
function readClock(dialog) {
  const [kind, minutes, seconds] = ["clock_kind", "minutes", "seconds"].map((name) => dialog.querySelector(`[name=${name}]`).value);
  return kind ? { kind, minutes: Number(minutes), seconds: kind === "sudden" ? 0 : Number(seconds) } : null;
}

// What a variant is made of cannot be changed beside it.
/** @param {Field} option @param {VariantOffered} [variant] */
function field(option, variant) {
  const name = make("span", { textContent: option.title });
  const help = make("small", { textContent: [option.help, bounds(option)].filter(Boolean).join(" ") });
  const fixed = variant?.options[option.name];
  const input = control(fixed === undefined ? option : { ...option, default: fixed });
  input.disabled = fixed !== undefined;
  return make("label", { className: `field ${option.kind}` }, name, input, help);
}

/** @param {Field} option */
function bounds({ kind, low, high }) {
  if (kind !== "int") return "";
  if (low !== null && high !== null) return t("{low} to {high}", { low, high });
  return low !== null ? t("at least {low}", { low }) : high !== null ? t("at most {high}", { high }) : "";
}

/** @param {Field} option */
function control({ name, kind, default: usual, choices, titles, low, high }) {
  if (kind === "choice") {
    return make("select", { name }, ...choices.map((choice, n) => new Option(titles[n], String(n), false, choice === usual)),
      ...(choices.includes(usual) ? [] : [new Option(usual, "", false, true)])); // as a variant has it
  }
  const input = make("input", { name, type: /** @type {Record<string, string>} */ ({ int: "number", bool: "checkbox" })[kind] ?? "text" });
  if (kind === "bool") input.checked = usual;
  else input.value = usual;
  if (kind !== "int") return input;
  return Object.assign(input, /** @type {any} */ ({ required: true, step: 1, min: low ?? "", max: high ?? "" }));
}

/** @param {PageElement} dialog @param {Field[]} options */
function read(dialog, options) {
  const controls = find(dialog, "options");
  return Object.fromEntries(options.map(({ name, kind, choices }) => {
    const input = controls.querySelector(`[name="${CSS.escape(name)}"]`);
    if (kind === "bool") return [name, input.checked];
    if (kind === "int") return [name, Number(input.value)];
    return [name, kind === "choice" ? choices[Number(input.value)] : input.value];
  }));
}
