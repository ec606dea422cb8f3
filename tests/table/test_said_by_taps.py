"""Where pieces are moved by taps on a page, nobody is told to lift them or to put them back."""

from __future__ import annotations

import msgspec
import pytest

from controller.events import Seating
from controller.game_setup import Lesson, LessonStep, Opponents
from controller.orders import BoardPlays, NewGame, NextStep, PlayPly
from controller.rules.way_told import site_called
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene, plies_in
from tests.table.test_lessons import TIDES, Pupil
from tests.table.test_puzzles import PUZZLE
from tests.table.test_turn_puzzles import SHELL, TASK, TASK_TOLD

REFUTED = "Then Black wins at once: e3 to c3, then to a1, takes d3 and b2."


def at(game: str, **order: object) -> Pupil:
    pupil = Pupil(NewGame(game=game, seed=1, **order)).set_up()  # type: ignore[arg-type]
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=True)
    return pupil


def waits(table: Table, seat: int | None = None) -> str:
    return picture(table, CALM, 1, seat).waits


def test_a_piece_is_tapped_and_then_its_cell() -> None:
    pupil = at(TIDES)
    assert waits(pupil.table) == "Tap a piece to see where it may go."
    pupil.hands("-d2")
    assert waits(pupil.table) == "Tap the cell where it goes."
    assert picture(pupil.table, CALM, 1, tidied=True).waits == "Tap the cell where it goes."  # one's own stays in hand


@pytest.mark.parametrize("seat", [None, 0])
def test_who_is_to_move_is_told_without_a_name(seat: int | None) -> None:
    assert waits(at(TIDES).table, seat) == "Tap a piece to see where it may go."


def test_whoever_else_looks_reads_who_may() -> None:
    assert waits(at(TIDES).table, 1) == "White: tap a piece to see where it may go."


def test_where_more_can_be_done_than_move_the_list_is_named() -> None:
    assert "tap a piece" in waits(at("circle").table, 1)
    assert waits(at("circle").table).endswith("or use “What can I do here?”.")


def test_where_a_second_tap_does_more_than_put_back_that_is_said() -> None:
    pupil = at("circle")
    pupil.hands("-a3")
    assert waits(pupil.table) == "Tap the cell where it goes, or a3 again: a3 becomes class 2 (leaf)."


def test_a_wrong_try_at_a_puzzle_leaves_nothing_to_put_back() -> None:
    pupil = at(TIDES, lesson=PUZZLE)
    pupil.hands("-c4 +d3")
    pupil.wait(3000)
    assert pupil.view.sentence == f"Not the best move: c4 to d3. {REFUTED} Try another. Find the move."


def test_an_action_that_shuts_the_way_to_a_goal_leaves_nothing_to_put_back() -> None:
    goal = Lesson(tuple(LessonStep(TASK, ply) for ply in SHELL), puzzle="1", goal="rule c1")
    pupil = at("beacons", options={"template": "trial"}, lesson=goal)
    pupil.order(PlayPly(text="end"))
    told = "The goal cannot be reached in this turn after this: end turn."
    assert pupil.view.sentence == f"{told} Try another. {TASK_TOLD}"


@pytest.mark.parametrize(
    ("made", "hands", "told"),
    [
        ("e1-f1; f3-e2", "-f1 -e2 -e3 -f2 +f1", "Which move did you make? Tap it here."),  # two ways round
        ("", "+c4 -c3", "Was this move made? Answer here; if not, put the pieces back."),
        (
            "c3-c4; c6-b5",
            "+c6 -b5 +c3 -c4",
            "Did you take back the last move? Answer here; if not, put its piece back.",
        ),
    ],
)
def test_a_question_is_answered_on_the_page_and_by_no_lit_cell(made: str, hands: str, told: str) -> None:
    pupil = at(TIDES)
    for text in plies_in(made):
        pupil.order(PlayPly(text=text))
        pupil.put_right()
    pupil.hands(hands)
    pupil.wait(1200)
    assert waits(pupil.table).startswith(told)
    assert (pupil.play.choices, pupil.lit("choice")) == ((), set())


def test_a_chain_that_may_go_on_says_where_and_lights_it_until_something_is_lifted() -> None:
    pupil = at(TIDES)
    for text in ("c3-c4", "c6-b5", "c4xa6"):
        pupil.order(PlayPly(text=text))
    pupil.put_right()
    assert waits(pupil.table) == "Tap a piece to see where it may go. To go on with the last move, tap c6."
    assert pupil.lit("may_go") == {"c6"}
    pupil.hands("-f2")
    assert pupil.lit("may_go") == {"e2", "f1"}


