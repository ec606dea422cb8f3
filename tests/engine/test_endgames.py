"""Positions with few pieces are solved: the table says what the rules make of them, and level 8 plays by it."""

from __future__ import annotations

import random
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from controller.engine import endgames
from controller.engine.endgames import FILE, OPEN, Solved, shipped, solved_for, written
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.game import AnyEndgames
from controller.rules.games.tides_of_war.state import State
from controller.rules.notation import as_set, bits
from controller.rules.registry import advice_of, files_of, game_named
from tests.engine.solver import wins_within
from tools.learning.endgames import solved

NAME = "tides-of-war"
GAME = game_named(NAME)
CELLS = GAME.mesh(GAME.options()).cells
GOOD = (files_of(NAME) / FILE).read_bytes()
THREE = 37_026  # positions with two stones or three come first


def table() -> AnyEndgames:
    advice = advice_of(NAME)
    assert advice is not None
    assert advice.endgames is not None
    return advice.endgames


def plies_of(state: State) -> int:
    asks, told = solved_for(GAME, GAME.options())
    assert asks is not None
    assert not told
    return asks(state)


def stands(white: str, black: str, turn: int = 0) -> State:
    return State((squares(white), squares(black)), turn, ())


def squares(names: str) -> int:
    return as_set(CELLS.index(name) for name in names.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(endgames, "files_of", lambda _: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("white", "black", "turn", "plies"),
    [
        ("e5", "c3", 0, 1),  # beside the enemy's town
        ("c3", "d1", 0, 5),  # the race that White wins, a step ahead
        ("c3", "d1", 1, 5),  # and so does Black, where it is its turn
        ("e5", "c5 c6", 1, 2),  # nobody of Black is near enough
    ],
)
def test_a_race_is_won_by_whoever_is_ahead(white: str, black: str, turn: int, plies: int) -> None:
    assert plies_of(stands(white, black, turn)) == plies


def every_so_many(count: int) -> Iterator[State]:
    """Yield all positions of two and three stones, and one of ``count`` of the others."""
    yield from islice(table().positions(), THREE)
    yield from islice(table().positions(), THREE, None, count)


@pytest.mark.slow
def test_each_position_is_worth_what_its_plies_lead_to() -> None:
    for state in every_so_many(50):
        below = [GAME.after(state, ply) for ply in GAME.moves(state)]
        ends = [GAME.result(each) for each in below]
        on = [plies_of(each) for each, end in zip(below, ends, strict=True) if not end.over]
        won = [0 for end in ends if end.winner == 0] + [each for each in on if each != OPEN and not each % 2]
        if won:
            said = 1 + min(won)
        elif OPEN in on:
            said = OPEN
        else:
            said = 1 + max(on, default=-1)
        assert plies_of(state) == said, state


@pytest.mark.slow
def test_a_solver_that_tries_everything_finds_the_same_wins() -> None:
    dice = random.Random(4)
    for state in dice.sample(list(every_so_many(200)), 120):
        plies = plies_of(state)
        assert wins_within(GAME, state, 0, 4) == (plies % 2 == 1 and plies < 5), state


@pytest.mark.long
def test_the_table_made_anew_is_the_one_that_is_kept() -> None:
    assert solved(GAME, table()) == shipped(NAME)[0]


def test_the_other_side_sees_the_same_board_turned_round() -> None:
    turned = {name: CELLS[len(CELLS) - 1 - place] for place, name in enumerate(CELLS)}
    for state in islice(every_so_many(5000), 0, None, 97):
        white, black = (" ".join(turned[CELLS[place]] for place in bits(side)) for side in state.stones)
        assert plies_of(stands(black, white, 1)) == plies_of(state)


def test_with_more_stones_or_other_rules_nothing_is_known() -> None:
    assert plies_of(stands("b3 c3 d2", "e5 e4")) == OPEN
    assert solved_for(GAME, GAME.options(chains=False)) == (None, "")
    assert solved_for(GAME, GAME.options(side=5)) == (None, "")
    assert solved_for(GAME, GAME.options(repeats=5))[0] is not None


def test_the_master_wins_the_longest_ending_as_soon_as_it_can() -> None:
    state = max((each for each in every_so_many(100) if plies_of(each) % 2 and plies_of(each) != OPEN), key=plies_of)
    expected, player, made = plies_of(state), Player(GAME, 2), 0
    assert expected > 30
    while GAME.seat(state) is not None:
        ply = player.choose(state, LEVELS[-1], seed=made, nodes=300).ply  # also for Black: it resists as long as it can
        state, made = GAME.after(state, ply), made + 1
    assert (GAME.result(state).winner, made) == (0, expected)


def test_a_weaker_level_has_no_such_table() -> None:
    without = [level.number for level in LEVELS if not level.learned]
    assert without == [1, 2, 3, 4, 5, 6, 7]


def altered(**fields: object) -> bytes:
    return msgspec.msgpack.encode(msgspec.structs.replace(msgspec.msgpack.decode(GOOD, type=Solved), **fields))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "damaged"),
        (GOOD[:-1], "damaged"),
        (GOOD[: len(GOOD) // 2], "damaged"),
        (altered(packed=b"no table"), "damaged"),
        (altered(packed=msgspec.msgpack.decode(GOOD, type=Solved).packed[:-9]), "not as many as it says"),
        (altered(packed=zlib.compress(bytes(10))), "not as many as it says"),
        (altered(packed=zlib.compress(bytes(table().count + 1))), "not as many as it says"),
        (altered(game="circle"), "other rules or another board"),
        (altered(version=99), "other rules or another board"),
        (altered(count=12), "other rules or another board"),
    ],
)
def test_a_table_that_does_not_fit_is_not_used_and_people_are_told(folder: Path, data: bytes, why: str) -> None:
    (folder / FILE).write_bytes(data)
    plies, told = shipped.__wrapped__(NAME)
    assert not plies
    assert told.startswith("The board searches the ends of games as it does all else: endgames.bin ")
    assert why in told


def test_where_no_table_lies_nothing_is_said(folder: Path) -> None:
    assert shipped.__wrapped__(NAME) == (b"", "")


def test_what_is_written_is_read_again(folder: Path) -> None:
    plies = bytes(number % 7 for number in range(table().count))
    (folder / FILE).write_bytes(written(NAME, table(), plies))
    assert shipped.__wrapped__(NAME) == (plies, "")
