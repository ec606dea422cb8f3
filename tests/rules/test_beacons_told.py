"""Beacons as people meet it: the sentences of refused plies, options, views, what sensors see."""

from __future__ import annotations

import random
import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.rules.game import Chore, Dial, Piece, Unreadable, Walk
from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import Modify, State, table_of
from controller.rules.games.beacons.text import offered
from controller.rules.options import BadOption, parse
from controller.sentences import called, capital
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


@pytest.mark.slow
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


def test_once_it_is_over_points_and_beacons_come_first_and_no_order_of_play() -> None:
    state = stand("a3=6/1", coffers=(0, 2), tally=(1, 3))
    beacons = (1, 1, *state.beacons[2:])
    view = GAME.look(replace(state, beacons=beacons, phase="over", queue=(), why="tally"), None)
    assert view.lines == (
        "Player 2: points 3, beacons 2.",
        "Player 1: points 1, beacons 0.",
        "Player 2: 1 on the board, coffer 2.",
        "Player 1: 6 on the board, coffer 0.",
    )


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
        "For Player 1 the nearest beacon, a3–a4, needs 3 more in a4.",
        "Round 1 of 3: active phase.",
        "This turn: transfer.",
        "Player 1: points 3, units 5, coffer 0.",
        "Player 2: points 1, units 1, coffer 2.",
    )
    assert view.pieces["a3"] == Piece(0, "units")
    assert msgspec.json.decode(msgspec.json.encode(view.data)) == view.data


def test_the_corners_where_a_beacon_can_be_built_are_offered_in_the_active_phase() -> None:
    def offered(state: Any) -> list[str]:
        return [mark.at[0] for mark in GAME.look(state, None).marks if mark.shape == "offer"]

    state = stand("a3=3/0 a4=3/0 b3=1/0")
    assert offered(state) == ["a3.a4"]
    assert offered(GAME.play_text(state, "b a3.a4")) == []


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
        ("b a3.a4", Walk(("a3.a4",), concerns=("a3", "a4")), {"a3.a4"}, set()),
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
        "turn the shell of a3 clockwise for 1",
        "pay 6 from a3 into the coffer of Player 2",
        "end turn",
    } <= said


WORDS = {
    "t a3 b3 2": "transfer 2 from a3 to b3 for 1",
    "t a5 b5 1": "transfer 1 from a5 to b5 for free",
    "d c1 2": "spend 1 in c1 to destroy a unit of Player 2",
    "s a3 +": "turn the shell of a3 clockwise for 1",
    "s a3 -": "turn the shell of a3 counter-clockwise for 1",
    "m e3 4 +": "put a unit on the node of e3 that faces d3, for 1",
    "m e3 0 -": "take the unit off the node of e3 on the side away from e2, for 1",
    "b a3.a4": "build the beacon a3–a4: 3 each",
    "p a3 2 6": "pay 6 from a3 into the coffer of Player 2",
    "bid 5 7": "bid 5 for Player 1, 7 for Player 2",
    "place a3 3": "place 3 on a3",
    "move a3 3": "move 3 from the coffer to a3",
    "out 2": "Player 2 is out",
}


@pytest.mark.parametrize("written", WORDS)
def test_each_kind_of_ply_is_told_in_words(written: str) -> None:
    state = stand("a3=6/0 a4=4/0 c1=1/1 e3=5/0", shells="a3=110000 e3=100000", beacons="e2.e3=1")
    assert GAME.say is not None
    assert GAME.say(state, GAME.read(state, written)) == WORDS[written]
    assert GAME.text(state, GAME.read(state, written)) == written


@pytest.mark.parametrize("board", ["hex 3", "square 4 4"])
def test_each_node_is_told_by_a_place_of_its_own_and_none_by_a_number(board: str) -> None:
    state = begin(board=board)
    table = table_of(state)
    assert GAME.say is not None
    for cell in range(len(table.mesh.cells)):
        told = {GAME.say(state, Modify(cell, node, True)) for node in range(table.nodes)}
        assert len(told) == table.nodes
        assert not any(re.search(r"node \d", each) for each in told)


