"""Players that are programs: the same ply everywhere, always legal, and nothing that their seat may not know."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from msgspec.structs import replace as replaced

from controller.engine.alpha_beta import LONG, AlphaBeta
from controller.engine.best_first import BestFirst
from controller.engine.cannot_think import CannotThink
from controller.engine.found import Sight
from controller.engine.judgement import checked, judge_of, lost, shares, weights_of, won
from controller.engine.levels import LEVELS, Figures, figures, level_of
from controller.engine.player import Player
from controller.rules.game import AnyAdvice, AnyGame
from controller.rules.options import parse
from controller.rules.registry import advice_of, all_games, game_named
from tests.engine.test_alpha_beta import TACTICS, Board
from tests.engine.tree import Position, Tree
from tests.tools.positions import tides_state

TABLES: list[tuple[str, dict[str, Any]]] = [
    ("tides-of-war", {}),
    ("giantslayer", {}),
    ("giantslayer", {"rounds": 2}),
    ("circle", {}),
    ("circle", {"players": 4, "victory": "annihilation"}),
    ("cyvasse", {}),
    ("cyvasse", {"setup": "secret"}),
    ("cyvasse", {"setup": "open", "sea_ports": True}),
    ("tam-ruat-chess", {}),
    *[("beacons", {"players": players, "buy_in": players % 2 * 3}) for players in range(2, 7)],
    ("beacons", {"template": "trial"}),
]
EVERY_TABLE = pytest.mark.parametrize(("name", "given"), TABLES, ids=[f"{n}-{g}" for n, g in TABLES])
# Whole games take seconds: `make test` plays each game, with secrets and with four players, `make long` all tables.
WHOLE_GAMES = [
    *[(name, {}) for name in ("tides-of-war", "giantslayer", "circle", "tam-ruat-chess")],
    ("circle", {"players": 4, "victory": "annihilation"}),
    ("cyvasse", {"setup": "secret"}),
    ("beacons", {"players": 3, "buy_in": 3}),
]


def table(name: str, given: dict[str, Any], weighed: bool = True) -> tuple[AnyGame, Any, Player]:
    game = game_named(name)
    options = parse(game.options, given)
    seats = game.facts.players({**{field: getattr(options, field) for field in options.__struct_fields__}})
    return game, options, Player(game, seats, None if weighed else {})


@pytest.mark.parametrize(
    ("name", "given"),
    [
        pytest.param(*each, id=f"{each[0]}-{each[1]}", marks=[] if each in WHOLE_GAMES else [pytest.mark.long])
        for each in TABLES
    ],
)
def test_every_ply_is_legal_to_the_end(name: str, given: dict[str, Any]) -> None:
    game, options, player = table(name, given)
    state, plies = game.start(options, 5), 0
    while plies < 250 and game.seat(state) is not None:
        choice = player.choose(state, LEVELS[plies % 8], plies, 25)
        assert game.play(state, choice.ply) == game.after(state, choice.ply)
        assert -1 <= choice.value <= 1
        state, plies = game.after(state, choice.ply), plies + 1
    assert plies


@EVERY_TABLE
def test_the_same_question_has_the_same_answer(name: str, given: dict[str, Any]) -> None:
    game, options, _ = table(name, given)
    dice, state = random.Random(3), game.start(options, 3)
    for number in range(6):
        again = [table(name, given)[2].choose(state, LEVELS[level], number, 60) for level in (2, 7) for _ in "12"]
        assert again[0] == again[1]
        assert again[2] == again[3]
        state = game.after(state, dice.choice(game.moves(state)))


@pytest.mark.parametrize("name", list(all_games()))
def test_a_game_without_advice_is_played_by_what_stands_on_the_board(name: str) -> None:
    game, options, player = table(name, {}, weighed=False)
    state = game.start(options, 1)
    for number in range(6):
        choice = player.choose(state, LEVELS[4], number, 40)
        assert choice.ply in game.moves(state)
        state = game.play(state, choice.ply)


def test_what_is_hidden_changes_nothing() -> None:
    game, options, player = table("beacons", {"players": 3, "seed": 11})
    start = game.start(options, 0)
    chosen: dict[int, set[str]] = {}
    for hidden in (((12, 0, 0), (0, 12, 0)), ((0, 0, 12), (4, 4, 4)), ((1, 2, 9), (6, 6, 0))):
        state = start
        for bid in hidden:
            state = game.play_text(state, "bid " + " ".join(map(str, bid)))
        for seed in range(12):
            choice = player.choose(state, LEVELS[7], seed, 400)
            chosen.setdefault(seed, set()).add(game.text(state, choice.ply))
    assert [len(texts) for texts in chosen.values()] == [1] * 12
    assert len(set.union(*chosen.values())) > 1, "bids are mixed"


def test_a_hidden_array_changes_nothing() -> None:
    game, options, player = table("cyvasse", {"setup": "secret"})
    plies = set()
    for seed in range(6):
        state, dice = game.start(options, 0), random.Random(seed)
        while game.seat(state) == 0:
            state = game.after(state, dice.choice(game.moves(state)))
        plies.add(game.text(state, player.choose(state, LEVELS[7], 1).ply))
    assert len(plies) == 1


def test_arrays_of_the_book_are_varied_and_whole() -> None:
    game, options, player = table("cyvasse", {"setup": "secret"})
    boards = set()
    for seed in range(4):
        state = game.start(options, 0)
        while game.secret and game.secret(state):
            state = game.play(state, player.choose(state, LEVELS[0], seed).ply)
        boards.add(state.board)
        assert len(state.board.replace(".", "")) == 50
    assert len(boards) > 1


def test_without_a_book_what_is_hidden_is_guessed() -> None:
    game, options, _ = table("cyvasse", {"setup": "secret"})
    advice = advice_of("cyvasse")
    assert advice is not None
    player, chosen = Player(game, 2, None, replace(advice, book=None)), set()
    for seed in range(5):
        state, dice = game.start(options, 0), random.Random(seed)
        while game.seat(state) == 0:
            state = game.after(state, dice.choice(game.moves(state)))
        choice = player.choose(state, LEVELS[7], 1, 300)
        assert choice.ply in game.moves(state)
        chosen.add((game.text(state, choice.ply), choice.value))
    assert len(chosen) == 1


# ---- judgement and levels -----------------------------------------------------------------------------------


def test_shares_are_of_one_whole_and_never_certain() -> None:
    for scores in ([0, 0], [5000, -90_000], [1, 2, 3], [0, 0, 10**7, -(10**7)]):
        found = shares(scores)
        assert sum(found) == pytest.approx(1)
        assert not any(won(share) or lost(share) for share in found)
        assert sorted(range(len(scores)), key=lambda i: found[i]) == sorted(range(len(scores)), key=lambda i: scores[i])


def test_weights_fit_their_features() -> None:
    for name in all_games():
        advice, weights = advice_of(name), weights_of(name)
        assert advice is not None
        assert set(weights) == set(advice.names)
    with pytest.raises(CannotThink, match="circle has no feature 'stones'"):
        checked("circle", {"stones": 1})
    with pytest.raises(CannotThink, match="the weight of 'units' is not a whole number"):
        checked("circle", {"units": 0.5})


@pytest.mark.parametrize("name", list(all_games()))
def test_features_are_counted_for_every_seat(name: str) -> None:
    game, advice = game_named(name), advice_of(name)
    assert advice is not None
    state, dice = game.start(game.options(), 1), random.Random(1)
    for _ in range(120):
        rows = advice.count(state)
        assert [len(row) for row in rows] == [len(advice.names)] * 2
        assert all(type(number) is int for row in rows for number in row)
        state = game.after(state, dice.choice(game.moves(state)))
        if game.seat(state) is None:
            break


@pytest.mark.parametrize("wrong", [0, 9, -1, "3", None, True, 2.0])
def test_there_are_eight_levels(wrong: object) -> None:
    with pytest.raises(CannotThink, match="choose 1 to 8"):
        level_of(wrong, "tides-of-war")


def test_a_game_may_have_figures_of_its_own() -> None:
    found = figures(b"[2]\nnodes = 380\ndepth = 3\noverlooks = 51\nerrs = 14\n", "giantslayer")
    assert found == {"2": Figures(380, 3, 51, 14)}
    for name, game in all_games().items():
        levels = [level_of(each.number, name) for each in LEVELS]
        assert [each.name for each in levels] == [each.name for each in LEVELS]
        assert levels[-1] == LEVELS[-1]
        assert [each.sight.wins_in for each in levels] == [each.sight.wins_in for each in LEVELS], "it knows its wins"
        assert [each.sight.recaptures for each in levels] == [each.sight.recaptures for each in LEVELS]
        assert [each.nodes for each in levels] == sorted(each.nodes for each in levels), game.facts.name


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[2]\nnodes = 0\ndepth = 3\noverlooks = 51\nerrs = 14\n", "nodes"),
        (b"[2]\nnodes = 10\n", "depth"),
        (b"[8]\nnodes = 10\ndepth = 3\noverlooks = 5\nerrs = 1\n", "figures for 1 to 7, not for '8'"),
        (b"[2\n", "the levels of giantslayer"),
        (b"\xff", "the levels of giantslayer"),
    ],
)
def test_wrong_figures_are_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(CannotThink, match=sentence):
        figures(content, "giantslayer")


def test_a_search_goes_on_and_ends_when_told() -> None:
    game = game_named("tides-of-war")
    judge = judge_of(game, 2, advice_of("tides-of-war"), weights_of("tides-of-war"))
    search = BestFirst(game, game.start(game.options(), 0), 2, judge, Sight(), 1)
    search.run(2000, lambda: True)
    assert search.looked_at == 14
    search.run(500, lambda: False)
    halfway = search.looked_at
    search.run(2000, lambda: False)
    assert 500 <= halfway < 2000 <= search.looked_at
    line = search.found().line
    state = game.start(game.options(), 0)
    for ply in line:
        state = game.play(state, ply)
    assert len(line) > 2


@pytest.mark.parametrize("number", [6, 7])
def test_who_looks_for_a_win_in_two_first_sees_as_much_afterwards(number: int) -> None:
    """As somebody who does not look for one, where there is none: else a strong level plays what it has not seen."""
    game, dice, level = game_named("tam-ruat-chess"), random.Random(3), level_of(number, "tam-ruat-chess")
    hasty = replaced(level, sight=replaced(level.sight, wins_in=1))
    state = game.start(game.options(), 1)
    for _ in range(24):
        state = game.after(state, dice.choice(game.moves(state)))
    for seed in range(3):
        searched, alone = (Player(game, 2).choose(state, each, seed) for each in (level, hasty))
        assert (searched.ply, searched.value) == (alone.ply, alone.value)
        assert searched.nodes > alone.nodes > level.nodes / 2


def test_a_lost_game_is_held_as_long_as_it_can_be() -> None:
    """White can be taken in one ply or in more: the longer way is chosen, and no stone is given away."""
    game = game_named("tides-of-war")
    judge = judge_of(game, 2, advice_of("tides-of-war"), weights_of("tides-of-war"))
    dice, found = random.Random(2), 0
    for seed in range(60):
        state, dice = game.start(game.options(), 0), random.Random(seed)
        states = []
        while game.seat(state) is not None:
            states.append(state)
            state = game.after(state, dice.choice(game.moves(state)))
        if len(states) < 3 or game.result(state).winner is None:
            continue
        search = BestFirst(game, states[-2], 2, judge, Sight(), 1)
        search.run(4000, lambda: False)
        best = search.found()
        if lost(best.shares[search.root.seat]):
            found += 1
            assert best.shares[search.root.seat] == max(worth for _, worth in best.worths)
    assert found >= 1


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("level", [1, 5, 8])
def test_no_turn_goes_in_circles(players: int, level: int) -> None:
    """Free plies could be made and undone for ever; a game of programs comes to its end all the same."""
    game, options, player = table("beacons", {"players": players})
    state, plies, mover = game.start(options, 2), 0, None
    turn: list[Any] = []
    while game.seat(state) is not None and plies < 1500:
        turn, mover = (turn if game.seat(state) == mover else []), game.seat(state)
        assert state not in turn, "nor does it come back to where it was"
        turn.append(state)
        state, plies = game.after(state, player.choose(state, LEVELS[level - 1], plies, 60).ply), plies + 1
    assert game.result(state).over


# ---- on its own time, and on that of others -----------------------------------------------------------------------


def passes_after(asks: int) -> Callable[[float], bool]:
    """Return a clock on which the usual time is over after so many questions."""
    asked = 0

    def passed(part: float) -> bool:
        nonlocal asked
        asked += 1
        return asked >= part * asks

    return passed


def paced(root: Position, asks: int = 60) -> int:
    """Return how many positions level 8 judges where it is asked for a ply of a tree, by such a clock."""
    tree = Board(root)
    advice = SimpleNamespace(names=(), book=None, tactics=TACTICS, thinks_of=None)
    player = Player(cast(AnyGame, tree), 2, {}, cast(AnyAdvice, advice))
    player._differences = [tree.difference] * 2
    level = replaced(LEVELS[-1], proves=0)
    return player.searched(tree.root, 0, level, 1, level.nodes, lambda: False, passes_after(asks)).nodes


def wide(worths: dict[str, float], plies: int = 4) -> Position:
    """Return a position in which each ply is answered in many ways, without end and to no effect."""

    def below(worth: float, depth: int) -> Position:
        return {"worth": worth, **({f"ply {n}": below(worth, depth - 1) for n in range(plies)} if depth else {})}

    return {"worth": 0.0, **{ply: below(worth, 5) for ply, worth in worths.items()}}


def test_who_is_far_ahead_overlooks_no_win_and_in_an_even_position_sees_as_much_as_ever() -> None:
    """White enters the town with e5-f6, with four stones more or with as many as Black."""
    game, player = game_named("tides-of-war"), Player(game_named("tides-of-war"), 2)
    played = {}
    for black in ("c5 d5", "c5 d5 a5 b6 d6 b5"):
        state = tides_state("e5 b1 a2 a3 c1 d1", black)
        played[black] = [game.text(state, player.choose(state, LEVELS[0], seed).ply) for seed in range(30)]
    ahead, even = played.values()
    assert ahead.count("e5-f6") == 30
    assert 3 < even.count("e5-f6") < 25


def test_the_time_for_a_ply_is_what_its_position_is_worth() -> None:
    clear, close = wide({"best": 0.8, "worse": 0.2}), wide({"best": 0.8, "nearly": 0.65})
    assert paced(clear) < 0.5 * paced(close)


def test_no_position_takes_longer_than_twice_the_usual_time() -> None:
    """Where the best ply is another one each time, all of it is taken."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(AlphaBeta, "part", lambda search: LONG)
        longest = paced(wide({"best": 0.8, "nearly": 0.65}))
    usual = paced(wide({"best": 0.8, "nearly": 0.65}))
    assert 1.8 * usual < longest < 2.2 * usual


