// A tap on a piece that a phone without a seat cannot move now: it is told why, and what there is to do. A guest finds the way in,
// whatever else the tap explains.

/** @import { Hand } from "../board/hand.js" */
/** @import { PageElement } from "../common/dom.js" */
/** @import { Join } from "./join.js" */

// `state` is what the page knows, `looks` whether a tap asks what can be done there, `join()` returns the way in.
/** @param {PageElement} target @param {any} state @param {boolean} looks @param {Hand} hand @param {() => Join} join */
export function remind(target, { you, view, hasHand }, looks, hand, join) {
  const site = target.closest("[data-site]")?.dataset.site;
  if (!you || you.seats.length || you.asked || you.afar || !site || !view?.sites[site]?.piece) return;
  if (you.role !== "guest" && (!hasHand || view.lesson || looks || hand.own.moves())) return;
  join().remind();
}
