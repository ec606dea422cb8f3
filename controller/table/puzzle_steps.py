"""Puzzles: after how many plies one is solved, and where it leads back to. Pure functions of the positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from controller.game_setup import Lesson
from controller.rules.game import AnyGame
from controller.rules.turn_search import TooLong, TurnSearch

NEAR = 300  # positions behind which a way to a goal is looked for when somebody asks


def solved_after(game: AnyGame, puzzle: Lesson, states: Sequence[Any], plies: Sequence[str]) -> int | None:
    """Return after how many ``plies`` the puzzle is solved, None where it is not; ``states`` are before and after."""
    if not puzzle.goal:
        return 1 if plies and _right(game, puzzle, states, plies) else None
    return next((made for made, lacking in _lacking(game, puzzle, states) if lacking == 0), None)


def begins(game: AnyGame, state: Any, tried: str, wanted: str) -> bool:
    """Return whether the way of the ply ``tried`` is the first part of the way of the one that is ``wanted``."""
    way, whole = (game.walk(state, game.read(state, text)).path for text in (tried, wanted))
    return 1 < len(way) < len(whole) and whole[: len(way)] == way


def leads_back(game: AnyGame, puzzle: Lesson, states: Sequence[Any], plies: Sequence[str]) -> int | None:
    """Return to how many plies a puzzle leads back: before the one that is not right, or after which its goal is out of
    reach. None where it does not: the first landings of a chain are right until something else is made after them.
    """
    if not puzzle.goal:
        if not plies or _right(game, puzzle, states, plies):
            return None
        wanted = [puzzle.steps[0].ply, *wins_at_once(game, states[0])] if len(plies) == 1 else []
        return None if any(begins(game, states[0], plies[0], each) for each in wanted) else 0
    for made, lacking in _lacking(game, puzzle, states):
        if lacking == 0:
            return None
        if lacking is None:
            return max(0, made - 1)
    return None


def _right(game: AnyGame, puzzle: Lesson, states: Sequence[Any], plies: Sequence[str]) -> bool:
    """Return whether the first of the ``plies`` is the puzzle's own, or wins at once, than which none is better."""
    return plies[0] == puzzle.steps[0].ply or game.result(states[1]).winner == game.seat(states[0])


def wins_at_once(game: AnyGame, state: Any) -> list[str]:
    """Return the plies with which who is to move has won."""
    seat = game.seat(state)
    return [game.text(state, ply) for ply in game.plies(state) if game.result(game.after(state, ply)).winner == seat]


def _lacking(game: AnyGame, puzzle: Lesson, states: Sequence[Any]) -> Iterator[tuple[int, int | None]]:
    """Yield how many plies the goal lacks at least after 0, 1, … plies; None where it is out of reach."""
    goals = game.goals
    assert goals is not None
    return ((made, goals.lacks(states[0], state, puzzle.goal)) for made, state in enumerate(states))


def way_on(game: AnyGame, puzzle: Lesson, states: Sequence[Any], plies: Sequence[str]) -> tuple[int, str]:
    """Return the next ply of a short way to the goal, and after how many of the ``plies`` it begins.

    That is after all of them, where a way as short as the puzzle's is found from there; else where its own was left.
    """
    own = [step.ply for step in puzzle.steps]
    left = next((made for made, ply in enumerate(plies) if own[made : made + 1] != [ply]), len(plies))
    if left == len(plies) < len(own):
        return left, own[left]
    try:
        ways = TurnSearch(game, states[0], puzzle.goal, NEAR).shortest(states[-1], len(own), 1)
    except TooLong:
        ways = ()
    return (len(plies), game.text(states[-1], ways[0][0])) if ways else (left, own[left])


def winning_answer(game: AnyGame, state: Any, tried: str) -> str:
    """Return the ply with which the next seat wins at once after the ply ``tried``; "" where it has none."""
    after = game.play_text(state, tried)
    seat = game.seat(after)
    if seat is None or seat == game.seat(state):
        return ""
    return next(iter(wins_at_once(game, after)), "")
