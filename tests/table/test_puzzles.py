"""Puzzles on a board: any move may be tried, a wrong one goes back by hand, the right one is said to be it."""

from __future__ import annotations

import msgspec
import pytest

from controller.game_setup import Lesson, LessonStep
from controller.lessons.puzzle_files import puzzle_for
from controller.orders import NewGame, NextStep, PlayPly
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.test_lessons import TIDES, Pupil

# White takes a stone or two from here; c3xa1 would be Black's. Any legal game serves: what is right is the file's word.
PUZZLE = Lesson((LessonStep("Find the move.", "c4xa6"),), plies=("c3-c4", "c6-b5"), puzzle="1")


@pytest.fixture
def pupil() -> Pupil:
    return Pupil(NewGame(game=TIDES, seed=1, lesson=PUZZLE)).set_up()


def test_the_lights_tell_nothing_before_a_piece_is_lifted(pupil: Pupil) -> None:
    assert pupil.lit() == set()
    assert (pupil.view.sentence, pupil.view.puzzle, pupil.view.over) == ("White to move. Find the move.", "1", False)
    assert pupil.view.seat == 0
    pupil.hands("-c4")
    assert {"c6", "a6"} <= pupil.lit("may_go")  # the right one among all others
    pupil.hands("+c4")
    assert pupil.plies == []


def test_a_puzzle_says_its_task_and_not_how_the_whole_game_is_won(pupil: Pupil) -> None:
    assert pupil.view.sentence == "White to move. Find the move."
    assert picture(pupil.table, CALM, 1).lines == ()


def test_a_wrong_move_is_told_and_put_back_by_hand(pupil: Pupil) -> None:
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    assert pupil.plies == []
    refuted = "Not the best move: c4 to d3. Then Black wins at once: e3 to c3, then to a1, takes d3 and b2."
    assert pupil.view.sentence == f"{refuted} Put the pieces back and try again. Find the move."
    assert [ply.way for ply in pupil.view.refuted] == [("c4", "d3"), ("e3", "c3", "a1")]
    assert (pupil.lit("chore_off"), pupil.lit("chore_on")) == ({"d3"}, {"c4"})
    pupil.put_right()
    pupil.wait(2000)
    assert pupil.lit("chore_off", "chore_on", "missing", "too_much") == set()
    assert not pupil.view.over


def test_a_wrong_move_that_lets_the_other_win_at_once_is_refuted() -> None:
    puzzle = Lesson((LessonStep("Find the move.", "d2-e2"),), puzzle="2")
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=puzzle)).set_up()
    pupil.hands("-c3 +c4")
    pupil.wait(3000)
    refuted = "Not the best move: c3 to c4. Then Black wins at once: c5 to c3, then to a1, takes c4 and b2."
    assert pupil.view.sentence == f"{refuted} Put the pieces back and try again. Find the move."
    pupil.put_right()
    pupil.wait(2000)
    pupil.hands("-b4 +b5")
    pupil.wait(3000)
    assert "Then Black" not in pupil.view.sentence
    assert pupil.view.refuted == ()


def test_a_check_that_is_no_mate_is_told_with_an_answer_to_it() -> None:
    pupil = Pupil(puzzle_for("tam-ruat-chess", "352b73a5")).set_up()
    pupil.hands("-h7 +g10")
    pupil.wait(3000)
    told = "Not the best move: h7 to g10. It gives check, and Black has an answer: d9 captures g10."
    assert pupil.view.sentence.startswith(told)
    pupil.put_right()
    pupil.wait(2000)
    pupil.hands("-f5 +d7")
    pupil.wait(3000)
    assert "check" not in pupil.view.sentence


def test_the_right_move_after_a_wrong_one_solves_it(pupil: Pupil) -> None:
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    pupil.put_right()
    pupil.wait(2000)
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(3000)
    assert pupil.plies == ["c4xa6"]
    assert pupil.view.over
    assert not pupil.view.told
    assert (
        pupil.view.sentence
        == "Solved: c4 to a6, takes b5; it saves the stone on c4. Play on from here, or choose the next puzzle."
    )
    pupil.hands("-b6 +b5")
    pupil.wait(3000)  # play goes on
    assert pupil.plies == ["c4xa6", "b6-b5"]


def test_who_gives_up_is_shown_the_move_as_a_lesson_does(pupil: Pupil) -> None:
    pupil.order(NextStep())
    assert (
        pupil.view.sentence == "The move is c4 to a6, takes b5; it saves the stone on c4: make it as the lights show."
    )
    assert pupil.lit("choice") == {"c4"}
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(3000)
    assert pupil.view.over
    assert pupil.view.told


def test_a_hint_lights_where_the_move_begins_and_the_puzzle_is_still_to_be_found(pupil: Pupil) -> None:
    assert pupil.view.hint
    pupil.order(NextStep(hint=True))
    assert pupil.view.sentence == "White to move. The right move begins on c4."
    assert pupil.lit("choice") == {"c4"}
    assert (pupil.view.hint, pupil.view.next, pupil.view.told) == (False, True, False)
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    assert pupil.view.sentence.startswith("Not the best move: c4 to d3.")  # any may be tried still
    assert pupil.view.sentence.endswith("The right move begins on c4.")  # and the hint stays known
    pupil.put_right()
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(3000)
    assert (pupil.view.over, pupil.view.told, pupil.view.hint) == (True, False, False)
    assert pupil.lit("choice") == set()


