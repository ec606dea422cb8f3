"""What somebody did beside moving that all others are told: a move taken back, an offered draw declined or withdrawn.

Owns which orders are news and who is said to have given them. Must not know HTTP.
"""

from __future__ import annotations

import threading
from typing import Any, Literal

import msgspec

from controller.orders import AnyOrder, RefuseBack, RefuseDraw, TakeBack
from controller.sentences import say
from web_panel.backend import Standing
from web_panel.phones import Visitor

What = Literal["", "took_back", "back_declined", "asks_no_longer", "declined", "withdrew"]


class Told(msgspec.Struct, frozen=True):
    """The newest: its ``number`` grows with each, ``by`` is the id of the phone that did it."""

    number: int = 0
    who: str = ""
    what: What = ""
    by: str = ""


class News:
    """Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._told = Told()

    def heard(self, order: AnyOrder, visitor: Visitor, standing: Standing) -> bool:
        """Note that ``visitor`` has given ``order`` while the table stood so; returns whether that is news."""
        what: What = "took_back" if isinstance(order, TakeBack) else ""
        if isinstance(order, RefuseBack):
            what = "asks_no_longer" if order.seat in (standing.asking_back or ()) else "back_declined"
        if isinstance(order, RefuseDraw):
            what = "withdrew" if order.seat in standing.offers else "declined"
        if what:
            with self._lock:
                self._told = Told(self._told.number + 1, _called(visitor, standing), what, visitor.id)
        return bool(what)

    def to(self, visitor: Visitor) -> dict[str, Any]:
        """Return what ``visitor`` is told of it; ``mine`` where they did it."""
        told = self._told
        return {"number": told.number, "who": told.who, "what": told.what, "mine": told.by == visitor.id}


def _called(visitor: Visitor, standing: Standing) -> str:
    seats = [standing.seats[seat] for seat in visitor.seats if seat < len(standing.seats)]
    if visitor.named or not seats:
        return visitor.name
    return say(seats[0])
