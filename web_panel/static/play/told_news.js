// The sentence for what somebody else has done beside moving, and for how long it is true.

import { t } from "../common/text.js";
import { tell } from "../common/toast.js";

/** @import { NewsTold, PanelView } from "../common/types.js" */

/** @type {(told: NewsTold) => string} */
const sentence = ({ who, what, made, left, words }) => what === "took_back" && made === left ? t("{who} took back the ending.", { who })
  : (/_back$/.test(what) && words) || (/** @type {Record<string, string>} */ ({
    took_back: t("{who} took back a move.", { who }),
    agreed_back: t("It was taken back."),
    asks_no_longer: t("{who} no longer asks to take it back.", { who }),
    other_players: t("{who} changed who plays.", { who }),
    resumed: made ? t("{who} goes on with an earlier game: {words}. The one before is kept among the games played.", { who, words }) : t("{who} goes on with an earlier game: {words}.", { who, words }),
    began: made ? t("{who} has begun another game: {words}. The one before is kept among the games played.", { who, words }) : t("{who} has begun another game: {words}.", { who, words }),
    lesson: made ? t("{who} has begun a lesson. The game is kept among the games played.", { who }) : t("{who} has begun a lesson.", { who }),
    puzzle: made ? t("{who} has begun a puzzle. The game is kept among the games played.", { who }) : t("{who} has begun a puzzle.", { who }),
    released: t("{who} has released the seat of {words}.", { who, words }),
    withdrew: t("{who} withdrew the offer of a draw.", { who }),
  })[what] ?? "");

// What there is to answer or to look at: with another one the news before are old.
/** @param {PanelView | null} view */
const stamp = (view) => JSON.stringify(view && [view.game_id, view.plies.length, view.plies.at(-1)?.text, view.back_asked, view.seats.map((seat) => seat.offers_draw)]);

// What sees each view after what was `told` as `said`, while the page showed `view`: the next move or question takes it away. The
// view that shows the news itself may come after they are told.
/** @param {NewsTold} told @param {string} said @param {PanelView | null} view @returns {(view: PanelView) => void} */
function until({ what, left }, said, view) {
  let shown = stamp(view), own = /_back$/.test(what) && view?.plies.length === left;
  return (now) => {
    if (stamp(now) === shown) return;
    shown = stamp(now);
    if (!own) own = true;
    else if (document.getElementById("toast")?.textContent === said) tell("");
  };
}

// Tells the `news` what was `told`, until it is no longer true.
/** @param {NewsTold} told @param {import("./news.js").News} news */
export function tellNews(told, news) {
  const said = sentence(told);
  news.until = until(told, said, news.view);
  news.tell(said);
}
