"""Cyvasse: setting up and what is secret in it, texts, and the sentences of refused plies."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from controller.rules.game import Illegal, Piece, Unreadable
from controller.rules.games.cyvasse.board import CELLS
from controller.rules.games.cyvasse.game import GAME
from controller.rules.games.cyvasse.state import KINGS, STANDARD, Options, Ply, State
from controller.rules.options import BadOption, describe
from tests.rules.cyvasse_plies import begin, play, ruined, texts
from tests.rules.cyvasse_positions import at_random, position

WHITE_ARRAY = [f"{word[0]}@{word[1:]}" for word in STANDARD.split()]


BLACK_ARRAY = [f"{word[0]}@{CELLS[90 - CELLS.index(word[1:])]}" for word in STANDARD.split()]


# ---- setting up -------------------------------------------------------------------------------------------


def test_an_open_setup_takes_turns_and_may_leave_the_dragon() -> None:
    state = begin(setup="open")
    for white, black in zip(WHITE_ARRAY, BLACK_ARRAY, strict=True):
        state = play(state, white, black)
    assert state.turn == 0
    assert "D@f3" not in texts(state)
    assert {"end", "D@b5", "D@a6"} & set(texts(state)) == {"end", "D@b5"}
    assert len(texts(state)) == 16
    state = play(state, "end", "D@g7")
    assert (state.turn, GAME.shape(state)["g7"]) == (0, Piece(1, "D"))
    standard = begin()
    assert state.tiles == standard.tiles
    assert (state.fortresses, state.centres, state.reserve) == (standard.fortresses, standard.centres, ("D", ""))
    assert play(state, "g3-g4").board != standard.board


def test_a_side_that_is_ready_is_passed_over() -> None:
    state = begin(setup="open")
    for white, black in zip(["D@b5", *WHITE_ARRAY], [*BLACK_ARRAY, "D@g7"], strict=True):
        state = play(state, white, black)
    assert (state.ready, state.turn) == ((True, True), 0)
    state = begin(setup="open")
    for white, black in zip([*WHITE_ARRAY, "end"], [*BLACK_ARRAY, ""], strict=True):
        state = play(state, white, *([black] if black else []))
    assert (state.ready, state.turn) == ((True, False), 1)


def test_a_secret_setup_shows_nothing_to_the_other_side_until_both_are_ready() -> None:
    state = begin(setup="secret")
    for text in [*WHITE_ARRAY, "end"]:
        ply = GAME.read(state, text)
        assert GAME.glimpse is not None
        assert [GAME.glimpse(state, ply, seat) for seat in (0, 1, None)] == [text, "?", "?"]
        assert GAME.walk(state, ply).path == ()
        state = GAME.play(state, ply)
        assert GAME.shape(state) == {}
    assert (state.turn, GAME.seat(state)) == (1, 1)
    bare = begin(setup="secret")
    for seat in (1, None):
        seen = GAME.look(state, seat)
        assert seen.pieces == {}
        assert seen.data == GAME.look(bare, seat).data
        assert "White is ready." in seen.lines
    assert len(GAME.look(state, 0).pieces) == 25
    assert GAME.look(state, 0).data["tiles"]["f4"] == "hill"
    state = play(state, *BLACK_ARRAY[:-1])
    assert len(GAME.look(state, 0).pieces) == 25
    assert len(GAME.look(state, 1).pieces) == 24
    state = play(state, BLACK_ARRAY[-1], "end")
    assert len(GAME.shape(state)) == 50
    assert GAME.look(state, 0) == GAME.look(state, None)
    assert texts(state) == texts(begin())


def test_what_is_hidden_does_not_change_what_others_see() -> None:
    one, other = begin(setup="secret"), begin(setup="secret")
    one = play(one, *WHITE_ARRAY, "D@b5")
    other = play(other, "D@f1", *[text.replace("K@h2", "K@b5").replace("H@f1", "H@h2") for text in WHITE_ARRAY])
    assert one != other
    assert [GAME.look(one, seat) for seat in (1, None)] == [GAME.look(other, seat) for seat in (1, None)]
    assert texts(one) == texts(other)


def test_what_is_left_in_secret_is_told_by_a_form_alone_and_all_read_that_both_are_at_work() -> None:
    state = play(begin(setup="secret"), *WHITE_ARRAY[1:])
    own, other, nobody = (str(GAME.look(state, seat)) for seat in (0, 1, None))
    assert "White still has to place" not in own
    assert GAME.asks(state) == "sets up in secret, and so does Black"
    ready = play(state, WHITE_ARRAY[0], "end")
    assert GAME.asks(ready) == "sets up in secret"
    assert "White is ready." in str(GAME.look(ready, 0))
    assert "Black sets up in secret." in own
    for seen in (other, nobody):
        assert "White sets up in secret." in seen
        assert "White still has to place" not in seen


@pytest.mark.parametrize(
    ("played", "text", "sentence"),
    [
        ([], "end", "White still has to place king ×1, rabble ×6, mountain ×6, crossbow ×2, spears ×2, light horse ×2"),
        (["K@h2"], "K@h3", "White has no king left to place; already placed (×1): h2"),
        (["C@f4", "C@h4"], "C@h3", "White has no crossbow left to place; already placed (×2): f4 h4"),
        ([], "K@h7", "h7 is not one of White's home cells: those have the numbers 1 to 5"),
        ([], "K@f6", "f6 is not one of White's home cells"),
        (["K@h2"], "R@h2", "h2 already holds White's king"),
        ([], "h2-h3", "White is still setting up"),
        ([*WHITE_ARRAY, "end"], "K@f4", "f4 is not one of Black's home cells: those have the numbers 7 to 11"),
        (WHITE_ARRAY[1:], "end", "White still has to place king ×1"),
    ],
)
def test_a_wrong_setup_is_refused_with_what_and_why(played: list[str], text: str, sentence: str) -> None:
    with pytest.raises(Illegal, match=re.escape(sentence)):
        play(begin(setup="secret"), *played, text)


# ---- text and sentences -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "h2", "h2h3", "z9-a1", "D", "@f11", "h2=S", "h3-h5 h2=S", "X@h2", "D-", "h2=m h2-h3"]
)
def test_what_is_no_ply_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="not a valid move"):
        play(begin(), text)


def test_a_cell_off_the_board_is_named() -> None:
    with pytest.raises(Unreadable, match="there is no cell a1 on this board"):
        play(begin(), "a1-h2")


def test_extra_spaces_are_forgiven() -> None:
    assert play(position("Rh2 Kk1", "Ka11"), "  h2=S   h2-i3 ").turn == 1


@pytest.mark.parametrize(
    ("state", "text", "sentence"),
    [
        (position("Cf4 Kk1", "Bf6 Ka11"), "f4xf6", "tier 2 against 3 on f6, and it has no support"),
        (
            position("Cf4 Rg5 Kk1", "Bf6 Ka11"),
            "f4xf6",
            "tier 2 against 3 on f6; even with its support it has a strength of only 2.5",
        ),
        (position("Cf4 Mf5 Kk1", "Bf6 Ka11"), "f4xf6", "blocked by the mountain on f5"),
        (position("Cf4 Kk1", "Ka11"), "f4-f8", "a crossbow moves up to 3 cells straight across edges"),
        (position("Rf4 Kk1", "Ka11"), "f4-f6", "rabble moves one step across an edge"),
        (position("Hf4 Kk1", "Ka11"), "f4-f5", "a heavy horse moves along its ring around h2 or d10"),
        (position("Df1 Kk1", "Ka11"), "f1-f6", "no path of up to 4 steps"),
        (position("Cf4 Kk1", "Ka11"), "f5-f6", "there is no piece on f5"),
        (position("Cf4 Kk1", "Ka11"), "a11-a10", "the king on a11 is Black's, and White is to move"),
        (position("Mf4 Kk1", "Ka11"), "f4-f5", "the mountain on f4 never moves"),
        (position("Cf4 Mf5 Kk1", "Ka11"), "f4-f5", "there is a mountain on f5: no piece can end there"),
        (position("Cf4 Mf5 Kk1", "Ka11"), "f4xf5", "there is a mountain on f5"),
        (position("Cf4 Rf5 Kk1", "Ka11"), "f4-f5", "f5 holds White's own rabble"),
        (position("Cf4 Kk1", "Ka11"), "f4-f4", "f4 holds White's own crossbow"),
        (position("Cf4 Kk1", "Rf8 Ka11"), "f4-f8", "that does not lead from f4 to f8"),  # not how to write a capture
        (position("Cf4 Kk1", "Ka11"), "f4xf5", "there is nothing to capture on f5: write f4-f5"),
        (position("Cf4 Kk1", "Rf5 Ka11"), "f4-f5", "f5 holds Black's rabble: to capture it, write f4xf5"),
        (position("Kk1", "Ka11"), "D-h4", "White's dragon is not in the reserve"),
        (position("Kk1", "Ka11", reserve=("D", "")), "D-h7", "h7 is 5 cells from White's fortress h2"),
        (position("Kk1", "Rh6 Ka11", reserve=("D", "")), "D-h6", "to capture it, write Dxh6"),
        (ruined("Kk1", ("D", "")), "D-h4", "White's fortress is ruined: the dragon"),
        (
            position("Rh2 Rk2 Kk1", "Ka11"),
            "k2-k3",
            "promotion on h2 is compulsory: begin the turn with h2=C or h2=S or h2=L",
        ),
        (
            position("Rh2 Kk1", "Ka11"),
            "h2=B h2-h3",
            "h2 cannot be promoted to trebuchet: rabble becomes crossbow or spears",
        ),
        (position("Rh2 Cf4 Cf5 Kk1", "Ka11"), "h2=C h2-h3", "both of White's are on the board"),
        (position("Rh3 Kk1", "Ka11"), "h3=C h3-h4", "a piece can be promoted only in White's fortress h2, not on h3"),
        (position("Rh3 Kk1", "Ka11"), "h2=C h3-h4", "White has no piece in the fortress h2"),
        (
            position("Bh2 Kk1", "Ka11"),
            "h2=K h2-h3",
            "becomes king only in the turn right after its own king was captured",
        ),
        (position("Dh2 Kk1", "Ka11"), "h2=K h2-h3", "dragon becomes nothing else"),
        (
            ruined("Rh2 Kk1"),
            "h2=C h2-h3",
            "White's fortress is ruined: nothing can be promoted any more",
        ),
        (
            position("Rh3 Kk1", "Ka11", fortresses=("h2", ""), centres=("h2", "")),
            "h3-h4",
            "Black's fortress is ruined: first name a corner as the horses' new centre, one of @f1 @k1 @k6",
        ),
        (position("Rh3 Kk1", "Ka11", fortresses=("h2", ""), centres=("h2", "")), "@f6 h3-h4", "name a corner"),
        (position("Rh3 Kk1", "Ka11"), "@f1 h3-h4", "no corner is to be named now"),
        (position("Rh3 Kk1", "Ka11"), "K@h4", "the setup is over"),
        (position("Rh3 Kk1", "Ka11"), "end", "the setup is over"),
        (position("Rh3 Bg4", "Ka11"), "h3-h4", "White's king has been captured: a piece of tier 3 must stand in"),
    ],
)
def test_what_is_not_legal_is_refused_by_its_rule(state: State, text: str, sentence: str) -> None:
    ply = GAME.read(state, text)
    assert ply not in GAME.plies(state)
    assert sentence in GAME.why_not(state, ply)


@pytest.mark.parametrize("seed", range(30))
def test_the_lost_king_is_named_only_where_it_is_the_reason(seed: int) -> None:
    state, rng = at_random(seed), random.Random(seed)
    legal = set(GAME.plies(state))
    starts = {(ply.corner, ply.at, ply.into) for ply in legal} or {(-1, -1, "")}
    for _ in range(300):
        start = rng.choice(sorted(starts))
        ply = Ply(rng.randrange(-1, 91), rng.randrange(91), rng.random() < 0.5, *start)
        if ply not in legal:
            sentence = GAME.why_not(state, ply)
            assert "king has been captured" not in sentence or KINGS[state.turn] not in state.board
            assert "even with" not in sentence or "strength" in sentence


def test_options_are_described_and_checked() -> None:
    for_designers = {"men", "start", "dragons", "promotion", "repeats", "patience"}
    assert {option.name for option in describe(Options) if option.help} == {
        "setup",
        "flank",
        "sea_ports",
    } | for_designers
    with pytest.raises(BadOption, match="option flank=thirds is not allowed: it must be halves or online"):
        begin(flank="thirds")
    with pytest.raises(BadOption, match="unknown option 'ports'"):
        begin(ports="true")


def test_what_is_seen_of_a_game_in_play() -> None:
    seen = GAME.look(begin(), None)
    assert seen.pieces["h2"] == Piece(0, "K")
    assert seen.pieces["c4"] == seen.pieces["i8"] == Piece(None, "M")
    assert seen.data["tiles"]["f4"] == "hill"
    assert seen.data["fortresses"] == seen.data["centres"] == ["h2", "d10"]
    assert "White's fortress: h2" in seen.lines
    reserve = "White's dragon is in the reserve: it may come in within 4 cells of its fortress."
    assert reserve in seen.lines
    assert "Turns without progress: 0 of 100" in seen.lines


def test_what_cannot_be_read_is_answered_with_what_could_be_written_now() -> None:
    for state, like in ((begin(setup="open"), "'K@h2'"), (begin(), "'h3-h5', 'f4xf7', 'D-h4'")):
        with pytest.raises(Unreadable, match=re.escape(like)):
            play(state, "?")


def test_arrays_that_are_set_up_openly_are_no_secret_and_nothing_opens_them() -> None:
    assert GAME.secret is not None
    assert GAME.opens is not None
    state = begin(setup="open")
    for white, black in zip([*WHITE_ARRAY, "end"], [*BLACK_ARRAY, "end"], strict=True):
        for text in (white, black):
            assert not GAME.secret(state)
            assert not GAME.opens(state, GAME.read(state, text))
            state = play(state, text)
    assert not GAME.opens(state, GAME.read(state, "g3-g4"))
    state = begin(setup="secret")
    for text in [*WHITE_ARRAY, "end", *BLACK_ARRAY]:
        assert GAME.secret(state)
        assert not GAME.opens(state, GAME.read(state, text))
        state = play(state, text)
    assert GAME.opens(state, GAME.read(state, "end"))
    assert not GAME.secret(play(state, "end"))


def test_who_is_to_set_up_in_secret_is_offered_pieces_cells_and_arrays_and_nobody_else() -> None:
    state = begin(setup="secret")
    own = [GAME.look(state, seat).arrange for seat in (0, 1)]
    assert GAME.look(state, None).arrange is None
    for seat, offered in enumerate(own):
        assert offered is not None
        assert (offered.seat, sum(offered.pieces.values()), len(offered.cells)) == (seat, 26, 40)
        assert (offered.pieces["R"], offered.pieces["D"], offered.optional) == (6, 1, ("D",))
        for array in offered.arrays:
            assert sorted(array.at.values()) == sorted("K" + 6 * "R" + 6 * "M" + "CCSSLLBBEEHH")
            assert set(array.at) <= set(offered.cells)
    state = play(state, "K@h2")
    begun, other = (GAME.look(state, seat).arrange for seat in (0, 1))
    assert begun is not None
    assert ("h2" in begun.cells, "K" in begun.pieces, begun.arrays) == (False, False, ())
    assert other == own[1]
    state = play(state, *WHITE_ARRAY[1:], "end")
    assert GAME.look(state, 0).arrange is None
    assert GAME.look(state, 1).arrange == own[1]
    assert GAME.look(begin(setup="open"), 0).arrange is None
    assert GAME.look(begin(), 0).arrange is None


def test_terrain_is_told_and_marked() -> None:
    seen = GAME.look(begin(), None)
    assert {place.name: set(place.cells) for place in seen.places if place.seat is None} == {
        "hill": {"d8", "f4", "f8", "h4"},
        "forest": {"f3", "i3", "c9", "f9"},
        "grassland": {"d5", "i5", "c7", "h7"},
    }
    assert {place.cells: place.seat for place in seen.places if "fortress" in place.name} == {("h2",): 0, ("d10",): 1}
    assert not [place for place in seen.places if "horses" in place.name]
    assert not [line for line in seen.lines if "d8" in line]  # the board draws it
    late = GAME.look(ruined("Rh2 Kk1"), None)
    assert [(place.cells, place.seat) for place in late.places if "horses" in place.name] == [(("f1",), 0)]
    assert "White's fortress is ruined; the horses' centre is f1" in late.lines
    assert GAME.look(begin(setup="open"), None).places == ()


def test_terrain_that_is_set_up_in_secret_is_seen_by_its_own_side_alone() -> None:
    state = GAME.play_text(begin(setup="secret"), "K@h2")
    assert [place.name for place in GAME.look(state, 0).places] == ["White's fortress"]
    assert GAME.look(state, 1).places == GAME.look(state, None).places == ()


def test_a_ply_is_told_in_words() -> None:
    assert GAME.say is not None
    owed = position("Rh2 Kk1", "Rh3 Ka11", fortresses=("h2", ""), centres=("h2", ""), reserve=("D", ""))
    told = {
        "h2-h3": "h2 to h3",
        "h2xh3": "h2 captures h3",
        "D-h4": "the dragon comes in on h4",
        "Dxh3": "the dragon comes in and captures h3",
        "K@h2": "king on h2",
        "end": "ready, the dragon stays in the reserve",
        "h2=S h2-h3": "h2 becomes spears, then h2 to h3",
        "@f1 h2-h3": "the horses' centre is f1, then h2 to h3",
    }
    for written, words in told.items():
        assert GAME.say(owed, GAME.read(owed, written)) == words


def test_as_if_the_one_to_move_had_passed() -> None:
    assert GAME.passed is not None
    other = GAME.passed(begin())
    assert other is not None
    assert (GAME.seat(other), GAME.shape(other)) == (1, GAME.shape(begin()))
    assert GAME.passed(begin(setup="open")) is None
    assert GAME.passed(play(begin(setup="open"), "K@h2", "K@d10")) is None
    assert GAME.passed(position("Rh3 Bg4", "Ka11")) is None  # a king is owed
    assert GAME.passed(position("Kk1", "Ra11")) is None
    assert GAME.passed(position("Kk1 Re5", "Kf1 Mf2 Mg1 Me2")) is None  # Black could not move


def test_a_card_tells_tiers_support_and_what_is_too_strong() -> None:
    def card(white: str, black: str, site: str, **more: Any) -> tuple[str, ...]:
        assert GAME.card is not None
        return GAME.card(position(white, black, **more), site, 0)

    assert card("Cf4 Kk1", "Bf6 Ka11", "f4") == (
        "Tier 2, defence 2 on f4.",
        "Alone it captures up to defence 2, and pieces from tier 2 on capture it; support adds to that.",
        "Trebuchet on f6, defence 3: too strong without support.",
    )
    assert card("Cf4 Rg5 Kk1", "Bf6 Ka11", "f4")[2] == (
        "Trebuchet on f6, defence 3: too strong, only 2.5 with support by rabble."
    )
    assert card("Cf4 Se5 Kk1", "Bf6 Ka11", "f4")[2] == (
        "Trebuchet on f6, defence 3: may be captured, 3 with support by spears."
    )
    assert card("Bf4 Kk1", "Bf6 Ka11", "f4")[2] == "Trebuchet on f6, defence 3: may be captured."
    assert card("Cf4 Kk1", "Bf6 Ka11", "f6")[0] == "Tier 3, defence 3 on f6."
    assert len(card("Cf4 Kk1", "Bf6 Ka11", "f6")) == 2  # it is not to move
    assert card("Cf4 Kk1", "Sf6 Ka11", "f6", tiles="ff6") == (
        "Tier 2, defence 3 on f6.",
        "Alone it captures up to defence 2, and pieces from tier 3 on capture it; support adds to that.",
    )
    assert card("Cf4 Mf5 Kk1", "Bf6 Ka11", "f5") == ()
    assert len(card("Bf4 Cg5", "Bf6 Ka11", "f4")) == 2  # the king is to be replaced: what may be captured is not told
    assert len(card("Bf4 Rh2 Kk1", "Bf6 Ka11", "f4")) == 2  # nor where a promotion is due
    owed = {"fortresses": ("h2", ""), "centres": ("h2", "")}
    assert len(card("Bf4 Kk1", "Bf6 Ka11", "f4", **owed)) == 2  # nor a corner


def test_the_setup_and_what_a_turn_begins_with_are_asked_for() -> None:
    assert GAME.asks(GAME.start(GAME.options(), 0)) == ""
    open_setup = GAME.start(GAME.options(setup="open"), 0)
    assert GAME.asks(open_setup) == "sets up pieces in rows 1 to 5: 25 are left"
    after = GAME.play_text(open_setup, "K@h2")
    assert GAME.asks(after) == "sets up pieces in rows 7 to 11: 25 are left"
    assert GAME.asks(position("Kg2 Rh2", "Kd10")) == "promotes the piece on h2, and moves"
    assert GAME.asks(position("Bh2 Rf6", "Kd10")) == "brings a king back to h2 in this turn"
    owed = position("Kg2", "Kd10", fortresses=("h2", ""), centres=("h2", ""))
    assert GAME.asks(owed) == "names a corner as the new centre of the horses, and moves"
