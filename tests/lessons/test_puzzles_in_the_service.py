"""A puzzle in the running service: begun by its number, kept through a restart, replayed from its recording."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.game_setup import Lesson, LessonStep
from controller.lessons.puzzle_files import Puzzle, all_puzzles, own_puzzle
from controller.orders import AnyOrder, LeaveLesson, NewGame, Resign, Resume, StartLesson, StartPuzzle
from controller.refused import Refused
from controller.table.session import Session
from tests.service.evenings import TIDES, Evening, assert_replays, copied, kept


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest.fixture
def puzzle() -> Puzzle:
    return all_puzzles()[TIDES][0]


def session(evening: Evening) -> Session:
    play = evening.table.play
    assert play is not None
    return play.session


def lesson_of(puzzle: Puzzle) -> Lesson:
    assert puzzle.order.lesson is not None
    return puzzle.order.lesson


def wrong_one(evening: Evening, best: str) -> str:
    now = session(evening)
    texts = (now.game.text(now.state, ply) for ply in now.game.plies(now.state))
    return next(text for text in texts if text != best)


def test_a_puzzle_is_tried_left_overnight_and_solved(path: Path, puzzle: Puzzle) -> None:
    best = lesson_of(puzzle).steps[0].ply
    evening = Evening(path).start().order(StartPuzzle(game=TIDES, puzzle=puzzle.number)).set_up()
    evening.ply(wrong_one(evening, best))
    assert evening.plies == []
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    assert session(again).lesson == lesson_of(puzzle)
    assert again.plies == []
    again.ply(best)
    assert again.plies == [best]
    again.stop()
    assert kept(path, 1) == (best,)
    assert_replays(path, 1)


def test_a_puzzle_that_was_left_is_gone_after_a_restart_too(path: Path, puzzle: Puzzle) -> None:
    evening = Evening(path).start().order(StartPuzzle(game=TIDES, puzzle=puzzle.number)).set_up()
    evening.order(LeaveLesson(on=True))
    assert evening.table.phase == "idle"
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    assert (again.table.phase, again.table.waiting) == ("idle", None)
    again.stop()


def test_a_puzzle_that_was_left_is_gone_after_a_power_cut_too(path: Path, puzzle: Puzzle, tmp_path: Path) -> None:
    evening = Evening(path).start().order(StartPuzzle(game=TIDES, puzzle=puzzle.number)).set_up()
    evening.order(LeaveLesson(on=True))
    again = Evening(copied(path, tmp_path / "cut"), magnets=sorted(evening.magnets))
    evening.stop()
    again.start()
    assert (again.table.phase, again.table.waiting) == ("idle", None)
    again.stop()


def test_a_lesson_that_goes_on_is_on_the_table_after_a_power_cut_too(path: Path, tmp_path: Path) -> None:
    evening = Evening(path).start().order(StartLesson(game=TIDES)).set_up().order(LeaveLesson(on=True))
    evening.order(LeaveLesson(on=False))
    again = Evening(copied(path, tmp_path / "cut"), magnets=sorted(evening.magnets))
    evening.stop()
    again.start()
    assert session(again).lesson is not None
    again.stop()


def interrupted(evening: Evening) -> int | None:
    lesson = session(evening).lesson
    assert lesson is not None
    return lesson.interrupts


def number(evening: Evening) -> int:
    assert evening.seen.game_id is not None
    return evening.seen.game_id


def test_a_puzzle_knows_the_game_that_it_took_from_the_table_moved_in_or_not(path: Path, puzzle: Puzzle) -> None:
    start = StartPuzzle(game=TIDES, puzzle=puzzle.number)
    evening = Evening(path).start().order(start)
    assert interrupted(evening) is None
    evening.order(LeaveLesson(on=True)).new_game().ply("c3-c4")
    older = number(evening)
    evening.new_game()  # nobody has moved in it
    newer = number(evening)
    evening.order(start).order(start)
    assert (interrupted(evening), number(evening)) == (newer, newer + 2)
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    assert interrupted(again) == newer
    again.order(Resume(game_id=newer))
    assert (number(again), again.plies) == (newer, [])
    again.order(Resume(game_id=older)).order(start)  # not the newest
    assert interrupted(again) == older
    again.order(Resume(game_id=older)).order(Resign(seat=0)).order(start)
    assert interrupted(again) == older
    again.order(Resume(game_id=older)).back()
    play = again.table.play
    assert play is not None
    assert (again.plies, play.result.over) == (["c3-c4"], False)  # that it was given up is taken back
    again.stop()


def test_a_puzzle_of_a_game_that_the_rules_have_ended_leads_back_to_that_game(path: Path) -> None:
    own = own_puzzle(TIDES, {}, 1, ("c3-d3",), "e3xc3xa1", "win")
    evening = Evening(path).start().new_game().ply("c3-d3").ply("e3xc3xa1")
    ended = number(evening)
    assert (evening.table.phase, session(evening).result.why) == ("over", "conquest")
    evening.order(own).set_up()
    assert interrupted(evening) == ended
    evening.order(Resume(game_id=ended))
    assert (number(evening), session(evening).result.why, session(evening).lesson) == (ended, "conquest", None)
    evening.set_up()
    assert evening.table.phase == "over"
    evening.stop()


def test_a_puzzle_with_a_goal_goes_on_after_a_night_and_is_solved(path: Path) -> None:
    puzzle = next(each for each in all_puzzles()["beacons"] if len(lesson_of(each).steps) > 2)
    first, *others = (step.ply for step in lesson_of(puzzle).steps)
    evening = Evening(path, "shell19").start().order(StartPuzzle(game="beacons", puzzle=puzzle.number)).set_up()
    evening.ply(first)
    evening.ply("end")
    assert evening.plies == [first]
    evening.stop()
    again = Evening(path, "shell19", magnets=sorted(evening.magnets)).start()
    assert session(again).lesson == lesson_of(puzzle)
    assert again.plies == [first]
    for ply in others:
        assert session(again).solved is None
        again.ply(ply)
    assert session(again).solved == 1 + len(others)
    again.stop()
    assert kept(path, 1) == (first, *others)
    assert_replays(path, 1)


def made_up(puzzle: Puzzle) -> NewGame:
    lesson = msgspec.structs.replace(lesson_of(puzzle), steps=(LessonStep("Find it.", "c3-c4"),))
    return msgspec.structs.replace(puzzle.order, lesson=lesson)


def test_a_puzzle_that_is_not_of_the_files_is_refused(path: Path, puzzle: Puzzle) -> None:
    evening = Evening(path).start()
    orders: list[tuple[AnyOrder, str]] = [
        (StartPuzzle(game=TIDES, puzzle="none"), "there is no puzzle none of tides-of-war"),
        (StartPuzzle(game="ludo", puzzle=puzzle.number), "there is no puzzle"),
        (made_up(puzzle), "not one of the current"),
    ]
    for order, why in orders:
        with pytest.raises(Refused, match=why):
            evening.service.submit(order)
    evening.order(puzzle.order)
    assert session(evening).lesson == lesson_of(puzzle)
    evening.stop()
