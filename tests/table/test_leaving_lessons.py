"""A lesson that is left: the table is free for everybody, and the lesson goes on from the same step."""

from __future__ import annotations

from msgspec import UNSET

from controller.events import Snapshot
from controller.orders import LeaveLesson, NewGame, NextStep, PlayPly
from controller.table.notes import Refusal
from controller.table.table import step
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from controller.table.views.types import LessonWaits, PanelView
from tests.table.test_lessons import STEPS, TIDES, Pupil, led
from tests.table.test_puzzles import PUZZLE

LEAVE, GO_ON = LeaveLesson(on=True), LeaveLesson(on=False)


def seen(pupil: Pupil) -> PanelView:
    return picture(pupil.table, CALM, 1)


def refusals(pupil: Pupil) -> list[str]:
    return [note.reason for note in pupil.said if isinstance(note, Refusal)]


def left() -> Pupil:
    """A lesson left at its third step, with all its pieces on the board."""
    pupil = led()
    pupil.order(NextStep())
    pupil.hands("-c3 +c4")
    assert pupil.view.step == 3
    pupil.order(LEAVE)
    return pupil


def test_who_leaves_a_lesson_frees_the_table_for_everybody() -> None:
    pupil = left()
    view = seen(pupil)
    assert (view.phase, view.game, view.lesson, view.seats) == ("idle", "", None, ())
    assert (view.sentence, view.waits) == ("No game is on.", "Choose a game.")
    assert view.waiting == LessonWaits(TIDES, "Tides of War", 3, 4)
    assert not meanings(pupil.table)


def test_a_puzzle_that_is_left_frees_the_table_and_does_not_wait() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=PUZZLE)).set_up()
    pupil.order(LEAVE)
    view = seen(pupil)
    assert (view.phase, view.sentence, view.waiting) == ("idle", "No game is on.", UNSET)
    pupil.order(GO_ON)
    assert refusals(pupil) == ["No lesson waits at this board: start one with Learn."]


def test_it_goes_on_at_the_step_at_which_it_was_left() -> None:
    pupil = left()
    pupil.order(GO_ON)
    assert (pupil.table.phase, pupil.view.step, pupil.plies) == ("play", 3, ["c3-c4"])
    assert seen(pupil).waiting is UNSET
    assert pupil.hands("-c6 +b5").plies == ["c3-c4", "c6-b5"]


def test_what_was_only_read_is_not_read_again() -> None:
    pupil = led()
    pupil.order(NextStep())
    pupil.order(LEAVE)
    pupil.order(GO_ON)
    assert pupil.view.step == 2


def test_pieces_that_were_cleared_away_meanwhile_are_asked_for_and_no_move() -> None:
    pupil = left().hands("-a2 -b2 -c6", standing={})
    assert (seen(pupil).phase, seen(pupil).waits) == ("idle", "Choose a game.")
    assert not meanings(pupil.table)
    pupil.order(GO_ON)
    assert pupil.table.phase == "fix"
    assert pupil.lit("missing", "blocked") == {"a2", "b2", "c6"}
    pupil.hands("+a2 +b2 +c6")
    assert (pupil.table.phase, pupil.plies, pupil.view.step) == ("play", ["c3-c4"], 3)


def test_a_move_that_hands_have_made_meanwhile_is_none() -> None:
    pupil = left().hands("-c6 +b5", standing={})
    pupil.order(GO_ON)
    assert (pupil.plies, pupil.table.phase) == (["c3-c4"], "fix")


def test_a_lesson_left_while_its_pieces_are_set_up_goes_on_with_that() -> None:
    pupil = Pupil(NewGame(game=TIDES, lesson=STEPS))
    pupil.order(LEAVE)
    assert seen(pupil).phase == "idle"
    pupil.order(GO_ON)
    assert pupil.table.phase == "setup"
    assert pupil.set_up().table.phase == "play"
    pupil = Pupil(NewGame(game=TIDES, lesson=STEPS))
    where = Snapshot(pupil.table.t_us, frozenset(pupil.table.board.marks(pupil.play.settled.position.standing)))
    pupil.order(LEAVE)
    pupil.table, _ = step(pupil.table, where)
    pupil.order(GO_ON)
    assert pupil.table.phase == "play"


def test_with_a_game_that_begins_no_lesson_waits_any_more() -> None:
    pupil = left()
    pupil.order(NewGame(game=TIDES))
    assert (pupil.table.waiting, pupil.play.session.lesson) == (None, None)
    pupil.order(GO_ON)
    pupil.order(LEAVE)
    assert refusals(pupil) == [
        "No lesson waits at this board: start one with Learn.",
        "this is a game, not a lesson: start one with Learn",
    ]


def test_while_a_lesson_waits_nothing_is_played_in_it() -> None:
    pupil = left()
    pupil.order(PlayPly(text="c6-b5"))
    pupil.order(LEAVE)
    assert refusals(pupil) == ["there is no game yet: start one first"] * 2