def test_who_may_go_on_before_the_board_moves_sees_where_until_it_has_decided() -> None:
    pupil = at(TIDES, opponents=Opponents(levels=(0, 1)))
    pupil.order(PlayPly(text="c3-c4"))
    for order in (BoardPlays(text="c6-b5", made=1), PlayPly(text="c6-b5"), PlayPly(text="c4xa6")):
        pupil.order(order)
    pupil.put_right()
    assert waits(pupil.table) == "To go on with the last move, tap c6. If you do not, the board answers."
    assert picture(pupil.table, CALM, 1, 0).sentence == "White may go on."
    assert pupil.lit("may_go") == {"c6"}
    pupil.order(BoardPlays(text="f2-f1", made=3))
    assert picture(pupil.table, CALM, 1, 0).go_on_ms == 0
    assert waits(pupil.table) == "The board's move: f2 to f1."
    assert picture(pupil.table, CALM, 1, 0).sentence == "The board to move."
    assert pupil.lit("may_go") == {"f1"}
    assert pupil.lit("choice") == {"f2"}


def test_where_pieces_are_lifted_nothing_is_said_of_going_on() -> None:
    """There the hand has the piece still, and the lights show it."""
    pupil = Pupil(NewGame(game=TIDES, seed=1)).set_up()
    for text in ("c3-c4", "c6-b5", "c4xa6"):
        pupil.order(PlayPly(text=text))
    pupil.put_right()
    assert waits(pupil.table) == "Lift a piece to see where it may go."
    assert pupil.lit("may_go") == set()


@pytest.mark.parametrize("seat", [0, 1, None])  # in a puzzle seats do not count
def test_half_of_the_answer_to_a_puzzle_is_said_to_be_its_beginning(seat: int | None) -> None:
    whole = msgspec.structs.replace(PUZZLE, steps=(LessonStep("Find the move.", "c4xa6xc6"),))
    pupil = at(TIDES, lesson=whole)
    pupil.order(PlayPly(text="c4xa6"))
    assert pupil.view.sentence == "Right so far: c4 to a6, takes b5. Go on with it."
    pupil.put_right()
    assert waits(pupil.table).endswith("To go on with the last move, tap c6.")
    assert pupil.lit("may_go") == {"c6"}
    pupil.order(PlayPly(text="c4xa6xc6", seat=seat))
    assert pupil.view.sentence.startswith("Solved: c4 to a6, then to c6")


def test_who_does_not_go_on_with_the_answer_to_a_puzzle_begins_it_again() -> None:
    whole = msgspec.structs.replace(PUZZLE, steps=(LessonStep("Find the move.", "c4xa6xc6"),))
    pupil = at(TIDES, lesson=whole)
    pupil.order(PlayPly(text="c4xa6"))
    pupil.put_right()
    pupil.order(PlayPly(text="f2-f1"))
    pupil.put_right()
    assert pupil.view.sentence == "Right so far: c4 to a6, takes b5. Make all of the move."
    pupil.order(PlayPly(text="c4-d3"))
    assert pupil.view.sentence == f"Not the best move: c4 to d3. {REFUTED} Try another. Find the move."


def test_who_wants_to_see_a_move_that_was_begun_sees_it_from_its_start() -> None:
    whole = msgspec.structs.replace(PUZZLE, steps=(LessonStep("Find the move.", "c4xa6xc6"),))
    pupil = at(TIDES, lesson=whole)
    pupil.order(PlayPly(text="c4xa6"))
    pupil.put_right()
    pupil.order(NextStep())
    pupil.put_right()
    assert pupil.view.sentence.startswith("The move is c4 to a6, then to c6")
    assert pupil.lit("choice") | pupil.lit("touch") == {"c4"}


@pytest.mark.parametrize("options", [{"template": "duel"}, {"template": "trio", "players": 3}], ids=["two", "three"])
def test_no_cell_gives_a_lifted_store_away_where_cells_are_tapped(options: dict[str, object]) -> None:
    """On wood a piece on a lit cell is an answer, meant and put down by hand; a tap that misses is neither."""
    pupil = at("beacons", options=options)
    pupil.hands("-a3")
    pupil.wait(1000)
    view = picture(pupil.table, CALM, 1)
    others = range(2, len(view.seats) + 1)
    assert pupil.lit("choice") == set()
    assert [each.ply for each in view.choices] == [f"p a3 {n} 6" for n in others]
    assert "lit cell" not in view.question
    pupil.table = msgspec.structs.replace(pupil.table, by_taps=False)
    pupil.hands("+a3 -a3")
    pupil.wait(1000)
    assert len(pupil.lit("choice")) == len(others)
    assert "lit cell" in picture(pupil.table, CALM, 1).question


def test_what_is_asked_about_a_lifted_piece_is_whose_turn_it_is() -> None:
    """Ann has lifted a store, and thinks; Ben, and who watches, read for whom the board waits."""
    pupil = at("beacons", options={"template": "duel"})
    pupil.hands("-a3")
    pupil.wait(1000)
    nobody = picture(pupil.table, CALM, 1, 1)
    assert nobody.waits == nobody.question
    mover = nobody.answerers[0]
    assert mover is not None
    assert set(nobody.answerers) == {mover}
    pupil.table = msgspec.structs.replace(pupil.table, seating=Seating(("Ann", "Ben")))
    name = nobody.seats[mover].name
    assert waits(pupil.table, mover) == nobody.question
    assert waits(pupil.table, 1 - mover) == waits(pupil.table) == f"Waiting for {name}."


