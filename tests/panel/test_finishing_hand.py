"""The simulated hand that finishes moves: whole games by taps alone, through the sensors and the real service."""

from __future__ import annotations

import logging
import os
import random
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from controller.lessons.lesson_files import LessonFile, all_lessons
from controller.lessons.puzzle_files import all_puzzles
from controller.orders import NewGame, NextStep, Pause, PlayPly, Resign, StartLesson, StartPuzzle, TakeBack
from controller.refused import Refused
from controller.table.views.lights import CALM, meanings
from controller.table.views.panel_view import picture, plies_at
from controller.table.views.types import Choice
from tests.lab.planted.registered import planted_games
from tests.panel.finger import Finger, order
from tests.table.scenes import plies_in
from tests.table.test_rounds import ENDED_BY_A_CHAIN

GAMES: list[tuple[str, str, dict[str, object]]] = [
    ("tides-of-war", "square144", {}),
    ("giantslayer", "hex91", {}),
    ("tam-ruat-chess", "square144", {}),
    ("circle", "square144", {}),
    ("cyvasse", "hex91", {}),
    ("beacons", "shell19", {}),
]
PLIES = int(os.environ.get("TAPPED_PLIES", "20"))

At = Callable[..., Finger]


@pytest.fixture
def at(tmp_path: Path) -> Iterator[At]:
    """Begin a game at a board; the board is stopped when the test ends."""
    tables: list[Finger] = []

    def begun(board: str, game: str, **options: object) -> Finger:
        table = Finger(tmp_path / "games.sqlite3", board)
        table.begin(game, **options)
        tables.append(table)
        return table

    yield begun
    for table in tables:
        table.stop()


def test_where_pieces_are_only_put_down_one_tap_on_a_free_cell_does_it(at: At) -> None:
    with planted_games():
        table = at("square144", "acres-in-order")
        game, state = table.play.session.game, table.play.session.state
        (text,) = map(partial(game.text, state), game.plies(state))
        assert table.tap(text.removeprefix("h@")) == {}
        table.rest(1)
        assert table.play.session.plies == (text,)
        assert table.right()


