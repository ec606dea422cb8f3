"""A lesson that was left: it waits beside the table, which is free, until somebody goes on with it or begins a game.

A puzzle does not wait.
"""

from __future__ import annotations

import msgspec

from controller.rules.game import Illegal
from controller.sentences import say
from controller.table.reading.explanations import read
from controller.table.state import Play, Settled, Step, Table

replace = msgspec.structs.replace


def leave(table: Table, play: Play) -> Step:
    """Clear the table of the lesson, which waits as it was left, or of the puzzle, which does not. Raises `Illegal`."""
    lesson = play.session.lesson
    if lesson is None:
        raise Illegal(say("this is a game, not a lesson: start one with Learn"))
    return replace(table, play=None, waiting=None if lesson.puzzle else play, advice="", due_us=None), ()


def go_on(table: Table) -> Step:
    """Go on with the lesson that waits; if the board stands otherwise, that is to be put right first. Raises
    `Illegal`.
    """
    play = table.waiting
    if play is None or table.play is not None:
        raise Illegal(say("No lesson waits at this board: start one with Learn."))
    settled = Settled(play.settled.position, play.settled.pending_chores, since_us=table.t_us)
    play = replace(play, settled=settled, before=None, held=None, menu=())
    return read(replace(table, play=play, waiting=None, changed_us=table.t_us, due_us=None))
