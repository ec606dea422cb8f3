"""Questions and reproofs: which sites answer a question, and which rule a piece that went astray has broken.

Owns their words and places; pure. Must not know when they are asked.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from controller.rules.game import Illegal, Unreadable
from controller.rules.words import say
from controller.table.resolver import Verdict
from controller.table.state import Play, Table

MOST_CHOICES = 12  # more lit cells than that help nobody; the phone asks


def choices(table: Table, play: Play, verdict: Verdict) -> tuple[tuple[int, str], ...]:
    """Return a free site for each ply that is asked for, in the order of the sites and of the plies' texts."""
    landings = 0
    for footprint in (*verdict.asked, *verdict.possible):
        landings |= footprint.involved
    taken = play.ground.both(table.now | play.settled.outlook.standing | landings)
    free = [bit for bit in play.ground.bit.values() if not bit & taken]
    # Rather not where some other ply puts a piece: it would choose instead.
    legal = play.ground.both(reduce(or_, (f.involved for f in play.settled.outlook.footprints), 0))
    free.sort(key=lambda bit: bool(bit & legal))
    if len(free) < len(verdict.asked) or len(verdict.asked) > MOST_CHOICES:
        return ()
    return tuple((bit, f.text) for bit, f in zip(free, verdict.asked, strict=False))


def chosen(play: Play) -> str | None:
    """Return the ply that was chosen by the piece put down last."""
    last = play.settled.changes[-1:]
    return next((text for bit, text in play.choices for c in last if c.on and c.bit & play.ground.both(bit)), None)


def why_wrong(play: Play, missing: tuple[str, ...], extra: tuple[str, ...]) -> str:
    """Return one sentence about pieces that no ply explains: the rule, where one piece went astray."""
    game, state = play.session.game, play.session.state
    if len(missing) == len(extra) == 1:
        for written in (f"{missing[0]}-{extra[0]}", f"{missing[0]}x{extra[0]}"):
            try:
                game.play_text(state, written)
            except Illegal as refused:
                return say(
                    "{ply} is not allowed: {why}. Put the piece back on {cell}.",
                    ply=written,
                    why=str(refused),
                    cell=missing[0],
                )
            except Unreadable:
                continue
    if not extra and len(missing) == 1:
        return say("the piece from {cell} has no ply now: put it back.", cell=missing[0])
    if missing and extra:
        return say(
            "a piece is missing on {missing} and there is one too many on {extra}.", missing=missing, extra=extra
        )
    if missing:
        return say("a piece is missing on {missing}.", missing=missing)
    return say("there is one too many on {extra}.", extra=extra)