@pytest.mark.parametrize(
    ("phase", "words"),
    [
        ("active", "Player 1: end turn"),
        ("place", "Player 1: done placing"),
        ("harvest", "Player 1: done with the harvest"),
        ("buy-in", "Player 1: done buying in"),
    ],
)
def test_an_end_says_of_what(phase: str, words: str) -> None:
    state = replace(stand("a3=6/0"), phase=phase)
    assert GAME.offered is not None
    assert GAME.offered(state, GAME.read(state, "end")) == words
    assert GAME.words_of(state, "end") == words.removeprefix("Player 1: ")
    assert GAME.offered(replace(state, queue=()), GAME.read(state, "end")) == "end turn"


def test_who_works_on_a_shell_reads_which_prices_that_changes() -> None:
    def prices(of: State) -> dict[tuple[str, ...], str]:
        words = {"0:1": "free", "1:0": "closed"}
        marks = GAME.look(of, None).marks
        return {mark.at: words.get(mark.text, mark.text) for mark in marks if mark.shape == "between"}

    assert GAME.offered is not None
    state, draw, seen = stand("a3=3/0 a4=3/0 e3=0/3", beacons="a3.a4=1"), random.Random(1), set[str]()
    for _ in range(60):
        shells = tuple(draw.getrandbits(6) * (draw.random() < 0.8) for _ in state.shells)
        state = replace(state, shells=shells)
        ply = GAME.read(state, draw.choice([text for text in sorted(texts(state)) if text[0] in "sm"]))
        cell, told = GAME.text(state, ply).split()[1], str(GAME.offered(state, ply))
        action, _, named = told.partition(": ")
        assert action == GAME.words(state, ply)
        found = re.findall(r"to (\S+) (\S+) instead of ([\w:]+)", named)
        before, after = prices(state), prices(GAME.play(state, ply))
        changed = {pair for pair in before if cell in pair and before[pair] != after[pair]}
        listed = {tuple(sorted((cell, other))): (now, then) for other, now, then in found}
        assert listed == {tuple(sorted(pair)): (after[pair], before[pair]) for pair in changed}
        assert (named == "no price changes by that") == (not changed)
        seen |= {word for pair in listed.values() for word in pair} | {named} & {"no price changes by that"}
    assert {"free", "closed", "no price changes by that", "1:1"} <= seen


def test_a_dial_says_what_each_number_of_units_means() -> None:
    state = stand("a3=6/0 a4=4/0", shells="a3=110000", coffers=(5, 0))

    def dialled(written: str) -> Dial | None:
        assert GAME.dial is not None
        return GAME.dial(state, GAME.read(state, written))

    assert dialled("t a3 b3 2") == Dial(
        "Transfer from a3 to b3", 2, "You pay 1. Left here: 3.", "1:2: pay 1, then up to 2 may go.", ("a3", "b3")
    )
    assert dialled("t a4 b3 3") == Dial(
        "Transfer from a4 to b3", 3, "You pay nothing. Left here: 1.", "0:1: free, any number may go.", ("a4", "b3")
    )
    assert dialled("p a3 2 4") == Dial("Pay units from a3 into the coffer of Player 2", 4, "2 stay on a3.")
    assert dialled("place a3 4") == Dial("Place units on a3", 4, "Left to place: 1.")
    assert dialled("move a3 1") == Dial("Move units from the coffer to a3", 1, "Left to place: 4.")
    for other in ("s a3 +", "d a3 2", "end", "bid 6 6", "m a3 1 +"):
        assert dialled(other) is None


