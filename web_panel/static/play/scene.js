// What the board shows of a view: the light and the name of each site, the pieces, and what is drawn beside them.
// Knows no rules, and no fingers: where pieces are lifted and put down is the hand's.

import { drawMarks, emptyAt, placesAt } from "../board/marks.js";
import { playerOf, sideOf } from "./seats.js";
import { t } from "../common/text.js";

/** @import { Board, Looks, Put, Site } from "../board/board.js" */
/** @import { Hand } from "../board/hand.js" */
/** @import { PanelState } from "./panel.js" */
/** @import { Piece, SiteView } from "../common/types.js" */

const UNLIT = { light: "#000000", blink: false, meaning: "" };
/** @param {string} text */
const words = (text) => text.replaceAll("_", " ");

export class Scene {
  // `state` is the page's own: its view, geometry, `you`, whether it has a hand, what prices and what is arranged.
  /** @param {{ board: Board, hand: Hand, state: PanelState }} parts */
  constructor({ board, hand, state }) {
    this.board = board;
    this.hand = hand;
    this.state = state;
    this.drawn = "";
    this.held = false; // somebody else shows pieces: what was played last
  }

  // Lets the marks be drawn again: the board is another one.
  forget() {
    this.drawn = "";
  }

  show() {
    const { board, hand, state } = this;
    const sites = this.#known();
    const standing = state.hasHand ? hand.standing() : null;
    /** @type {[string, string][]} */
    const labelled = Object.entries(sites).filter(([, site]) => site.label).map(([name, site]) => [site.label ?? "", name]);
    board.label(labelled.length ? labelled : Object.keys(state.geometry.sites).map((name) => [name, name]));
    board.show((name) => {
      const site = this.#lit(name, sites);
      const looked = this.#look(name, site, standing, labelled.length > 0);
      return state.arranged?.look(name, looked) ?? looked;
    }, state.hasHand ? "button" : "img");
    board.crop(this.#whole(sites, standing) ? "" : labelled.map(([, name]) => name).join(" "));
    this.showTokens();
    this.#showMarks(sites);
  }

  // A site with the light that this phone shows: where several ways were asked about, their landings alone are lit.
  /** @param {string} name @param {Record<string, SiteView>} sites @returns {SiteView} */
  #lit(name, sites) {
    const { sites: lit, plies } = this.hand.own.looked ?? {};
    return { ...sites[name], ...(plies ? UNLIT : {}), ...lit?.[name] };
  }

  // What the light of a site says, "" where it is dark.
  /** @param {string} name */
  meaningOf(name) {
    return (this.state.view && this.#lit(name, this.state.view.sites).meaning) || "";
  }

  showTokens() {
    if (this.held) return;
    const { board, hand, state } = this;
    const sites = this.#known();
    board.signs = state.view.signs;
    const set = state.hasHand ? [...hand.tokens(), ...expected(sites).filter(({ id }) => sites[id].secret)] : expected(sites);
    board.put([...set, ...(state.arranged?.tokens() ?? [])]);
    board.target(hand.targets());
  }

  /** @param {Piece} piece */
  pieceName({ seat, kind }) {
    const { seats = [], kinds = {} } = this.state.view ?? {};
    const [name, side] = [kinds[kind] ?? kind, sideOf(seats, seat)];
    return side ? t("{seat} {kind}", { seat: side, kind: name }) : name;
  }

  // The site of the piece that is lifted: on a simulated board by this phone, and rather one of the seat to move than one that it takes.
  liftedFrom() {
    const { hand, state: { view, hasHand } } = this;
    if (view.phase !== "play" || (hasHand && !hand.heldHere().length)) return "";
    const open = Object.entries(view.sites).filter(([, { piece, on, secret }]) => piece && !on && !secret);
    const [site = ""] = open.find(([, { piece }]) => piece && playerOf(view.seats, piece.seat)?.to_move) ?? open[0] ?? [];
    return site;
  }

  // Just after a restart the view may be of another board than the geometry that is still here.
  /** @returns {Record<string, SiteView>} */
  #known() {
    return Object.fromEntries(Object.entries(this.state.view.sites).filter(([name]) => this.board.sites.has(name)));
  }

  // Whether the unused rest of the board matters too: something lies on it, or this phone is to touch it.
  /** @param {Record<string, SiteView>} sites @param {Map<string | undefined, Piece> | null} standing */
  #whole(sites, standing) {
    return Object.entries(sites).some(([name, { label, on }]) => !label && (on || standing?.has(name) || this.state.you?.asked?.site === name));
  }

  /** @param {string} name @param {SiteView} site @param {Map<string | undefined, Piece> | null} standing @param {boolean} someLabelled @returns {Looks} */
  #look(name, site, standing, someLabelled) {
    const piece = standing && !site.secret ? standing.get(name) ?? this.hand.liftedFrom(name) : site.piece;
    const { marks, places } = this.state.view;
    const counts = marks.filter(({ at, shape }) => piece && at[0] === site.label && shape === "count");
    return {
      light: site.light ?? "#000000",
      blink: Boolean(site.blink),
      name: [site.label || name, piece ? this.pieceName(piece) : emptyAt(name), ...placesAt(places, site.label), ...counts.map(({ text }) => text), t(words(site.meaning ?? ""))].filter(Boolean).join(", "),
      sensed: !standing && Boolean(site.on) && !site.piece,
      outside: someLabelled && !site.label,
    };
  }

  /** @param {Record<string, SiteView>} sites */
  #showMarks(sites) {
    const { board, state: { view, prices } } = this;
    const { marks, places, game_id: game, plies } = view;
    const lifted = prices ? this.liftedFrom() : "";
    const now = JSON.stringify([game, plies.length, marks, places, Boolean(board.drawings), board.turned, board.geometry.name, lifted, prices?.touched, prices?.pair, prices?.all]);
    if (now === this.drawn || !(this.drawn || marks.length || places.length || prices)) return;
    this.drawn = now;
    const site = new Map(Object.entries(sites).map(([name, { label }]) => [label, board.sites.get(name)]));
    /** @type {(label: string) => Site | undefined} */
    const at = (label) => site.get(label);
    const between = marks.filter(({ at }) => at.length > 1);
    drawMarks(board, view, at, prices?.draw({ marks: between, position: `${game} ${plies.length}`, lifted, at }), lifted);
  }
}

// Without simulated pieces the board shows what should stand where, and pale what the sensors miss of it; with them only what is
// still this seat's secret, which is pale too.
/** @param {Record<string, SiteView>} sites @returns {Put[]} */
function expected(sites) {
  return /** @type {any} */ (Object.entries(sites).filter(([, site]) => site.piece).map(([name, { piece, on }]) =>
    ({ id: name, piece, site: name, state: on ? "set" : "ghost" })));
}
