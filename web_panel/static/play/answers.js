// What others ask for is answered here: a draw that is offered, and moves to be taken back. Loaded when somebody asks.

import { t } from "../common/text.js";

/** @import { Give } from "../common/api.js" */
/** @import { PanelView } from "../common/types.js" */
/** @import { Add } from "./actions.js" */

/** @typedef {{ add: Add, order: Give, own: number[], seat: number | null, may: (seat: number) => boolean, people: Record<number, { name: string }> }} Page */

// Adds the answers: `own` are the seats of this phone, `seat` is whose it is, or null, `may(seat)` says whether it may act for one.
/** @param {PanelView} view @param {Page} page */
export function addAnswers(view, page) {
  addDrawAnswers(view, page);
  addBackAnswers(view, page);
}

// Where one person plays several seats here, one word counts for all of them.
/** @param {PanelView} view @param {Page} page */
function addDrawAnswers({ seats }, { add, order, own, seat: mine, may, people }) {
  const offering = seats.flatMap(({ offers_draw: offers }, n) => (offers ? [n] : []));
  if (!offering.length) return;
  const others = seats.map((_, n) => n).filter((n) => !offering.includes(n) && !seats[n].out && may(n));
  const seat = others.find((n) => own.includes(n)) ?? others[0];
  if (seat !== undefined && (!offering.includes(mine ?? -1) || offering.length > 1)) {
    const clear = own.includes(seat) && new Set(own.map((n) => people[n]?.name)).size === 1; // whose answer it is
    const name = (own.includes(seat) && people[seat]?.name) || seats[seat].name;
    add(`agree ${seat}`, clear ? t("Accept the draw") : t("{name} accepts the draw", { name }), () => order({ do: "offer_draw", seat }));
    add(`refuse ${seat}`, t("Decline"), () => order({ do: "refuse_draw", seat }));
  } else if (offering.includes(mine ?? -1)) add("withdraw", t("Withdraw the draw offer"), () => order({ do: "refuse_draw", seat: mine }));
}

// A take-back that somebody asks for is answered by the others; whoever asks can leave it, and has no seat where all that ask are free.
/** @param {PanelView} view @param {Page} page */
function addBackAnswers({ back_asked: asked }, { add, order, own: held, may }) {
  if (!asked) return;
  const others = asked.waits_for.filter(may);
  const seat = others.find((n) => held.includes(n)) ?? others[0];
  const own = asked.by.find((n) => held.includes(n));
  if (own !== undefined) add("ask no longer", t("Do not take back"), () => order({ do: "refuse_back", seat: own }));
  else if (seat !== undefined) {
    add(`agree back ${seat}`, t("Agree: take it back"), () => order({ do: "agree_back", seat, to: asked.to }));
    add(`refuse back ${seat}`, t("Decline"), () => order({ do: "refuse_back", seat }));
  } else if (!held.length && asked.by.every(may)) add("ask no longer", t("Do not take back"), () => order({ do: "refuse_back", seat: asked.by[0] }));
}
