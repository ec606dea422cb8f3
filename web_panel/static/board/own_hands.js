// Whose pieces this phone moves on a simulated board, so that it need not ask, and what it alone shows after a tap.

/** @import { Tell } from "../common/api.js" */
/** @import { ShownHere, PanelView, Piece } from "../common/types.js" */
// The service holds to it (controller/panel/hand/own_hands.py).

export class OwnHands {
  // `known()` returns the newest view, `may(seat)` whether this phone acts for a seat, `open(seat)` whether nobody holds
  // that while others hold theirs; `tell` says a sentence, `refuse`
  // why something cannot be done; `changed()` is called when the board is to be drawn anew.
  /** @param {{ known: () => PanelView | null, may: (seat: number) => boolean, open: (seat: number) => boolean, tell: Tell, refuse: Tell, changed: () => void }} parts */
  constructor({ known, may, open, tell, refuse, changed }) {
    this.known = known;
    this.may = may;
    this.open = open;
    this.tell = tell;
    this.refuse = refuse;
    this.changed = changed;
    /** @type {ShownHere | null} */
    this.looked = null; // at a piece of others, or at the landings of several ways
    this.made = "";
  }

  // Whether this phone moves now, or everybody may: setting up, putting right, and the move that a board has decided.
  moves() {
    const view = this.known();
    if (view?.phase !== "play") return true;
    const mover = view.seats.findIndex((seat) => seat.to_move);
    return this.may(mover) || Boolean(view.seats[mover]?.level || view.seats[mover]?.afar);
  }

  // Whether `piece` is of a seat for which this phone acts; what belongs to nobody is of whoever moves.
  /** @param {Piece} piece */
  owns(piece) {
    const view = this.known();
    if (!view || !["play", "fix"].includes(view.phase)) return true;
    const owner = view.seats.findIndex((seat) => seat.colour === piece.seat);
    return owner < 0 ? this.moves() : this.may(owner);
  }

  // Whether this phone takes `piece` up: those of a seat that is open wait for its turn.
  /** @param {Piece} piece */
  lifts(piece) {
    const { seats = [] } = this.known() ?? {};
    const owner = seats.findIndex((seat) => seat.colour === piece.seat);
    return this.owns(piece) && (owner < 0 || Boolean(seats[owner].to_move) || !this.open(owner));
  }

  // Shows what this phone alone is to see, null no longer. Landings to tap are told as long as they are shown.
  /** @param {ShownHere | null} looked */
  look(looked) {
    if (!looked && !this.looked) return;
    this.looked = looked;
    if (looked && !looked.plies) (Object.keys(looked.sites).length ? this.tell : this.refuse)(looked.words);
    this.changed();
  }

  // Shows who only watches what stands on `site`, with a second tap or "" no longer: that tells and moves nothing.
  /** @param {string} site */
  read(site) {
    const read = site && site !== this.looked?.site ? { site, words: "", sites: {} } : null;
    if (!read && !this.looked) return;
    this.looked = read;
    this.changed();
  }

  // Where a tap on `site` goes, and the ply that it means: as a landing of several ways, where these were asked about.
  /** @param {string} site @returns {[string, string]} */
  meant(site) {
    const ply = this.looked?.plies?.[site];
    return ply ? [/** @type {ShownHere} */ (this.looked).site, ply] : [site, ""];
  }

  // A look is over with the position.
  /** @param {PanelView} view */
  see({ game_id: game, phase, plies }) {
    const made = `${game} ${phase} ${plies.length}`;
    if (made !== this.made) this.looked = null;
    this.made = made;
  }
}
