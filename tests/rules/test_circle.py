"""Circle: held against a naive generator, each way to end, and the sentences of refused plies."""

from __future__ import annotations

import random
from itertools import product

import msgspec
import pytest

from controller.rules.game import Piece, Unreadable, Walk
from controller.rules.games.circle.cards import SHAPES, named, shaped
from controller.rules.games.circle.game import GAME
from controller.rules.games.circle.state import GOES, NUMBER, Options, Ply, State
from controller.rules.options import BadOption, describe, parse
from controller.rules.registry import files_of
from tests.rules import naive_circle as naive
from tests.rules.asking import GameAsked

ASKED = GameAsked(GAME)
play, texts, refusal, lines = ASKED.play, ASKED.texts, ASKED.refusal, ASKED.lines
TWO = GAME.start(Options(), 0)
FOUR = GAME.start(Options(players=4), 0)


def stand(units: str, turn: int = 0, players: int = 2, quick: bool = True, any_unit: bool = False) -> State:
    """Return the start of a turn after the first ones, from units written ``1:c4`` (class, square), seats by ``/``."""
    sets, classes = [0] * players, [0] * 4
    for seat, written in enumerate(units.split("/")):
        for unit in written.split():
            kind, name = unit.split(":")
            sets[seat] |= 1 << NUMBER[name]
            classes[int(kind) - 1] |= 1 << NUMBER[name]
    four = (classes[0], classes[1], classes[2], classes[3])
    return State(tuple(sets), four, turn, GOES, 0, (), quick, any_unit)


# ---- against the naive generator --------------------------------------------------------------------------


def same(state: State, slow: naive.Position) -> list[str]:
    """Assert that both see the same position, plies, end; return the plies."""
    result = GAME.result(state)
    assert (result.why, result.winner, result.over) == (slow.why, slow.winner, bool(slow.why))
    assert GAME.seat(state) == (None if slow.why else slow.turn)
    found = texts(state)
    assert found == naive.legal(slow)
    assert GAME.shape(state) == {name: Piece(seat, str(kind)) for name, (seat, kind) in slow.units.items()}
    return found


@pytest.mark.parametrize(
    ("players", "victory", "any_unit"), list(product((2, 4), ("quick", "annihilation"), (False, True)))
)
def test_whole_games_have_the_plies_of_the_naive_generator(players: int, victory: str, any_unit: bool) -> None:
    rng, ends = random.Random(players), set()
    for _ in range(2):
        state = GAME.start(parse(Options, {"players": players, "victory": victory, "any_unit": any_unit}), 0)
        slow = naive.first(players, victory, any_unit)
        while legal := same(state, slow):
            takings = [text for text in legal if "x" in text]
            text = rng.choice(takings if takings and rng.random() < 0.7 else legal)
            state, slow = GAME.play_text(state, text), naive.play(slow, text)
        ends.add(slow.why)
    assert victory in ends


# ---- start and turns --------------------------------------------------------------------------------------


def test_two_players_stand_on_the_diagonals_of_three_and_four() -> None:
    names = {name for name, piece in GAME.shape(TWO).items() if piece == Piece(0, "1")}
    assert names == {"a3", "b2", "c1", "a4", "b3", "c2", "d1"}
    assert GAME.shape(TWO)["i7"] == Piece(1, "1")
    assert len(GAME.shape(TWO)) == 14


def test_four_players_stand_on_the_diagonals_of_two_and_three_in_clockwise_order() -> None:
    assert {name for name, piece in GAME.shape(FOUR).items() if piece.seat == 1} == {"a8", "b9", "a7", "b8", "c9"}
    assert {name for name, piece in GAME.shape(FOUR).items() if piece.seat == 3} == {"h1", "i2", "g1", "h2", "i3"}


def test_a_first_turn_has_three_goes_and_one_unit_may_have_them_all() -> None:
    state = play(TWO, "c1+;c1+")
    assert GAME.seat(state) == 0
    state = play(state, "c1+")
    assert GAME.seat(state) == 1
    assert GAME.shape(state)["c1"] == Piece(0, "4")


def test_later_turns_have_two_goes_of_different_units() -> None:
    state = play(TWO, "c1+;end;i7+;end")
    state = play(state, "c1-d2")
    assert "the unit on d2 has already acted this turn" in refusal(state, "d2+")
    assert "White: 1 action left this turn." in lines(state)
    assert "Already acted this turn: d2." in lines(state)
    assert GAME.seat(play(state, "b2-c3")) == 1


def test_a_turn_ends_only_after_a_go() -> None:
    assert refusal(TWO, "end") == "a turn can end only after at least one action"
    assert "end" in texts(play(TWO, "c1+"))


def test_one_taking_a_turn_in_the_first_turn_too() -> None:
    state = stand("2:c3 2:e3/1:c4 1:e4 1:h8")
    state = play(state, "c3xc4")
    assert "e3xe4" not in texts(state)
    assert "a turn has at most one capture" in refusal(state, "e3xe4")
    assert "One unit has been captured this turn: no more captures." in lines(state)
    first = msgspec.structs.replace(stand("2:c3 2:e3/1:c4 1:e4 1:h8"), goes=3, fresh=3)
    first = play(first, "c3xc4")
    assert "e3xe4" not in texts(first)
    assert "e3xe4" not in texts(play(first, "c4-c5"))


