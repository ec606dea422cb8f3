"""The arena: its players see what any player would, its games are fair, and its figures are those of the books."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from controller.engine.cannot_think import CannotThink
from controller.engine.learned import FILE
from controller.rules.registry import files_of, game_named
from tests.tools.positions import circle_state, cyvasse_state, giants_state, tam_state, tides_state
from tools.arena.__main__ import told
from tools.arena.beacons_players import PLANS
from tools.arena.likelihood import likelihood_ratio, verdict, wilson
from tools.arena.matches import LONGEST, Pairing, Played, one_game, opening, played, player
from tools.arena.strangers import STRANGERS, Budget, chosen
from tools.arena.table import fill
from tools.arena.worth import JUDGES

FEW = Budget(seconds=60, nodes=400)
LOOKERS = ("look1", "ab2", "ab")


def beacons_state(**changed: Any) -> Any:
    """The fixed position, with the first player to move."""
    game = game_named("beacons")
    state = game.start(game.options(template="trial"), 0)
    return msgspec.structs.replace(state, **changed)


def stores_for_a_beacon() -> tuple[tuple[int, int], ...]:
    """Three units of the first player on a3 and on a4, just enough; the second stands wide and thin."""
    count = len(beacons_state().stores)
    return tuple((3 * (cell < 2), int(cell >= 9)) for cell in range(count))


@pytest.mark.slow
def test_a_network_that_is_tried_lies_in_a_folder_and_without_one_nobody_plays(tmp_path: Path) -> None:
    pairing = Pairing("tides-of-war", f"learned:{tmp_path}", "counts:8", budget=Budget(seconds=60, nodes=60))
    with pytest.raises(CannotThink, match=r"there is no network\.bin in "):
        one_game(pairing, 0)
    (tmp_path / FILE).write_bytes(b"\xff")
    with pytest.raises(CannotThink, match=r"network\.bin is damaged"):
        one_game(pairing, 0)
    (tmp_path / FILE).write_bytes((files_of("tides-of-war") / FILE).read_bytes())
    as_shipped = one_game(msgspec.structs.replace(pairing, a="8"), 0)
    without = one_game(msgspec.structs.replace(pairing, a="counts:8"), 0)
    tried = one_game(pairing, 0)
    assert (tried.plies, tried.points) == (as_shipped.plies, as_shipped.points)
    assert tried.plies != without.plies


def wins_in_one(game: str) -> Any:
    positions: dict[str, Callable[[], Any]] = {
        "tides-of-war": lambda: tides_state("e5 b2 a2", "c5 d5"),
        "giantslayer": lambda: giants_state("a5 a6 b8", "f1 g1 h1 h2"),
        "circle": lambda: circle_state("d4 e4 a1", "d5 i9", "d4 e4"),
        "tam-ruat-chess": lambda: tam_state("Kg1 Ce11 Ch5", "Ka12 wl7 wk7"),
        "cyvasse": lambda: cyvasse_state("Kh2 Be5 Rg2 ke8 rd9 rc9"),
        "beacons": lambda: beacons_state(round=3, passed=(1,), tally=(5, 1)),
    }
    return positions[game]()


def hanging(game: str) -> tuple[Any, str]:
    """Return a position and how the ply begins that takes for nothing."""
    positions: dict[str, Callable[[], tuple[Any, str]]] = {
        "tides-of-war": lambda: (tides_state("b2 a3 b1", "c3 f4 e4"), "b2x"),
        "giantslayer": lambda: (giants_state("c4 a8 i1 i2", "c5 e4 f4 g3"), "c5x"),
        "circle": lambda: (circle_state("d4 a1 b1", "d5 i9 i8 h9", "d4"), "d4x"),
        "tam-ruat-chess": lambda: (tam_state("Kg1 Cb2 wc2", "Kg12 Qb9 wl7 wk7"), "b2xb9"),
        "cyvasse": lambda: (cyvasse_state("Kh2 Be5 Rg2 ee8 rc9 kb10"), "e5xe8"),
        "beacons": lambda: (beacons_state(stores=stores_for_a_beacon(), round=3), "b "),
    }
    return positions[game]()


@pytest.mark.parametrize("name", [*LOOKERS, "greedy", "ab4"])
@pytest.mark.parametrize("game_name", JUDGES)
def test_a_win_in_one_is_played(game_name: str, name: str) -> None:
    game, state = game_named(game_name), wins_in_one(game_name)
    mover = game.seat(state)
    after = game.play(state, chosen(name, game, state, Random(1), FEW))
    assert game.result(after).winner == mover


@pytest.mark.parametrize("name", LOOKERS)
@pytest.mark.parametrize("game_name", JUDGES)
def test_what_hangs_is_taken(game_name: str, name: str) -> None:
    game, turn = game_named(game_name), []
    state, begins = hanging(game_name)
    mover = game.seat(state)
    while game.seat(state) == mover:  # in Circle and Beacons another ply may come first
        ply = chosen(name, game, state, Random(1), FEW)
        turn.append(game.text(state, ply))
        state = game.play(state, ply)
    assert any(text.startswith(begins) for text in turn)


@pytest.mark.parametrize("game_name", ["tides-of-war", "cyvasse"])
def test_monte_carlo_sees_a_win_in_one(game_name: str) -> None:
    game, state = game_named(game_name), wins_in_one(game_name)
    after = game.play(state, chosen("mcts", game, state, Random(1), FEW))
    assert game.result(after).winner == game.seat(state)


@pytest.mark.parametrize("name", sorted({*STRANGERS} - {"ab4"}))  # which is ab2, and slow from the start of a game
@pytest.mark.parametrize("game_name", JUDGES)
def test_every_stranger_plays_every_game(game_name: str, name: str) -> None:
    game = game_named(game_name)
    state = opening(game, game.options(), 3)
    for turn in range(2):
        state = game.play(state, chosen(name, game, state, Random(turn), Budget(seconds=60, nodes=40)))


@pytest.mark.parametrize(("game_name", "options"), [("beacons", {"players": 3}), ("circle", {"players": 4})])
def test_more_than_two_play(game_name: str, options: dict[str, Any]) -> None:
    budget = Budget(seconds=60, nodes=30)
    game = one_game(Pairing(game_name, "ab", "greedy", 1, budget, options), 2)
    assert 0 < game.plies <= LONGEST
    assert game.points in (0, 0.5, 1)


@pytest.mark.parametrize("name", sorted(PLANS))
def test_who_follows_a_plan_beats_who_takes_what_it_can_at_beacons(name: str) -> None:
    games = [one_game(Pairing("beacons", name, "greedy", 1, FEW), number) for number in range(4)]
    assert [game.points for game in games] == [1, 1, 1, 1]


def test_a_plan_is_for_beacons_alone() -> None:
    with pytest.raises(CannotThink, match="there is no player 'keeper'"):
        player("keeper", game_named("circle"), 2, FEW)


def test_an_array_set_up_in_secret_tells_the_other_side_nothing() -> None:
    game = game_named("cyvasse")
    state = game.start(game.options(setup="secret"), 0)
    assert chosen("ab", game, state, Random(1), FEW) in game.moves(state)


def test_nobody_sees_the_bids_of_others() -> None:
    game = game_named("beacons")
    start = game.start(game.options(seed=4), 0)
    choices = set()
    for bid in ("bid 12 0", "bid 0 12", "bid 5 7"):
        state = game.play_text(start, bid)
        choices.add(game.text(state, chosen("ab", game, state, Random(1), FEW)))
    assert len(choices) == 1


def test_alpha_beta_beats_chance() -> None:
    pairing = Pairing("tides-of-war", "ab", "random", 1, Budget(seconds=60, nodes=300))
    assert [game.points for game in played(pairing, range(2), jobs=1)] == [1, 1]


def test_each_opening_is_played_from_both_seats_and_the_same_seed_plays_the_same() -> None:
    pairing = Pairing("tides-of-war", "ab2", "greedy", 7)
    once, again = ([one_game(pairing, number) for number in range(2)] for _ in range(2))
    assert [(game.points, game.plies, game.why) for game in once] == [(g.points, g.plies, g.why) for g in again]
    both_ways = [one_game(Pairing("tides-of-war", a, b, 7), n) for a, b, n in (("ab2", "r40", 0), ("r40", "ab2", 1))]
    assert both_ways[0].points + both_ways[1].points == 1


def test_games_in_several_processes_are_the_same() -> None:
    pairing = Pairing("tides-of-war", "look1", "greedy", 2)
    alone, beside = ([game.plies for game in played(pairing, range(3), jobs)] for jobs in (1, 2))
    assert alone == beside


def test_a_level_of_the_product_can_be_met() -> None:
    game = one_game(Pairing("tides-of-war", "level:1", "greedy", 1, Budget(seconds=60, nodes=10)), 0)
    assert 0 < game.plies <= LONGEST


def test_the_score_is_told() -> None:
    games = [Played(0, 1, 20, (3, 1), "conquest"), Played(1, 0.5, 300, (5, 1), "cut")]
    assert told("ab", "r40", games).startswith("ab against r40: 1 won, 1 drawn, 0 lost; 0.750 of the points")
    assert "160 plies a game, 1 cut; ab 4.0 ms a ply, r40 1.0 ms" in told("ab", "r40", games)


def test_wilsons_interval() -> None:
    """The figures for 8 of 10 and for 0 of 10 that any text book has."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(0, 0) == (0, 1)


