// Which kinds of pieces beat which: a ring of them with an arrow to each that is beaten, in place of the line that says so, which is
// still there for who does not see it. Knows no rules.

import { token } from "../board/board.js";
import { styled, svg } from "../common/dom.js";

/** @import { DrawingsOfGame, PanelView } from "../common/types.js" */

const FAR = 70, TOKEN = 30, APART = 5, HEAD = 13; // a picture reaches 100 from its middle

// Draws it into the line of `view` that tells it, as long as there is one, and its pieces as `drawings` have them.
/** @param {PanelView} view @param {DrawingsOfGame | null} drawings */
export async function showRing({ ring, kinds }, drawings) {
  if (!ring || !drawings) return;
  await styled("who_beats.css"); // before: how much room the card has is seen to when it changes
  const line = [...document.querySelectorAll("#lines > li")].find(({ textContent }) => textContent === ring.told);
  if (!line || line.className) return;
  line.className = "who-beats";
  const names = [...new Set(ring.beats.map(([one]) => one))];
  /** @type {(kind: string) => { x: number, y: number }} */
  const at = (kind) => {
    const turn = 2 * Math.PI * (names.indexOf(kind) / names.length - 0.125);
    return { x: FAR * Math.sin(turn), y: -FAR * Math.cos(turn) };
  };
  const tokens = names.map((kind) => {
    const drawn = token({ seat: null, kind }, kinds[kind]?.slice(0, 1) ?? "", TOKEN, drawings), { x, y } = at(kind);
    drawn.setAttribute("transform", `translate(${x} ${y})`);
    return drawn;
  });
  const words = document.createElement("span");
  words.append(...line.childNodes);
  line.replaceChildren(words, svg("svg", { viewBox: "-104 -104 208 208", "aria-hidden": "true" }, ...ring.beats.map(([one, other]) => arrow(at(one), at(other))), ...tokens));
}

// From beside the one piece to beside the other.
/** @param {{ x: number, y: number }} from @param {{ x: number, y: number }} to */
function arrow({ x, y }, to) {
  const [dx, dy] = [to.x - x, to.y - y], whole = Math.hypot(dx, dy), [ux, uy] = [dx / whole, dy / whole];
  /** @type {(along: number, aside?: number) => string} */
  const at = (along, aside = 0) => `${(x + along * ux - aside * uy).toFixed(1)} ${(y + along * uy + aside * ux).toFixed(1)}`;
  const begin = TOKEN + APART, tip = whole - TOKEN - APART;
  return svg("path", { class: "beats", d: `M${at(begin)}L${at(tip - HEAD)}M${at(tip)}L${at(tip - HEAD, HEAD / 2)}L${at(tip - HEAD, -HEAD / 2)}Z` });
}