@pytest.mark.parametrize(("ours", "theirs"), list(product((1, 2, 3, 4), repeat=2)))
def test_each_class_takes_what_it_beats(ours: int, theirs: int) -> None:
    state = stand(f"{ours}:d4 1:a1/{theirs}:e5 1:i9 1:i8")
    beats = (ours, theirs) in {(4, 3), (4, 2), (3, 2), (3, 1), (2, 1), (1, 4)}
    assert ("d4xe5" in texts(state)) == beats
    if not beats:
        assert f"{named(ours)} unit cannot capture the {named(theirs)} unit on e5" in refusal(state, "d4xe5")


def test_any_unit_lets_a_player_change_others_and_uses_up_their_go() -> None:
    state = stand("1:c3 1:a1/1:h8 1:i9", any_unit=True)
    state = play(state, "h8+")
    assert GAME.shape(state)["h8"] == Piece(1, "2")
    assert refusal(state, "h8+") == "the unit on h8 has already acted this turn"


def test_a_turn_goes_on_although_only_its_end_is_left() -> None:
    state = play(stand("1:a1/4:i9 1:i8"), "a1+")
    assert texts(state) == ["end"]
    assert GAME.seat(state) == 0


# ---- every way to end -------------------------------------------------------------------------------------


def ended(state: State, why: str, winner: int | None) -> None:
    result = GAME.result(state)
    assert (result.over, result.why, result.winner, result.scores) == (True, why, winner, None)
    assert GAME.plies(state) == ()
    assert GAME.seat(state) is None
    assert f"the game is over ({why})" in refusal(state, "end")


def test_quick_ends_when_one_player_alone_has_two_units() -> None:
    ended(play(stand("2:c3 1:a1/1:c4 1:i9"), "c3xc4"), "quick", 0)


def test_quick_can_be_won_by_a_player_who_did_not_move() -> None:
    state = stand("2:c3/1:c4 1:i9/1:a9 1:b9/", players=4)
    ended(play(state, "c3xc4"), "quick", 2)


def test_annihilation_ends_with_the_last_enemy_unit() -> None:
    state = play(stand("2:c3 1:a1/1:c4 1:i9", quick=False), "c3xc4")
    assert not GAME.result(state).over
    ended(play(stand("2:c3/1:c4", quick=False), "c3xc4"), "annihilation", 0)


def test_a_player_without_units_is_out_and_is_skipped() -> None:
    state = play(stand("2:c3 1:a1/1:c4/1:h8 1:h7/1:i1 1:i2", players=4), "c3xc4")
    assert not GAME.result(state).over
    assert "Black is out." in lines(state)
    assert "Black is out." in GAME.look(state, 2).lines
    assert "Black is out." not in GAME.look(state, 1).lines  # who reads "You are out." beside it
    assert GAME.seat(play(state, "end")) == 2


def test_the_third_occurrence_at_the_start_of_a_turn_is_a_draw() -> None:
    dance = "a4-a5;end;i6-i5;end;a5-a4;end;i5-i6;end"
    state = play(TWO, dance)
    assert "a third time is a draw" in lines(state)
    ended(play(state, dance), "repetition", None)


# ---- text, hands, refusals --------------------------------------------------------------------------------


def test_a_hand_moves_changes_or_does_nothing() -> None:
    state = play(TWO, "c1+")
    assert GAME.walk(state, GAME.read(state, "c1-d2")) == Walk(("c1", "d2"))
    assert GAME.walk(state, GAME.read(state, "c1+")) == Walk(at="c1")
    assert GAME.walk(state, GAME.read(state, "end")) == Walk()


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("e5-e6", "there is no unit on e5"),
        ("e5+", "there is no unit on e5"),
        ("i9+", "the unit on i9 is Black's, and White is to move"),
        ("c3-c5", "c3 and c5 are not neighbours: a unit moves one square"),
        ("c3-d3", "the unit on d3 is White's own"),
        ("c3xd3", "the unit on d3 is White's own"),
        ("c3-c4", "the unit on c4 would be captured: write 'c3xc4'"),
        ("c3xc2", "there is no unit on c2 to capture"),
        ("c3-d4", "a class 2 (leaf) unit cannot capture the class 4 (star) unit on d4"),
    ],
)
def test_a_refusal_names_the_rule_and_the_squares(written: str, why: str) -> None:
    assert refusal(stand("2:c3 1:d3/1:c4 4:d4 1:i9"), written) == why