def test_what_is_wanted_most_is_listed_first() -> None:
    state, rank = stand("a3=6/0"), GAME.rank
    assert rank is not None
    wanted = ["b a3.a4", "t a3 b3 1", "place a3 1", "move a3 1", "d a3 2", "s a3 +", "m a3 0 +", "p a3 2 1", "end"]
    ranks = [rank(state, GAME.read(state, written)) for written in wanted]
    assert ranks == sorted(set(ranks))


def test_a_shell_that_is_to_be_turned_is_a_chore_until_all_its_nodes_are_right() -> None:
    state = stand("a3=6/0")
    assert GAME.chores is not None
    assert GAME.turn is not None
    for written, by, way in (("s a3 +", 1, "clockwise"), ("s a3 -", -1, "counter-clockwise")):
        ply = GAME.read(state, written)
        assert GAME.turn(state, ply) == by
        nodes = tuple(f"a3:{node}" for node in range(6))
        assert GAME.chores(state, ply) == (Chore(nodes, f"Turn the shell of a3 one step {way}."),)
    assert GAME.chores(state, GAME.read(state, "t a3 b3 1")) == ()
    assert GAME.turn(state, GAME.read(state, "t a3 b3 1")) == 0


def test_an_end_that_loses_units_asks_first() -> None:
    def asked(state: State, written: str = "end") -> str:
        assert GAME.sure is not None
        return GAME.sure(state, GAME.read(state, written))

    full = stand("a3=12/1 b3=9/3 c3=3/8 d3=4/6", limit=10)
    above = "Player 1 has stores above the limit of 10. Units that would be lost: 6."  # three, two, and one
    assert asked(full) == above
    own = called(asked(full), {}, "Player 1")
    assert own == "You have stores above the limit of 10. Units that would be lost: 6."
    assert asked(full, "s a3 +") == ""
    assert asked(stand("a3=10/0 b3=4/6")) == ""
    for phase in ("place", "harvest", "buy-in"):
        holds = replace(stand("a3=1/0", coffers=(3, 0)), phase=phase)
        assert asked(holds) == "Player 1 has 3 units in the coffer. They would be lost."
        own = called(asked(holds), {"Player 1": "Bob"}, "Player 1")
        assert own == "You have 3 units in the coffer. They would be lost."
        one = replace(holds, coffers=(1, 0))
        assert asked(one) == "Player 1 has 1 unit in the coffer. It would be lost."
    assert asked(replace(full, phase="bid")) == ""


def test_a_card_tells_free_and_closed_steps_and_prices() -> None:
    state = stand("a3=6/0", shells="a3=111111 b3=111111 a4=010101", beacon=2)
    assert GAME.card is not None
    assert GAME.card(state, "a3", 0) == ("To a4: pay 1, and 1 may go.", "To b3: free.", "To b2: closed.")
    assert GAME.card(state, "a3.a4", 0) == ("A beacon costs 2 units in each cell around.",)
    cheap = replace(state, options=msgspec.structs.replace(state.options, beacon=1))
    assert GAME.card(cheap, "a3.a4", 0) == ("A beacon costs 1 unit in each cell around.",)
    held = stand("a3=6/0", beacons="a3.a4=2")
    replaced = "Whoever is strongest in a3 and a4 and pays 3 from each puts their own in its place."
    assert GAME.card(held, "a3.a4", 0) == (replaced,)
    assert GAME.card(state, "a3:2", 0) == ()


def test_the_dearer_a_step_the_darker_its_price() -> None:
    state = stand("a3=1/0", shells="a3=100000 a4=111000 a5=111111 b5=111111")
    marks = {mark.text: mark.colour for mark in GAME.look(state, None).marks if mark.shape == "between"}
    greens = [int(marks[price][3:5], 16) for price in ("1:5", "1:2", "1:1") if price in marks]
    assert greens == sorted(greens, reverse=True)
    assert len(set(greens)) == len(greens) >= 2
    assert {"0:1", "1:0"} <= set(marks)
    assert len(set(marks.values())) == len(marks)


