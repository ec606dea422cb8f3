"""The lessons: TOML files in the folders of the games, read on demand."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

import msgspec

from controller.game_setup import Lesson
from controller.lessons.puzzle_files import is_one, puzzle_for
from controller.lessons.sites import sites_of
from controller.orders import AnyOrder, NewGame, StartLesson, StartPuzzle
from controller.refused import Refused
from controller.rules.registry import all_games, files_of
from controller.sentences import say
from controller.table.board import Board
from controller.typed import ready

FILES = "lesson*.toml"

replace = msgspec.structs.replace


class _LessonKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file: the ``options`` of its game, what it draws lots from, and the lesson itself."""

    lesson: Lesson
    options: dict[str, Any] = {}
    seed: int = 0


class LessonFile(msgspec.Struct, frozen=True):
    """A lesson and what it begins from."""

    game: str
    lesson: Lesson
    options: dict[str, Any] = {}
    seed: int = 0

    @property
    def order(self) -> NewGame:
        """The order that begins the lesson."""
        return NewGame(game=self.game, options=self.options, seed=self.seed, lesson=self.lesson)


def all_lessons() -> tuple[LessonFile, ...]:
    """Return every lesson that can be read, by game and file name."""
    return _read()[0]


def broken_lessons() -> dict[str, str]:
    """Return the files that are not valid lessons, each with its fault; all others work without them."""
    return _read()[1]


@cache
def _read() -> tuple[tuple[LessonFile, ...], dict[str, str]]:
    found: list[LessonFile] = []
    broken: dict[str, str] = {}
    for game, file in _files():
        try:
            read = msgspec.toml.decode(file.read_text(encoding="utf-8"), type=ready(_LessonKeys))
        except (OSError, UnicodeDecodeError, msgspec.DecodeError, RecursionError) as wrong:
            broken[f"{game}/{file.name}"] = str(wrong)
        else:
            found.append(LessonFile(game, read.lesson, read.options, read.seed))
    return tuple(found), broken


def _files() -> Iterator[tuple[str, Traversable]]:
    for game in all_games():
        for file in sorted(files_of(game).iterdir(), key=lambda file: file.name):
            if fnmatch(file.name, FILES):
                yield game, file


def lesson_for(game: str, board: Board | None) -> NewGame:
    """Return the order that begins the lesson of ``game`` on ``board``, None: on any; raises `Refused`."""
    place = board.placements.get(game, {}) if board else {}
    for file in all_lessons():
        if file.game == game and (board is None or sites_of(file.game, file.options) <= place.keys()):
            return file.order
    if board is None:
        raise Refused(say("there is no {game} lesson", game=game))
    raise Refused(say("there is no {game} lesson for the board {board}", game=game, board=board.name))


def filled(order: AnyOrder, board: Board | None) -> AnyOrder:
    """Return ``order`` with the lesson or puzzle that it asks for, on ``board`` or None any one.

    Raises `Refused`.

    A lesson that an order brings along must be one of the files', or a puzzle of a game that was played here: it may
    begin from any position, and these alone are known to be sound.
    """
    if isinstance(order, StartLesson):
        return _led(lesson_for(order.game, board), order.learner)
    if isinstance(order, StartPuzzle):
        return _led(puzzle_for(order.game, order.puzzle), order.learner)
    if isinstance(order, NewGame) and order.lesson and not _is_known(order):
        raise Refused(
            say("this is not one of the current {game} lessons: start one with start_lesson", game=order.game)
        )
    return order


def _led(order: NewGame, learner: str) -> NewGame:
    return replace(order, lesson=replace(order.lesson, learner=learner)) if order.lesson else order


def _is_known(order: NewGame) -> bool:
    assert order.lesson
    lesson = order.lesson.as_in_file
    return is_one(order) if lesson.puzzle else any(lesson == file.lesson for file in all_lessons())
