"""Games between two boards that are not on the table here now.

What the other board orders is carried out in them all the same, in the journal alone. When the game is taken up again,
hands put the pieces right.

For the service's loop alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import msgspec

from controller.commitments import Committed
from controller.events import Command
from controller.fault_report import place
from controller.game_setup import Afar
from controller.journal import lines
from controller.journal.database import Journal, Saved
from controller.journal.recording import Line, Restart
from controller.orders import AnyOrder, Commit, FollowHome, FromAfar, HoldAfar, PlayPly, Resign, Reveal, Wish
from controller.refused import Refused
from controller.sentences import say
from controller.service.game_called import game_called
from controller.table import notes
from controller.table.board import Board
from controller.table.orders import resume
from controller.table.state import Play, Table
from controller.table.table import step

if TYPE_CHECKING:
    from controller.afar.seats import HeldSeats

log = logging.getLogger(__name__)

WITHOUT_TABLE = PlayPly | Resign | Commit | Reveal  # what waits for no answer, which no journal keeps
NOBODY_LOOKS = "the game is not on the table"


class OffTable(msgspec.Struct, frozen=True):
    """Carry out in the game ``game_id`` what ``orders`` makes of it; ``came`` gets the game as it is then. Both are
    called in the loop's thread.
    """

    game_id: int
    orders: Callable[[Play], Sequence[AnyOrder]]
    came: Callable[[Play], None]


def wished(game_id: int, held: HeldSeats, what: Wish, came: Callable[[Play], None]) -> OffTable:
    """Do at home what the board wishes that has ``held`` its seats."""
    return OffTable(
        game_id, lambda play: (HoldAfar(afar=Afar(held.of(play.seats))), FromAfar(what=what)), came
    )  # fmt: skip


def promised(game_id: int, home: HeldSeats, known: Sequence[Committed], came: Callable[[Play], None]) -> OffTable:
    """Note at a far board to what seats have bound themselves in secret, as home has told, which holds ``home``."""

    def orders(play: Play) -> Sequence[AnyOrder]:
        session = play.session
        follow = FollowHome(at=len(session.plies), committed=tuple(known), settled=session.promises.settled)
        return HoldAfar(afar=Afar(home.of(play.seats), follows=True)), follow

    return OffTable(game_id, orders, came)


def carry_out(journal: Journal, saved: Saved, board: Board, order: OffTable) -> None:
    """Do what ``order`` asks for in ``saved``, which was played on ``board``; it is on disk when this returns.

    Raises `Refused`, and `JournalFailed` where it cannot be written.
    """
    try:
        table, said, orders = _done(saved, board, order)
    except (ValueError, KeyError) as wrong:
        called = game_called(journal, saved.header.game, saved.game_id)
        raise Refused(say("{game} cannot continue: {why}", game=called, why=str(wrong))) from wrong
    except Refused:
        raise
    except Exception as error:  # whatever the rules of that game raise: the one on the table goes on
        log.exception("the rules of %s failed off the table", saved.header.game)
        raise Refused(say("There was {fault}.", fault=place(error))) from error
    for note in said:
        entry = lines.entry(note, 0)
        if entry is not None:
            journal.enter(saved.game_id, entry)
    for line in _lines(saved, table, orders):
        journal.note(saved.game_id, line)
    assert table.play is not None
    order.came(table.play)


def _done(saved: Saved, board: Board, order: OffTable) -> tuple[Table, tuple[notes.AnyNote, ...], Sequence[AnyOrder]]:
    empty = Table(board, link=NOBODY_LOOKS, t_us=saved.t_us)
    table, said = resume(empty, saved.header.order, saved.left)
    assert table.play is not None
    orders = order.orders(table.play)
    for each in orders:
        table, more = step(table, Command(saved.t_us, each))
        for note in more:
            if isinstance(note, notes.Refusal):
                raise Refused(note.reason)
        said += more
    return table, said, orders


def _lines(saved: Saved, table: Table, orders: Sequence[AnyOrder]) -> list[Line]:
    """Return what the recording tells of it: a restart with no sensor board, and the orders."""
    t_us = saved.t_us
    found = [Line(t_us, restart=Restart((), False, table.timing)), *(Line(t_us, command=each) for each in orders)]
    promises = table.play.session.promises if table.play else saved.left.promises
    if promises != saved.left.promises:
        found.append(Line(t_us, promises=promises))
    return found
