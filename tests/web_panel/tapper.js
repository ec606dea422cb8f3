// Random fingers in a page of the panel. They know what a person sees: lit cells, pieces, buttons, open dialogs.
// `tapper.burst(seed, taps)` taps so often and resolves to what was tapped; everything is drawn from the seed.

(() => {
  const LIFTS_MS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 30];
  const SHY = 0.04; // what ends or changes a whole game is tapped so much more rarely
  const flights = new Map(); // request → [its path, when it was sent]
  const state = { view: "", pieces: "", faults: [], longest: ["", 0], sent: 0 };
  let random = Math.random;

  const fetched = window.fetch;
  window.fetch = async (...given) => {
    const [flight, path, since] = [Symbol("flight"), String(given[0]), performance.now()];
    flights.set(flight, [path, since]);
    state.sent += Boolean(given[1]?.body);
    try {
      const answer = await fetched(...given);
      if (answer.status >= 500 || [400, 404, 405, 429].includes(answer.status)) state.faults.push(`${answer.status} ${path} ${given[1]?.body ?? ""}`);
      return answer;
    } finally {
      flights.delete(flight);
      const took = performance.now() - since;
      if (took > state.longest[1]) state.longest = [`${path} ${given[1]?.body ?? ""}`, took];
    }
  };
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      for (const name of ["view", "pieces"]) this.addEventListener(name, (event) => (state[name] = event.data));
    }
  };

  // Numbers in [0, 1) from a seed, by mulberry32.
  function dice(seed) {
    let now = seed >>> 0;
    return () => {
      now = (now + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(now ^ (now >>> 15), 1 | now);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
  }

  const one = (list) => list[Math.floor(random() * list.length)];
  const all = (selector) => [...document.querySelectorAll(selector)];
  const seen = (element) => element.checkVisibility();
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const dialog = () => document.querySelector("dialog[open]");

  function middle(element) {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  // Beyond the edge of the screen nothing lies under a finger; that it moves and lifts is told all the same.
  function point(type, x, y, more = {}) {
    const under = document.elementFromPoint(x, y);
    (under ?? document.documentElement).dispatchEvent(new PointerEvent(type, { bubbles: true, cancelable: true, composed: true, pointerId: 1,
      pointerType: "mouse", isPrimary: true, button: type === "pointermove" ? -1 : 0, buttons: type === "pointerup" ? 0 : 1, clientX: x, clientY: y, ...more }));
    return under;
  }

  function click(under, x, y) {
    under?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, composed: true, detail: 1, clientX: x, clientY: y }));
  }

  async function tap(element) {
    element.scrollIntoView({ block: "nearest" });
    const [x, y] = middle(element);
    point("pointerdown", x, y);
    const ms = one(LIFTS_MS);
    if (ms) await rest(ms);
    click(point("pointerup", x, y), x, y);
  }

  async function drag(from, [x, y]) {
    const [a, b] = middle(from);
    point("pointerdown", a, b);
    for (let n = 1; n <= 4; n += 1) {
      point("pointermove", a + ((x - a) * n) / 4, b + ((y - b) * n) / 4);
      if (random() < 0.3) await rest(one(LIFTS_MS));
    }
    point("pointerup", x, y);
  }

  const cells = () => all("#board .site:not(.cropped)");
  const face = (cell) => cell.querySelector(".face");
  const occupied = () => new Set(all("#board .token[data-on]").filter(({ dataset }) => dataset.state !== "ghost").map(({ dataset }) => dataset.on));

  function cell() {
    const found = cells();
    const lit = found.filter((each) => each.classList.contains("lit"));
    const dice = random();
    if (dice < 0.62 && lit.length) return one(lit);
    const full = occupied();
    const pieces = found.filter(({ dataset }) => full.has(dataset.site));
    return dice < 0.9 && pieces.length ? one(pieces) : one(dice < 0.97 ? found.filter((each) => !each.classList.contains("outside")) : found) ?? one(found);
  }

  function shy(button) {
    return /danger|close/.test(button.className) || /resign|draw|pause|play again|next game|new match|back the ending|\bway\b|solo/i.test(button.textContent) || button.id === "solo";
  }

  function buttons(within) {
    const found = all(`${within} button:not(:disabled)`).filter(seen);
    return found.filter((button) => !shy(button) || random() < SHY);
  }

  const press = async (button) => {
    await tap(button);
    return button.textContent.trim().slice(0, 30) || button.id;
  };

  async function inDialog(open) {
    const dice = random();
    if (open.id === "dialog" && dice < 0.9) { // a game is begun rarely, and only the same one
      const start = open.querySelector("#start");
      return press(random() < 0.1 && !start.disabled ? start : open.querySelector("#cancel"));
    }
    const found = buttons("dialog[open]");
    const fields = all("dialog[open] select, dialog[open] input:not([type=radio])").filter(seen);
    if (dice < 0.1 && fields.length) return turn(one(fields));
    if (dice < 0.8 && found.length) return press(one(found));
    if (dice < 0.87) return (history.back(), "back");
    if (dice < 0.94) return (open.dispatchEvent(new Event("cancel", { cancelable: true })) && open.close(), "escape");
    return (click(open, 1, 1), "beside the dialog");
  }

  function turn(field) {
    if (field.tagName === "SELECT") field.selectedIndex = Math.floor(random() * field.options.length);
    else if (["number", "range"].includes(field.type)) field.value = Math.round(Number(field.min || 0) + random() * (Number(field.max || 20) - Number(field.min || 0)));
    else return "";
    field.dispatchEvent(new Event("input", { bubbles: true }));
    field.dispatchEvent(new Event("change", { bubbles: true }));
    return `${field.name || field.type} ${field.value}`;
  }

  const key = (target, name) => target.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));

  const WAYS = [
    [68, async () => {
      const chosen = cell();
      await tap(face(chosen));
      return chosen.dataset.site;
    }],
    [7, async () => {
      const [from, to] = [cell(), cell()];
      const off = random() < 0.2;
      await drag(face(from), off ? [random() * innerWidth, random() * innerHeight] : middle(face(to)));
      return `${from.dataset.site} → ${off ? "off" : to.dataset.site}`;
    }],
    [12, async () => {
      const found = buttons("#status");
      return found.length ? press(one(found)) : "";
    }],
    [3, async () => {
      const found = [...buttons("#tray"), ...all("#arrange .hand button").filter(seen)];
      if (!found.length) return "";
      if (random() < 0.5) return press(one(found));
      const [from, to] = [one(found), cell()];
      from.scrollIntoView({ block: "nearest" });
      await drag(from, middle(face(to)));
      return `tray → ${to.dataset.site}`;
    }],
    [2.5, async () => press(one(buttons("#dock")))],
    [0.7, async () => {
      const found = [...buttons("#tools"), ...all("#plies [data-ply]")].filter(seen);
      return found.length ? press(one(found)) : "";
    }],
    [3, async () => (key(document.activeElement ?? document.body, "Escape"), "Escape")],
    [1.5, async () => {
      const chosen = cell();
      const name = one(["Enter", "Enter", " ", "p", "Delete", "ArrowUp", "ArrowLeft"]);
      key(chosen, name);
      return `${name} on ${chosen.dataset.site}`;
    }],
    [0.3, async () => (document.dispatchEvent(new PointerEvent("pointercancel", { pointerId: 1, bubbles: true })), "cancelled")],
    [0.15, async () => press(document.querySelector("#by-hand"))],
  ];

  async function act() {
    const open = dialog();
    if (open && random() < 0.9) return inDialog(open);
    const hands = document.querySelector("#by-hand");
    if (hands?.checked && seen(hands) && random() < 0.1) return press(hands);
    let dice = random() * WAYS.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, way] of WAYS) if ((dice -= weight) < 0) return way();
    return "";
  }

  async function burst(seed, taps) {
    random = dice(seed);
    const done = [];
    const calm = random() < 0.5; // whether each tap waits for the answer to the last, for a while
    for (let n = 0; n < taps; n += 1) {
      done.push(await act());
      for (let waited = 0; calm && flights.size > 1 && waited < 40; waited += 1) await rest(5);
      const ms = one(LIFTS_MS);
      if (ms || n % 8 === 7) await rest(ms);
    }
    return done;
  }

  const text = (id) => document.getElementById(id)?.checkVisibility() ? document.getElementById(id).textContent.trim() : "";

  // What a person sees now, and what is still on its way.
  function look() {
    const tokens = {};
    for (const { dataset } of all("#board .token")) if (dataset.state !== "ghost") tokens[dataset.piece] = [dataset.on ?? "", dataset.state];
    return {
      flights: [...flights.values()].filter(([path]) => !path.includes("/watch")).map(([path, since]) => [path, performance.now() - since]),
      view: state.view, pieces: state.pieces, faults: state.faults.splice(0), longest: state.longest, tokens, sent: state.sent,
      offline: document.body.classList.contains("offline"), phase: document.body.dataset.phase ?? "",
      sentence: text("sentence"), advice: text("advice"), waits: text("waits"), question: text("question"), lesson: text("lesson"),
      forms: text("share") + text("arrange"), lit: all("#board .site.lit").length,
      acts: all("#acts button, #question button").filter(seen).map((each) => each.textContent.trim()),
      dialog: dialog()?.id ?? "", tray: all("#off [data-piece]").reduce((sum, each) => sum + Number(each.querySelector(".count")?.textContent ?? 1), 0),
    };
  }

  window.tapper = { burst, look, state, buttons: (within) => all(`${within} button`).filter(seen) };
})();
