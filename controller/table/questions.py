"""Questions and reproofs: which sites answer a question, and which rule a piece that went astray has broken.

Owns their words and places; pure. Must not know when they are asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_

from controller.sentences import say
from controller.table.board import GameArea
from controller.table.gestures.resolver import Evidence, Verdict
from controller.table.last_ply import onward
from controller.table.state import Play, Table

MOST_CHOICES = 12  # more lit cells than that help nobody; the phone asks
UNDO = "take back"  # the answer that the last ply was taken back


def choices(table: Table, play: Play, verdict: Verdict) -> tuple[tuple[int, str], ...]:
    """Return a free site for each ply that is asked for, in the order of the sites and of the plies' texts."""
    landings = onward(play, table.now)
    for footprint in (*verdict.asked, *verdict.possible):
        landings |= footprint.involved
    taken = play.game_area.both(table.now | play.settled.position.standing | landings)
    free = [bit for bit in play.game_area.bit.values() if not bit & taken]
    # Rather not where some other ply puts a piece: it would choose instead.
    legal = play.game_area.both(reduce(or_, (f.involved for f in play.settled.position.footprints), 0))
    free.sort(key=lambda bit: bool(bit & legal))
    answers = [footprint.text for footprint in verdict.asked] + [UNDO] * (verdict.undo is not None)
    if len(free) < len(answers) or len(answers) > MOST_CHOICES:
        return ()
    return tuple(zip(free, answers, strict=False))


def lit_answer(play: Play, seen: Evidence) -> tuple[str, int] | None:
    """Return the answer on whose lit cell a piece was put, and since when it rests there."""
    return rests_on(play.choices, play.game_area, seen)


def rests_on(lit: Iterable[tuple[int, str]], game_area: GameArea, seen: Evidence) -> tuple[str, int] | None:
    """Return what belongs to the one of the ``lit`` cells on which a piece was put, and since when it rests there."""
    for cell, text in lit:
        landed = [us for bit, us in seen.last_on.items() if bit & game_area.both(cell) & seen.now]
        if landed:
            return text, max(landed)
    return None


def why_wrong(play: Play, missing: tuple[str, ...], extra: tuple[str, ...]) -> str:
    """Return one sentence about pieces that no ply explains: the rule, where one piece went astray."""
    if len(missing) == len(extra) == 1:
        written, why = play.session.game.refusal(play.session.state, missing[0], extra[0])
        if why:
            return say(
                "{ply} is not allowed: {why}. Put the piece back on {cell}.", ply=written, why=why, cell=missing[0]
            )
    if not extra and len(missing) == 1:
        return say("the piece from {cell} cannot move now: put it back.", cell=missing[0])
    if missing and extra:
        return say(
            "a piece is missing on {missing}, and there is one too many on {extra}.", missing=missing, extra=extra
        )
    if missing:
        return say("a piece is missing on {missing}.", missing=missing)
    return say("there is a piece too many on {extra}.", extra=extra)