def test_a_test_stops_when_it_is_sure() -> None:
    even = [1.0, 0.0] * 10
    assert likelihood_ratio(even, 0.4, 0.6) == pytest.approx(0)
    assert verdict(even, 0.4, 0.6) == ""
    # With half a win and half a loss more 42 games, their mean 0.75, variance 0.1875: 0.1 · (1.5 - 1.1) · 42 / 0.375
    assert likelihood_ratio([1.0] * 31 + [0.0] * 10, 0.5, 0.6) == pytest.approx(4.48)
    assert verdict([1.0] * 30 + [0.0] * 10, 0.5, 0.6) == "high"
    assert verdict([0.0] * 30 + [1.0] * 10, 0.4, 0.5) == "low"


def test_a_table_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.jsonl"
    words = ["tides-of-war", "--levels", "1", "--strangers", "random,greedy", "--nodes", "8", "--seconds", "60"]
    fill([*words, "--games", "2", "--file", str(file)])
    first = file.read_bytes()
    assert len(first.splitlines()) == 4
    file.write_bytes(first + b'{"pairing":{"game":"tid')
    fill([*words, "--games", "3", "--file", str(file)])
    assert file.read_bytes().startswith(first)
    assert len(file.read_bytes().splitlines()) == 6
    assert "level         random        greedy" in capsys.readouterr().out
