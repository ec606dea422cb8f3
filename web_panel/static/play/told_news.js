// The sentence for what somebody else has done beside moving, and for how long it is true.

import { t } from "../common/text.js";
import { tell } from "../common/toast.js";
import { playerName } from "./seats.js";

/** @import { NewsTold, PanelView, You } from "../common/types.js" */
/** @import { News } from "./news.js" */

// Somebody is back at their seat with another phone: told to that one, to the one that had it before, and to the others.
/** @param {NewsTold["part"]} part @param {string} who @param {string} words @param {string} asks */
function isAgain(part, who, words, asks) {
  if (part === "new") return t("{who} has confirmed it: you are back with this phone.", { who });
  if (part) return who ? t("{asks} claimed to be you, and {who} confirmed it: your seat is on that phone now.", { asks, who }) : t("{asks} claimed to be you, and nobody was there to be asked: your seat is on that phone now.", { asks });
  return who ? t("{who} has confirmed it: {words} is back with another phone.", { who, words }) : t("{words} is back with another phone.", { words });
}

/** @type {(told: NewsTold) => string} */
const sentence = ({ who, what, made, left, words, part, asks }) => what === "took_back" && made === left ? t("{who} took back the ending.", { who })
  : (/_back$|^(other_players|next_game)$/.test(what) && words) || (/** @type {Record<string, string>} */ ({
    took_back: t("{who} took back a move.", { who }),
    agreed_back: t("It was taken back."),
    asks_no_longer: t("{who} no longer asks to take it back.", { who }),
    resumed: made ? t("{who} goes on with an earlier game: {words}. The one before is kept among the games played.", { who, words }) : t("{who} goes on with an earlier game: {words}.", { who, words }),
    began: made ? t("{who} has begun another game: {words}. The one before is kept among the games played.", { who, words }) : t("{who} has begun another game: {words}.", { who, words }),
    lesson: made ? t("{who} has begun a lesson. The game is kept among the games played.", { who }) : t("{who} has begun a lesson.", { who }),
    puzzle: made ? t("{who} has begun a puzzle. The game is kept among the games played.", { who }) : t("{who} has begun a puzzle.", { who }),
    released: part ? t("{who} has released your seat.", { who }) : t("{who} has released the seat of {words}.", { who, words }),
    gave_up: t("{who} no longer plays {words}: anybody may take that seat.", { who, words }),
    returned: t("{who} is back and plays {words} again.", { who, words }),
    is_again: isAgain(part, who, words, asks),
    is_not: part ? t("{who} has said that you are not {words}.", { who, words }) : t("{who} has said that it is not {words} who asks.", { who, words }),
    owns: part ? t("This table is yours now: you can change its settings, remove phones and release seats.") : t("{who} owns this table now.", { who }),
    left_out: t("{who} has begun this game without you: you can watch, or say that you want to play next.", { who }),
    offers: t("{who} offers a draw.", { who }),
    paused: t("{who} has paused the game.", { who }),
    withdrew: t("{who} withdrew the offer of a draw.", { who }),
  })[what] ?? "");

// What there is to answer or to look at: with another one the news before are old.
/** @param {PanelView | null} view */
const stamp = (view) => JSON.stringify(view && [view.game_id, view.plies.length, view.plies.at(-1)?.text, view.paused, view.back_asked, view.seats.map((seat) => seat.offers_draw)]);

// Whether `view` shows already what was told.
/** @param {{ what: string, left: number }} told @param {PanelView | null} view */
function isShown({ what, left }, view) {
  if (what === "offers") return view?.seats.some((seat) => seat.offers_draw);
  return what === "paused" ? view?.paused : /_back$/.test(what) && view?.plies.length === left;
}

// What sees each view after what was said, while the page showed `view`: the next move or question takes it away. Where the news are
// not `shown` yet, the view that shows them comes after they are told.
/** @param {string} said @param {PanelView | null} view @param {boolean | undefined} own @returns {(view: PanelView) => void} */
function until(said, view, own) {
  let shown = stamp(view);
  return (now) => {
    if (stamp(now) === shown) return;
    shown = stamp(now);
    if (!own) own = true;
    else if (document.getElementById("toast")?.textContent === said) tell("");
  };
}

// What lasts is told whenever this phone hears of it; all else only to a page that was open, and of what it `missed` the newest alone.
const LASTS = /^(began|next_game|resumed|lesson|puzzle|other_players|released|gave_up)$/;

// Tells the `news` what others have done since it has `heard`, all at once, until it is no longer true; `first` it may be from before the
// page was opened.
/** @param {NewsTold[]} told @param {News} news @param {number} heard @param {boolean} first @param {boolean} missed */
export function tellNews(told, news, heard, first, missed) {
  const newest = told[told.length - 1];
  /** @param {NewsTold} piece */
  const lasts = (piece) => piece.part || LASTS.test(piece.what) || (!first && (!missed || piece === newest));
  const fresh = told.filter((piece) => piece.number > heard && !piece.mine && lasts(piece));
  const out = fresh.some(({ what, part }) => what === "left_out" && part);
  const said = fresh.filter(({ what, part }) => (what === "left_out" ? part : !/^(began|next_game)$/.test(what) || !out)).map(sentence).join(" ");
  if (!said) return;
  news.until = until(said, news.view, fresh.every((piece) => isShown(piece, news.view)));
  news.tell(said);
}

// Who has made a move in place of an answer to what this phone had asked for: a take-back, a draw; "" where nobody has.
/** @param {PanelView} before @param {PanelView} view @param {You | null} you */
function movedOn(before, view, you) {
  const made = view.game_id === before.game_id && view.phase !== "over" && view.plies[before.plies.length];
  /** @param {PanelView} of */
  const asks = ({ back_asked: asked, seats }) => you?.seats.some((seat) => asked?.by.includes(seat) || seats[seat]?.offers_draw);
  return made && !you?.seats.includes(made.seat) && asks(before) && !asks(view) ? playerName(view, you, made.seat) : "";
}

// Tells who asked the others for something, `before` this view, if somebody has moved on instead of answering.
/** @param {PanelView} before @param {PanelView} view @param {You | null} you @param {News} news */
export function tellLapsed(before, view, you, news) {
  const who = movedOn(before, view, you);
  if (!who) return;
  const said = t("{who} has moved on: your request has lapsed.", { who });
  news.until = until(said, news.view, true);
  news.tell(said);
}
