"""Puzzles with a goal on a board: any action of the turn may be tried; what puts the goal out of reach goes back."""

from __future__ import annotations

import msgspec
import pytest

from controller.game_setup import Lesson, LessonStep
from controller.orders import NewGame, NextStep, PlayPly, TakeBack
from controller.table import notes
from tests.table.test_lessons import Pupil

TASK = "Reach the goal within this turn."
SHELL = ("s a3 -", "t a3 b2 3", "t b2 c1 1")  # to rule c1: with the shell as it is, too few units come to b2
TASK_TOLD = "Become dominant in c1 in this turn."


def puzzle(goal: str, *way: str) -> Lesson:
    return Lesson(tuple(LessonStep(TASK, ply) for ply in way), puzzle="1", goal=goal)


def pupil_of(template: str, lesson: Lesson) -> Pupil:
    return Pupil(NewGame(game="beacons", seed=1, options={"template": template}, lesson=lesson)).set_up()


@pytest.fixture
def pupil() -> Pupil:
    return pupil_of("trial", puzzle("rule c1", *SHELL))


def plays(pupil: Pupil, *plies: str) -> None:
    for ply in plies:
        pupil.order(PlayPly(text=ply))
        assert not isinstance(pupil.said[-1], notes.Refusal), pupil.said[-1]
        pupil.put_right()


def test_one_sentence_says_what_is_wanted_and_the_lights_where(pupil: Pupil) -> None:
    assert pupil.view.sentence == f"Player 1 to move. {TASK_TOLD} 3 actions are enough."
    assert pupil.lit("may_go") == {"c1"}
    assert (pupil.view.puzzle, pupil.view.over, pupil.view.told, pupil.view.next) == ("1", False, False, True)


def test_the_shortest_way_solves_it_and_play_goes_on(pupil: Pupil) -> None:
    plays(pupil, *SHELL[:2])
    assert pupil.view.sentence == f"{TASK_TOLD} Actions so far: 2."
    plays(pupil, SHELL[2])
    solved = "Solved with 3 actions: it cannot be done with fewer. Play on from here, or choose the next puzzle."
    assert (pupil.view.sentence, pupil.view.over) == (solved, True)
    assert pupil.lit("may_go") == set()
    plays(pupil, "end")
    assert pupil.plies == [*SHELL, "end"]
    assert pupil.view.over, "it stays solved"


def test_any_other_way_solves_it_as_well(pupil: Pupil) -> None:
    plays(pupil, "t b3 c3 1", *SHELL)
    assert pupil.view.over
    assert pupil.view.sentence.startswith("Solved with 4 actions: 3 are enough.")


def test_a_turn_that_is_ended_too_early_is_not_over(pupil: Pupil) -> None:
    plays(pupil, "s a3 -")
    pupil.order(PlayPly(text="end"))
    assert pupil.plies == ["s a3 -"]
    told = "The goal cannot be reached in this turn after this: end turn."
    assert pupil.view.sentence == f"{told} Put the pieces back and try another. {TASK_TOLD}"
    plays(pupil, *SHELL[1:])
    assert pupil.view.over


def test_an_action_whose_kind_shuts_the_way_out_goes_back(pupil: Pupil) -> None:
    """With a shell turned and units paid away, the two kinds of the turn are used up: nothing can be carried."""
    plays(pupil, "s a3 -", "t a3 b2 3")
    pupil.order(TakeBack(to=1))
    plays(pupil, "p a3 2 1")
    assert pupil.plies == ["s a3 -"]
    assert "after this: pay 1 from a3 into the coffer of Player 2." in pupil.view.sentence


def test_a_beacon_that_costs_the_goal_is_taken_off_again_by_light() -> None:
    pupil = pupil_of("duel", puzzle("hold 2", "t b3 a4 3", "b a3.a4", "b a3.b2"))
    assert "Build 2 beacons in this turn, wherever you like. 3 actions are enough." in pupil.view.sentence
    pupil.hands("+a3.b2.b3")
    pupil.wait(3000)
    assert pupil.plies == []
    assert pupil.view.sentence.startswith("The goal cannot be reached in this turn after this: build the beacon")
    assert pupil.lit("chore_off") == {"a3.b2.b3"}
    pupil.put_right()
    plays(pupil, "t b3 a4 3")
    pupil.hands("+a3.a4")
    pupil.wait(3000)
    pupil.hands("+a3.b2")
    pupil.wait(3000)
    assert pupil.view.over


