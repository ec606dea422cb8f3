"""What was learned of a game: its numbers come out as they were meant, and a file that does not fit is not used."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace
from scipy.sparse import csr_matrix

from controller.engine import learned
from controller.engine.alpha_beta import AlphaBeta
from controller.engine.cannot_think import CannotThink
from controller.engine.found import Sight
from controller.engine.judgement import difference_of, weights_of
from controller.engine.learned import FILE, Made, network_of, read, shipped, shipped_for
from controller.engine.network import Network
from controller.rules.game import AnyAdvice
from controller.rules.games.cyvasse.board import NOWHERE
from controller.rules.notation import bits
from controller.rules.registry import advice_of, all_games, files_of, game_named
from tools.learning.fit import Fit

LEARNABLE = [name for name in sorted(all_games()) if (found := advice_of(name)) and found.inputs]


def advice(name: str) -> AnyAdvice:
    found = advice_of(name)
    assert found is not None
    return found


def made(name: str, hidden: int = 8, most: int = 80) -> Made:
    """Return a network with numbers at random."""
    inputs = advice(name).inputs
    fit = Fit(inputs.count, hidden, 5)
    fit.values["out"] *= 40
    return msgspec.structs.replace(fit.made(name, most, "a test"), version=inputs.version)


def some_states(name: str, count: int) -> list[Any]:
    game, dice = game_named(name), random.Random(3)
    state = game.start(game.options(), 1)
    found: list[Any] = []
    while len(found) < count:
        if game.seat(state) is None:
            state = game.start(game.options(), dice.getrandbits(20))
        found.append(state)
        state = game.after(state, dice.choice(game.moves(state)))
    return found


def test_numbers_side_by_side_are_added_and_weighed_as_one_by_one() -> None:
    dice = random.Random(1)
    rows = [[dice.randrange(-900, 901) for _ in range(16)] for _ in range(40)]
    begin, out = [dice.randrange(-256, 512) for _ in range(16)], [dice.randrange(-9_000, 9_000) for _ in range(16)]
    for _ in range(300):
        on = dice.sample(range(40), dice.randrange(33))
        layer = [begin[lane] + sum(rows[each][lane] for each in on) for lane in range(16)]
        added = sum(w * min(max(number, 0), 256) ** 2 for w, number in zip(out, layer, strict=True)) // (1 << 22)
        wanted = max(-400, min(400, added))
        assert Network(lambda state: state, rows, begin, out, 33, 400).worth(on) == wanted


def test_more_on_than_it_was_made_for_adds_nothing() -> None:
    network = Network(lambda state: state, [[256]] * 9, [0], [300 << 6], 3, 400)
    assert network.worth([0]) == 300
    assert network.worth([0, 1, 2, 3]) == 0


@pytest.mark.parametrize("name", LEARNABLE)
def test_whole_numbers_say_what_was_fitted(name: str) -> None:
    inputs, fit = advice(name).inputs, Fit(advice(name).inputs.count, 8, 5)
    fit.values["out"] *= 5
    network = network_of(fit.made(name, 80, ""), advice(name))
    for state in some_states(name, 60):
        on = np.zeros(inputs.count)
        on[list(inputs.on(state))] = 1
        assert network.worth(state) == pytest.approx(1000 * float(fit.worth(on)[0]), rel=0.05, abs=40)


def test_a_piece_is_not_unknown_where_it_never_stood_if_a_plane_has_something_in_common() -> None:
    def ahead(plane: int) -> float:
        """Return how much more a piece of a good kind is worth than an unknown one, on a cell where neither stood."""
        fit = Fit(8, 4, 5, plane)  # two kinds on four cells
        for _ in range(200):
            fit.learn(csr_matrix(np.eye(8)[:3]), np.zeros(3), np.full(3, 0.9), 0.02, 0.0)
        good, unknown = fit.worth(np.eye(8)[[3, 7]])[0]
        return float(good - unknown)

    assert ahead(plane=4) > ahead(plane=0) + 0.2


@pytest.mark.parametrize("name", LEARNABLE)
def test_what_is_on_is_within_its_count_and_no_number_comes_twice(name: str) -> None:
    inputs = advice(name).inputs
    for state in some_states(name, 200):
        on = list(inputs.on(state))
        assert len(set(on)) == len(on)
        assert all(0 <= number < inputs.count for number in on)


@pytest.mark.parametrize("name", ["circle", "cyvasse", "tides-of-war"])
def test_both_sides_see_the_start_alike(name: str) -> None:
    """The side to move sees itself in the same numbers, whichever it is; the other games begin with unlike sides."""
    game, inputs = game_named(name), advice(name).inputs
    start = game.start(game.options(), 1)
    assert game.passed is not None
    assert sorted(inputs.on(start)) == sorted(inputs.on(game.passed(start)))


@pytest.mark.parametrize("name", LEARNABLE)
def test_within_the_bounds_a_search_judges_as_if_it_asked_the_network_of_every_position(name: str) -> None:
    counts, game, dice = difference_of(advice(name), weights_of(name)), game_named(name), random.Random(4)
    network = network_of(made(name), advice(name))
    for state in some_states(name, 40):
        seat = game.seat(state)
        if seat is None:
            continue
        tactics = advice(name).tactics
        assert tactics is not None
        search = AlphaBeta(game, state, tactics, counts, Sight(), 1, network=network)
        wanted = (1 - 2 * seat) * counts(state) + network.worth(state)
        for _ in range(20):
            low = wanted + dice.randrange(-900, 900)
            high = low + dice.randrange(1, 500)
            assert sorted((low, search._stands(state, seat, low, high), high))[1] == sorted((low, wanted, high))[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(learned, "files_of", lambda name: tmp_path)
    return tmp_path


GAME = "tides-of-war"
GOOD = msgspec.msgpack.encode(made(GAME))


def test_a_network_that_is_missing_is_no_fault(folder: Path) -> None:
    assert shipped.__wrapped__(GAME) == (None, "")


def test_a_network_that_fits_is_used(folder: Path) -> None:
    (folder / FILE).write_bytes(GOOD)
    network, why = shipped.__wrapped__(GAME)
    assert (network is not None, why) == (True, "")


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "damaged"),
        (GOOD[:-1], "damaged"),
        (GOOD[: len(GOOD) // 2], "damaged"),
        (b"\xff" * 400, "damaged"),
        (msgspec.msgpack.encode(made("giantslayer")), "other rules or another board"),
        (msgspec.msgpack.encode(msgspec.structs.replace(made(GAME), version=99)), "other rules or another board"),
        (msgspec.msgpack.encode(msgspec.structs.replace(made(GAME), rows=b"\1\2")), "not as many as it says"),
        (msgspec.msgpack.encode(msgspec.structs.replace(made(GAME), hidden=0)), "not as many as it says"),
        (msgspec.msgpack.encode(msgspec.structs.replace(made(GAME), most=30_000)), "too big"),
    ],
)
def test_a_network_that_does_not_fit_is_not_used_and_people_are_told(folder: Path, data: bytes, why: str) -> None:
    (folder / FILE).write_bytes(data)
    network, told = shipped.__wrapped__(GAME)
    assert network is None
    assert told.startswith("The board judges by the counts of the game alone: network.bin ")
    assert why in told


def said_of(data: bytes) -> str:
    try:
        network_of(read(data, GAME, advice(GAME)), advice(GAME))
    except CannotThink as said:
        return str(said)
    return "it fits"


def test_any_byte_may_be_wrong_and_nothing_but_a_sentence_comes_of_it() -> None:
    dice = random.Random(8)
    for _ in range(400):
        data = bytearray(GOOD)
        data[dice.randrange(120) if dice.random() < 0.7 else dice.randrange(len(data))] = dice.randrange(256)
        assert said_of(bytes(data)).startswith(("network.bin ", "it fits"))


@pytest.mark.parametrize("name", LEARNABLE)
def test_what_is_shipped_fits_its_game(name: str) -> None:
    assert shipped(name)[1] == ""


def test_cyvasse_with_an_array_of_ones_own_is_judged_by_the_counts_alone_and_that_is_no_fault() -> None:
    game = game_named("cyvasse")
    assert shipped_for(game, game.options())[0] is not None
    assert shipped_for(game, game.options(setup="secret")) == (None, "")
    network, told = shipped_for(game, game.options(setup="secret", dragons=False))
    assert network is None
    assert "other rules" in told


def moved(squares: int, places: Sequence[int]) -> int:
    return sum(1 << places[cell] for cell in bits(squares))


def turned(name: str, state: Any, places: Sequence[int]) -> Any:
    """Return ``state`` with everything on the cell to which its own leads."""
    if name == "tides-of-war":
        white, black = state.stones
        return replace(state, stones=(moved(white, places), moved(black, places)), seen=())
    if name == "giantslayer":
        return replace(state, white=moved(state.white, places), black=moved(state.black, places), seen=())
    if name == "circle":
        units, classes = ([moved(each, places) for each in sets] for sets in (state.units, state.classes))
        return replace(
            state, units=tuple(units), classes=tuple(classes), gone=moved(state.gone, places), fresh=0, seen=()
        )
    board = "".join(state.board[places.index(cell)] for cell in range(len(places)))
    if name == "cyvasse":
        tiles = "".join(state.tiles[places.index(cell)] for cell in range(len(places)))
        corners = [
            tuple(cell if cell == NOWHERE else places[cell] for cell in pair)
            for pair in (state.fortresses, state.centres)
        ]
        return replace(state, board=board, tiles=tiles, fortresses=corners[0], centres=corners[1], seen=())
    sets, royals = [moved(each, places) for each in state.sets], [places[cell] for cell in state.royals]
    return replace(state, board=board, sets=tuple(sets), royals=tuple(royals), passed=-1, runner=-1, seen=())


@pytest.mark.parametrize("name", [name for name in LEARNABLE if advice(name).inputs.alike])
def test_boards_that_are_said_to_be_alike_are_played_alike(name: str) -> None:
    game, inputs = game_named(name), advice(name).inputs
    counts, cells = difference_of(advice(name), weights_of(name)), game_cells(name)
    assert inputs.alike is not None
    ways = [list(way) for way in inputs.alike()]
    assert len({tuple(way) for way in ways}) == {"giantslayer": 12}.get(name, 2)
    for state in some_states(name, 60):
        plain = turned(name, state, range(cells))
        for way in ways:
            other = turned(name, plain, way[:cells])
            assert (len(game.moves(other)), counts(other)) == (len(game.moves(plain)), counts(plain))
            if state.turn == 0 or name == "giantslayer":
                assert sorted(inputs.on(other)) == sorted(way[number] for number in inputs.on(plain))


def game_cells(name: str) -> int:
    return {"tides-of-war": 36, "giantslayer": 61, "circle": 81, "cyvasse": 91, "tam-ruat-chess": 144}[name]


def test_all_that_was_learned_is_small() -> None:
    assert sum(len(data) for data in map(shipped_bytes, LEARNABLE)) < 2_000_000


def shipped_bytes(name: str) -> bytes:
    file = files_of(name) / FILE
    return file.read_bytes() if file.is_file() else b""
