"""Boards that a simulated one can become while the service runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from controller.devices.interfaces import Lights
from controller.journal.recording import Header
from controller.table.board import Board
from controller.table.state import Table
from hardware.profile import Profile


class KnownBoard(msgspec.Struct, frozen=True):
    """A board as its file has it and as the table has it."""

    profile: Profile
    board: Board


class OtherBoards(Protocol):
    """Who has the boards. Every method may be called from any thread, `change` from the service's alone."""

    def best(self, game: str, options: Mapping[str, Any]) -> KnownBoard | None:
        """Return the board on which the game looks best, the same one each time; None where no board has the game."""

    def played_on(self, header: Header) -> KnownBoard | None:
        """Return the board on which a recorded game was played, None where it is no simulated one."""

    def change(self, to: KnownBoard, forget: Callable[[], None]) -> tuple[Lights, Sequence[str | None]]:
        """Put an empty board in place of the one that is there; return its lights and the site at each.

        ``forget`` is called between the last touch of the old board and the first of the new one.
        """


def emptied(table: Table, board: Board) -> Table:
    """Return ``table`` with ``board`` in place of its own: no game, no piece; people and settings stay."""
    return msgspec.structs.replace(
        table, board=board, now=0, fields={}, kinds=None, arrivals=(), due_us=None, play=None, waiting=None, advice="",
        flickers=(),
    )  # fmt: skip