def test_a_later_bidder_may_bid_ahead() -> None:
    state = begin(players=3)
    shares = [GAME.look(state, seat).share for seat in (0, 1, 2, None)]
    assert [share is not None and share.ahead for share in shares] == [False, True, True, False]
    assert GAME.look(stand("a3=1/0"), 0).share is None
    share = GAME.shared(state)
    assert share is not None
    assert (share.word, share.units, share.among) == ("bid", 12, ("Player 1", "Player 2", "Player 3"))


def test_what_others_bid_is_struck_out_of_what_a_player_knows_and_drawn_from_the_seed() -> None:
    assert GAME.known is not None
    assert GAME.imagine is not None
    state = played(begin(players=3), "bid 5 4 3;bid 0 0 12")
    assert GAME.known(state, 0).bids == ((5, 4, 3), (0, 12, 0))
    assert GAME.known(state, None).bids == ((12, 0, 0), (0, 12, 0))
    assert GAME.known(state, 2).ties == (0, 1, 2)
    drawn = [GAME.imagine(GAME.known(state, 0), 0, seed) for seed in range(20)]
    assert all(each.bids[0] == (5, 4, 3) and sum(each.bids[1]) == 12 for each in drawn)
    assert len({each.bids[1] for each in drawn}) > 10
    assert len({each.ties for each in drawn}) > 3
    over = played(begin(players=2), "bid 5 7;bid 6 6")
    assert GAME.known(over, None).bids == over.bids == GAME.imagine(over, 0, 1).bids
    gone = played(begin(players=4, bid=5), "out 1;bid 5 0 0 0")
    assert GAME.known(gone, 2).bids[0] == (0, 0, 0, 0)  # who gave up before bidding gives nothing, as all know


def test_bids_are_secret_and_the_last_one_opens_them() -> None:
    assert GAME.secret is not None
    assert GAME.opens is not None
    state = begin()
    assert GAME.secret(state)
    assert not GAME.opens(state, GAME.read(state, "bid 6 6"))
    state = played(state, "bid 6 6")
    assert GAME.opens(state, GAME.read(state, "bid 6 6"))
    state = played(state, "bid 6 6")
    assert not GAME.secret(state)
    assert not GAME.opens(state, GAME.read(state, "end"))
    assert GAME.glimpse is not None
    assert GAME.glimpse(state, GAME.read(state, "place a3 2"), None) == "place a3 2"


def test_the_templates_are_those_of_the_rules() -> None:
    """The trial of the ruling; duel and trio look the same to each player, turned about the middle c3."""
    trial = begin(template="trial")
    cells = GAME.mesh(trial.options).cells
    assert dict(GAME.look(trial, None).data["stores"]) == {"a3": [6, 0], "b3": [6, 0], "d3": [0, 6], "e3": [0, 6]}
    shells = GAME.look(trial, None).data["shells"]
    for i, name in enumerate(cells):
        assert shells[name] == "".join("01"[(3 * i + j * j + 2 * i * j + 1) % 11 < 5] for j in range(6))
    for template, players in (("duel", 2), ("trio", 3)):
        state = begin(template=template, players=players)
        seen, steps = GAME.look(state, None).data, 6 // players
        for name in cells:
            turned = name
            for _ in range(steps):
                x, y = ord(turned[0]) - ord("c"), int(turned[1:]) - 3
                turned = f"{chr(ord('c') + x + y)}{3 - x}"  # a sixth of a turn clockwise
            nodes, store = seen["shells"][name], seen["stores"].get(name, [0] * players)
            assert seen["shells"][turned] == nodes[-steps:] + nodes[:-steps]
            assert seen["stores"].get(turned, [0] * players) == [store[-1], *store[:-1]]


# ---- the part of the game ---------------------------------------------------------------------------------


