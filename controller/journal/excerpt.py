"""The end of a recording as a recording of its own, to report a fault with.

Owns the cut: only where the board stood as it should, with nothing begun, so that what follows replays to the same
plies.
"""

from __future__ import annotations

import msgspec

from controller.events import Tick
from controller.journal.recording import Header, Line, Recording, fields, replay
from controller.table.state import Table
from controller.table.table import step


def tail(recording: Recording, span_us: int) -> tuple[Header, tuple[Line, ...]]:
    """Return the last ``span_us`` of ``recording`` and what precedes it back to the nearest quiet moment."""
    lines = recording.lines
    first_us = (lines[-1].t_us if lines else 0) - span_us
    header, begin, start_us, read = recording.header, 0, 0, tuple[Line, ...]()
    for number, ((table, _), line) in enumerate(zip(replay(recording), lines, strict=False)):
        if line.t_us > first_us:
            break
        # Just before the line: a magnet put down counts a moment after the line that reports it.
        before, _ = step(table, Tick(line.t_us - 1))
        if _quiet(before):
            header, begin, start_us, read = _header(recording, before), number, line.t_us - 1, fields(before, 0)
    later = (msgspec.structs.replace(line, t_us=line.t_us - max(0, start_us)) for line in lines[begin:])
    return header, (*read, *later)


def _quiet(table: Table) -> bool:
    """Whether nothing is under way: the table could be restored from its plies and what is on the board."""
    play = table.play
    return (
        play is not None
        and not table.link
        and not table.arrivals
        and not play.setting_up
        and not play.paused
        and not play.offers
        and play.outcome is None
        and play.clock is None
        and table.now & play.game_area.area == play.standings[-1]
        and not play.verdict.made
    )


def _header(recording: Recording, table: Table) -> Header:
    assert table.play is not None
    return msgspec.structs.replace(
        recording.header,
        occupied=table.board.marks(table.now),
        plies=table.play.session.plies,
        timing=table.timing,
        kinds=table.kinds,
    )
