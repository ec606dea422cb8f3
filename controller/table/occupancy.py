"""What lies on the board as far as sensors have said, and what watchers can tell apart. Pure."""

from __future__ import annotations

from controller.events import Event, Snapshot, Touch
from controller.table.state import Table


def visibly(table: Table) -> tuple[object, ...]:
    """Return what watchers can tell apart, time left out."""
    games = table.play, table.waiting, table.due_us is not None
    known = table.kinds is not None, table.fields
    return games, table.now, table.advice, table.link, table.brightness, table.hints, table.seating, known


def occupied(table: Table, event: Event | None = None) -> int:
    """Return what lies on the board, magnets that do not count yet and a change by ``event`` included."""
    now = table.now
    for arrival in table.arrivals:
        now |= arrival.bit
    board = table.board
    if isinstance(event, Touch):
        now &= ~(board.bit(event.site) | board.bit(event.site, -1))
        now |= board.bit(event.site, event.pole) if event.on else 0
    if isinstance(event, Snapshot):
        now = board.mask(event.occupied)
    return now
