"""The puzzles: a file in the folder of each game that has some, read on demand."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import msgspec

from controller.game_setup import Aim, Lesson, LessonStep
from controller.lessons.sites import sites_of
from controller.orders import NewGame
from controller.refused import Refused
from controller.rules.registry import all_games, files_of, game_named
from controller.sentences import say
from controller.typed import ready

FILE = "puzzles.toml"
OWN = "own-"  # so begins the number of a puzzle that comes from a game played at the board
TASKS: dict[Aim, str] = {
    "once": say("Find the move that wins at once."),
    "win": say("Find the move that wins by force."),
    "gain": say("Find the move that is far better than all others."),
    "save": say("All moves but one lose: find it."),
    "turn": say("Reach the goal within this turn."),
}


class _Puzzle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle as it is written; its ``plies`` are separated by semicolons, and so are those that reach a ``goal``."""

    plies: str
    best: str
    seat: int
    aim: Aim
    hard: int
    seed: int = 0
    goal: str = ""


class _PuzzlesKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file: the ``options`` of its game, and the puzzles."""

    puzzle: tuple[_Puzzle, ...] = ()
    options: dict[str, Any] = {}


class Puzzle(msgspec.Struct, frozen=True):
    """A puzzle: its ``number``, the same as long as the position is, how ``hard`` it is (1 to 3), and its order.

    With a goal its ``theme`` says of what kind that is.
    """

    number: str
    hard: int
    aim: str
    order: NewGame
    theme: str = ""


def all_puzzles() -> dict[str, tuple[Puzzle, ...]]:
    """Return the puzzles of each game that has some, the easy ones first."""
    return _read()[0]


def broken_puzzles() -> dict[str, str]:
    """Return the files that cannot be read, each with its fault; all others work without them."""
    return _read()[1]


def there_on(game: str, places: Collection[str]) -> bool:
    """Whether a game has puzzles, and ``places``, its sites on a board, are enough for these."""
    return any(sites_of(game, puzzle.order.options) <= set(places) for puzzle in all_puzzles().get(game, ())[:1])


def puzzle_for(game: str, number: str) -> NewGame:
    """Return the order that sets up a puzzle; raises `Refused`."""
    for puzzle in all_puzzles().get(game, ()):
        if puzzle.number == number:
            return puzzle.order
    raise Refused(say("there is no puzzle {number} of {game}", number=number, game=game))


def own_puzzle(game: str, options: dict[str, Any], seed: int, plies: Sequence[str], best: str, aim: Aim) -> NewGame:
    """Return the order that sets up a puzzle of a game that was played: ``best`` is to be found after ``plies``."""
    return _order(game, options, seed, tuple(plies), best, aim, OWN)


def number_of(order: NewGame) -> str:
    """Return under which number phones remember a puzzle."""
    return order.lesson.puzzle if order.lesson else ""


def is_one(order: NewGame) -> bool:
    """Whether an order sets up a puzzle of the files, or one that `own_puzzle` makes, whoever plays it.

    That its plies are legal is seen when it begins.
    """
    lesson = order.lesson.as_in_file if order.lesson else None
    if lesson is None or not lesson.puzzle.startswith(OWN):
        return any(lesson == each.order.lesson for puzzles in all_puzzles().values() for each in puzzles)
    best, seed = lesson.steps[0].ply, order.seed or 0
    return any(lesson == own_puzzle(order.game, order.options, seed, lesson.plies, best, aim).lesson for aim in TASKS)


@cache
def _read() -> tuple[dict[str, tuple[Puzzle, ...]], dict[str, str]]:
    found: dict[str, tuple[Puzzle, ...]] = {}
    broken: dict[str, str] = {}
    for game in all_games():
        file = files_of(game) / FILE
        if not file.is_file():
            continue
        try:
            read = msgspec.toml.decode(file.read_text(encoding="utf-8"), type=ready(_PuzzlesKeys))
        except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError) as wrong:
            broken[f"{game}/{FILE}"] = str(wrong)
        else:
            found[game] = tuple(_made(game, each, read.options) for each in read.puzzle)
    return found, broken


def _made(game: str, puzzle: _Puzzle, options: dict[str, Any]) -> Puzzle:
    order = _order(game, options, puzzle.seed, _split(puzzle.plies), puzzle.best, puzzle.aim, goal=puzzle.goal)
    assert order.lesson
    goals = game_named(game).goals if puzzle.goal else None
    theme = goals.theme(puzzle.goal) if goals else ""
    return Puzzle(order.lesson.puzzle, puzzle.hard, puzzle.aim, order, theme)


def _split(plies: str) -> tuple[str, ...]:
    return tuple(ply.strip() for ply in plies.split(";") if ply.strip())


def _order(
    game: str, options: dict[str, Any], seed: int, plies: tuple[str, ...], best: str, aim: Aim, kind: str = "",
    goal: str = "",
) -> NewGame:  # fmt: skip
    told = f"{seed} {'; '.join(plies)} {best}{goal and ' '}{goal}"
    number = f"{kind}{zlib.crc32(told.encode()):08x}"
    steps = tuple(LessonStep(str.__str__(TASKS[aim]), ply) for ply in (_split(best) if goal else (best,)))
    lesson = Lesson(steps, plies=plies, puzzle=number, goal=goal)
    return NewGame(game=game, options=options, seed=seed, lesson=lesson)
