"""Whose turn it is in a game between two boards, by its log alone: for the list of such games, most of which are not on
the table.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import Literal

from controller.afar.log import Log
from controller.fault_report import place
from controller.rules.registry import NoSuchGame
from controller.table.session import begin

log = logging.getLogger(__name__)

Turn = Literal["", "here", "there", "over"]


class RoomTurns:
    """Remembers by room what it has found, for a game is played through to say it."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, frozenset[int], Turn]] = {}
        self._failed: set[str] = set()  # rooms of whose game that could not be said, which was logged

    def of(self, room: str, known: Log | None, elsewhere: Collection[int]) -> Turn:
        """Return whose turn it is; ``elsewhere`` are the seats that are not held here. "" where that cannot be said."""
        if known is None:
            return ""
        head, seats = known.head(), frozenset(elsewhere)
        before = self._found.get(room)
        if before is None or before[:2] != (head, seats):
            before = self._found[room] = (head, seats, self._turn(room, known, seats))
        return before[2]

    def _turn(self, room: str, known: Log, elsewhere: frozenset[int]) -> Turn:
        try:
            return _turn(known, elsewhere)
        except (ValueError, NoSuchGame):  # a log that is of no game here
            return ""
        except Exception as error:  # noqa: BLE001  whatever rules raise: the link is listed all the same
            if room not in self._failed:
                log.warning("whose turn it is in a game between two boards: there was %s", place(error))
            self._failed.add(room)
            return ""


def _turn(known: Log, elsewhere: frozenset[int]) -> Turn:
    begun = known.begun
    session = begin(begun.game, begun.options, begun.seed).through(known.plies, given=len(known.plies))
    if known.ended.over or session.final:
        return "over"
    if session.secret:
        bound = {each.seat for each in known.committed[known.settled :]}
        left = [seat for seat in session.choosers if seat not in bound]
        return "here" if any(seat not in elsewhere for seat in left) else "there"
    return "there" if session.mover in elsewhere else "here"
