// The clocks alone. Two on an upright phone between the players: the upper one is turned to whom it belongs.

import { make, setText } from "../common/dom.js";
import { watch } from "./screen.js";
import { leftAfter, playerName, time } from "../play/seats.js";
import { t } from "../common/text.js";
import { wholeEnd } from "../common/whole_end.js";

/** @import { PageElement } from "../common/dom.js" */
/** @import { PanelView, You } from "../common/types.js" */

const TICK_MS = 100;
const LOW_MS = 30_000;
/** @type {{ view: PanelView | null, since: number, shown: string }} */
const state = { view: null, since: 0, shown: "" };
const list = /** @type {HTMLElement} */ (document.getElementById("clocks"));

/** @param {PanelView} view @param {You} you */
function show(view, you) {
  Object.assign(state, { view, since: performance.now() });
  const now = JSON.stringify([view.seats.map(({ name, to_move: moves }) => [name, moves]), you.people, view.winner]);
  if (now !== state.shown) {
    state.shown = now;
    list.className = `of-${view.seats.length}`;
    // The first seat sits at the near edge.
    list.replaceChildren(...[...view.seats.keys()].reverse().map((seat) => {
      const row = make("li", { className: `seat-${seat}` }, make("b", { textContent: playerName(view, you, seat) }), make("time"));
      row.dataset.seat = seat;
      if (view.seats[seat].to_move) row.setAttribute("aria-current", "true");
      row.classList.toggle("winner", view.winner === seat);
      return row;
    }));
  }
  const timed = view.seats.some((seat) => seat.left_ms !== undefined);
  const plain = view.seats.length && !timed ? t("This game has no clocks.") : "";
  setText(/** @type {PageElement} */ (document.getElementById("sentence")), view.phase === "over" || !view.seats.length ? wholeEnd(view) : view.paused ? t("Paused") : plain);
  tick();
}

function tick() {
  const passed = performance.now() - state.since;
  for (const row of /** @type {Iterable<any>} */ (list.children)) {
    const seat = state.view?.seats[row.dataset.seat], running = Boolean(seat?.running);
    const now = seat?.left_ms === undefined ? null : Math.max(0, leftAfter(seat, running ? passed : 0));
    setText(row.lastChild, now === null ? "" : time(now));
    row.classList.toggle("running", running);
    row.classList.toggle("low", running && Number(now) < LOW_MS);
  }
}

watch(show);
setInterval(() => state.view && tick(), TICK_MS);