def test_a_hint_after_a_wrong_move_is_read_in_place_of_what_came_of_that(pupil: Pupil) -> None:
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    pupil.put_right()
    pupil.wait(2000)
    assert (pupil.view.sentence[:18], bool(pupil.view.refuted)) == ("Not the best move:", True)
    pupil.order(NextStep(hint=True))
    assert (pupil.view.sentence, pupil.view.refuted) == ("White to move. The right move begins on c4.", ())


def test_a_wrong_move_is_put_back_as_well_where_the_hand_goes_straight_on(pupil: Pupil) -> None:
    """Nobody waits for a sentence: the wrong piece goes back at once, and the right move is made."""
    pupil.hands("-c4 +d3 -d3 +c4 -c4 -b5 +a6", 300)
    pupil.wait(3000)
    assert pupil.plies == ["c4xa6"]
    assert pupil.view.over


def test_a_wrong_capture_is_put_back_with_what_it_took() -> None:
    quiet = msgspec.structs.replace(PUZZLE, steps=(LessonStep("Find the move.", "c4-d3"),))
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=quiet)).set_up()
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(3000)
    assert (pupil.lit("chore_off"), pupil.lit("chore_on")) == ({"a6"}, {"b5", "c4"})
    pupil.put_right()
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    assert pupil.plies == ["c4-d3"]
    assert pupil.view.over


def test_a_chain_may_be_found_landing_by_landing_with_rests_between() -> None:
    chain = msgspec.structs.replace(PUZZLE, steps=(LessonStep("Find the move.", "c4xa6xc6"),))
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=chain)).set_up()
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(4000)
    assert pupil.view.sentence == "Right so far: c4 to a6, takes b5. Go on with it."
    pupil.hands("-a6 -b6 +c6")
    pupil.wait(3000)
    assert pupil.plies == ["c4xa6xc6"]
    assert pupil.view.over


def test_another_move_that_wins_at_once_is_right_too_also_landing_by_landing() -> None:
    once = Lesson((LessonStep("Win at once.", "c5xc3xa1"),), plies=("e1-e2", "d4-d3", "c3-c4"), puzzle="4")
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=once)).set_up()
    pupil.hands("-e3 -e2 +e1")
    pupil.wait(4000)
    assert pupil.view.sentence == "Right so far: e3 to e1, takes e2. Go on with it."
    pupil.hands("-e1 -d2 +c3 -c3 -b2 +a1")
    pupil.wait(3000)
    assert pupil.plies == ["e3xe1xc3xa1"]
    assert pupil.view.over
    solved = "Solved: e3 to e1, then to c3, then to a1, takes e2, d2 and b2."
    assert pupil.view.sentence == solved


def test_a_wrong_move_that_was_answered_at_once_goes_back_with_its_answer(pupil: Pupil) -> None:
    pupil.hands("-c4 +d3 -c5 +c4", 100)
    pupil.wait(3000)
    assert pupil.plies == []
    assert "try again" in pupil.view.sentence
    pupil.put_right()
    pupil.wait(3000)
    pupil.hands("-c4 -b5 +a6")
    pupil.wait(3000)
    assert pupil.view.over


def test_a_wrong_move_on_the_phone_goes_back_as_well(pupil: Pupil) -> None:
    pupil.order(PlayPly(text="c4-d3"))
    assert pupil.plies == []
    assert pupil.view.sentence.startswith("Not the best move: c4 to d3")
    pupil.order(PlayPly(text="c4xa6"))
    assert pupil.view.over


def test_a_puzzle_whose_move_ends_the_game_is_not_played_on() -> None:
    last = Lesson((LessonStep("Find the move.", "c5xc3xa1"),), plies=("c3-c4",), puzzle="1")
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=last)).set_up()
    assert (pupil.view.sentence, pupil.view.seat) == ("Black to move. Find the move.", 1)
    pupil.order(PlayPly(text="c5xc3xa1"))
    assert pupil.play.result.over
    assert pupil.view.sentence == "Solved: c5 to c3, then to a1, takes c4 and b2."


def test_a_puzzle_begins_from_where_its_moves_lead() -> None:
    wrong = msgspec.structs.replace(PUZZLE, plies=("c3-c4", "c6-c4"))
    pupil = Pupil(NewGame(game=TIDES, seed=1, lesson=PUZZLE))
    pupil.order(NewGame(game=TIDES, seed=1, lesson=wrong))
    assert "c4" in str(pupil.said[-1])
    assert pupil.play.session.lesson == PUZZLE


def test_where_players_change_sides_a_puzzle_names_the_colour() -> None:
    """It has no first and second player."""
    last = Lesson((LessonStep("Find the move.", "d5-c5"),), plies=("b9-b7",), puzzle="1")
    pupil = Pupil(NewGame(game="giantslayer", seed=1, lesson=last)).set_up()
    assert pupil.view.sentence == "Black to move. Find the move."
