// The service as a test has it: what is asked is noted, and answered with what was staged. Injected before any script of a page.
(() => {
  const stage = (window.stage = { asked: [], answers: JSON.parse(window.name || "{}"), sources: [], held: [] });

  const Native = window.fetch.bind(window);
  window.fetch = async (path, { body, method = "GET", ...more } = {}) => {
    if (!String(path).startsWith("/api/")) return Native(path, { body, method, ...more });
    const what = String(path).slice(5);
    stage.asked.push([what, body === undefined ? null : JSON.parse(body)]);
    let answer = stage.answers[what] ?? stage.answers[what.split("?")[0]];
    if (typeof answer === "function") answer = answer(JSON.parse(body ?? "null"));
    if (Array.isArray(answer?.in_turn)) answer = answer.in_turn.length > 1 ? answer.in_turn.shift() : answer.in_turn[0];
    if (answer?.late !== undefined) {
      await new Promise((go) => stage.held.push(go));
      answer = answer.late;
    }
    if (answer === "away") throw new TypeError("Failed to fetch");
    if (answer?.refused) return new Response(JSON.stringify({ error: answer.refused }), { status: 409 });
    return new Response(JSON.stringify(answer ?? (body === undefined ? null : {})));
  };

  window.EventSource = class Staged extends EventTarget {
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;

    constructor(url) {
      super();
      Object.assign(this, { url, readyState: 0 });
      stage.sources.push(this);
      for (const kind of ["open", "error", "message"]) this.addEventListener(kind, (event) => this[`on${kind}`]?.(event));
    }

    close() {
      this.readyState = 2;
    }
  };

  // The newest stream brings `data` of a `kind`; "open" and "error" have none.
  stage.send = (kind, data) => {
    const source = stage.sources.at(-1);
    if (kind === "open") source.readyState = 1;
    source.dispatchEvent(data === undefined ? new Event(kind) : new MessageEvent(kind, { data: typeof data === "string" ? data : JSON.stringify(data) }));
  };

  const nextFrame = window.requestAnimationFrame.bind(window); // before the test's clock stands
  const hops = async (count) => {
    for (let n = 0; n < count; n += 1) await new Promise((done) => (stage.channel.port2.onmessage = done, stage.channel.port1.postMessage(0)));
  };
  // Lets what was answered and what waits for it run. A dialog tells with the next frame only that it was closed.
  stage.settled = async () => {
    await hops(12);
    if (!document.querySelector("dialog:not([open])")) return;
    await new Promise(nextFrame);
    await hops(12);
  };
  stage.channel = new MessageChannel();

  // Draws a board of `geometry` by itself, 600 pixels wide, and returns it.
  stage.board = async (geometry, more = {}) => {
    const { Board } = await import("/static/board/board.js");
    const root = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    root.id = "board";
    root.style.cssText = "position: absolute; left: 0; top: 0; width: 600px; height: 600px";
    document.body.replaceChildren(root);
    const board = Object.assign(new Board(root), more);
    board.draw(geometry);
    return (stage.drawn = board);
  };

  // Where a part of the drawing is, in the millimetres of the board: [left, top, right, bottom], to a tenth.
  stage.box = (element) => {
    const turn = stage.drawn.root.getScreenCTM().inverse();
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [one, other] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((at) => at.matrixTransform(turn));
    return [one.x, one.y, other.x, other.y].map((mm) => Math.round(10 * mm) / 10);
  };

  // A finger or mouse at client pixels: `kind` is down, move, up or cancel.
  stage.pointer = (kind, x, y, more = {}) => {
    const { at, target, ...given } = more;
    const event = new PointerEvent(`pointer${kind}`, { clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, bubbles: true, cancelable: true, pointerType: "mouse", ...given });
    if (at !== undefined) Object.defineProperty(event, "timeStamp", { value: at });
    (target ?? document.elementFromPoint(x, y) ?? document.body).dispatchEvent(event);
    return event.defaultPrevented;
  };
  Element.prototype.setPointerCapture = () => {};
})();
