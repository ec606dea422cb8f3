"""What the board means now, and what the table keeps of it: what is asked, what may follow, and what is wrong.

Pure.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.table import notes
from controller.table.gestures.resolver import Verdict
from controller.table.lesson_guide import strayed
from controller.table.reading.questions import choices, why_wrong
from controller.table.state import Ahead, HeldPly, Play, Step, Table

replace = msgspec.structs.replace


class BoardReading(msgspec.Struct, frozen=True):
    """What the board means: what to show of it, and what to do when it is sure, at ``due_us``; without an ``act`` the
    board is only looked at again then.

    While an answer rests on its lit cell the question is not asked anew (``answering``). ``ahead`` is the position
    after a ply that was answered.
    """

    verdict: Verdict
    due_us: int | None = None
    act: Callable[[Table], Step] | None = None
    answering: bool = False
    ahead: Ahead | None = None


def show(table: Table, play: Play, reading: BoardReading) -> Step:
    """Keep what the board means. What is wrong is said once nothing moves: a piece in passing is no fault."""
    verdict, due_us = reading.verdict, reading.due_us
    waits = verdict.held or (None if verdict.again else verdict.made)
    held = play.held
    if reading.answering or (verdict.held and play.held and verdict.held is play.held.made):
        pass
    elif waits or not play.begun(table.now):
        held = HeldPly(waits, table.changed_us) if waits else None
    lit = play.choices if reading.answering else choices(table, play, verdict)
    was, play = play.verdict, replace(play, verdict=verdict, choices=lit, held=held, ahead=reading.ahead)
    table = replace(table, play=play, due_us=due_us)
    if reading.answering:
        return table, ()
    return _advise(table, play, known=(verdict.missing, verdict.extra) == (was.missing, was.extra))


def _advise(table: Table, play: Play, known: bool) -> Step:
    """Say what to do with pieces that lie wrong, not in a pause; what is ``known`` and said, only in new words."""
    verdict, due_us = play.verdict, table.due_us
    if not (verdict.missing or verdict.extra):
        return replace(table, advice=""), ()
    said = known and bool(table.advice)
    quiet = table.changed_us + table.timing.settle_ms * 1000
    if not said and table.t_us < quiet:
        return replace(table, advice="", due_us=quiet if due_us is None else min(due_us, quiet)), ()
    if play.paused:
        return replace(table, advice=""), ()
    missing, extra = play.game_area.names(verdict.missing), play.game_area.names(verdict.extra)
    why = strayed(play, verdict.missing, verdict.extra, table.by_taps) or why_wrong(play, missing, extra, table.by_taps)
    table = replace(table, advice=why)
    if said or not verdict.extra:
        return table, ()
    private = play.session.private
    return table, (notes.Wrong(t_us=table.t_us, missing=missing, extra=extra, reason=why, private=private),)
