"""Puzzles at the table: a ply that is not the right one is taken back at once, and hands put the pieces back by light.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.rules.game import Illegal
from controller.sentences import say
from controller.table import notes
from controller.table.lesson_guide import footprints_of
from controller.table.progress import go_back
from controller.table.puzzle_steps import way_on, winning_answer
from controller.table.session import Session
from controller.table.state import Play, Step, Table

replace = msgspec.structs.replace


def taken_back(table: Table) -> Step:
    """Return the table with a wrong ply of a puzzle taken back; the same one where there is none."""
    play = table.play
    to = play.session.leads_back if play else None
    return (table, ()) if play is None or to is None else _back(table, play, to)


def begun_again(table: Table, play: Play) -> Step:
    """Return the table with a ply taken back that is only the beginning of the right one; else the same one."""
    begun = play.session.plies and play.session.solved is None
    return _back(table, play, 0) if begun else (table, ())


def _back(table: Table, play: Play, to: int) -> Step:
    """Lead back to where ``to`` plies were made; the one after them was tried."""
    before, tried = play.session.positions[to].state, play.session.positions[to + 1].text
    lesson = play.session.lesson
    answer = "" if lesson is None or lesson.goal else winning_answer(play.session.game, before, tried)
    table, said = go_back(table, play, to, by_hand=False)
    assert table.play is not None
    session = replace(table.play.session, tried=tried, answer=answer)
    return replace(table, play=replace(table.play, session=session)), said


def hint_site(session: Session) -> str:
    """Return where the ply to be found in a puzzle begins; "" where nobody may be told, or that is told by nothing."""
    lesson = session.lesson
    if not lesson or not lesson.puzzle or lesson.goal or session.plies or session.read_to:
        return ""
    state = session.positions[0].state
    return next(iter(session.game.walk(state, session.game.read(state, lesson.steps[0].ply)).path), "")


def show(table: Table, play: Play) -> Step:
    """Show the next ply to the goal of a puzzle, and lead back first where none is near; raises `Illegal`."""
    session, said = play.session, tuple[notes.AnyNote, ...]()
    if session.solved is not None or session.lesson is None:
        raise Illegal(say("the lesson is over"))
    to, ply = way_on(session.game, session.lesson, session.states, session.plies)
    if to < len(session.plies):
        table, said = _back(table, play, to)
    assert table.play is not None
    session = replace(table.play.session, shown=ply, read_to=1)
    settled = replace(table.play.settled, position=footprints_of(session, play.game_area))
    return replace(table, play=replace(table.play, session=session, settled=settled, ahead=None)), said
