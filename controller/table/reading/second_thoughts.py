"""Explanations by which the last ply did not stay: it was put back or taken off again, or its piece was moved on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from controller.table.gestures.certainty import counts_us
from controller.table.gestures.changes import SiteChange
from controller.table.gestures.footprints import PlyFootprint
from controller.table.gestures.resolver import Verdict, evidence, resolve
from controller.table.lesson_guide import footprints_of
from controller.table.progress import go_back
from controller.table.reading.by_kind import preferred
from controller.table.reading.context import (
    ReadingContext,
    made_beside_a_knock,
    played_in_turn,
    stood_before,
    swapped_and_answered,
)
from controller.table.reading.last_ply import (
    captured_since,
    down_late,
    is_late,
    led_back,
    left_late,
    moved_on,
    own_last,
    put_back,
    reopened,
    taken_off,
    victim_aside,
)
from controller.table.reading.meaning import BoardReading
from controller.table.reading.taking_effect import remake

replace = msgspec.structs.replace


def back_again(context: ReadingContext) -> BoardReading | None:
    """The piece that moved last is where it came from, and what it took stands again: the ply is taken back.

    It is asked for where the pieces could have come there by a ply, or by an exchange that nobody could see.
    """
    play, verdict = context.play, context.verdict
    undone = put_back(play, context.seen)
    if undone is None or verdict.asked:
        return None
    if play.session.decided and (verdict.made or verdict.possible):
        return None  # the board moves its piece back where it came from
    # A piece that goes on may bring about a position that stood long before.
    if undone.to < len(play.standings) - 2 and moved_on(play, context.seen):
        return None
    # Where one player makes several plies in a row, a piece put back is not a ply but takes the last one back.
    played = None if own_last(play, undone, context.seen) else verdict.made
    if played and not (led_back(play, undone.to, context.seen) or captured_since(play, undone.to)):
        return None
    last = undone.to == len(play.standings) - 2
    rivals = (played,) if played else undone.rivals
    if not last:  # or two hands have played on, each with a ply of its own
        rivals = rivals or swapped_and_answered(context) or played_in_turn(context) or made_beside_a_knock(context)
    if rivals or not undone.step_by_step:
        doubt = Verdict(missing=verdict.missing, extra=verdict.extra)
        if context.table.t_us < context.quiet_us():
            return BoardReading(doubt, context.quiet_us())
        return BoardReading(replace(doubt, asked=rivals, undo=undone.to))
    begun = tuple(change for change in context.seen.changes if change.bit & undone.early)
    due_us = context.lifted_us(undone.early) if undone.early else context.quiet_us()
    return BoardReading(Verdict(), due_us, lambda table: go_back(table, play, undone.to, True, begun))


def off_again(context: ReadingContext) -> BoardReading | None:
    """The piece that came from beside the board is beside it again: its ply is taken back.

    Where a ply may begin with lifting this piece, it is asked for, and not before the hand has had its time.
    """
    play, verdict = context.play, context.verdict
    to = taken_off(play, context.seen)
    if to is None:
        return None
    if not (verdict.asked or verdict.possible):
        return BoardReading(Verdict(), context.quiet_us(3), lambda table: go_back(table, play, to, True))
    if context.table.t_us >= context.quiet_us(8):
        return BoardReading(replace(verdict, undo=to))
    return BoardReading(verdict, context.quiet_us(8))


def gone_on(context: ReadingContext) -> BoardReading | None:
    """The piece that made the last ply has gone on to where another ply leads it: that one was made instead.

    Later on it is asked for: the next player may have begun to take that piece and set it aside there, or knocked it.
    """
    play, verdict, timing = context.play, context.verdict, context.table.timing
    if verdict.made and not verdict.early:
        return _from_beside(context, verdict.made)
    other = moved_on(play, context.seen)
    if other is None:
        return None
    earlier = reopened(play)
    assert earlier is not None
    if len(asked := preferred(context.table, earlier, other.asked)) == 1 < len(other.asked):
        other = replace(other, made=asked[0], asked=())
    made = other.made
    if made is None:
        return BoardReading(other) if not verdict.made else None
    if is_late(play, made, context.seen):
        if context.table.t_us < context.quiet_us():
            return BoardReading(replace(other, made=None), context.quiet_us())
        return BoardReading(replace(other, made=None, asked=(made,)))
    due_us = counts_us(replace(other, final=False), earlier.settled.position, context.seen, timing)
    return BoardReading(other, due_us, lambda table: remake(table, play, made, other.early))


def _from_beside(context: ReadingContext, made: PlyFootprint) -> BoardReading | None:
    """What seems to come from beside the board may be the piece that seems to have taken another: it is asked for."""
    late = () if made.origin else down_late(context.play, context.seen, made.landing)
    if not late:
        return None
    if context.table.t_us < context.quiet_us():
        return BoardReading(replace(context.verdict, made=None), context.quiet_us())
    return BoardReading(replace(context.verdict, made=None, asked=(*late, made), again=True))


def let_go_late(context: ReadingContext) -> BoardReading | None:
    """The last piece did not come from beside the board: the cell that it had left only then showed that.

    That ply was made instead once the next player answers, or nobody has put the piece back for a while. Where the next
    player may have lifted it, it is asked for.
    """
    play, verdict = context.play, context.verdict
    found = left_late(play, context.seen)
    if not found:
        return None
    opened_us = max(context.seen.last_off[f.origin] for f in found)
    waits_us = 0 if verdict.made else opened_us + 8 * context.table.timing.settle_ms * 1000
    due_us = max(context.quiet_us(), waits_us)
    if context.table.t_us < due_us:
        return BoardReading(replace(verdict, made=None), due_us)
    if verdict.possible or len(found) > 1:
        return BoardReading(replace(verdict, made=None, asked=found, again=True))
    return BoardReading(Verdict(), due_us, lambda table: remake(table, play, found[0], ~found[0].involved))


def played_on_from_before(context: ReadingContext) -> BoardReading | None:
    """Earlier plies were put back, which had to be asked; instead of an answer the next hand played on from there."""
    play, verdict = context.play, context.verdict
    if verdict.clear or verdict.possible or not context.begun:
        return None
    for to, begun in _stood_and_left(context):
        before = footprints_of(play.session.back(to), play.game_area)
        made = resolve(before, evidence(context.seen.area, context.seen.now, 0, begun)).made
        if made and made.origin:  # a piece from beside the board, or off a stack, tells nothing of where it stood
            act = partial(go_back, play=play, to=to, by_hand=True, carried=begun)
            return BoardReading(Verdict(), context.quiet_us(), act)
    return None


def _stood_and_left(context: ReadingContext) -> Iterator[tuple[int, tuple[SiteChange, ...]]]:
    """Yield after how many plies the board stood when all hands rested, and what has been touched since; last first."""
    play, seen, now = context.play, context.seen, context.seen.now
    rests_us = context.table.timing.settle_ms * 1000
    for at in range(len(seen.changes) - 1, 0, -1):
        now ^= seen.changes[at].bit
        if now == play.standings[-1]:
            return  # where this position stood again nothing was put back
        if seen.changes[at].t_us - seen.changes[at - 1].t_us >= rests_us:
            undone = put_back(play, evidence(seen.area, now, seen.loose, seen.changes[:at], seen.since_us))
            to = undone.to if undone and not undone.early else stood_before(play, now)
            if to is not None and to >= play.session.floor:
                yield to, seen.changes[at:]


def moved_or_aside(context: ReadingContext) -> BoardReading | None:
    """What lies beside the goal of a capture is its victim, or the attacker, which has taken nothing: that is asked."""
    verdict = context.verdict
    if verdict.clear or verdict.possible or not context.begun:
        return None
    doubted = victim_aside(context.play, context.seen)
    if doubted is None:
        return None
    return (
        BoardReading(doubted) if context.table.t_us >= context.quiet_us() else BoardReading(verdict, context.quiet_us())
    )


def stands_again(context: ReadingContext) -> BoardReading | None:
    """Nothing explains what lies there but that the board stands as it did before: that this was meant is asked."""
    verdict, play = context.verdict, context.play
    if verdict.clear or verdict.possible or not context.begun & context.seen.now:
        return None
    if (to := stood_before(play, context.seen.now)) is None or to < play.session.floor:
        return None
    if context.table.t_us < context.quiet_us(4):
        return BoardReading(verdict, context.quiet_us(4))
    return BoardReading(replace(verdict, undo=to, missing=0, extra=0))
