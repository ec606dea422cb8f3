"""Lessons and puzzles as files: which can be read, which are the board's own, and what a picture of the day costs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import msgspec
import pytest

from controller.from_profile import table_board
from controller.game_setup import Lesson, LessonStep
from controller.lessons import lesson_files, puzzle_files, puzzle_of_day
from controller.lessons.lesson_files import all_lessons, broken_lessons, filled, lesson_for
from controller.lessons.puzzle_files import all_puzzles, is_one, own_puzzle, puzzle_for
from controller.lessons.puzzle_of_day import NOBODY, SEATS, FirstDays, PictureOfDay, drawn
from controller.orders import NewGame, NextStep, StartLesson, StartPuzzle
from controller.refused import Refused
from controller.rules.options import parse
from controller.rules.registry import game_named
from hardware.profile import load, names

LESSON = """
seed = 4
[options]
board = "small"
[lesson]
steps = [{ say = "Take the unit.", ply = "a1-a2" }]
"""
PUZZLES = """
[[puzzle]]
plies = "a1-a2; b1-b2 ;"
best = "a2-a3"
seat = 0
aim = "gain"
hard = 2
seed = 7
"""


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return how files come into the folder of the only game there is."""
    for module in (lesson_files, puzzle_files):
        monkeypatch.setattr(module, "all_games", lambda: ("ludo",))
        monkeypatch.setattr(module, "files_of", lambda game: tmp_path)
        monkeypatch.setattr(module, "_read", module._read.__wrapped__)

    def write(**files: str | bytes) -> None:
        for name, content in files.items():
            path = tmp_path / f"{name}.toml"
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


def test_lessons_are_read_by_their_names_and_of_one_that_is_broken_its_fault_is_told(
    written: Callable[..., None],
) -> None:
    written(lesson_2=LESSON, lesson_1=LESSON.replace("seed = 4", "seed = 3"), notes="not ours")
    assert [file.seed for file in all_lessons()] == [3, 4]
    assert all_lessons()[0].order == NewGame(
        game="ludo", options={"board": "small"}, seed=3, lesson=Lesson((LessonStep("Take the unit.", "a1-a2"),))
    )
    assert broken_lessons() == {}
    written(lesson_1="[lesson", lesson_3=b"\xff", lesson_4=LESSON + "colour = 1\n")
    assert [file.seed for file in all_lessons()] == [4]
    written(lesson_2=LESSON.replace("seed = 4", ""))
    assert [file.order.seed for file in all_lessons()] == [0]
    assert list(broken_lessons()) == ["ludo/lesson_1.toml", "ludo/lesson_3.toml", "ludo/lesson_4.toml"]


def test_a_game_without_a_lesson_is_refused_with_the_board_and_without(written: Callable[..., None]) -> None:
    with pytest.raises(Refused, match=r"^there is no ludo lesson$"):
        lesson_for("ludo", None)
    with pytest.raises(Refused, match=r"^there is no ludo lesson for the board first36$"):
        lesson_for("ludo", table_board(load("first36")))
    written(lesson=LESSON)
    assert lesson_for("ludo", None).seed == 4


def test_puzzles_are_read_with_their_plies_and_a_file_that_is_broken_is_told(written: Callable[..., None]) -> None:
    written(puzzles=PUZZLES)
    (puzzle,) = puzzle_files.all_puzzles()["ludo"]
    assert (puzzle.hard, puzzle.aim, puzzle.order.seed) == (2, "gain", 7)
    assert puzzle.order.lesson is not None
    assert puzzle.order.lesson.plies == ("a1-a2", "b1-b2")
    assert puzzle.order.lesson.steps[0].ply == "a2-a3"
    assert puzzle_for("ludo", puzzle.number) == puzzle.order
    written(puzzles=PUZZLES.replace("seed = 7", ""))
    assert puzzle_files.all_puzzles()["ludo"][0].order.seed == 0
    written(puzzles="[[puzzle]]\n")
    assert puzzle_files.all_puzzles() == {}
    assert list(puzzle_files.broken_puzzles()) == ["ludo/puzzles.toml"]