@pytest.mark.slow
@pytest.mark.parametrize("any_unit", [False, True])
def test_of_all_plies_that_can_be_written_just_the_legal_ones_have_no_reason_against_them(any_unit: bool) -> None:
    rng, state = random.Random(4), GAME.start(Options(any_unit=any_unit, victory="annihilation"), 0)
    for number in range(120):
        legal = GAME.moves(state)
        if number % 10 == 0:
            for begin, end, takes in product(range(81), range(81), (False, True)):
                ply = Ply(begin, end, takes and begin != end)
                if ply not in legal:
                    assert len(GAME.why_not(state, ply)) > 10, GAME.text(state, ply)
        takings = [ply for ply in legal if ply.takes]
        state = GAME.after(state, rng.choice(takings or legal))


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("", "is not a valid move"),
        ("c1", "is not a valid move"),
        ("c1-c1", "a move goes from one square to another"),
        ("j1+", "there is no cell j1 on this board"),
        ("c1-c10", "there is no cell c10 on this board"),
        ("c1++", "'c1++' is not a valid move"),
        ("c1-c2-c3", "is not a valid move"),
        ("END", "is not a valid move"),
        ("c1xd2xe3", "a move goes from one square to another"),
        ("out 5", "is not a valid move"),
        ("out 0", "is not a valid move"),
    ],
)
def test_what_is_no_ply_is_not_read(written: str, why: str) -> None:
    with pytest.raises(Unreadable, match="'") as caught:
        GAME.read(TWO, written)
    assert why in str(caught.value)


def test_options_are_bounded_and_described() -> None:
    assert parse(Options, {"players": "4", "victory": "annihilation", "any_unit": "true"}) == Options(
        4, "annihilation", True
    )
    for wrong in ({"players": 3}, {"victory": "slow"}, {"any_unit": "perhaps"}, {"corner": 1}):
        with pytest.raises(BadOption):
            parse(Options, wrong)
    assert all(option.help for option in describe(Options))


def test_a_ply_is_told_in_words() -> None:
    state = stand("2:c3 4:a1/1:c4 1:i9")
    assert GAME.say is not None
    told = [GAME.say(state, GAME.read(state, written)) for written in ("c3+", "a1+", "c3-d3", "c3xc4", "end", "out 2")]
    assert told == [
        "c3 becomes class 3 (arrow)",
        "a1 becomes class 1 (drop)",
        "c3 to d3",
        "c3 captures c4",
        "End turn",
        "Black is out",
    ]


def test_only_one_of_four_can_give_up_alone_and_only_while_it_has_units() -> None:
    assert GAME.leaves is not None
    assert [GAME.leaves(TWO, seat) for seat in (0, 1)] == [None, None]
    assert None not in [GAME.leaves(FOUR, seat) for seat in range(4)]
    state = play(FOUR, "out 2")
    assert GAME.leaves(state, 1) is None
    assert GAME.seat(state) == 0
    ended(play(play(state, "out 1"), "out 4"), "quick", 2)


def test_who_gives_up_in_its_own_turn_ends_it_and_the_units_are_gone() -> None:
    state = play(FOUR, "b2+;out 1")
    assert GAME.seat(state) == 1
    assert not any(piece.seat == 0 for piece in GAME.shape(state).values())
    assert "White is out." in lines(state)
    later = play(FOUR, "out 3;a3+;end;a8+;end")
    assert GAME.seat(later) == 3


def test_as_if_the_one_to_move_had_passed() -> None:
    assert GAME.passed is not None
    other = GAME.passed(FOUR)
    assert other is not None
    assert (GAME.seat(other), GAME.shape(other)) == (1, GAME.shape(FOUR))
    assert GAME.passed(play(stand("2:c3 1:a1/1:c4 1:i9"), "c3xc4")) is None


def test_a_capture_forgets_the_positions_before_it() -> None:
    state = play(TWO, "c1+;end;i7+;end")
    assert len(state.seen) == 3
    assert len(play(stand("2:c3 1:a1 1:a2/1:c4 1:i9 1:i8"), "c3xc4;end").seen) == 1


def test_the_lines_tell_the_actions_left() -> None:
    assert lines(TWO).endswith("White: 3 actions left this turn.")
    assert "White: 2 actions left this turn." in lines(play(TWO, "c1+"))
    assert "occurred twice" not in lines(play(TWO, "a4-a5;end;i6-i5;end"))


def test_the_actions_left_are_told_beside_whoever_is_to_move_and_nobody_else() -> None:
    assert GAME.look(TWO, None).holds == (("3 actions left",), ())
    assert GAME.look(play(TWO, "c1+"), None).holds == (("2 actions left",), ())
    assert GAME.look(play(TWO, "c1+;b2+"), None).holds == (("1 action left",), ())
    assert GAME.look(play(TWO, "c1+;end"), None).holds == ((), ("3 actions left",))


def test_each_class_is_told_with_its_shape_wherever_it_is_explained() -> None:
    start = GAME.start(GAME.options(), 1)
    (beats, _) = GAME.look(start, None).lines
    files = [(files_of("circle") / name).read_text("utf-8") for name in ("how_to_play.html", "lesson.toml")]
    assert GAME.facts.kinds == {str(kind): named(kind) for kind in SHAPES}
    for kind in SHAPES:
        assert all(shaped(kind) in text for text in files)
        assert f" {SHAPES[kind]} " in beats.replace(".", " ")  # one line has no room for both