def tides() -> tuple[AnyGame, Any, Player]:
    game, options, player = table("tides-of-war", {})
    return game, game.start(options, 0), player


def test_what_was_found_while_the_other_one_thought_serves_the_next_ply() -> None:
    game, state, player = tides()
    state = game.after(state, player.choose(state, LEVELS[-1], 1, None, lambda: False, passes_after(20)).ply)
    expected = player.ahead(state, 1, stops_after(400))
    assert expected.ply in game.moves(state)
    state = game.after(state, expected.ply)
    for asked in (player, tides()[2]):
        asked.choose(state, LEVELS[-1], 1, None, lambda: False, passes_after(20))
    assert player._last[0].depth > asked._last[0].depth


def stops_after(asks: int) -> Callable[[], bool]:
    passed = passes_after(asks)
    return lambda: passed(1)


def test_who_is_given_a_number_of_positions_answers_as_if_nothing_had_been_thought_before() -> None:
    game, state, player = tides()
    player.choose(state, LEVELS[-1], 1, None, lambda: False, passes_after(20))
    player.ahead(game.after(state, game.moves(state)[0]), 1, stops_after(20))
    for level in (2, 7):
        assert player.choose(state, LEVELS[level], 3, 500) == tides()[2].choose(state, LEVELS[level], 3, 500)


