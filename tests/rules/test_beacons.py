"""Beacons held against its perft figures, a naive twin, and the longest game."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.rules.games.beacons.game import GAME
from controller.rules.games.beacons.state import NOBODY, State
from tests.rules import naive_beacons as naive
from tests.rules.beacons_positions import BOARDS, begin, likely, texts


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_plays_as_its_twin_does_from_crowded_positions() -> None:
    seen: Counter[str] = Counter()
    for options in BOARDS:
        plain = {name: value for name, value in options.items() if name != "template"}
        for seed in range(4):
            seen += play_beside_the_twin(crowded(seed, plain), random.Random(seed))
    assert all(seen[f"active {kind}"] > 50 for kind in "tdsmbp"), seen
    assert min(seen["harvest move"], seen["buy in place"], seen["tally"], seen["last"]) > 0, seen


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 150), marks=pytest.mark.night)])
def test_play_at_random_ends_well_within_the_longest_game(seeds: range) -> None:
    most = 0
    for seed in seeds:
        draw = random.Random(seed)
        state = begin(seed, **draw.choice([{}, {"players": 6, "board": "hex 4"}, {"template": "duel", "rounds": 20}]))
        count = 0
        while moves := GAME.moves(state):
            state = GAME.after(state, draw.choice(moves))
            count += 1
        most = max(most, count)
    assert most < GAME.facts.longest / 5