def test_a_puzzle_has_the_same_number_as_long_as_its_position_is_the_same(written: Callable[..., None]) -> None:
    def number() -> str:
        return puzzle_files.all_puzzles()["ludo"][0].number

    written(puzzles=PUZZLES)
    before = number()
    written(puzzles=PUZZLES.replace("hard = 2", "hard = 3"))
    assert number() == before
    for old, new in (("a1-a2", "a1-a3"), ('"a2-a3"', '"a2-a4"'), ("seed = 7", "seed = 8")):
        written(puzzles=PUZZLES.replace(old, new))
        assert number() != before


@pytest.mark.parametrize("name", names())
def test_a_lesson_is_begun_on_a_board_that_has_all_of_its_sites(name: str) -> None:
    board = table_board(load(name))
    for game, places in board.placements.items():
        rules, order = game_named(game), lesson_for(game, board)
        assert set(rules.mesh(parse(rules.options, order.options)).cells) <= places.keys()


# ---- whose they are


def test_a_puzzle_of_a_game_that_was_played_is_taken_and_none_that_was_made_up() -> None:
    own = own_puzzle("circle", {"size": 5}, 3, ["a1-a2"], "b1-b2", "save")
    assert is_one(own)
    assert is_one(own_puzzle("circle", {}, 0, [], "b1-b2", "win"))
    assert not is_one(NewGame(game="circle"))
    assert own.lesson is not None
    led = msgspec.structs.replace(own, lesson=msgspec.structs.replace(own.lesson, learner="Ann"))
    assert filled(led, None) == led  # whoever plays it
    for change in (
        {"steps": (LessonStep("Give up.", "b1-b2"),)},
        {"plies": ("a1-a3",)},
        {"puzzle": f"{own.lesson.puzzle}0"},
    ):
        made_up = msgspec.structs.replace(own, lesson=msgspec.structs.replace(own.lesson, **change))
        assert not is_one(made_up)
        with pytest.raises(Refused, match="this is not one of the current circle lessons"):
            filled(made_up, None)


def test_who_learns_is_noted_in_what_is_begun() -> None:
    lesson = filled(StartLesson(game="circle", learner="Ann"), None)
    number = all_puzzles()["circle"][0].number
    puzzle = filled(StartPuzzle(game="circle", puzzle=number, learner="Bea"), None)
    for order, learner in ((lesson, "Ann"), (puzzle, "Bea")):
        assert isinstance(order, NewGame)
        assert order.lesson is not None
        assert order.lesson.learner == learner
        assert filled(order, None) == order  # as it comes back from a page that knew it
    assert filled(NextStep(), None) == NextStep()


# ---- the picture of the day


def test_a_picture_is_worked_out_once_for_each_board_and_day(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_out: list[tuple[str, date]] = []

    def noted(board: object, day: date, met: FirstDays, found: FirstDays) -> dict[str, tuple[int, int, int]]:
        worked_out.append((str(getattr(board, "name", "")), day))
        return {}

    monkeypatch.setattr(puzzle_of_day, "drawn", noted)
    days = [date(2026, 3, 1)]
    picture = PictureOfDay(lambda: days[-1])
    small, large = table_board(load("first36")), table_board(load("square144"))
    for board in (small, small, large, large):
        picture(board)
    days.append(date(2026, 3, 2))
    picture(large)
    picture(large)
    assert worked_out == [("first36", days[0]), ("square144", days[0]), ("square144", days[1])]
    picture.known = {}, {"circle": days[0]}  # as somebody has found a puzzle, an easy one need not be chosen
    picture(large)
    assert worked_out[3:] == [("square144", days[1])]


def test_pieces_have_the_colours_of_their_seats_and_those_of_nobody_another(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len({*SEATS, NOBODY}) == len(SEATS) + 1
    assert all(0 <= channel <= 255 for colour in (*SEATS, NOBODY) for channel in colour)
    assert puzzle_of_day._colour(0) == SEATS[0]
    assert puzzle_of_day._colour(len(SEATS) - 1) == SEATS[-1]
    assert puzzle_of_day._colour(len(SEATS)) == SEATS[0]
    assert puzzle_of_day._colour(None) == NOBODY
    lights = drawn(table_board(load("first36")), date(2026, 3, 1), {}, {})
    assert set(lights.values()) <= {*SEATS, NOBODY}
