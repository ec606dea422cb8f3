"""Lessons: which step of one is on, which ply it waits for, and what it says. Pure functions of how far it has come.

A lesson has come as far as plies were made in it; a step without a ply is passed by reading on or by the next ply that
is made.
"""

from __future__ import annotations

from typing import Any

from controller.game_setup import Lesson
from controller.rules.game import AnyGame, Illegal
from controller.sentences import say


def step_on(lesson: Lesson, made: int, read_to: int) -> int:
    """Return the index of the step that is on after ``made`` plies, with the steps before ``read_to`` read.

    It is the number of steps once the lesson is over.
    """
    turns = [n for n, step in enumerate(lesson.steps) if step.ply]
    begun = 0 if made == 0 else len(lesson.steps) if made > len(turns) else turns[made - 1] + 1
    return min(max(begun, read_to), turns[made] if made < len(turns) else len(lesson.steps))


def expected(lesson: Lesson, made: int, read_to: int) -> str:
    """Return the ply that comes after ``made`` plies of the lesson; "" where any may, as in a puzzle."""
    if lesson.goal or (lesson.puzzle and not read_to):
        return ""
    plies = [step.ply for step in lesson.steps if step.ply]
    return plies[made] if made < len(plies) else ""


def next_step(lesson: Lesson, made: int, read_to: int) -> int:
    """Return up to where the steps are read when the one that is on has been; raises `Illegal`."""
    on = step_on(lesson, made, read_to)
    if on == len(lesson.steps):
        raise Illegal(say("the lesson is over"))
    if lesson.puzzle:
        return 1  # it is told
    if lesson.steps[on].ply:
        raise Illegal(say("this step needs a move: make it as the lights show"))
    return on + 1


def _placed(game: AnyGame, position: str, options: Any) -> object:
    try:
        return game.taken_over(position.encode(), options)
    except (Illegal, UnicodeEncodeError) as wrong:
        raise Illegal(
            say(
                "the lesson's start position is not valid in {game}: {why}",
                game=say(game.facts.title),
                why=str(wrong),
            )
        ) from wrong


def begun(game: AnyGame, start: object, lesson: Lesson, options: Any) -> object:
    """Return the state in which the lesson of a game with ``options`` begins.

    Raises `Illegal` or `Unreadable` where a ply of it is not legal.
    """
    state = _placed(game, lesson.position, options) if lesson.position else start
    for text in lesson.plies:
        state = game.play_text(state, text)
    first = state
    for number, step in enumerate(lesson.steps, 1):
        if step.ply:
            ply = game.read(state, step.ply)
            if game.text(state, ply) != step.ply:
                raise Illegal(
                    say(
                        "step {number} of the lesson writes {ply}: write {other}",
                        number=number,
                        ply=step.ply,
                        other=game.text(state, ply),
                    )
                )
            state = game.play(state, ply)
    if lesson.goal and (game.goals is None or game.goals.lacks(first, state, lesson.goal) != 0):
        raise Illegal(say("the steps of the puzzle do not reach its goal, {goal}", goal=lesson.goal))
    return first