def test_each_part_of_the_game_says_what_waits_and_the_active_phase_nothing() -> None:
    state = begin(rounds=2, seed=1)
    assert GAME.asks(state) == "shares out 12 units"
    assert called(GAME.asks(state), {}, "Player 1") == "share out 12 units"
    state = played(state, "bid 5 7; bid 6 6")
    assert GAME.asks(state) == "places 12 units"
    state = played(state, "place a3 10; place a4 1")
    assert GAME.asks(state) == "places the last unit"
    state = played(state, "end")
    assert GAME.asks(state) == "places 14 units"
    state = played(state, "place e3 10; end")
    assert GAME.asks(state) == ""
    state = played(state, "p a3 2 1; end; p e3 1 2; end; end; end")
    assert GAME.asks(state) == "brings the unit in the coffer to a cell of theirs"


def test_who_has_more_units_than_find_room_is_told_so_before_they_are_placed() -> None:
    state = begin(board="square 3 1")
    sentence = "No more than 10 units find room when you set up: the rest would be lost."
    assert GAME.look(state, 0).share.sentence.endswith(f"begins. {sentence}")
    state = played(state, "bid 6 6; bid 6 6")
    assert GAME.asks(state) == "places 10 of 13 units: no more fit, and the rest is lost"
    first = f"Player {state.queue[0] + 1}"
    assert called(GAME.asks(state), {}, first) == "place 10 of your 13 units: no more fit, and the rest is lost"
    state = played(state, "place b1 7")
    assert GAME.asks(state) == "places 3 of 6 units: no more fit, and the rest is lost"
    two_cells = played(begin(board="square 4 1", limit=6), "bid 6 6; bid 6 6; place a1 1")
    assert GAME.asks(two_cells) == "places 11 of 12 units: no more fit, and the rest is lost"
    assert GAME.look(begin(board="square 4 1"), 0).share.sentence.endswith("who gets least begins.")
    harvest = msgspec.structs.replace(stand("e3=9/0 d3=0/1 c3=8/1", coffers=(3, 0)), phase="harvest")
    assert GAME.asks(harvest) == "places 2 of 3 units: no more fit, and the rest is lost"


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("a3", "b3", ""),
        ("a3", "c3", "a3 and c3 are not neighbours: units move across a shared side"),
        ("a3", "a3.a4", "you are not dominant in a4"),
        ("a3", "c1.d1", "units go from cell to cell; a beacon is paid from the stores that touch its corner"),
        ("a3", "a3:2", ""),
    ],
)
def test_units_that_went_astray_hear_which_rule_forbids_it(start: str, end: str, why: str) -> None:
    state = GAME.start(GAME.options(template="trial"), 1)
    assert GAME.refusal(state, start, end)[1] == why


def test_a_store_put_where_a_beacon_could_be_is_asked_back_first() -> None:
    why = GAME.refusal(stand("a3=6/0 a4=4/0"), "a3", "a3.a4")[1]
    assert why == "a beacon is a piece of its own: first put the store back"


@pytest.mark.parametrize(
    ("stores", "told"),
    [
        ("a3=1/0 a4=2/0", "For Player 1 the nearest beacon, a3–a4, needs 2 more in a3 and 1 more in a4."),
        ("a3=3/0 a4=3/0 a5=2/4", ""),  # one can be built
        # more than the other one has there
        ("a3=3/5 a4=3/0", "For Player 1 the nearest beacon, a3–a4, needs 3 more in a3."),
    ],
)
def test_what_the_nearest_beacon_still_needs_is_told_first(stores: str, told: str) -> None:
    lines = GAME.look(stand(stores), None).lines
    assert (lines[0] if lines[0].startswith("For ") else "") == told