def test_nobody_thinks_ahead_about_what_is_hidden_nor_where_other_searches_are_at_work() -> None:
    for name, given in (("cyvasse", {"setup": "secret"}), ("beacons", {}), ("circle", {"players": 4})):
        game, options, player = table(name, given)
        with pytest.raises(CannotThink, match="nothing can be thought out ahead here"):
            player.ahead(game.start(options, 0), 1, lambda: False)


def test_the_only_ply_is_made_at_once() -> None:
    """By each way of searching: a turn of Beacons that can only be ended is one."""
    only: Position = {"worth": 0.5, "on": wide({"best": 0.6, "nearly": 0.5})}
    assert paced(only, 100_000) < 50
    tree = Tree(only)
    advice = SimpleNamespace(names=(), book=None, tactics=None, thinks_of=None)
    player = Player(cast(AnyGame, tree), 2, {}, cast(AnyAdvice, advice))
    player._judges = [tree.judge] * 2
    assert player.searched(tree.root, 0, LEVELS[-1], 1, 5_000, lambda: False, lambda part: False).nodes < 50
    assert player.searched(tree.root, 0, LEVELS[-1], 1, 5_000, lambda: False).nodes > 50


# ---- in a game that fits on one hand --------------------------------------------------------------------------


def looked_at_by_the_master(root: Position, nodes: int) -> int:
    """Return how many positions level 8 judges of a game that its first seat begins."""
    tree = Tree(root)
    advice = SimpleNamespace(names=(), book=None, tactics=None, thinks_of=None)
    player = Player(cast(AnyGame, tree), 2, {}, cast(AnyAdvice, advice))
    player._judges = [tree.judge] * 2
    return player.searched(tree.root, 0, LEVELS[-1], 1, nodes, lambda: False).nodes


def test_where_a_draw_is_all_there_is_nobody_looks_for_a_win() -> None:
    draw: Position = {"worth": 0.5, "winner": None}
    answered: Position = {"worth": 0.5, "draw": draw, "repeat": draw}
    assert looked_at_by_the_master({"worth": 0.5, "draw": draw, "wait": answered}, 1) == 2
    assert looked_at_by_the_master({"worth": 0.5, "draw": draw}, 500) == 1