def test_what_a_board_on_the_screen_does_by_itself_is_nobodys_task() -> None:
    """The move was ordered, and its piece is still to follow."""
    table = Scene("tides-of-war").order(do="ply", text="c3-c4", seat=0).run(10)
    told, tidied = (picture(table, CALM, 1, 1, each) for each in (False, True))
    assert "from c3 to c4" in told.advice
    assert (tidied.advice, tidied.waits) == ("", "Lift a piece to see where it may go.")
    assert tidied.sites == told.sites


def test_of_a_slide_that_could_go_further_nothing_is_said() -> None:
    """Its piece was put where it was to go. It was a Barbarian's first step, that could have been two."""
    pupil = at("tam-ruat-chess", opponents=Opponents(levels=(0, 1)))
    pupil.order(PlayPly(text="c2-b3"))
    pupil.put_right()
    assert waits(pupil.table) == "The board is thinking about its move."
    assert pupil.lit("may_go") == set()


def test_who_made_the_last_move_is_told_how_to_go_on_and_the_others_that_it_may() -> None:
    pupil = at(TIDES)
    for text in ("c3-c4", "c6-b5", "c4xa6"):
        pupil.order(PlayPly(text=text))
    pupil.put_right()
    seating = msgspec.structs.replace(pupil.table.seating, people=("Ann", "Ben"))
    pupil.table = msgspec.structs.replace(pupil.table, seating=seating)
    assert waits(pupil.table, 0) == "Waiting for Black. To go on with the last move, tap c6."
    assert waits(pupil.table, 1) == "Tap a piece to see where it may go. White may still go on to c6."


def test_who_waits_is_not_told_what_the_other_taps() -> None:
    pupil = at(TIDES)
    for people, told in ((("Ann", "Ben"), "Waiting for White."), (("Ann", "Ann"), "White: tap a piece")):
        seating = msgspec.structs.replace(pupil.table.seating, people=people)
        pupil.table = msgspec.structs.replace(pupil.table, seating=seating)
        assert waits(pupil.table, 1).startswith(told)
    seating = msgspec.structs.replace(pupil.table.seating, people=("Ann", "Ben"))
    pupil.table = msgspec.structs.replace(pupil.table, seating=seating)
    pupil.hands("-d2")
    assert (waits(pupil.table, 1), waits(pupil.table, 0)) == ("Waiting for White.", "Tap the cell where it goes.")


def test_who_looks_on_is_told_whose_move_it_is_and_not_to_tap() -> None:
    scene = Scene("tides-of-war")
    table = msgspec.structs.replace(scene.run(), by_taps=True)
    held = msgspec.structs.replace(table, seating=msgspec.structs.replace(table.seating, people=("Ann", "")))
    todo = "tap a piece to see where it may go."
    assert [picture(each, CALM, 1).waits for each in (table, held)] == [todo.capitalize(), "Waiting for White."]
    assert picture(held, CALM, 1, 0).waits == todo.capitalize()


def test_who_took_up_a_seat_whose_secrets_another_phone_keeps_is_told_what_to_do() -> None:
    table = msgspec.structs.replace(Scene("beacons", {}, after="bid 6 6; bid 6 6").run(), by_taps=True)
    table = msgspec.structs.replace(table, seating=msgspec.structs.replace(table.seating, people=("Ann", "Ann")))
    watched = picture(table, CALM, 1)
    assert (watched.waits, watched.todo) == ("Waiting for Player 2.", "Tap a cell to place units on it.")
    assert picture(table, CALM, 1, 1).todo == ""


def test_what_only_a_secret_tells_is_not_told_to_who_looks_on() -> None:
    table = msgspec.structs.replace(Scene("beacons", {}).run(), by_taps=True)
    table = msgspec.structs.replace(table, seating=msgspec.structs.replace(table.seating, people=("Ann", "Ben")))
    assert picture(table, CALM, 1).todo == ""


def test_a_site_that_is_no_cell_is_called_in_words() -> None:
    called = [site_called(name) for name in ("e2", "e2:0", "e2.e3#2")]
    assert called == ["e2", "node 0 of e2", "the corner of e2 and e3"]


def test_a_taken_piece_that_the_board_exchanges_for_its_taker_is_in_nobodys_hand() -> None:
    table = Scene("tam-ruat-chess", after="l2-k3; b11-a10").hands("-l11").run(100)
    told, tidied = (picture(table, CALM, 1, 0, each).waits for each in (False, True))
    assert "Make the move that takes it" in told
    assert tidied == "Lift a piece to see where it may go."
