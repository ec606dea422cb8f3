"""A lesson in the running service: begun from the panel, kept through a restart, replayed from its recording."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.game_setup import Lesson, LessonStep
from controller.journal.recording import parse, replay
from controller.lessons.lesson_files import lesson_for
from controller.orders import AnyOrder, LeaveLesson, NewGame, NextStep, StartLesson
from controller.refused import Refused
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.types import LessonView, LessonWaits
from hardware.profile import names
from tests.service.evenings import TIDES, Evening, assert_replays, kept, recorded


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def lesson(evening: Evening) -> LessonView:
    view = picture(evening.table, CALM, 1).lesson
    assert view is not None
    return view


def begun(path: Path, game: str = TIDES) -> Evening:
    return Evening(path).start().order(StartLesson(game=game)).set_up()


def test_a_lesson_goes_on_where_it_was_after_a_restart(path: Path) -> None:
    evening = begun(path).order(NextStep()).hands("-c4 -b5 +a6")
    before = lesson(evening)
    assert before.ply == "e3-d3"
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    assert lesson(again) == before
    again.hands("-e3 +d3")
    assert again.plies == ["c4xa6", "e3-d3"]
    again.stop()
    assert kept(path, 1) == ("c4xa6", "e3-d3")
    assert_replays(path, 1)


def test_a_lesson_that_was_left_waits_after_a_restart_too(path: Path) -> None:
    evening = begun(path).order(NextStep()).hands("-c4 -b5 +a6")
    before = lesson(evening)
    evening.order(LeaveLesson(on=True))
    assert evening.table.phase == "idle"
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start()
    waiting = picture(again.table, CALM, 1).waiting
    assert (again.table.phase, isinstance(waiting, LessonWaits) and waiting.step) == ("idle", before.step)
    again.order(LeaveLesson(on=False))
    assert lesson(again) == before
    again.hands("-e3 +d3").stop()
    assert kept(path, 1) == ("c4xa6", "e3-d3")
    assert_replays(path, 1)
    last = Evening(path, magnets=sorted(again.magnets)).start()
    assert last.table.phase == "play"
    last.stop()


def test_the_recording_of_a_lesson_needs_no_lesson_file(path: Path) -> None:
    # A ply too many, a page turned by a touch, and a restart in between.
    evening = begun(path, "circle").hands("-d4 +d4 -d4 +d5 -d5 -e5 +e5 -b5 +c5")
    evening.stop()
    again = Evening(path, magnets=sorted(evening.magnets)).start().hands("-c5 +c5@700")
    shown = lesson(again)
    again.stop()
    assert kept(path, 1) == ("d4xe5", "b5-c5", "c5+")
    assert_replays(path, 1)
    table = list(replay(parse(recorded(path, 1))))[-1][0]
    assert picture(table, CALM, 1).lesson == shown


def test_a_new_game_ends_a_lesson(path: Path) -> None:
    evening = begun(path).order(NewGame(game=TIDES)).set_up()
    assert picture(evening.table, CALM, 1).lesson is None
    evening.hands("-c3 +d3")
    assert evening.plies == ["c3-d3"]
    evening.stop()


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (StartLesson(game="ludo"), "there is no ludo lesson for the board square144"),
        (StartLesson(game="cyvasse"), "there is no cyvasse lesson for the board square144"),
        (NextStep(), "there is no game yet"),
        (
            NewGame(game=TIDES, lesson=Lesson((LessonStep("Mine."),))),
            "this is not one of the current tides-of-war lessons",
        ),
    ],
)
def test_a_lesson_that_cannot_be_is_refused_with_a_sentence(path: Path, order: AnyOrder, words: str) -> None:
    evening = Evening(path).start()
    with pytest.raises(Refused, match=words):
        evening.order(order)
    evening.stop()


def test_a_lesson_may_go_on_from_any_of_its_plies(path: Path) -> None:
    evening = Evening(path).start()
    lesson_of_tides = lesson_for(TIDES, evening.table.board)
    evening.order(msgspec.structs.replace(lesson_of_tides, plies=("c4xa6", "e3-d3"))).set_up()
    assert lesson(evening).ply == "a6xc6xc4xe2"
    evening.hands("-a6 -b6 -c5 -d3 +e2")
    assert evening.plies == ["c4xa6", "e3-d3", "a6xc6xc4xe2"]
    evening.stop()
    assert_replays(path, 1)


@pytest.mark.slow
@pytest.mark.parametrize("board", names())
def test_every_board_can_teach_every_game_that_fits_it(path: Path, board: str) -> None:
    evening = Evening(path, board).start()
    games = sorted(evening.table.board.placements)
    assert games
    for game in games:
        evening.order(StartLesson(game=game)).set_up()
        assert evening.table.phase == "play"
        assert lesson(evening).step == 1
    evening.stop()
