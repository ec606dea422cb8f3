"""What counts as a forced win that is played on: proved by the rules, and told by hand."""

from __future__ import annotations

import pytest

from controller.rules.registry import game_named
from tests.engine.solver import random_states, wins_within
from tests.tools.positions import tides_state
from tools.arena.wins import Count, Proofs, TooMany, Win, counted, kept, told, wins_met

# Games at random by seed and ply, in which the seat to move wins with so many own plies and not sooner: the solver of
# the engine's tests says so in `tests/engine/test_forced_wins.py`. In Giantslayer the win may come with the answer.
KNOWN = [
    ("tides-of-war", 0, 72, 1),
    ("tides-of-war", 1, 135, 2),
    ("giantslayer", 7, 46, 2),
    ("cyvasse", 100, 83, 1),
    ("tam-ruat-chess", 105, 787, 2),
    ("circle", 0, 685, 1),
]


@pytest.mark.parametrize(("name", "seed", "plies", "own"), KNOWN)
def test_the_nearest_win_is_proved(name: str, seed: int, plies: int, own: int) -> None:
    game = game_named(name)
    state = random_states(game, game.options(), seed, plies)[plies]
    assert Proofs(game).nearest(state, 3) == own


def test_a_proof_that_takes_too_many_positions_is_none() -> None:
    game = game_named("tides-of-war")
    with pytest.raises(TooMany):
        Proofs(game, most=1000).nearest(game.start(game.options(), 0), 3)


def test_a_win_is_played_on_or_comes_later_or_is_lost() -> None:
    """White enters the town from e5. A stone on d5 could jump over it in time, those on c5 and a6 cannot."""
    game, state = game_named("tides-of-war"), tides_state("e5 b2 a2", "c5 a6")
    win = Win(state, 1)
    assert kept(game, win, game.read(state, "e5-f6")) == (True, False)
    assert kept(game, win, game.read(state, "b2-b1")) == (False, True)
    threatened = tides_state("e5 b2 a2", "d5 c5 a6")
    assert kept(game, Win(threatened, 1), game.read(threatened, "b2-b1")) == (False, False)


@pytest.mark.slow
def test_wins_of_games_of_strangers_are_met_asked_and_told() -> None:
    game = game_named("tides-of-war")
    wins = list(wins_met(game, each=2, games=40, seed=1))
    assert {win.own for win in wins} == {1, 2, 3}
    for win in wins:
        seat = game.seat(win.state)
        assert seat is not None
        assert wins_within(game, win.state, seat, 2 * win.own - 1)
    counts = counted(game, "greedy", wins, seed=1)
    assert counts[1] == Count(2, 2, 0), "who wins at once where it can misses no win in one"
    assert sum(count.met for count in counts.values()) == len(wins)
    assert list(told({2: Count(20, 18, 1)})) == ["in 2: 18 of 20 played on, 90.0% (69.9% to 97.2%); 1 later, 1 lost"]
