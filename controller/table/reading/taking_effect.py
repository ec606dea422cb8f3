"""What takes effect once a reading is sure: a ply is made, or made in place of the last one, or that is taken back.

The board is to be read again afterwards.
"""

from __future__ import annotations

import msgspec

from controller.table import notes
from controller.table.gestures.changes import FOREVER_US
from controller.table.gestures.footprints import PlyFootprint
from controller.table.progress import ask_home, go_back, stand
from controller.table.reading.last_ply import reopened
from controller.table.reading.questions import UNDO
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace


def choose(table: Table, play: Play, text: str, phone: str = "") -> Step:
    """Take the ply ``text`` of those that were asked for as made; whatever else was touched belongs to the next.

    Raises `Illegal` or `Unreadable`.
    """
    if text == UNDO and play.verdict.undo is not None:
        return go_back(table, play, play.verdict.undo, by_hand=False)
    made = next((f for f in play.verdict.asked if f.text == text), None)
    if made is None:
        after = play.session.played(text, phone)
        asks = after.afar.follows and not play.session.decided
        return ask_home(table, play, after, table.t_us) if asks else stand(table, play, after)
    if play.verdict.again and made not in play.settled.position.footprints:
        return remake(table, play, made, told=True)
    others = 0
    for change in play.settled.changes:
        others |= change.bit
    return commit(table, play, made, others, told=True)


def commit(
    table: Table,
    play: Play,
    made: PlyFootprint,
    early: int,
    since_us: int | None = None,
    implied: bool = False,
    told: bool = False,
) -> Step:
    """Take ``made`` as made. ``early`` sites, and all that changed after ``since_us``, the next player touched.
    ``told`` says that it was a person's answer.
    """
    session, own = play.session.played(made.text, implied=implied), made.own
    if told:  # what was put on a lit cell answers the question, and is of no ply
        own |= play.game_area.both(sum(bit for bit, _ in play.choices))
        early &= ~play.game_area.both(own)
    changes = play.settled.changes
    came_since = made.involved & ~made.done & table.now  # where the piece had left, or passed: that is another one
    # Where the other hand has lifted a piece already, what it did with it since is not of this ply either.
    begun_us = min((c.t_us for c in changes if c.bit & early and not c.on), default=FOREVER_US)
    carried = tuple(
        c for c in changes
        if c.bit & early or (c.on and c.bit & came_since) or (since_us is not None and c.t_us > since_us)
        or (c.t_us > begun_us and c.bit & ~own)
    )  # fmt: skip
    for change in carried:
        early |= change.bit
    made_us = max((c.t_us for c in changes if c not in carried), default=play.settled.since_us if implied else None)
    if session.afar.follows and not play.session.decided:
        return ask_home(table, play, session, table.t_us if made_us is None else made_us)
    table, said = stand(table, play, session, early, made_us, carried)
    if told and table.play is not None:
        table = replace(table, play=replace(table.play, settled=replace(table.play.settled, told=True)))
    return table, said


def remake(table: Table, play: Play, made: PlyFootprint, early: int = 0, told: bool = False) -> Step:
    """Replace the last ply by ``made``, which its player has gone on to; the next one has touched ``early`` sites."""
    earlier = reopened(play)
    assert earlier is not None
    table, said = commit(table, earlier, made, early, told=told)
    return table, (notes.TakenBack(t_us=table.t_us, to=len(play.standings) - 2), *said)


def reopen(table: Table, play: Play, earlier: Play) -> Step:
    """Take the last ply back, since all magnets say otherwise, and read anew what was touched since ``earlier``."""
    left = earlier.left_us[-1] if earlier.left_us else ()
    taken_back = notes.TakenBack(t_us=table.t_us, to=len(play.standings) - 2, left_us=left)
    return replace(table, play=earlier, advice="", due_us=None, reopened_us=table.changed_us), (taken_back,)
