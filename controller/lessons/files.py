"""The lessons that come with the games: a TOML file each, read when one is asked for.

Owns the files and which of them fits a board. Must not know how a lesson is led.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from controller.events import AnyOrder, Lesson, NewGame, StartLesson
from controller.rules.options import parse
from controller.rules.registry import game_named
from controller.sentences import say
from controller.table.board import Board


class NoLesson(ValueError):
    """A game or a board without a lesson; one sentence."""


class LessonFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file: the ``game`` with its ``options``, what it draws lots from, and the lesson itself."""

    game: str
    lesson: Lesson
    options: dict[str, Any] = {}
    seed: int = 0

    @property
    def order(self) -> NewGame:
        """The order that begins the lesson."""
        return NewGame(game=self.game, options=self.options, seed=self.seed, lesson=self.lesson)


@lru_cache(maxsize=1)
def all_lessons() -> tuple[LessonFile, ...]:
    """Return every lesson, by file name; raises `msgspec.ValidationError` where a file is none."""
    here = resources.files(__package__).iterdir()
    files = sorted((file for file in here if file.name.endswith(".toml")), key=lambda file: file.name)
    return tuple(msgspec.toml.decode(file.read_text(encoding="utf-8"), type=LessonFile) for file in files)


def lesson_for(game: str, board: Board) -> NewGame:
    """Return the order that begins the lesson of ``game`` on ``board``; raises `NoLesson`."""
    place = board.placements.get(game, {})
    for file in all_lessons():
        if file.game == game and set(_cells(file)) <= place.keys():
            return file.order
    raise NoLesson(say("there is no lesson of {game} for the board {board}", game=game, board=board.name))


def filled(order: AnyOrder, board: Board) -> AnyOrder:
    """Return ``order`` with the lesson that it asks for; raises `NoLesson`.

    A lesson that an order brings along must be one of the files': it may begin from any position, and theirs alone are
    known to be sound.
    """
    if isinstance(order, StartLesson):
        return lesson_for(order.game, board)
    if isinstance(order, NewGame) and order.lesson and all(order.lesson != file.lesson for file in all_lessons()):
        raise NoLesson(say("this is no lesson of {game} as they are now: begin one with start_lesson", game=order.game))
    return order


def _cells(file: LessonFile) -> tuple[str, ...]:
    rules = game_named(file.game)
    return rules.mesh(parse(rules.options, file.options)).cells
