"""What was played last: in words, with its way over the board, and nothing of what is another seat's secret."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from controller.rules.game import Piece
from controller.rules.registry import game_named
from controller.sentences import in_language
from controller.table.session import begin
from controller.table.views.last_turn import last_turn, turns_before
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from controller.table.views.plies_told import piece_on, ply_told
from controller.table.views.types import LastTurn
from tests.rules.test_cyvasse_told import BLACK_ARRAY, WHITE_ARRAY
from tests.table.scenes import Scene


def after(game: str, plies: str, seat: int | None = None, **options: object) -> LastTurn | None:
    play = Scene(game, options, after=plies).run().play
    assert play is not None
    return last_turn(play, seat)


def since(seat: int | None, plies: str, levels: tuple[int, ...] = (0, 1, 1, 1), **options: object) -> list[str]:
    """Return what the board reads since the turn of ``seat``, a line for each seat."""
    scene = Scene("beacons", {"players": len(levels), **options}, after=plies, opponents={"levels": list(levels)})
    play = scene.run().play
    assert play is not None
    last = last_turn(play, seat)
    turns = (*turns_before(play, seat), *((last,) if last else ()))
    return [f"{turn.seat}: {'; '.join(filter(None, words(turn)))}" for turn in turns]


@pytest.mark.parametrize(
    ("plies", "levels", "cheered"),
    [
        ("c3-c4; c6-b5; a4xc6xa6", (0, 0), (True, False, True)),
        ("c3-c4; c6-b5; a4xc6xa6", (1, 0), (True, False, False)),  # the board's: it is told behind what was played
        ("c3-c4; c6-b5; a4xc6xa6; e3-d3", (0, 0), (False, False, False)),
        ("c3-c4; c6-b5", (0, 0), (False, False, False)),
    ],
)
def test_what_is_rare_is_cheered_on_the_card_of_who_did_it_until_the_next_move(
    plies: str, levels: tuple[int, ...], cheered: tuple[bool, ...]
) -> None:
    table = Scene("tides-of-war", {}, after=plies, opponents={"levels": list(levels)}).run()
    told = [picture(table, CALM, 1, seat).seating for seat in (0, 1, None)]
    assert told == ["2 stones at one go!" if each else "" for each in cheered]


def words(turn: LastTurn | None) -> list[str]:
    assert turn is not None
    return [in_language(ply.words, {}) for ply in turn.plies]


def test_where_nothing_stands_the_cell_alone_is_named() -> None:
    assert piece_on(game_named("tides-of-war"), {}, "c3") == "c3"
    assert piece_on(game_named("tides-of-war"), {"c3": Piece(0, "stone")}, "c3") == "stone on c3"


def test_before_the_first_move_there_is_none() -> None:
    assert after("tides-of-war", "") is None


@pytest.mark.parametrize(
    ("plies", "said", "way"),
    [
        ("c3-c4", "stone from c3 to c4", ("c3", "c4")),
        ("c3-c4; c6-b5; c4xa6", "stone from c4 to a6, takes stone on b5", ("c4", "a6")),
        (
            "c3-c4; c6-b5; c4xa6; e3-d3; a6xc6xc4xe2",
            "stone from a6 to c6, then to c4, then to e2, takes stone on b6, stone on c5 and stone on d3",
            ("a6", "c6", "c4", "e2"),
        ),
    ],
)
def test_a_move_is_told_with_what_it_takes_and_each_landing(plies: str, said: str, way: tuple[str, ...]) -> None:
    turn = after("tides-of-war", plies)
    assert words(turn) == [said]
    assert turn is not None
    assert turn.plies[0].way == way
    assert (turn.seat, turn.made) == ((plies.count(";")) % 2, plies.count(";"))


def test_all_that_a_player_did_in_a_row_is_one_turn() -> None:
    scene = Scene("circle", {}).run().play
    assert scene is not None
    game, state = scene.session.game, scene.session.state
    first = game.seat(state)
    made: list[str] = []
    while game.seat(state) == first:  # one action after the other, by the rules
        ply = next(ply for ply in game.plies(state) if game.text(state, ply) != "end")
        made.append(game.text(state, ply))
        state = game.play(state, ply)
    assert len(made) > 1
    turn = after("circle", "; ".join(made))
    assert turn is not None
    assert (turn.seat, turn.made, len(words(turn))) == (first, 0, len(made))


def test_of_a_secret_array_others_read_no_more_than_that_something_was_set_up() -> None:
    play = Scene("cyvasse", {"setup": "secret"}).run().play
    assert play is not None
    game, state = play.session.game, play.session.state
    text = game.text(state, game.plies(state)[0])
    own, other = (after("cyvasse", text, seat, setup="secret") for seat in (0, 1))
    assert own is not None
    assert other is not None
    assert own.plies[0].way
    assert not other.plies[0].way
    assert words(own) != words(other)


def test_what_is_told_after_a_name_says_what_was_done_and_names_nobody() -> None:
    assert words(after("beacons", "end", template="duel")) == ["passes"]
    placed = after("beacons", "bid 0 12; bid 12 0; place a3 2; place b3 1", 1, seed=1)
    assert words(placed) == ["", "places 2 on a3 and 1 on b3"]
    assert placed is not None
    assert placed.made == 2


def test_a_choice_in_secret_is_told_in_words() -> None:
    play = Scene("beacons", {}, after="bid 0 12").run().play
    assert play is not None
    assert ply_told(play.session, 1, 1).words == "chooses in secret"
    assert ply_told(play.session, 1, 0).words == "bids 0 for Player 1, 12 for Player 2"


def test_what_was_set_up_in_secret_is_no_turn_to_tell_once_the_board_shows_it() -> None:
    game = game_named("cyvasse")
    state, plies = game.start(game.options(setup="secret"), 0), list[str]()
    while game.secret is not None and game.secret(state):
        ply = next((ply for ply in game.plies(state) if game.text(state, ply) == "end"), game.plies(state)[0])
        plies.append(game.text(state, ply))
        state = game.after(state, ply)
    for seat in (0, 1, None):
        both = Scene("cyvasse", {"setup": "secret"}, after="; ".join(plies)).run().play
        assert both is not None
        assert ply_told(both.session, 1, seat).words == "trebuchet on b5"  # the board shows it by now
        assert after("cyvasse", "; ".join(plies), seat, setup="secret") is None
        assert after("cyvasse", "; ".join(plies[:-1]), seat, setup="secret") is not None


def test_many_choices_in_secret_are_told_once() -> None:
    game = game_named("cyvasse")
    state, plies = game.start(game.options(setup="secret"), 0), list[str]()
    while game.seat(state) == 0 and len(plies) < 6:
        ply = game.plies(state)[0]
        plies.append(game.text(state, ply))
        state = game.after(state, ply)
    told = after("cyvasse", "; ".join(plies), 1, setup="secret")
    assert words(told) == [*[""] * 5, "chooses in secret"]
    assert words(after("cyvasse", "; ".join(plies), 0, setup="secret")).count("") == 0


@pytest.mark.parametrize(
    ("plies", "said", "made"),
    [
        (
            "place a3 1; place a3 2; place b4 1; place c4 1; place c1 2; place d2 1; place d3 2; place a3 1",
            "places 4 on a3, 1 on b4, 1 on c4, 2 on c1, 1 on d2 and 2 on d3",
            8,
        ),
        ("place a3 5; place b4 4; end", "places 5 on a3 and 4 on b4", 3),
        ("place a3 5", "places 5 on a3", 1),
    ],
)
def test_units_placed_one_after_the_other_are_told_as_one_thing(plies: str, said: str, made: int) -> None:
    turn = after("beacons", "bid 6 6; bid 6 6; " + plies)
    assert turn is not None
    assert "; ".join(filter(None, words(turn))) == said
    assert (turn.made, len(turn.plies)) == (2, made)
    assert all(ply.way for ply in turn.plies[: plies.count("place")])


def test_of_a_long_turn_the_last_six_things_are_told() -> None:
    begun = "t c4 c5 1; s c3 +; t c5 c4 1; s c3 +; t c4 c5 1; s c3 +; t c5 c4 1; s c3 +"
    turn = after("beacons", begun, start="c3:1x9 c4:1x8 c5:1x1 e3:2x6 c4=000000 c5=000000 c3=100000")
    assert (len(words(turn)), turn.made if turn else 0) == (6, 2)


OPEN = "c4:1x9 e3:2x6 b4=000000 c3=000000 c4=000000 c5=000000 d3=000000 d4=000000"  # nothing costs anything


@pytest.mark.parametrize(
    ("begun", "said"),
    [
        ("t c4 c5 1; t c4 d4 2", ["", "transfers 1 to c5 and 2 to d4"]),
        ("t c4 c5 1; t c4 c5 2", ["", "transfers 3 to c5"]),
        ("t c4 c5 1; t c4 d4 1; t c4 c3 1; t c4 d3 1; t c4 b4 1", ["", "", "", "", "transfers 5 units in 5 moves"]),
    ],
)
def test_transfers_in_a_row_are_told_as_one_thing(begun: str, said: list[str]) -> None:
    assert words(after("beacons", begun, start=OPEN)) == said


FOUR = "c3:1x9 c4:1x9 a3:2x9 a4:2x9 e3:3x9 e2:3x9 c1:4x9 a3=000000 a4=000000"
BY_OTHERS = "t a3 a4 1; t a3 a4 1; end; end; end"


def test_what_is_destroyed_in_a_row_is_told_as_one_thing() -> None:
    start = "a3:2x5 a3:1x2 a3:3x1 c3:1x4 e3:3x4 c1:4x4"
    assert since(0, "end; d a3 1; d a3 3; d a3 1", start=start) == ["1: destroys 2 of Player 1 and 1 of Player 3"]
    assert since(0, "end; d a3 3", start=start) == ["1: spends 1 in a3 to destroy a unit of Player 3"]


def test_all_turns_since_the_own_one_are_told_each_with_its_seat() -> None:
    others = ["1: transfers 2 to a4", "2: passes", "3: passes"]
    assert since(0, f"end; {BY_OTHERS}", start=FOUR) == others
    assert since(0, f"end; {BY_OTHERS}; end; end", start=FOUR)[0] == "1: passes"
    assert since(0, f"end; {BY_OTHERS}; end", start=FOUR) == ["0: passes"]  # the own one: no page tells it


def test_while_others_still_play_what_they_did_so_far_is_told() -> None:
    assert since(0, "end; t a3 a4 1; end; end", start=FOUR) == ["1: transfers 1 from a3 to a4 for free", "2: passes"]


def test_a_watcher_reads_what_the_board_played_since_a_person_did() -> None:
    assert since(None, f"end; {BY_OTHERS}", start=FOUR) == ["1: transfers 2 to a4", "2: passes", "3: passes"]
    assert since(None, "end; end; end", levels=(0, 0, 1, 1), start=FOUR) == ["2: passes"]


def test_who_is_out_reads_each_other_seat_once() -> None:
    assert since(0, "out 1; end; end; end; end; end", start=FOUR) == ["3: passes", "1: passes", "2: passes"]


def test_who_gives_up_is_told_by_itself_and_not_as_a_part_of_what_was_moved_before_it() -> None:
    begun = "end; t a3 a4 1; t a3 a4 1"
    assert since(0, begun, start=FOUR) == ["1: transfers 2 to a4"]
    assert since(0, f"{begun}; out 2", start=FOUR) == ["1: gives up"]


def test_a_turn_that_somebody_took_over_from_the_board_begins_with_them() -> None:
    play = Scene("circle", {"players": 4}, after="a2+; a2+").run().play
    assert play is not None
    start, first, second = play.session.positions
    positions = (start, replace(first, by_board=True), second)
    taken_over = replace(play, session=replace(play.session, positions=positions))
    turns = [last_turn(each, 1) for each in (play, taken_over)]
    assert [(turn.made, len(turn.plies), turn.by_board) for turn in turns if turn] == [(0, 2, False), (1, 1, False)]
    board = replace(taken_over, session=replace(play.session, positions=positions[:2]))
    assert (turn := last_turn(board, 1)) is not None
    assert turn.by_board


def test_what_was_set_up_in_secret_is_read_by_all_once_both_are_ready() -> None:
    session = begin("cyvasse", {"setup": "secret"}, 0)
    for text in (*WHITE_ARRAY, "end", *BLACK_ARRAY):
        session = session.played(text)
    assert [session.read_by(seat, 1) for seat in (0, 1, None)] == [WHITE_ARRAY[0], "?", "?"]
    session = session.played("end")
    assert [session.read_by(seat, 1) for seat in (0, 1, None)] == [WHITE_ARRAY[0]] * 3


def test_who_is_back_reads_what_the_board_has_played_for_them() -> None:
    play = Scene("circle", {"players": 4}, after="a2+; end; a8+; end").run().play
    assert play is not None
    start, first, second, *more = play.session.positions
    assert turns_before(play, 0) == ()
    positions = (start, replace(first, by_board=True), replace(second, by_board=True), *more)
    back = replace(play, session=replace(play.session, positions=positions))
    assert [(turn.seat, turn.by_board) for turn in turns_before(back, 0)] == [(0, True)]
