"""The end of a round is told until the first ply of the next one."""

from __future__ import annotations

import msgspec

from controller.game_setup import Lesson, LessonStep
from controller.orders import NewGame, PlayPly, Resign, TakeBack
from controller.table.reading.last_ply import next_landings
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.rules.test_giantslayer import stand
from tests.table.scenes import Scene, plies_in
from tests.table.test_lessons import Pupil
from tests.table.test_sides_change import FIRST_ROUND

DANCE = ("a5-b5", "e4-e3", "b5-a5", "e3-e4") * 2  # the same position for the third time
ENDED_BY_A_CHAIN = (  # the giant has come to the rim, and could hop on from there
    "i2-f2; e4-d4; f2-h2; d5-c5; a8-c6; c5-b5; e1-e2; f5-f6; g7-g6; d6-c7; d9-f7; e6-e7; b9-h3; d4-e4; i3-h4; e4-e3;"
    "f7-f6; c7-d6; h3-i3; f4-g3; f8-e8; g3-f3; a7-d7; f3-g2; g1-g3; e3xe1"
)
OVER = (
    "The round is over: the same position came back too often. Points: First player (0), Second player (0). The sides"
    " change."
)
SLAIN = "The round is over: all giants slain. Points: First player (6), Second player (0). The sides change."


def seating(pupil: Pupil) -> str:
    return picture(pupil.table, CALM, 1).seating


def begun() -> Pupil:
    return Pupil(NewGame(game="giantslayer", options={"rounds": 2}, seed=1)).set_up()


def at_the_second_round() -> Pupil:
    """Return a game whose first round a chain has ended, with the board of the second one set up."""
    pupil = begun()
    for text in plies_in(ENDED_BY_A_CHAIN):
        pupil.order(PlayPly(text=text))
        pupil.put_right()
    return pupil.set_up()


def test_what_was_moved_last_in_a_round_is_lit_no_more_once_the_next_one_is_set_up() -> None:
    pupil = at_the_second_round()
    assert (pupil.table.phase, pupil.lit("last")) == ("play", set())
    pupil.order(PlayPly(text="a5-b5"))
    pupil.put_right()
    assert pupil.lit("last") == {"a5", "b5"}


def test_that_a_round_is_over_stands_until_the_next_one_is_played() -> None:
    pupil = begun()
    for text in DANCE:
        assert seating(pupil) == ""
        pupil.order(PlayPly(text=text))
    assert seating(pupil) == OVER
    pupil.order(PlayPly(text="a5-b5"))
    assert seating(pupil) == ""
    pupil.order(TakeBack(to=len(DANCE)))
    assert seating(pupil) == OVER
    pupil.order(TakeBack(to=len(DANCE) - 1))
    assert seating(pupil) == ""


def test_whoever_resigns_before_the_first_move_of_a_round_reads_nothing_of_the_one_before() -> None:
    pupil = begun()
    for text in DANCE:
        pupil.order(PlayPly(text=text))
    pupil.order(Resign(seat=1))
    shown = picture(pupil.table, CALM, 1)
    assert (shown.phase, shown.seating) == ("over", "")


def test_a_move_that_ended_a_round_is_taken_back_while_the_next_one_is_set_up() -> None:
    scene = Scene("giantslayer", {"rounds": 2}, after=FIRST_ROUND.rpartition("; ")[0])
    scene.order(do="ply", text=FIRST_ROUND.rpartition("; ")[2])
    assert scene.run().phase == "setup"
    assert scene.order(do="take_back").run().phase == "play"


def test_the_points_of_the_round_are_told_while_the_board_is_set_up_anew_and_after() -> None:
    last = stand("d3 e2", "e4", rounds=2)
    led = Lesson((LessonStep("Flee.", "e4-e3"),), position=msgspec.json.encode(last).decode())
    pupil = Pupil(NewGame(game="giantslayer", options={"rounds": 2}, seed=1, lesson=led)).set_up()
    pupil.order(PlayPly(text="e4-e3"))
    assert pupil.play.setting_up
    assert seating(pupil) == SLAIN
    pupil.set_up()
    assert not pupil.play.setting_up
    assert seating(pupil) == SLAIN


def test_a_chain_that_has_ended_a_round_is_no_longer_gone_on_with_nor_shown_on_the_board_of_the_next_one() -> None:
    pupil = at_the_second_round()
    shown = picture(pupil.table, CALM, 1)
    assert shown.seating.startswith("The round is over: ")
    assert shown.phase == "play"
    assert next_landings(pupil.play) == 0
    assert "go on" not in shown.waits
    assert shown.last is not None
    assert shown.last.seat == 1
    assert [(bool(ply.words), ply.way) for ply in shown.last.plies] == [(True, ())]


def test_who_ends_a_round_and_begins_the_next_one_has_had_two_turns() -> None:
    pupil = at_the_second_round()
    pupil.order(PlayPly(text="i2-f2"))
    last = picture(pupil.table, CALM, 0).last
    assert last is not None
    assert (last.seat, last.made, len(last.plies)) == (1, len(plies_in(ENDED_BY_A_CHAIN)), 1)
