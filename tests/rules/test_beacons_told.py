"""Beacons as people meet it: the sentences of refused plies, options, views, what sensors see."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.rules.game import Piece, Unreadable, Walk
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import table_of
from controller.rules.options import BadOption, parse
from tests.rules.beacons_positions import BOARDS, begin, likely, played, refusal, stand, texts

# ---- sentences --------------------------------------------------------------------------------------------


def test_a_ply_of_another_phase_is_refused_with_what_is_due() -> None:
    state = begin()
    assert refusal(state, "end") == "this is the bidding: write 'bid' and a number for each player"
    assert refusal(state, "bid 5 6") == "a bid shares out exactly 12 units; this one shares out 11"
    assert refusal(state, "bid 5 6 1") == "a bid has one number for each of the 2 players; this one has 3"
    state = played(state, "bid 6 6;bid 6 6")
    assert refusal(state, "move a3 1") == "this is the placing of units from the coffers: write 'place a3 3' or 'end'"
    assert refusal(begin(template="trial"), "bid 6 6").startswith("this is the active phase")


def test_turning_a_shell_can_be_too_dear() -> None:
    assert refusal(stand("a3=1/0", shift=2), "s a3 +") == "turning a shell costs 2 units, and you have 1 in a3"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("t z9 a3 1", "'t z9 a3 1': there is no cell z9 on this board"),
        ("t a3 b3", "'t a3 b3' is not a valid move: write t a3 b3 3"),
        ("t a3 b3 x", "'t a3 b3 x': x is not a valid number of units"),
        ("t a3 b3 03", "'t a3 b3 03': 03 is not a valid number of units"),
        ("d a3 3", "'d a3 3': there is no player 3; the players are numbered 1 to 2"),
        ("s a3 *", "'s a3 *' is not a valid move: write s b3 + or s b3 -"),
        ("m a3 6 +", "'m a3 6 +': there is no node 6; the nodes are numbered 0 to 5"),
        ("b a3.c3", "'b a3.c3': there is no beacon vertex a3.c3; write the cells around it in cell order"),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_was_expected(written: str, sentence: str) -> None:
    with pytest.raises(Unreadable, match="^" + sentence.replace("+", "\\+").replace("*", "\\*") + "$"):
        GAME.read(begin(template="trial"), written)


def test_every_ply_that_can_be_written_is_legal_or_refused_in_a_sentence() -> None:
    cells, refused = ["a3", "b3", "c3", "d3", "e3", "a4"], 0
    forms = [f"t {a} {b} {n}" for a in cells for b in cells for n in (0, 1, 3, 9)]
    forms += [f"{word} {a} {n}" for word in ("place", "move") for a in cells for n in (0, 1, 8, 99)]
    forms += [f"p {a} {p} {n}" for a in cells for p in (1, 2) for n in (0, 1, 9)]
    forms += [f"{ply} {sign}" for a in cells for ply in (f"s {a}", f"m {a} 0", f"m {a} 5") for sign in "+-"]
    forms += [f"d {a} {p}" for a in cells for p in (1, 2)] + ["b a3.a4", "b b3.b4.c3", "bid 6 6", "bid 1", "end"]
    states = [begin(), begin(template="trial"), stand("a3=6/3 b3=1/1", beacons="a3.a4.b3=1 b3.b4.c3=2", buy_in=2)]
    for seed, options in enumerate(BOARDS[1:3]):
        draw, state = random.Random(seed), begin(**options)
        while legal := sorted(texts(state)):
            states.append(state)
            state = GAME.play_text(state, likely(draw, legal))
    for state in states:
        legal_now = texts(state)
        for form in forms:
            if form not in legal_now:
                refused += len(refusal(state, form)) > 10
    assert refused > 1000


# ---- options, views, hands --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": 7}, "option players=7 is not allowed: it must be a whole number from 2 to 6"),
        ({"mode": "turn"}, "option mode=turn is not allowed: it must be reflect or rotate"),
        ({"board": "hex"}, "there is no board 'hex'; boards are written as hex 3"),
        ({"board": "torus square 2 4"}, "cells b1 and a1 meet along two sides"),
        ({"board": "square 2 2", "players": 5}, "board 'square 2 2' has 4 cells, fewer than the 5 players"),
        ({"template": "trio"}, "template 'trio' is made for board 'hex 3' and 3 players: choose these"),
        ({"template": "trial", "limit": 5}, "template 'trial' puts 6 units on a cell, over the limit of 5"),
        ({"colour": 1}, "unknown option 'colour'"),
    ],
)
def test_a_bad_option_is_refused_in_a_sentence(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadOption) as refused:
        parse(GAME.options, options)
    assert str(refused.value).startswith(sentence)


def test_the_fair_templates_look_the_same_to_every_player() -> None:
    for template, players in (("duel", 2), ("trio", 3)):
        state = begin(template=template, players=players)
        counts = []
        for seat in range(players):
            counts.append(sorted(text.split()[0] for text in texts(replace(state, queue=(seat,)))))
        assert all(count == counts[0] for count in counts)
        assert len(counts[0]) > 10


def test_plays_on_a_mixed_tiling_by_nodes_of_the_largest_cell() -> None:
    state = begin(board="3.6.3.6 2")
    assert table_of(state).nodes == 6
    draw = random.Random(3)
    for _ in range(400):
        moves = GAME.plies(state)
        if not moves:
            break
        ply = draw.choice(moves)
        assert GAME.read(state, GAME.text(state, ply)) == ply
        state = GAME.play(state, ply)
    assert GAME.result(state).over


def test_a_watcher_sees_stores_costs_and_standing() -> None:
    state = played(stand("a3=6/1", shells="a3=110000", coffers=(0, 2), tally=(3, 1)), "t a3 b3 2")
    view = GAME.look(state, None)
    assert view.data["stores"] == {"a3": [3, 1], "b3": [2, 0]}
    assert view.shells is not None
    costs = view.shells.costs
    assert (costs["a3", "b3"].text, costs["b3", "c3"].text) == ("1:2", "0:1")
    assert costs["b3", "c3"].free
    assert len(costs) == 42
    between = {mark.at: mark.text for mark in view.marks if mark.shape == "between"}
    assert between == {pair: cost.text for pair, cost in costs.items()}
    assert [(m.text, m.seat) for m in view.marks if m.shape == "count" and m.at == ("a3",)] == [("3", 0), ("1", 1)]
    assert view.data["used"] == ["transfer"]
    assert view.lines == (
        "Round 1 of 3: active phase.",
        "Order of play: player 1, player 2.",
        "This turn: transfer.",
        "Player 1: tally 3, 5 on the board, coffer 0.",
        "Player 2: tally 1, 1 on the board, coffer 2.",
    )
    assert view.pieces["a3"] == Piece(0, "units")
    assert msgspec.json.decode(msgspec.json.encode(view.data)) == view.data


def test_a_tied_store_has_nobodys_colour() -> None:
    assert GAME.shape(stand("a3=2/2"))["a3"] == Piece(None, "units")


@pytest.mark.parametrize(
    ("ply", "walk", "comes", "goes"),
    [
        ("t a3 b3 6", Walk(("a3", "b3"), concerns=("a3",)), {"b3"}, {"a3"}),
        ("t a3 b3 2", Walk(("b3",), concerns=("a3",)), {"b3"}, set()),
        ("t a3 a4 2", Walk(at="a3", concerns=("a4",)), set(), set()),
        ("t a3 a4 6", Walk(at="a3", concerns=("a4",)), set(), {"a3"}),
        ("d c1 2", Walk(at="c1"), set(), {"c1"}),
        ("s e3 +", Walk(at="e3"), {"e3:1"}, {"e3:0"}),
        ("m e3 4 +", Walk(("e3:4",), concerns=("e3",)), {"e3:4"}, set()),
        ("m e3 0 -", Walk(at="e3:0", concerns=("e3",)), set(), {"e3:0"}),
        ("b a3.a4", Walk(("a3.a4",)), {"a3.a4"}, set()),
        ("p a3 2 6", Walk(at="a3"), set(), {"a3"}),
        ("end", Walk(), set(), set()),
    ],
)
def test_a_walk_and_the_shapes_tell_what_the_sensors_will_see(
    ply: str, walk: Walk, comes: set[str], goes: set[str]
) -> None:
    state = stand("a3=6/0 a4=4/0 c1=1/1 e3=5/0", shells="e3=100000", beacons="e2.e3=1" if ply[0] == "m" else "")
    found = GAME.read(state, ply)
    assert GAME.walk(state, found) == walk
    before, after = GAME.shape(state).keys(), GAME.shape(GAME.play(state, found)).keys()
    assert (after - before, before - after) == (comes, goes)


def test_units_from_a_coffer_come_from_beside_the_board() -> None:
    state = played(begin(), "bid 6 6;bid 6 6")
    assert GAME.walk(state, GAME.read(state, "place a3 2")) == Walk(("a3",))
    state = played(state, "place a3 2")
    assert GAME.walk(state, GAME.read(state, "place a3 2")) == Walk(at="a3")


def test_a_ply_is_told_in_words() -> None:
    state = stand("a3=6/0", shells="a3=110000")
    assert GAME.say is not None
    said = {GAME.say(state, ply) for ply in GAME.moves(state)}
    assert {
        "transfer 2 from a3 to b3 for 1",
        "turn the shell of a3 clockwise",
        "pay 6 from a3 into the coffer of player 2",
        "Player 1: end turn",
    } <= said