def test_the_beacon_that_costs_least_is_told_with_the_way_there() -> None:
    """A corner of two cells beside a store from which units come for nothing, and one that lacks less but is dear."""
    state = stand("b3=9/0 c3=3/0 a3=3/0 a4=1/0", shells="a4=110000")
    (told,) = [line for line in GAME.look(state, None).lines if line.startswith("For ")]
    assert told.startswith("For Player 1 the cheapest beacon, ")
    assert "(from b3 for free)" in told
    dear = GAME.look(stand("a3=6/0 b3=6/0", shells="a4=100000"), None).lines[0]
    assert "(from " in dear
    assert "the nearest beacon" in GAME.look(stand("a3=2/0"), None).lines[0]  # no cell has units to spare


def test_of_many_corners_four_are_named_and_how_many_more_the_board_shows() -> None:
    rich = stand(" ".join(f"{cell}=9/0" for cell in ("a3", "a4", "b2", "b3", "b4", "c3")))
    (told,) = [line for line in GAME.look(rich, None).lines if "can build" in line]
    offers = [mark for mark in GAME.look(rich, None).marks if mark.shape == "offer"]
    assert told.endswith(f"; {len(offers) - 4} more are marked on the board.")
    assert len(offers) > 4


def test_of_a_corner_of_ones_own_and_of_a_turn_without_beacons_nothing_is_told() -> None:
    def told(state: Any) -> list[str]:
        return [line for line in GAME.look(state, None).lines if line.startswith("For ")]

    (elsewhere,) = told(stand("a3=2/0 a4=2/0", beacons="a3.a4=1"))
    assert "a3–a4," not in elsewhere
    assert told(stand("a3=2/0 a4=2/0", kinds=1))
    assert not told(msgspec.structs.replace(stand("a3=2/0 a4=2/0", kinds=1), used=("t",)))
    assert not told(stand("a3=2/0 a4=2/0", actions="t"))


def test_where_a_beacon_can_be_built_and_who_holds_one_is_told() -> None:
    state = stand("a3=6/0 a4=4/0", beacons="e2.e3=1")
    view = GAME.look(state, None)
    assert "Player 1 can build a beacon now: a3–a4." in view.lines
    assert GAME.card is not None
    assert GAME.card(state, "a4", 0)[-1] == "A beacon can be built: a3–a4, for 3 units from each store."
    assert view.holds == (("1 beacon",), ())
    built = GAME.look(GAME.play(state, GAME.read(state, "b a3.a4")), None)
    assert not [line for line in built.lines if line.startswith("A beacon")]
    assert built.holds == (("2 beacons",), ())


def test_the_round_the_coffers_and_who_spent_nothing_are_told_beside_the_players() -> None:
    state = msgspec.structs.replace(stand("a3=6/0 a4=4/0", beacons="e2.e3=1"), coffers=(12, 0), passed=(1,), round=2)
    view = GAME.look(state, None)
    assert view.stage == "Round 2 of 3"
    assert view.holds == (("coffer 12", "1 beacon"), ("spent nothing",))
    assert GAME.look(msgspec.structs.replace(state, phase="place"), None).holds == (("coffer 12", "1 beacon"), ())


def test_a_player_reads_what_is_told_of_them_as_told_to_them() -> None:
    state = played(begin(rounds=2, seed=1), "bid 5 7; bid 6 6; place a3 10; end")
    names = {"Player 1": "Ann", "Player 2": "Ben"}
    lines = GAME.look(state, 0).lines
    (order, *stand), (yours, mine, theirs) = [
        [called(line, names, own) for line in lines if "Order" in line or "points" in line] for own in ("", "Player 1")
    ]
    assert order.startswith("Order of play: ")
    assert yours == order.replace("Ann", "you")
    assert mine == stand[0].replace("Ann", "You")
    assert theirs == stand[1]
    (end,) = (offered(state, ply) for ply in GAME.plies(state) if GAME.text(state, ply) == "end")
    mover = GAME.facts.seats[GAME.seat(state)]
    assert called(capital(end), names, mover) == "Done placing"
    assert called(capital(end), names) == f"{names[mover]}: done placing"