@pytest.mark.parametrize(("game", "board", "options"), GAMES, ids=[game for game, _, _ in GAMES])
def test_a_game_is_played_by_taps_alone(
    game: str, board: str, options: dict[str, object], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = Finger(tmp_path / "games.sqlite3", board)
    dice = random.Random(int(os.environ.get("TAPPED_SEED", "5")))
    table.begin(game, **options)
    with caplog.at_level(logging.WARNING):
        for _ in range(PLIES):
            session = table.play.session
            plies = session.game.plies(session.state)
            if not plies:
                break
            doing = [ply for ply in plies if session.game.text(session.state, ply) != "end"]
            table.make(dice.choice(doing if doing and dice.random() < 0.9 else plies))
    table.stop()
    assert not [record for record in caplog.records if "did not read" in record.message]


def test_nothing_is_lifted_in_a_pause_or_after_the_end_but_what_stands_wrong(at: At) -> None:
    table = at("square144", "tides-of-war")
    table.at.order(Pause(on=True))
    with pytest.raises(Refused, match=r"^The game is paused: choose Continue to go on\.$"):
        table.tap("c3")
    assert not table.held()
    table.at.order(Pause(on=False))
    table.tap("c3")
    table.at.order(Pause(on=True))
    table.tap("c3")  # it was in the hand before, and goes back
    assert not table.held()
    table.at.order(Pause(on=False))
    table.at.order(Resign(seat=1))
    table.rest(1)
    with pytest.raises(Refused, match=r"^The game is over\.$"):
        table.tap("c3")
    assert not table.held()
    table.finisher.lift(table.where("c3"))  # as who moves every piece by hand may
    table.rest(0.2)
    table.tap("c3")
    assert not table.held()


def whereabouts(table: Finger) -> int:
    """Return how many pieces there are in all, and hold each to one place."""
    pieces = table.hand.pieces()
    ids = [token["id"] for token in (*pieces["on"].values(), *pieces["held"], *pieces["off"])]
    assert len(ids) == len(set(ids))
    return len(ids)


def test_whatever_is_tapped_no_piece_is_lost(tmp_path: Path) -> None:
    table, dice = Finger(tmp_path / "games.sqlite3", "square144"), random.Random(3)
    table.begin("tides-of-war")
    count, sites = whereabouts(table), list(table.at.table.board.sites)
    used = [table.where(name) for name in table.play.game_area.bit]
    refused = 0
    for _ in range(150):
        piece = dice.choice(["", table.held(), table.held(), f"t{dice.randrange(1, 40)}"])
        try:
            table.finisher.tap(dice.choice(used if dice.random() < 0.9 else sites), piece, "", order)
        except Refused:
            refused += 1
        table.rest(dice.choice((0.05, 0.05, 0.3)))
        assert whereabouts(table) == count
    assert refused
    while table.held():
        table.finisher.put_back(table.held())
    table.rest(3)
    table.finisher.put_right()
    table.rest(3)
    assert table.right()
    table.stop()


def test_pieces_stand_by_themselves_after_a_take_back_and_in_a_new_game(at: At) -> None:
    table = at("square144", "tides-of-war")
    for ply in ("c3-d3", "e3xc3xa1"):
        table.make_text(ply)
        assert table.taps == 2
    assert len(table.hand.pieces()["off"]) == 2  # what was jumped lies in the tray
    table.at.order(TakeBack(to=1))
    table.rest(1)
    assert table.right()
    assert table.hand.pieces()["off"] == []
    table.at.order(NewGame(game="circle", seed=1))
    table.rest(1)
    assert table.right()
    assert table.at.table.phase == "play"
    assert table.hand.pieces()["off"] == []


def test_who_gives_up_out_of_turn_is_out_also_after_it_was_taken_back_or_a_piece_was_lifted_in_a_pause(at: At) -> None:
    """The pieces that the hand had put back were read as if somebody had set them up again, and so took it back."""
    table = at("square144", "circle", players=4)
    table.make_text("a2+")
    table.at.order(Resign(seat=3))
    table.rest(0.5)
    table.at.order(TakeBack())
    table.rest(0.5)
    assert table.play.in_play == (0, 1, 2, 3)
    table.at.order(Resign(seat=3))
    table.rest(1)
    assert table.play.in_play == (0, 1, 2)
    table.at.order(Pause(on=True))
    table.finisher.lift(table.where("h9"))
    table.rest(0.5)
    table.finisher.put_back(table.held())
    table.rest(0.5)
    table.at.order(Pause(on=False))
    table.rest(0.5)
    table.at.order(Resign(seat=2))
    table.rest(1)
    assert table.play.in_play == (0, 1)
    assert table.right()


def test_what_is_in_the_hand_when_the_game_is_paused_goes_back_and_moves_when_it_goes_on(at: At) -> None:
    """It hung in the air, and all read that it could go nowhere."""
    table = at("first36", "tides-of-war")
    table.tap("c3")
    table.rest(0.5)
    table.at.order(Pause(on=True))
    table.rest(0.5)
    assert not table.held()
    table.at.order(Pause(on=False))
    table.rest(0.5)
    assert table.right()
    table.make_text("c3-c4")


def test_a_game_that_ends_as_it_began_stays_ended(at: At) -> None:
    """The last move alone was read as setting up: nobody saw that it was a draw, and another game was on."""
    table = at("hex91", "giantslayer")
    for text in ("a5-b5", "d5-c5", "b5-a5", "c5-d5") * 2:
        table.at.order(PlayPly(text=text))
        table.rest(1)
    table.rest(2)
    assert (table.play.result.over, table.play.result.why) == (True, "repetition")


def test_what_is_in_the_hand_when_somebody_gives_up_or_has_no_time_left_is_put_back(at: At) -> None:
    table = at("first36", "tides-of-war")
    table.tap("c3")
    table.rest(0.5)
    table.at.order(Resign(seat=1))
    table.rest(0.5)
    assert not table.held()
    assert table.where("c3") in table.hand.pieces()["on"]
    table.tap("c3")  # afterwards pieces are anybody's to take up
    table.rest(0.5)
    assert table.held()


def test_a_change_of_mind_after_a_while_is_no_class_change(at: At) -> None:
    table = at("square144", "circle")
    for site in ("c1", "d1"):  # the other one is another choice
        table.tap(site)
        table.rest(1.2)
        assert len(table.hand.pieces()["held"]) == 1
    table.tap("d1")
    table.rest(2)
    assert table.right()
    assert table.play.session.plies == ()


def test_a_slide_that_a_finger_could_move_on_counts_at_once(at: At) -> None:
    table = at("hex91", "giantslayer")
    table.tap("a7")
    table.rest(0.6)
    table.tap("d7")
    table.rest(0.3)
    assert table.play.session.plies == ("a7-d7",)
    assert table.right()


def test_a_jump_that_may_jump_on_counts_at_once(at: At) -> None:
    table = at("square144", "tides-of-war")
    table.make_text("c3-d3")
    table.tap("e3")
    table.rest(0.8)
    table.tap("c3")
    assert table.play.session.plies == ("c3-d3", "e3xc3")
    table.stands(("c3-d3", "e3xc3"))


@pytest.mark.parametrize("seconds", [0.1, 0.8, 2.0])
def test_a_chain_is_tapped_landing_by_landing(at: At, seconds: float) -> None:
    table = at("square144", "tides-of-war")
    table.make_text("c3-d3")
    for site in ("e3", "c3", "a1"):
        table.tap(site)
        table.rest(seconds)
    table.stands(("c3-d3", "e3xc3xa1"))


@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("seconds", [0.1, 0.8, 2.0])
def test_the_chain_that_a_puzzle_asks_for_is_tapped_landing_by_landing(
    tmp_path: Path, seconds: float, shown: bool
) -> None:
    table = Finger(tmp_path / "games.sqlite3", "square144")
    asked = next(each for each in all_puzzles()["tides-of-war"] if each.order.lesson.steps[0].ply == "b4xd4xf6")
    table.at.order(StartPuzzle("tides-of-war", asked.number))
    table.rest(1)
    begun = table.play.session.plies
    if shown:
        table.at.order(NextStep())
        table.rest(0.5)
    for site in ("b4", "d4", "f6"):
        table.tap(site)
        table.rest(seconds)
        assert "legal" not in table.at.table.advice
    assert (table.play.session.plies, table.play.session.solved) == ((*begun, "b4xd4xf6"), 1)
    table.stop()


def test_a_chain_of_three_is_tapped_faster_than_it_is_read(at: At) -> None:
    table = at("square144", "tides-of-war")
    before = ("b3-c4", "d5xb3xb5", "a3-b3", "b5-b4")
    for text in before:
        table.make_text(text)
    for site in ("b3", "b5", "d5", "d3"):
        table.tap(site)
        table.rest(0.05)
    table.stands((*before, "b3xb5xd5xd3"))


def test_where_the_pieces_stand_right_a_piece_is_lifted_whatever_a_sensor_says(at: At) -> None:
    table = at("square144", "tides-of-war")
    table.at.touch(table.where("c4"), True)
    table.rest(1)
    assert table.at.table.phase == "fix"
    table.tap("c3")
    assert [token["from"] for token in table.hand.pieces()["held"]] == [table.where("c3")]


def test_a_tap_where_the_chain_does_not_lead_is_refused_and_leaves_it(at: At) -> None:
    table = at("square144", "tides-of-war")
    table.make_text("c3-d3")
    table.make_text("e3xc3")
    with pytest.raises(Refused):
        table.tap("a2")
    table.stands(("c3-d3", "e3xc3"))


def test_a_tap_on_the_piece_that_is_jumped_makes_the_jump_and_its_next_landing_goes_on(at: At) -> None:
    table = at("square144", "tides-of-war")
    table.make_text("c3-d3")
    table.tap("e3")
    table.rest(0.3)
    assert table.tap("d3") == {}
    table.stands(("c3-d3", "e3xc3"))
    table.tap("a1")  # over b2
    table.stands(("c3-d3", "e3xc3xa1"))


# From e4 to e2 lead e4xc2xe2, e4xc4xe2 and e4xc4xc2xe2.
WAYS = ("c2-d3", "d4-c4", "b4xd4")


@pytest.mark.parametrize(
    ("taps", "made"),
    [
        (("c4",), "e4xc4"), (("c4", "e2"), "e4xc4xe2"), (("c4", "c2"), "e4xc4xc2"), (("c2",), "e4xc2"),
        (("c2", "e2"), "e4xc2xe2"), (("c4", "c2", "e2"), "e4xc4xc2xe2"),
    ],
)  # fmt: skip
def test_one_of_several_ways_is_tapped_landing_by_landing(at: At, taps: tuple[str, ...], made: str) -> None:
    table = at("square144", "tides-of-war")
    for text in WAYS:
        table.make_text(text)
    for site in ("e4", *taps):
        assert "choices" not in table.tap(site)
        table.rest(0.3)
    table.stands((*WAYS, made))


def asked_for_the_landing(at: At) -> Finger:
    """Return a table at which e2 was tapped for the stone of e4, and nothing came of it but the question."""
    table = at("square144", "tides-of-war")
    for text in WAYS:
        table.make_text(text)
    table.tap("e4")
    table.rest(0.3)
    look = table.tap("e2")["look"]
    assert look["words"] == "Several ways lead to e2. Tap where the piece lands first: c2, c4."
    assert look["site"] == table.where("e2")
    lights = {site: light["meaning"] for site, light in look["sites"].items()}
    assert lights == {table.where("e2"): "may_go", table.where("c2"): "choice", table.where("c4"): "choice"}
    assert look["plies"] == {table.where("c2"): "e4xc2xe2", table.where("c4"): ""}
    assert table.held()
    assert table.play.session.plies == WAYS
    return table


def test_where_several_ways_lead_the_first_landing_is_asked_for_and_nothing_is_done(at: At) -> None:
    table = asked_for_the_landing(at)
    table.tap("c4")
    table.stands((*WAYS, "e4xc4"))


def test_a_landing_that_leaves_one_way_to_where_the_piece_was_to_go_makes_all_of_it(at: At) -> None:
    table = asked_for_the_landing(at)
    table.tap("e2", "e4xc2xe2")
    table.stands((*WAYS, "e4xc2xe2"))


def test_a_way_that_leads_round_is_tapped_too_and_a_tap_on_its_beginning_puts_the_piece_back(at: At) -> None:
    table = at("square144", "tides-of-war")
    before = ("e1-f1", "f3-e2")
    for text in before:
        table.make_text(text)
    table.tap("f1")
    table.rest(0.3)
    assert table.tap("f1") == {}
    table.rest(0.3)
    assert not table.held()
    assert table.play.session.plies == before
    for site in ("f1", "f3", "d3", "f1"):
        table.tap(site)
        table.rest(0.3)
    table.stands((*before, "f1xf3xd3xf1"))


def test_a_second_tap_on_a_unit_asks_whether_it_is_to_change_its_class(at: At) -> None:
    table = at("square144", "circle")
    table.tap("b2")
    table.rest(0.3)
    assert table.held()
    (choice,) = table.tap("b2")["choices"]
    assert (choice.ply, choice.words) == ("b2+", "b2 becomes class 2 (leaf)")
    table.rest(1.0)
    assert not table.held()  # the question holds no piece in the air
    assert table.play.session.plies == ()
    table.tap("b2", "b2+")
    table.stands(("b2+",))


def in_lesson(folder: Path, board: str, game: str, ply: str) -> Finger:
    """Return a table at which the lesson of ``game`` was gone through up to the step that waits for ``ply``."""
    table = Finger(folder / "games.sqlite3", board)
    table.at.order(StartLesson(game))
    table.rest(0.5)
    while (expected := table.play.session.expected) != ply:
        if expected:
            table.at.order(PlayPly(text=expected))
        else:
            table.at.order(NextStep())
        table.rest(1)
    return table


def test_in_a_lesson_a_class_is_changed_by_the_taps_of_a_game(tmp_path: Path) -> None:
    """Two taps and an answer, since the second tap could have put the unit back; the lesson offers no other move."""
    table = in_lesson(tmp_path, "square144", "circle", "c5+")
    made = table.play.session.plies
    table.tap("c5")
    table.rest(0.3)
    assert table.held()
    assert picture(table.at.table, CALM, 1).waits == "Tap it again."
    (choice,) = table.tap("c5")["choices"]
    assert choice.ply == "c5+"
    table.rest(0.5)
    assert not table.held()
    assert table.play.session.plies == made
    table.tap("c5", "c5+")
    table.rest(0.5)
    assert table.play.session.plies == (*made, "c5+")


def test_a_unit_that_can_do_nothing_else_changes_its_class_by_the_second_tap(at: At) -> None:
    table = at("square144", "circle")
    before = ("a3-a2", "b2-a1", "c1-b1", "i6-i5", "end", "b3-b2")  # the corner is walled in by one's own
    for text in before:
        table.make_text(text)
    table.tap("a1")
    table.rest(0.3)
    assert table.held()
    assert table.tap("a1") == {}
    table.stands((*before, "a1+"))


@pytest.mark.parametrize("landings", [("c6", "c4", "e2"), ("c6", "e2"), ("e2",)])
def test_in_a_lesson_each_landing_of_a_chain_is_tapped_or_the_last_one_alone(
    tmp_path: Path, landings: tuple[str, ...]
) -> None:
    """Its step says "jump to c6, on to c4, and on to e2"."""
    table = in_lesson(tmp_path, "first36", "tides-of-war", "a6xc6xc4xe2")
    with pytest.raises(Refused, match="Now another move is wanted: a6 to c6, then to c4, then to e2"):
        table.tap("f6")
    table.tap("a6")
    table.rest(0.5)  # its lights are on
    for landing, onward, gone in (("c6", "c4", ["b6"]), ("c4", "e2", ["b6", "c5"])):
        if landing in landings:
            look = table.tap(landing)["look"]
            assert look["words"] == f"Good. Now tap {onward}."
            assert look["sites"].keys() == {onward}
            assert (look["site"], look["gone"]) == (landing, gone)
            assert table.play.session.expected == "a6xc6xc4xe2"
    table.tap("e2")
    table.rest(1)
    assert table.play.session.plies[-1] == "a6xc6xc4xe2"
    table.stop()


@pytest.mark.parametrize(
    ("board", "game", "ply", "other", "why"),
    [
        ("first36", "tides-of-war", "c4xa6", "d3", "continues with another one: c4 to a6, takes b5"),
        ("hex91", "giantslayer", "e1-e3", "e2", "continues with another one: e1 to e3"),
        ("hex91", "cyvasse", "f4xf7", "f6", "continues with another one: f4 captures f7"),
    ],
)
def test_in_a_lesson_another_legal_move_is_told_and_the_piece_stays_in_the_hand_for_the_right_one(
    tmp_path: Path, board: str, game: str, ply: str, other: str, why: str
) -> None:
    table = in_lesson(tmp_path, board, game, ply)
    origin, target = ply[:2], ply[-2:]
    table.tap(origin)
    table.rest(0.5)
    with pytest.raises(Refused, match=f"^“{origin} to {other}” is a legal move, but the lesson {why}$"):
        table.tap(other)
    table.rest(1)
    assert (table.at.table.phase, table.play.session.plies) == ("play", ())
    assert [token["from"] for token in table.hand.pieces()["held"]] == [table.where(origin)]
    assert table.tap(target) == {}
    table.rest(1)
    assert table.play.session.plies == (ply,)
    table.stop()


def test_in_a_lesson_a_piece_that_stands_wrong_goes_back_by_a_tap_and_nothing_is_called_good_before(
    tmp_path: Path,
) -> None:
    """A hand that moved every piece itself has left it there."""
    table = in_lesson(tmp_path, "first36", "tides-of-war", "c4xa6")
    table.at.order(NextStep())
    table.finisher.finish(False)
    table.tap("c4")
    table.finisher.place(table.held(), table.where("d3"))
    table.rest(1)
    assert table.at.table.phase == "fix"
    for site in ("a6", "b3"):
        with pytest.raises(Refused, match=r"^“c4 to d3” is a legal move, but .* put the pieces back\.$"):
            table.tap(site)
    table.tap("d3")
    table.rest(0.3)
    table.tap("c4")
    table.rest(1)
    assert (table.at.table.phase, table.right()) == ("play", True)
    table.tap("c4")
    table.rest(0.3)
    table.tap("a6")
    table.rest(1)
    assert table.play.session.plies == ("c4xa6",)
    table.stop()


@pytest.mark.parametrize(
    ("ply", "beside", "taps", "words", "wrong"),
    [
        (
            "h2=L k2-j4", "h2", ("k2", "j4"),
            [f"h2 becomes {kind}, then k2 to j4" for kind in ("crossbow", "light horse", "spears")],
            "h2=S k2-j4",
        ),
        (
            "@a11 i4-i5", "a11", ("i4", "i5"),
            ["The horses' centre is a6, then i4 to i5", "The horses' centre is a11, then i4 to i5"],
            "@a6 i4-i5",
        ),
    ],
)  # fmt: skip
def test_in_a_lesson_what_a_turn_begins_with_is_asked_as_in_play(
    tmp_path: Path, ply: str, beside: str, taps: tuple[str, str], words: list[str], wrong: str
) -> None:
    table = in_lesson(tmp_path, "hex91", "cyvasse", ply)
    made = table.play.session.plies
    assert table.tap(beside)["look"]["words"] == f"This belongs to the move: tap {taps[0]}."
    table.tap(taps[0])
    table.rest(0.5)
    choices = table.tap(taps[1])["choices"]
    assert [choice.words for choice in choices] == words
    assert (table.play.session.plies, bool(table.held())) == (made, True)
    with pytest.raises(Refused, match="is a legal move, but the lesson continues with another one: "):
        table.tap(taps[1], wrong)
    table.tap(taps[1], ply)
    table.rest(1)
    assert table.play.session.plies == (*made, ply)
    assert table.right()
    table.stop()


@pytest.mark.parametrize(("ply", "taps"), [("h2=H d5xc7", ("d5", "c7")), ("h2=K g5xg2", ("g5", "g2"))])
def test_in_a_lesson_nothing_is_asked_where_a_turn_can_begin_in_one_way_alone(
    tmp_path: Path, ply: str, taps: tuple[str, str]
) -> None:
    table = in_lesson(tmp_path, "hex91", "cyvasse", ply)
    table.tap(taps[0])
    table.rest(0.5)
    assert table.tap(taps[1]) == {}
    table.rest(1)
    assert table.play.session.plies[-1] == ply
    assert table.right()
    table.stop()


BOARDS = {"tides-of-war": "first36", "giantslayer": "hex91", "cyvasse": "hex91", "beacons": "shell19"}
TAPPED = re.compile(r"[Tt]ap ([a-p]\d+)( twice)?(?:, then ([a-p]\d+))?")


def told_taps(table: Finger, words: str) -> list[str]:
    """Return which sites somebody taps who does what a step says; [] where it is a button."""
    if "lit node" in words:
        cell = "".join(re.findall(r"lit node of (\w+)", words))
        lit = {site for site, meaning in meanings(table.at.table).items() if meaning != "last"}
        nodes = (name for name in table.play.game_area.bit if name.startswith(f"{cell}:") or (not cell and ":" in name))
        return [name for name in nodes if table.where(name) in lit][:1]
    found = TAPPED.search(words)
    assert found or "tap “" in words.lower(), words
    return [] if not found else [found[1], *([found[1]] if found[2] else []), *([found[3]] if found[3] else [])]


def told_choice(words: str, choices: list[Choice]) -> str:
    """Return the ply that somebody chooses who does what a step says: of its words the others have less."""
    told = re.search(r"choose ([\w ]+?)(?: for \w+)?\.$", words)
    if " twice" in words and len(choices) == 1:  # it is the answer to one question
        return choices[0].ply
    assert told, words
    (ply,) = (choice.ply for choice in choices if f" {told[1]}," in choice.words)
    return ply


@pytest.mark.parametrize("file", [each for each in all_lessons() if any(step.tap for step in each.lesson.steps)])
def test_whoever_taps_what_a_lesson_says_makes_its_moves(tmp_path: Path, file: LessonFile) -> None:
    square = file.options.get("board") == "square 4 4"
    table = Finger(tmp_path / "games.sqlite3", "shellsquare16" if square else BOARDS.get(file.game, "square144"))
    table.at.order(file.order)
    table.rest(0.5)
    for step in file.lesson.steps:
        made = len(table.play.session.plies)
        if not step.ply:
            table.at.order(NextStep())
        elif sites := told_taps(table, step.tap) if step.tap else []:
            for site in sites:
                assert len(table.play.session.plies) == made, f"{step.tap}: made before {site} was tapped"
                answer = table.tap(site)
                table.rest(0.5)
            if choices := answer.get("choices"):
                table.tap(sites[-1], told_choice(step.tap, choices))
        else:
            table.at.order(order(step.ply))
        table.rest(1.5)
        assert table.play.session.plies[made:] == ((step.ply,) if step.ply else ()), step.tap or step.say
    table.stop()


@pytest.mark.parametrize("file", [each for each in all_lessons() if each.game == "beacons"])
@pytest.mark.parametrize("again", [False, True], ids=["then where it is said", "or the same once more"])
def test_who_takes_time_over_a_lesson_is_told_what_to_tap_next(tmp_path: Path, file: LessonFile, again: bool) -> None:
    """They touch what a page lights before they turn it, and read whatever is said while a piece is in the hand."""
    table = Finger(tmp_path / "games.sqlite3", "shellsquare16" if file.options.get("board") else "shell19")
    table.at.order(file.order)
    table.rest(0.5)
    read = held = 0
    for step in file.lesson.steps:
        made = len(table.play.session.plies)
        lit = [name for name in step.light if table.play.game_area.bit[name] & table.at.table.now]
        if not step.ply and step.tap:
            table.tap(lit[0])
            table.rest(1.5)
            assert table.at.table.advice == "tap it again to continue."
            read += 1
        sites = told_taps(table, step.tap) if step.tap and step.ply else []
        if not step.ply:
            table.at.order(NextStep())
            table.rest(0.5)
            assert not table.held(), step.say
        elif len(sites) == 2:
            table.tap(sites[0])
            table.rest(1.5)
            assert table.at.table.advice == f"now tap {sites[1]}."
            lights = meanings(table.at.table)
            assert [lights[table.where(site)] for site in sites] == ["choice", "may_go"]
            table.tap(sites[0] if again else sites[1])
            held += 1
        else:
            table.at.order(order(step.ply))
        table.rest(1.5)
        assert table.play.session.plies[made:] == ((step.ply,) if step.ply else ()), step.tap or step.say
    assert read
    assert held
    table.stop()


@pytest.fixture
def shells(tmp_path: Path) -> Iterator[Finger]:
    """Return a board for Beacons that is tapped."""
    table = Finger(tmp_path / "games.sqlite3", "shell19")
    yield table
    table.stop()


def test_a_lifted_store_lights_where_a_beacon_can_be_built_and_its_price_is_told_first(shells: Finger) -> None:
    shells.begin("beacons", start="a3:1x6 a4:1x5 e3:2x6")
    shells.tap("a3")
    shells.rest(0.3)
    assert meanings(shells.at.table)[shells.where("a3.a4")] == "may_go"
    (choice,) = shells.tap("a3.a4")["choices"]
    assert choice.words == "Build the beacon a3–a4: 3 each"
    assert not shells.play.session.plies
    offered = plies_at(shells.at.table, shells.where("a4"), 0)
    shells.tap("a3.a4", choice.ply)
    assert shells.play.session.plies == ("b a3.a4",)
    assert "b a3.a4" in [each.ply for each in offered]


@pytest.mark.parametrize(
    ("board", "size", "start"),
    [
        ("shell19", {}, "a5:1x4 e3:2x6 a5=100000 b5=000000"),
        ("shellsquare16", {"board": "square 4 4"}, "a4:1x4 d1:2x6 a4=1000 b4=0000"),
    ],
)
def test_into_an_empty_cell_any_number_of_units_may_be_chosen(
    tmp_path: Path, board: str, size: dict[str, object], start: str
) -> None:
    table = Finger(tmp_path / "games.sqlite3", board)
    try:
        table.begin("beacons", start=start, **size)
        corner = start[:2]
        to = f"b{corner[1]}"
        table.tap(corner)
        table.rest(0.3)
        choices = table.tap(to)["choices"]
        assert [choice.ply for choice in choices] == [f"t {corner} {to} {units}" for units in (1, 2, 3)]
        table.tap(to, f"t {corner} {to} 1")
        assert table.play.session.plies == (f"t {corner} {to} 1",)
    finally:
        table.stop()


def test_where_no_beacon_can_be_built_a_tap_on_the_corner_is_told_why(shells: Finger) -> None:
    shells.begin("beacons", start="a4:1x2 a5:1x4 e3:2x6")
    with pytest.raises(Refused) as refused:
        shells.tap("a4.a5")
    told = "a beacon costs 3 units from each store around it, and you have 2 in a4"
    assert str(refused.value) == f"No beacon can be built between a4 and a5 now: {told}."
    shells.tap("a4")
    with pytest.raises(Refused) as refused:
        shells.tap("a4.a5")
    assert str(refused.value) == f"a4 to the corner of a4 and a5 is not allowed. {told[:1].upper()}{told[1:]}."


def test_where_nothing_is_captured_nothing_lies_beside_the_board(shells: Finger) -> None:
    shells.begin("beacons", start="a3:1x4 a3:2x1 a4:2x1 e3:2x6 a3=000000 a4=000000")
    for ply in ("d a3 2", "t a3 a4 2", "d a4 2", "t a4 a3 1"):
        shells.make_text(ply)
        shells.rest(1)
        assert not shells.hand.pieces()["off"], ply


def to_the_last_move_of_a_round(at: At) -> tuple[Finger, str]:
    """Return a table at which one move is left of the first round, and that move."""
    table = at("hex91", "giantslayer")
    table.at.order(NewGame(game="giantslayer", options={"rounds": 2}, seed=1))
    table.rest(0.5)
    *plies, last = plies_in(ENDED_BY_A_CHAIN)
    for text in plies:
        table.at.service.submit(order(text))
        table.rest(0.5)
    return table, last


@pytest.mark.parametrize("touched", [False, True])
def test_the_end_of_a_round_is_seen_until_time_or_a_tap_sets_up_the_next_one(at: At, touched: bool) -> None:
    table, last = to_the_last_move_of_a_round(at)
    table.at.service.submit(order(last))
    table.rest(3)
    view = picture(table.at.table, CALM, 0)
    assert view.phase == "setup"
    assert (view.sentence, view.waits) == ("The next round begins in a moment.", "Tap the board to begin it at once.")
    assert view.seating.startswith("The round is over: no giant is left inside the ring. Points: ")
    assert view.stage == "Round 1 of 2"  # whose last position is seen
    assert [(seat.colour, seat.side) for seat in view.seats] == [(0, "White"), (1, "Black")]
    slain = 6 - sum(site.piece is not None and site.piece.kind == "giant" for site in view.sites.values())
    assert f"Giants slain: {slain}." in view.lines
    assert not any(site.meaning for site in view.sites.values())
    pieces = table.hand.pieces()["on"]
    giants = {site for site, piece in pieces.items() if piece["kind"] == "giant"}
    assert table.where("e1") in giants  # to which the last move went
    assert {site: (piece["seat"], piece["kind"]) for site, piece in pieces.items()} == {
        site: (each.piece.seat, each.piece.kind) for site, each in view.sites.items() if each.piece
    }
    if touched:
        table.tap("e1")
    table.rest(0.5 if touched else 2)
    assert not table.play.setting_up
    assert table.right()
    assert table.play.session.round_over is not None
    after = picture(table.at.table, CALM, 0)
    assert (after.stage, [seat.side for seat in after.seats]) == ("Round 2 of 2", ["Black", "White"])


def test_a_move_that_ended_a_round_is_taken_back_while_that_is_seen(at: At) -> None:
    table, last = to_the_last_move_of_a_round(at)
    table.at.service.submit(order(last))
    table.rest(1)
    table.at.service.submit(TakeBack())
    table.rest(1)
    assert (table.at.table.phase, table.play.session.plies[-1]) == ("play", plies_in(ENDED_BY_A_CHAIN)[-2])
    assert table.right()