def test_units_that_share_a_cell_are_not_said_to_be_stuck() -> None:
    """No sensor sees what leaves a store that stays filled."""
    pupil = pupil_of("trial", puzzle("rule c1", *SHELL))
    pupil.order(NewGame(game="beacons", seed=1, options={"start": "a3:1x4 a3:2x1 e3:2x3"}))
    pupil.set_up()
    pupil.hands("-a3")
    pupil.wait(2000)
    assert pupil.advice == "Put it back on a3: what to do there is chosen on the phone."
    pupil.hands("+a3")
    pupil.wait(2000)
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=True)
    pupil.hands("-a3")
    pupil.wait(2000)
    rest = "What else can be done there is listed under “What can I do here?”."
    assert pupil.advice == f"Tap a lit cell to send units there, or a3 again to put them back. {rest}"
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=False)
    pupil.hands("+a3")
    pupil.wait(2000)
    pupil.order(PlayPly(text="end"))
    pupil.hands("-e3")
    pupil.wait(2000)
    assert "cannot move" not in pupil.advice


def test_each_action_is_shown_to_who_asks_and_the_puzzle_counts_as_told(pupil: Pupil) -> None:
    for made, ply in enumerate(SHELL):
        pupil.order(NextStep())
        assert pupil.view.sentence.endswith(": make it as the lights show.")
        assert pupil.play.session.expected == ply
        assert not pupil.view.next
        plays(pupil, ply)
        assert pupil.plies == list(SHELL[: made + 1])
    assert pupil.view.over
    assert pupil.view.told
    pupil.order(NextStep())
    assert isinstance(pupil.said[-1], notes.Refusal)


def test_another_action_than_the_one_that_is_shown_is_refused(pupil: Pupil) -> None:
    pupil.order(NextStep())
    pupil.order(PlayPly(text="t a3 a4 1"))
    assert isinstance(pupil.said[-1], notes.Refusal)
    assert pupil.plies == []


def test_from_where_somebody_strayed_the_next_action_is_one_that_still_leads_there(pupil: Pupil) -> None:
    plays(pupil, "t a3 a4 1")
    for _ in range(3):
        pupil.order(NextStep())
        assert pupil.plies[0] == "t a3 a4 1"
        plays(pupil, pupil.play.session.shown)
    assert pupil.view.over


def test_where_no_short_way_is_left_the_light_leads_back_first() -> None:
    pupil = pupil_of("trial", puzzle("rule d1", "t b3 c2 1", "t b3 c2 1", "t c2 d1 1"))
    plays(pupil, "t b3 c2 1", "t b3 a4 1")
    pupil.order(NextStep())
    assert pupil.plies == ["t b3 c2 1"]
    assert pupil.view.sentence == (
        "No short way leads to the goal after this: transfer 1 from b3 to a4 for 1. "
        "Transfer 1 from b3 to c2 for 2: make it as the lights show."
    )
    plays(pupil, "t b3 c2 1", "t c2 d1 1")
    assert pupil.view.over


@pytest.mark.parametrize(
    ("goal", "why"),
    [("rule z9", "is not a goal of Beacons"), ("rule d1", "the steps of the puzzle do not reach its goal")],
)
def test_a_puzzle_that_says_nothing_true_is_not_begun(pupil: Pupil, goal: str, why: str) -> None:
    before = pupil.play
    pupil.order(NewGame(game="beacons", seed=1, options={"template": "trial"}, lesson=puzzle(goal, *SHELL)))
    assert isinstance(pupil.said[-1], notes.Refusal)
    assert why in pupil.said[-1].reason
    assert pupil.play is before


def test_a_transfer_that_is_shown_lights_from_where_and_where_to() -> None:
    """Its units land on others, or leave some behind: no sensor sees a piece go all the way."""
    pupil = pupil_of("trial", puzzle("rule c1", *SHELL))
    plays(pupil, SHELL[0])
    pupil.order(NextStep())
    assert pupil.play.session.expected == SHELL[1]
    assert (pupil.lit("choice"), pupil.lit("may_go"), pupil.lit("may_take")) == ({"a3"}, {"b2"}, set())
    pupil.hands("-a3")
    pupil.wait(1000)
    assert pupil.lit("may_go") == {"b2"}
