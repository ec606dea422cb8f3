"""Orders that come from another board, judged here as if its program lied: each is made anew of what its seat may say.

Whatever has no judge here is refused. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.orders import (
    AgreeBack,
    ClaimDraw,
    Commit,
    OfferDraw,
    PlayPly,
    RefuseBack,
    RefuseDraw,
    Resign,
    Reveal,
    TakeBack,
    Wish,
)
from controller.rules.game import Illegal
from controller.sentences import say
from controller.table.state import Play


def judged(play: Play, wish: Wish) -> Wish:
    """Return ``wish`` as people at the other board can give it; raises `Illegal` or `Unreadable`."""
    judge = JUDGES.get(type(wish))
    if judge is None or play.session.afar.follows:
        raise Illegal(say("this is nothing that another board can order"))
    seats = (wish.by or ()) if isinstance(wish, TakeBack) else (wish.seat,)
    if not seats or any(seat not in play.session.afar.seats for seat in seats):
        raise Illegal(say("this seat is not played at the other board"))
    made: Wish = judge(play, wish)
    return made


def _ply(play: Play, wish: PlayPly) -> Wish:
    """Only a ply of the game, and a new one: what the table asks the hands here, is answered here."""
    session = play.session
    if session.bound:
        raise Illegal(say("all choose in secret now: seal your choice"))
    game, state = session.game, session.state
    return PlayPly(text=game.text(state, game.read(state, wish.text.strip())), seat=wish.seat)


def _take_back(play: Play, wish: TakeBack) -> Wish:
    """Whoever has to agree is asked: that never depends on what the other board says."""
    if play.session.promises.pending:
        raise Illegal(say("what is sealed cannot be taken back"))
    return TakeBack(to=wish.to, by=wish.by, asks=True)


def _commit(_: Play, wish: Commit) -> Wish:
    return Commit(seat=wish.seat, made=wish.made, commit=wish.commit)


def _as_it_is(_: Play, wish: Wish) -> Wish:
    """For its own seat alone, which is judged before."""
    return wish


JUDGES: Mapping[type[Wish], Callable[[Play, Any], Wish]] = {
    PlayPly: _ply,
    TakeBack: _take_back,
    Resign: _as_it_is,
    OfferDraw: lambda _, wish: OfferDraw(seat=wish.seat),  # for its own seat alone
    RefuseDraw: _as_it_is,
    AgreeBack: lambda _, wish: AgreeBack(seat=wish.seat, to=wish.to),  # for its own seat alone
    RefuseBack: _as_it_is,
    ClaimDraw: _as_it_is,
    Commit: _commit,
    Reveal: _as_it_is,
}
