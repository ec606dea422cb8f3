"""Orders with many plies, played through before the table gets them, in the thread of who gives them."""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable
from contextlib import closing

import msgspec

from controller.journal.database import Archive, Journal, JournalFailed, Saved
from controller.orders import AnyOrder, NewGame, Resume
from controller.refused import Refused
from controller.rules.game import Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.registry import NoSuchGame
from controller.service.heartbeat import Heartbeat
from controller.table.board import Board, DoesNotFit
from controller.table.session import Left
from controller.table.starting_plies import Reached, reach

log = logging.getLogger(__name__)


BoardUnder = Callable[[NewGame | Saved], Board]
"""Which board a game takes; raises `Refused` where that of a kept game is not to be had."""


class NotLegal(ValueError):
    """An order whose plies lead nowhere; one sentence."""


class DryRun:
    """Plays plies through, those of one order at a time: what many threads compute at once slows all others down."""

    def __init__(self, board_under: BoardUnder, journal: Journal, heart: Heartbeat) -> None:
        self._board_under, self._journal, self._heart = board_under, journal, heart
        self._one = threading.Lock()

    def prepared(self, order: AnyOrder) -> tuple[AnyOrder, Reached | None]:
        """Return ``order`` and where its plies lead, None where it has none; raises `NotLegal`."""
        if not isinstance(order, NewGame | Resume):
            return order, None
        with self._one:
            try:
                return _prepared(order, self._board_under, self._journal, self._heart)
            except NotLegal:
                raise
            except BaseException:  # whatever the rules raise: the table meets it too, and continues without that game
                log.exception("the rules failed at plies that were to be played through")
                return order, None


def _prepared(
    order: NewGame | Resume, board_under: BoardUnder, journal: Journal, heart: Heartbeat
) -> tuple[AnyOrder, Reached | None]:
    """Return ``order`` and where its plies lead on the board that it takes; raises `NotLegal`, and what faulty rules
    raise.

    Of a game of the ``journal`` that is to be resumed the table itself says what is wrong, for what waits to be written
    may belong to it.
    """
    try:
        if isinstance(order, NewGame):
            if not order.plies or order.lesson:
                return order, None
            if order.seed is None:
                order = msgspec.structs.replace(order, seed=secrets.randbits(32))
            with heart.at(order.game, None, "beginning it"):
                return order, reach(board_under(order), order, Left(order.plies, given=len(order.plies)))
        with closing(Archive(journal.path)) as archive:
            saved = archive.saved(order.game_id)
        with heart.at(saved.header.game, order.game_id, "taking it up"):
            return order, reach(board_under(saved), saved.header.order, saved.left)
    except (JournalFailed, Refused):
        return order, None
    except (Illegal, Unreadable, BadOption, NoSuchGame, DoesNotFit) as wrong:
        if isinstance(order, Resume):
            return order, None
        raise NotLegal(str(wrong)) from wrong
    return order, None
