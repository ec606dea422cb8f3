"""Beacons: held against a naive twin, each way to end, each step of the ruling, and the sentences of refused plies."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import naive_beacons as naive
import pytest
from msgspec.structs import replace

from controller.rules.beacons_state import NOBODY, State, table_of
from controller.rules.game import Illegal, Piece, Unreadable, Walk
from controller.rules.games.beacons import GAME
from controller.rules.options import BadOption, parse
from controller.rules.shells import read_shell


def begin(seed: int = 1, /, **options: Any) -> State:
    """Return the first position with these options."""
    return GAME.start(parse(GAME.options, options), seed)


def stand(
    units: str,
    *,
    beacons: str = "",
    shells: str = "",
    coffers: tuple[int, ...] | None = None,
    tally: tuple[int, ...] | None = None,
    **options: Any,
) -> State:
    """Return a position of the active phase, player 1 to move, all shells empty but those given.

    ``units`` is written ``a3=6/0 b3=1/2``, units by player; ``beacons`` ``a3.b2.b3=2``; ``shells`` ``a3=101010``.
    """
    state = begin(**options)
    table, players = table_of(state), state.options.players
    stores, rings, holders = [(0,) * players] * len(state.stores), [0] * len(state.stores), list(state.beacons)
    for word in units.split():
        name, counts = word.split("=")
        stores[table.cells[name]] = tuple(map(int, counts.split("/")))
    for word in shells.split():
        name, nodes = word.split("=")
        rings[table.cells[name]] = read_shell(nodes)
    for word in beacons.split():
        name, player = word.split("=")
        holders[table.beacons[name]] = int(player) - 1
    order = tuple(range(players))
    return replace(
        state,
        phase="active",
        order=order,
        queue=order,
        stores=tuple(stores),
        shells=tuple(rings),
        beacons=tuple(holders),
        coffers=coffers or (0,) * players,
        tally=tally or (0,) * players,
    )


def played(state: State, plies: str) -> State:
    """Return the state after plies written with ``;`` between them."""
    for ply in plies.split(";"):
        state = GAME.play_text(state, ply)
    return state


def texts(state: State) -> set[str]:
    """Return the legal plies as text."""
    return {GAME.text(state, ply) for ply in GAME.moves(state)}


def units(state: State, cell: str) -> tuple[int, ...]:
    """Return the units in a cell, by seat."""
    return state.stores[table_of(state).cells[cell]]


def refusal(state: State, ply: str) -> str:
    """Return the sentence with which a ply is refused."""
    with pytest.raises(Illegal) as refused:
        GAME.play_text(state, ply)
    return str(refused.value)


# ---- against figures and the twin -------------------------------------------------------------------------


def test_counts_the_plies_of_the_trial_template() -> None:
    state = begin(template="trial")
    assert [GAME.perft(state, depth) for depth in (0, 1, 2, 3)] == [1, 26, 606, 10_801]


def twin_of(state: State) -> naive.Table:
    """Return the naive table with the same start."""
    options = msgspec.structs.asdict(state.options)
    data = GAME.look(state, None).data
    shells = {cell: nodes.replace("0", ".").replace("1", "u") for cell, nodes in data["shells"].items()}
    stores = {cell: dict(enumerate(store, 1)) for cell, store in data["stores"].items()}
    order = [seat + 1 for seat in state.order] if state.phase == "active" else []
    rules = naive.RULING | {name: value for name, value in options.items() if name in naive.RULING}
    beacons = {vertex: seat + 1 for vertex, seat in data["beacons"].items()}
    lot = [seat + 1 for seat in state.ties]
    return naive.Table(naive.Grid(state.options.board), rules, lot, shells, stores, beacons, order=order)


def likely(draw: random.Random, plies: list[str]) -> str:
    """Return a ply, all kinds of it equally likely, but beacons and small numbers of units more so."""
    beacons = [ply for ply in plies if ply.startswith("b ")]
    if beacons and draw.random() < 0.7:
        return draw.choice(beacons)
    kind = draw.choice(sorted({ply.split()[0] for ply in plies} - {"p"} or {"p"}))
    same = [ply for ply in plies if ply.split()[0] == (kind if draw.random() < 0.9 else "p")]
    return draw.choice(same or plies)


BOARDS: list[dict[str, Any]] = [
    {},
    {"template": "trial", "rounds": 4},
    {"template": "duel", "kinds": 3, "buy_in": 2},
    {"template": "trio", "players": 3, "owned_nodes": True, "buy_in": 4, "rounds": 5},
    {"board": "square 4 1", "bid": 6, "limit": 6},
    {"board": "square 3 3", "players": 4, "bid": 4, "bonus": 3, "mode": "rotate", "beacon": 1},
    {"board": "square 4 4", "limit": 7, "kinds": 6, "beacon": 2, "shift": 2, "modify": 2, "destroy": 2, "buy_in": 1},
    {"board": "hex 2", "players": 3, "bid": 5, "mode": "rotate", "owned_nodes": True, "beacon": 1, "limit": 4},
    {"board": "hex 4", "players": 5, "bid": 3, "bonus": 6, "rounds": 2, "beacon": 2},
]


def compare(state: State, twin: naive.Table) -> None:
    """Assert that two positions are the same in all that they hold."""
    data = GAME.look(state, None).data
    assert {c: dict(enumerate(s, 1)) for c, s in data["stores"].items()} == {
        cell: store for cell, store in twin.stores.items() if any(store.values())
    }
    occupied = {cell: "".join("01"[held != "."] for held in shell) for cell, shell in twin.shells.items()}
    assert data["shells"] == occupied
    nodes = {site: piece.seat for site, piece in GAME.shape(state).items() if piece.kind == "node"}
    held = {f"{c}:{j}": h for c, shell in twin.shells.items() for j, h in enumerate(shell) if h != "."}
    assert nodes == {site: None if h == "u" else int(h) - 1 for site, h in held.items()}
    assert {vertex: seat + 1 for vertex, seat in data["beacons"].items()} == twin.beacons
    assert dict(enumerate(data["coffers"], 1)) == twin.coffers
    assert dict(enumerate(data["tally"], 1)) == twin.tally
    assert data["round"] == twin.round


def play_beside_the_twin(state: State, draw: random.Random) -> Counter[str]:
    """Play a game to its end on both; return how often each kind of ply and ending was seen."""
    seen: Counter[str] = Counter()
    twin = twin_of(state)
    while legal := texts(state):
        assert legal == twin.legal()
        assert GAME.seat(state) == twin.waiting[0] - 1
        ply = likely(draw, sorted(legal))
        seen[f"{twin.phase} {ply.split()[0]}"] += 1
        assert GAME.text(state, GAME.read(state, ply)) == ply
        state = GAME.play_text(state, ply)
        twin.play(ply)
        compare(state, twin)
    result = GAME.result(state)
    assert twin.legal() == set()
    assert GAME.seat(state) is None
    assert (result.why, result.winner) == (twin.why, None if twin.winner is None else twin.winner - 1)
    assert result.scores == tuple(twin.tally.values())
    assert GAME.decode(GAME.encode(state)) == state
    seen[result.why] += 1
    return seen


@pytest.mark.parametrize("options", BOARDS, ids=[str(o) for o in BOARDS])
def test_plays_as_its_naive_twin_does(options: dict[str, Any]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(10):
        seen += play_beside_the_twin(begin(seed, **options), random.Random(seed))
    assert {"active t", "active s", "active end"} <= seen.keys()
    assert options.get("template") or min(seen["bids bid"], seen["place place"]) > 10


def crowded(seed: int, options: dict[str, Any]) -> State:
    """Return a position full of units and beacons."""
    draw, state = random.Random(seed), begin(seed, **options)
    players, limit = state.options.players, state.options.limit

    def store() -> tuple[int, ...]:
        rows = [draw.choice((0, 0, 0, 1, limit // players)) for _ in range(players)]
        own = draw.randrange(players)
        rows[own] = limit - sum(rows) + rows[own]
        return tuple(rows)

    holders = tuple(draw.choice((NOBODY, *range(players))) for _ in state.beacons)
    order = tuple(draw.sample(range(players), players))
    stores = tuple(store() for _ in state.stores)
    return replace(state, phase="active", order=order, queue=order, stores=stores, beacons=holders, bids=())


def test_plays_as_its_twin_does_from_crowded_positions() -> None:
    seen: Counter[str] = Counter()
    for options in BOARDS:
        plain = {name: value for name, value in options.items() if name != "template"}
        for seed in range(4):
            seen += play_beside_the_twin(crowded(seed, plain), random.Random(seed))
    assert all(seen[f"active {kind}"] > 50 for kind in "tdsmbp"), seen
    assert min(seen["harvest move"], seen["buy in place"], seen["tally"], seen["last"]) > 0, seen


def test_play_at_random_ends_well_within_the_longest_game() -> None:
    most = 0
    for seed in range(150):
        draw = random.Random(seed)
        state = begin(seed, **draw.choice([{}, {"players": 6, "board": "hex 4"}, {"template": "duel", "rounds": 20}]))
        count = 0
        while moves := GAME.moves(state):
            state = GAME.after(state, draw.choice(moves))
            count += 1
        most = max(most, count)
    assert most < GAME.facts.longest / 5


# ---- whole games, one for each way to end -----------------------------------------------------------------


def test_a_game_is_won_by_tally() -> None:
    state = begin(board="square 2 2", rounds=2)
    state = played(state, "bid 5 7;bid 5 7")
    assert state.coffers == (11, 15)
    state = played(state, "place a1 6;place a2 5")  # the coffer is empty: the part ends by itself
    state = played(state, "place b1 9;end;b a1.a2;end;end;end")
    assert (state.round, state.tally, GAME.result(state).over) == (2, (1, 0), False)
    result = GAME.result(played(state, "end;end"))
    assert (result.over, result.winner, result.why, result.scores) == (True, 0, "tally", (2, 0))


def test_a_game_is_won_by_the_last_player_left() -> None:
    state = played(begin(board="square 2 1"), "bid 5 7;bid 5 7;place a1 3;end;end")
    assert GAME.seat(state) == 0
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why, result.scores) == (0, "last", (0, 0))


def test_equal_tallies_are_judged_by_dominant_cells_and_then_drawn() -> None:
    one_more = stand("a1=3/0 a2=3/0 b2=0/3", board="square 2 2", rounds=1, tally=(4, 4))
    assert GAME.result(played(one_more, "end;end")).winner == 0
    same = stand("a1=3/0 b2=0/3", board="square 2 2", rounds=1, tally=(4, 4))
    result = GAME.result(played(same, "end;end"))
    assert (result.over, result.winner, result.why) == (True, None, "tally")


def test_a_player_who_is_out_may_still_have_the_most_tally() -> None:
    state = stand("a1=3/0/0 b2=0/3/0", players=3, board="square 2 2", rounds=1, tally=(1, 1, 5))
    assert GAME.result(played(state, "end;end;end")).winner == 2


def test_when_nobody_is_left_the_tally_decides() -> None:
    state = stand("a1=1/1", board="square 2 2", tally=(1, 2))
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why) == (1, "tally")


def test_the_last_round_is_judged_by_tally_though_one_player_is_left() -> None:
    state = stand("a1=3/0", board="square 2 2", rounds=1, tally=(0, 7))
    result = GAME.result(played(state, "end;end"))
    assert (result.winner, result.why) == (1, "tally")


# ---- setup ------------------------------------------------------------------------------------------------


def test_nobody_sees_anothers_bid_before_all_are_in() -> None:
    state = begin(players=3)
    ply = GAME.read(state, "bid 5 4 3")
    assert GAME.glimpse is not None
    assert [GAME.glimpse(state, ply, seat) for seat in (0, 1, None)] == ["bid 5 4 3", "bid", "bid"]
    state = GAME.play(state, ply)
    assert GAME.look(state, 0).data["bid"] == [5, 4, 3]
    for seat in (1, 2, None):
        seen = GAME.look(state, seat)
        assert seen.data["bid"] is None
        assert seen.data["coffers"] == [0, 0, 0]
    other = played(begin(players=3), "bid 0 0 12")
    assert GAME.look(other, 1) == GAME.look(state, 1)
    state = played(state, "bid 0 0 12;bid 1 2 9")
    assert GAME.look(state, None).data["coffers"] == [7, 7, 25]


def test_equal_coffers_are_ordered_by_the_seeds_lot() -> None:
    orders = {played(begin(seed), "bid 6 6;bid 6 6").order for seed in range(20)}
    assert orders == {(0, 1), (1, 0)}
    assert played(begin(1), "bid 7 5;bid 6 6").order == (1, 0)


def test_the_option_seed_wins_over_the_tables() -> None:
    assert begin(1, seed=5) == begin(2, seed=5)
    assert begin(1).shells != begin(2).shells
    assert begin(3) == begin(3)


def test_units_are_placed_within_cells_limit_and_coffer() -> None:
    state = played(begin(board="square 2 2", bid=20, bonus=3), "bid 0 20;bid 10 10;place a1 4")
    assert refusal(state, "place a1 7") == "the store of a1 has room for 6 more, the limit is 10"
    assert refusal(state, "place a2 10") == "the coffer of player 1 holds 9 units"
    assert refusal(state, "place a2 0") == "at least one unit is placed or moved at a time"
    state = played(state, "place a2 1")
    assert refusal(state, "place b1 1") == (
        "units are placed on at most 2 different cells: the cells divided by the players"
    )
    state = played(state, "place a1 6")
    assert refusal(state, "place a1 0").startswith("at least one")
    assert refusal(state, "place a1 1") == "the store of a1 is full (10)"
    state = played(state, "end")
    assert state.coffers[0] == 0
    assert refusal(state, "place a2 1") == "another player's units are on a2"


# ---- the active phase -------------------------------------------------------------------------------------


def test_a_transfer_pays_first_and_then_moves_up_to_m() -> None:
    state = stand("a3=6/0", shells="a3=110000")  # 2 of 6 pairs differ: 1:2
    assert {t for t in texts(state) if t.startswith("t a3 b3")} == {"t a3 b3 1", "t a3 b3 2"}
    state = played(state, "t a3 b3 2")
    assert (units(state, "a3"), units(state, "b3")) == ((3, 0), (2, 0))
    assert refusal(state, "t a3 b3 3") == "the transfer costs 1 and moves at most 2 (1:2)"
    state = played(state, "t a3 b3 1")
    assert refusal(state, "t a3 b3 1") == "the transfer costs 1 and moves 1, and you have 1 in a3"


def test_like_shells_let_any_number_move_for_free_and_unlike_ones_none() -> None:
    state = stand("a3=6/0 b3=9/0", shells="c3=111111")
    state = played(state, "t a3 b3 6")
    assert units(state, "b3") == (15, 0)
    assert not state.spent
    assert refusal(state, "t b3 c3 1") == "blocked: all 6 nodes of b3 and c3 differ (1:0)"
    assert refusal(state, "t b3 a3 16") == "the transfer moves 16, and you have 15 in b3"
    assert refusal(state, "t b3 d3 1") == "b3 and d3 are not neighbours: units move across one side"
    assert refusal(state, "t b3 a3 0") == "units move at least one at a time"
    assert refusal(state, "t e3 d3 1") == "you have no unit in e3"
    assert units(played(state, "end"), "b3") == (10, 0)


def test_an_overburdened_store_is_cut_to_fit_beside_the_others_units() -> None:
    state = stand("a3=6/0 b3=5/4")
    state = played(state, "t a3 b3 6;end")
    assert units(state, "b3") == (6, 4)
    assert state.quiet == 1  # neither the free transfer nor the cut spends


def test_destroying_spends_one_for_one() -> None:
    state = played(stand("b3=5/3"), "d b3 2;d b3 2")
    assert units(state, "b3") == (3, 1)
    assert refusal(state, "d b3 1") == "only units of other players are destroyed"
    assert refusal(played(state, "d b3 2"), "d b3 2") == "player 2 has no unit in b3"
    dear = stand("b3=1/3", destroy=2)
    assert refusal(dear, "d b3 2") == "destroying a unit costs 2 units, and you have 1 in b3"


def test_a_shell_turns_clockwise_with_its_nodes_colours() -> None:
    state = stand("a3=5/0", shells="a3=100001", beacons="a3.a4.b3=1", owned_nodes=True)
    state = played(state, "m a3 2 +;s a3 +")
    data = GAME.look(state, 0).data
    assert data["shells"]["a3"] == "110100"
    assert GAME.shape(state)["a3:3"] == Piece(0, "node")
    assert GAME.shape(state)["a3:0"] == Piece(None, "node")
    assert GAME.look(played(state, "s a3 -;s a3 -"), 0).data["shells"]["a3"] == "010011"
    state = played(stand("a3=1/0", shells="a3=111111"), "s a3 +")
    assert state.spent
    assert units(state, "a3") == (0, 0)


def test_a_shell_is_modified_next_to_ones_own_beacon() -> None:
    state = stand("a3=2/7 b3=1/0 c3=3/0", beacons="a3.a4.b3=1 b3.b4.c3=2", shells="a3=010000")
    state = played(state, "m a3 0 +;m a3 1 -")  # one own unit is enough, dominance is not asked for
    assert GAME.look(state, 0).data["shells"]["a3"] == "100000"
    assert refusal(state, "m c3 0 +") == "no beacon of yours touches c3"
    assert refusal(state, "m b3 0 -") == "node 0 of b3 is empty"
    state = played(state, "m b3 0 +")
    assert refusal(state, "m b3 0 -") == "you have no unit in b3"
    full = stand("b3=2/0", beacons="b3.b4.c3=1", shells="b3=100000")
    assert refusal(full, "m b3 0 +") == "node 0 of b3 is already occupied"
    dear = stand("b3=2/0", beacons="b3.b4.c3=1", modify=3)
    assert refusal(dear, "m b3 0 +") == "changing a shell costs 3 units, and you have 2 in b3"


def test_a_beacon_takes_three_from_each_store_and_replaces_anothers() -> None:
    state = stand("a3=3/0 a4=5/4 b3=4/0", beacons="a3.a4.b3=2")
    state = played(state, "b a3.a4.b3")
    assert [units(state, cell) for cell in ("a3", "a4", "b3")] == [(0, 0), (2, 4), (1, 0)]
    assert GAME.shape(state)["a3.a4.b3"] == Piece(0, "beacon")
    assert refusal(state, "b a3.a4.b3") == "a beacon of yours already stands at a3.a4.b3"
    assert refusal(state, "b a3.a4") == "you are not dominant in a3"
    poor = stand("a3=3/0 a4=2/0")
    assert refusal(poor, "b a3.a4") == "a beacon costs 3 units from each store round it, and you have 2 in a4"
    tied = stand("a3=3/3 a4=4/0")
    assert refusal(tied, "b a3.a4") == "you are not dominant in a3"


def test_two_vertices_of_the_same_cells_are_told_apart() -> None:
    state = stand("a1=6/0 b1=6/0", board="square 2 1")
    assert {"b a1.b1", "b a1.b1#2"} <= texts(state)
    state = played(state, "b a1.b1#2")
    assert GAME.shape(state)["a1.b1#2"] == Piece(0, "beacon")
    # The second one clockwise from the start of side 0, the upper left corner, is the lower one.
    table = table_of(state)
    vertex = table.mesh.corners[table.cells["a1"]][2]
    assert table.mesh.vertices[vertex] == (0, 1)
    assert table.mesh.outlines[0][2] == (1.0, 0.0)


def test_payment_goes_to_a_player_in_play_and_counts_as_spent() -> None:
    state = stand("a1=3/0/0 b2=0/3/0", players=3, board="square 2 2")
    state = played(state, "p a1 2 2")
    assert state.coffers == (0, 2, 0)
    assert refusal(state, "p a1 2 2") == "you have 1 in a1, not 2"
    assert refusal(state, "p a1 1 1") == "units are paid into another player's coffer, not into one's own"
    assert refusal(state, "p a1 2 0") == "at least one unit is paid"
    state = played(state, "end")
    assert state.quiet == 0
    state = played(state, "end;end;end")  # player 2's coffer goes onto the board, player 3 is out
    state = played(state, "move b2 2")
    assert (state.round, state.order) == (2, (0, 1))
    assert refusal(state, "p a1 3 1") == "player 3 is out: units are paid to players in play"


def test_a_turn_has_at_most_two_kinds_of_action() -> None:
    state = played(stand("a3=6/0 b3=4/0"), "t a3 b3 1;s a3 +;t a3 b3 1;s b3 -")
    assert refusal(state, "p a3 2 1") == (
        "a third kind of action this turn: a turn has at most 2, this one had shift and transfer"
    )
    assert not any(text.startswith(("p", "b", "d", "m")) for text in texts(state))
    assert any(text.startswith("p") for text in texts(played(state, "end;end")))


def test_the_phase_ends_after_as_many_free_turns_in_a_row_as_there_are_players() -> None:
    state = stand("a3=6/0/0 c3=0/6/0 e3=0/0/6", players=3)
    state = played(state, "end;end;s e3 +;end;end;end")
    assert (state.phase, state.round, GAME.seat(state)) == ("active", 1, 2)
    assert played(state, "end").round == 2


# ---- harvest ----------------------------------------------------------------------------------------------


def test_cells_grow_by_one_and_by_the_neighbours_occupied_before() -> None:
    state = stand("a3=2/0 a4=1/1 b3=0/3 b4=1/0 e3=0/9 d3=0/1", rounds=2, beacons="a3.a4=1 d4.e3=2")
    state = played(state, "end;end")
    grown = {cell: units(state, cell) for cell in ("a3", "a4", "b3", "b4", "e3", "d3")}
    # a3: itself and a4; a4: a tie; b3: itself and a4; b4: itself and a4; e3: full after one; d3: itself and e3.
    assert grown == {"a3": (4, 0), "a4": (1, 1), "b3": (0, 5), "b4": (3, 0), "e3": (0, 10), "d3": (0, 3)}
    assert state.tally == (1, 1)


def test_the_next_order_is_by_coffer_and_ties_stay_as_they_were() -> None:
    state = stand("a3=3/0/0 c3=0/3/0 e3=0/0/3", players=3, coffers=(1, 0, 0))
    state = played(state, "end;end;end")
    assert state.order == (1, 2, 0)
    assert (state.phase, GAME.seat(state)) == ("harvest", 0)
    assert texts(state) == {"move a3 1", "end"}
    assert refusal(state, "move c3 1") == "you do not occupy c3: coffer units go to cells that hold a unit of yours"
    assert refusal(state, "place a3 1") == "this is the harvest: write 'move a3 2' or 'end'"
    state = played(state, "end")
    assert (state.coffers, state.round, GAME.seat(state)) == ((0, 0, 0), 2, 1)


def test_who_gets_nothing_and_dominates_nothing_is_out_and_the_beacons_stay() -> None:
    state = stand("a3=3/2/0 e3=0/0/3", players=3, beacons="b4.c3.c4=2")
    state = played(state, "end;end;end")
    assert state.order == (0, 2)
    assert units(state, "a3")[1] == 0
    assert state.tally == (0, 1, 0)
    state = played(state, "end;end")
    assert state.tally == (0, 1, 0)
    assert GAME.shape(state)["b4.c3.c4"] == Piece(1, "beacon")


def test_a_full_dominated_cell_or_a_unit_moved_keeps_one_in_play() -> None:
    full = played(stand("a3=3/0 b3=0/10"), "end;end")
    assert full.order == (0, 1)
    moved = stand("a3=5/2 c3=3/0", coffers=(0, 1))
    assert played(moved, "end;end;move a3 1").order == (0, 1)
    assert played(moved, "end;end;end").why == "last"


def test_who_is_out_may_buy_in_and_their_beacons_go_on_scoring() -> None:
    state = stand("a3=3/1 c3=9/0", beacons="b4.c3.c4=2", buy_in=4)
    state = played(state, "end;end")
    assert (state.phase, GAME.seat(state), units(state, "a3")[1]) == ("buy-in", 1, 0)
    assert refusal(state, "place c3 1") == "the store of c3 is full (10)"
    assert refusal(state, "t a3 b3 1") == "this is the buy-in: write 'place a3 3' or 'end'"
    back = played(state, "place a3 2;end")
    assert (back.order, units(back, "a3")[1], back.coffers) == ((0, 1), 2, (0, 0))
    assert played(back, "end;end").tally == (0, 2)
    gone = played(state, "end")
    assert (gone.why, GAME.result(gone).winner) == ("last", 0)


# ---- sentences --------------------------------------------------------------------------------------------


def test_a_ply_of_another_phase_is_refused_with_what_is_due() -> None:
    state = begin()
    assert refusal(state, "end") == "these are the bids: write 'bid' and a number for each player"
    assert refusal(state, "bid 5 6") == "a bid shares out exactly 12 units, this one 11"
    assert refusal(state, "bid 5 6 1") == "a bid has one number for each of the 2 players, this one has 3"
    state = played(state, "bid 6 6;bid 6 6")
    assert refusal(state, "move a3 1") == "units are being placed from the coffers: write 'place a3 3' or 'end'"
    assert refusal(begin(template="trial"), "bid 6 6").startswith("this is the active phase")


def test_turning_a_shell_can_be_too_dear() -> None:
    assert refusal(stand("a3=1/0", shift=2), "s a3 +") == "turning a shell costs 2 units, and you have 1 in a3"


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("t z9 a3 1", "'t z9 a3 1': there is no cell z9 on this board"),
        ("t a3 b3", "'t a3 b3' is no ply: write t a3 b3 3"),
        ("t a3 b3 x", "'t a3 b3 x': x is no number of units"),
        ("t a3 b3 03", "'t a3 b3 03': 03 is no number of units"),
        ("d a3 3", "'d a3 3': there is no player 3; the players are numbered 1 to 2"),
        ("s a3 *", "'s a3 *' is no ply: write s b3 + or s b3 -"),
        ("m a3 6 +", "'m a3 6 +': there is no node 6; the nodes are numbered 0 to 5"),
        ("b a3.c3", "'b a3.c3': there is no beacon vertex a3.c3; write the cells round it in cell order"),
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
        ({"players": 7}, "option players=7 is not allowed: it takes a whole number from 2 to 6"),
        ({"mode": "turn"}, "option mode=turn is not allowed: it takes reflect or rotate"),
        ({"board": "hex"}, "there is no board 'hex'; boards are written as hex 3"),
        ({"board": "torus square 2 4"}, "cells b1 and a1 meet along two sides"),
        ({"board": "square 2 2", "players": 5}, "board 'square 2 2' has 4 cells, fewer than the 5 players"),
        ({"template": "trio"}, "template 'trio' is made for board 'hex 3' and 3 players: choose these"),
        ({"template": "trial", "limit": 5}, "template 'trial' puts 6 units on a cell, over the limit of 5"),
        ({"colour": 1}, "there is no option 'colour' here"),
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
    assert view.data["costs"]["a3-b3"] == "1:2"
    assert view.data["costs"]["b3-c3"] == "0:1"
    assert len(view.data["costs"]) == 42
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
        ("t a3 b3 6", Walk(("a3", "b3")), {"b3"}, {"a3"}),
        ("t a3 b3 2", Walk(("b3",)), {"b3"}, set()),
        ("t a3 a4 2", Walk(at="a3"), set(), set()),
        ("t a3 a4 6", Walk(at="a3"), set(), {"a3"}),
        ("d c1 2", Walk(at="c1"), set(), {"c1"}),
        ("s e3 +", Walk(at="e3"), {"e3:1"}, {"e3:0"}),
        ("m e3 4 +", Walk(("e3:4",)), {"e3:4"}, set()),
        ("m e3 0 -", Walk(at="e3:0"), set(), {"e3:0"}),
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
        "end the turn",
    } <= said
