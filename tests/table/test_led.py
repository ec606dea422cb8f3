"""A hand that is led, by a lesson or a puzzle: what is lit and said at each moment, on a board and where one taps."""

from __future__ import annotations

import msgspec
import pytest

from controller.game_setup import Lesson, LessonStep
from controller.orders import NewGame, NextStep
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture
from tests.table.test_lessons import TIDES, Pupil, led, step_to_c4
from tests.table.test_puzzles import PUZZLE

HOLDING = Lesson((LessonStep("Hold c1.", "c1+", light=("d2",)), LessonStep("End.", "end")))
TAPS = [False, True]
OTHER = "is a legal move, but the lesson continues with another one: put the pieces back."


def then(pupil: Pupil, script: str, by_taps: bool) -> tuple[str, str]:
    """Return what is said and lit a second after the touches of ``script``."""
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=by_taps)
    pupil.hands(script)
    pupil.wait(1000)
    lit: dict[str, list[str]] = {}
    for site, meaning in meanings(pupil.table).items():
        lit.setdefault(meaning, []).append(site)
    return picture(pupil.table, CALM, 1).waits, "; ".join(f"{m} {' '.join(sorted(lit[m]))}" for m in sorted(lit))


def led_by(told: str, taps: bool, start: str, end: str) -> str:
    """Return the sentence of a step: on a page it names the cells to tap."""
    return f"{told} Tap {start}, then {end}." if taps else told


def puzzle(shown: bool) -> Pupil:
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=PUZZLE)).set_up()
    if shown:
        pupil.order(NextStep())
    return pupil


@pytest.mark.parametrize("taps", TAPS)
def test_a_page_is_read_by_a_touch_of_what_it_lights(taps: bool) -> None:
    pupil, page = led(), "Press Next, or touch a lit stone."
    assert then(pupil, "", taps) == (page, "choice a2 b1 e6 f5")
    asked = "The lesson continues with another piece: put the one from d2 back."
    assert then(pupil, "-d2", taps) == (asked, "blocked d2")
    assert then(pupil, "+d2", taps) == (page, "choice a2 b1 e6 f5")
    told = "Tap it again to continue." if taps else "Put it back to continue."
    assert then(pupil, "-a2", taps) == (told, "choice a2")
    assert then(pupil, "+a2", taps) == (led_by("Step from c3 to c4.", taps, "c3", "c4"), "choice c3")


@pytest.mark.parametrize("taps", TAPS)
def test_a_lessons_move_is_led_from_piece_to_goal(taps: bool) -> None:
    pupil = step_to_c4()
    assert then(pupil, "", taps) == (led_by("Step from c3 to c4.", taps, "c3", "c4"), "choice c3")
    told = "Tap the cell where it goes." if taps else "Put White's stone where it may go, or back on c3."
    assert then(pupil, "-c3", taps) == (told, "may_go c4")
    assert then(pupil, "+d3", taps) == (f"“c3 to d3” {OTHER}", "missing c3; too_much d3")
    assert then(pupil, "-d3 +c4", taps) == (
        led_by("Step back from c6 to b5.", taps, "c6", "b5"),
        "choice c6; last c3 c4",
    )
    pupil.hands("-c6 +b5")
    assert then(pupil, "", taps) == (led_by("Jump from c4 over b5 to a6.", taps, "c4", "a6"), "choice c4; last b5 c6")
    told = "Tap the cell where it goes." if taps else "Put White's stone where it may go, or back on c4."
    assert then(pupil, "-c4", taps) == (told, "last c6; may_go a6; may_take b5")
    told = "The move counts once this is off the board: Black's stone on b5."
    assert then(pupil, "+a6", taps) == (told, "last c6; may_take b5")
    told = "Well done, the lesson is over. Now play: against the board, or with a friend."
    assert then(pupil, "-b5", taps) == (told, "last a6 b5 c4")


@pytest.mark.parametrize("taps", TAPS)
def test_another_piece_and_another_move_are_sent_back(taps: bool) -> None:
    pupil = step_to_c4()
    asked = "The lesson continues with another piece: put the one from d2 back."
    assert then(pupil, "-d2", taps) == (asked, "blocked d2")
    assert then(pupil, "+e2", taps) == (f"“d2 to e2” {OTHER}", "missing d2; too_much e2")
    assert then(pupil, "-e2 +d2", taps) == (led_by("Step from c3 to c4.", taps, "c3", "c4"), "choice c3")


@pytest.mark.parametrize("taps", TAPS)
def test_a_move_that_no_sensor_sees_is_made_by_holding_its_piece(taps: bool) -> None:
    pupil = Pupil(NewGame(game="circle", lesson=HOLDING)).set_up()
    assert then(pupil, "", taps) == ("Hold c1.", "choice c1; may_go d2")
    asked = "The lesson continues with another piece: put the one from a3 back."
    assert then(pupil, "-a3", taps) == (asked, "blocked a3")
    assert then(pupil, "+a3", taps) == ("Hold c1.", "choice c1; may_go d2")
    told = "Tap it again." if taps else "Hold it for half a second, then put it back."
    assert then(pupil, "-c1", taps) == (told, "choice c1")
    assert then(pupil, "+c1", taps) == ("End.", "")
    assert pupil.plies == ["c1+"]


@pytest.mark.parametrize("taps", TAPS)
def test_a_puzzle_gives_nothing_away_until_it_is_shown(taps: bool) -> None:
    pupil = puzzle(shown=False)
    assert then(pupil, "", taps) == ("White to move. Find the move.", "")
    told = "Tap the cell where it goes." if taps else "Put White's stone where it may go, or back on c4."
    assert then(pupil, "-c4", taps) == (told, "may_go a6 c3 c4 c6 d3; may_take b5 b6 c5")
    pupil.hands("+d3")
    pupil.wait(2000)
    assert then(pupil, "", taps) == ("Take the piece off d3. Put White's stone on c4.", "chore_off d3; chore_on c4")


@pytest.mark.parametrize("taps", TAPS)
def test_a_move_that_is_shown_is_led_and_no_other_is_made(taps: bool) -> None:
    pupil = puzzle(shown=True)
    told = "The move is c4 to a6, takes b5; it saves the stone on c4: make it as the lights show."
    assert then(pupil, "", taps) == (told, "choice c4; may_go a6")
    other = "The move that was shown is another piece's: put the one from d2 back."
    assert then(pupil, "-d2", taps) == (other, "blocked d2")
    pupil.hands("+d2")
    lifted = "Tap the cell where it goes." if taps else "Put White's stone where it may go, or back on c4."
    assert then(pupil, "-c4", taps) == (lifted, "may_go a6")
    other = "“c4 to d3” is a legal move, but another one was shown: put the pieces back."
    assert then(pupil, "+d3", taps) == (other, "missing c4; too_much d3")
