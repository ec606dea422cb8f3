"""Wins within few own plies: each is found, the nearest first, and from level 6 on none in two is missed."""

from __future__ import annotations

from typing import Any, cast

import pytest

from controller.engine.levels import LEVELS, level_of
from controller.engine.near_win import LIGHT, NearWin
from controller.engine.player import Player
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tests.engine.tree import Position, Tree
from tools.arena.wins import kept, wins_met

WON, LOST = {"worth": 1.0, "winner": 0}, {"worth": 0.0, "winner": 1}
QUIET: Position = {"worth": 0.5}  # it goes on for ever
FOR_EVER = 1 << 20
ARENA = 3  # whose games those positions are of, and the seed of the levels
GAMES = {"tides-of-war": 9, "giantslayer": 9, "circle": 6, "tam-ruat-chess": 3, "cyvasse": 3}
QUICK = ("tides-of-war", "tam-ruat-chess")  # the simplest and the hardest; `make long` has the others too


class Ending(Tree):
    """A tree in which nobody is to move once it is over."""

    def seat(self, state: Any) -> int:
        return cast(int, None if self.result(state).over else super().seat(state))


def after(**answers: Any) -> Position:
    return {"worth": 0.5, **answers}


def near_win(root: Position, nodes: int = FOR_EVER, farthest: int = 3) -> NearWin:
    tree = Ending(root)
    search = NearWin(cast(AnyGame, tree), tree.root)
    search.run(nodes, lambda: False, farthest)
    return search


MATE_NEXT = after(wait=QUIET, mate=WON)
IN_THREE = after(wait=after(on=MATE_NEXT, run=MATE_NEXT), give=QUIET)


def test_a_win_at_hand_comes_before_one_farther_away() -> None:
    assert near_win(after(force=after(only=MATE_NEXT), win=WON)).line() == ("win",)


def test_a_win_against_every_answer_is_found() -> None:
    assert near_win(after(wait=QUIET, give=after(take=MATE_NEXT, run=MATE_NEXT))).line() in (
        ("give", "take", "mate"),
        ("give", "run", "mate"),
    )


def test_one_answer_that_escapes_is_enough() -> None:
    search = near_win(after(wait=QUIET, give=after(take=MATE_NEXT, run=QUIET)))
    assert search.line() == ()
    assert not search.over, "in more plies there may be a win"


def test_a_win_that_comes_with_the_answer_counts_and_one_of_the_other_seat_does_not() -> None:
    assert near_win(after(wait=LOST, squeeze=after(a=WON, b=WON))).line()[0] == "squeeze"
    search = near_win(after(wait=LOST, squeeze=after(a=WON, b=LOST)))
    assert search.line() == ()
    assert search.over, "the game ends on every way"


def test_the_line_has_the_answer_that_puts_it_off_longest() -> None:
    give = after(blunder=after(mate=WON), resist=after(check=after(only=after(mate=WON))))
    assert near_win(after(give=give)).line() == ("give", "resist", "check", "only", "mate")


def test_it_looks_no_farther_than_it_may_and_no_more_than_it_may() -> None:
    deep = after(check=after(only=IN_THREE))
    assert near_win(deep, farthest=2).line() == ()
    assert near_win(after(check=after(only=MATE_NEXT)), farthest=2).line() == ("check", "only", "mate")
    search = near_win(deep, nodes=1)
    assert search.tried == LIGHT


def test_it_goes_on_where_it_was_left_and_stops_when_told() -> None:
    tree = Ending(after(check=after(only=MATE_NEXT)))
    search = NearWin(cast(AnyGame, tree), tree.root)
    search.run(FOR_EVER, lambda: True)
    assert search.tried == 0
    for nodes in range(20):
        search.run(nodes, lambda: False)
    assert search.line() == ("check", "only", "mate")
    assert search.tried == near_win(after(check=after(only=MATE_NEXT))).tried


def test_what_is_likely_is_tried_first() -> None:
    tree = Ending(after(a=WON, b=WON, c=WON))
    for likely in "abc":
        search = NearWin(cast(AnyGame, tree), tree.root)
        search.run(FOR_EVER, lambda: False, likely=[likely])
        assert (search.line(), search.tried) == ((likely,), 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.long]) for name in GAMES]
)
def test_no_level_from_six_up_misses_a_win_in_two(name: str) -> None:
    """Such positions are taken from games of strangers, and the rules alone say that they are won."""
    game = game_named(name)
    levels = [level_of(level.number, name) for level in LEVELS[5:]]
    for win in wins_met(game, each=8, games=GAMES[name], seed=ARENA, farthest=2):
        for level in levels:
            ply = Player(game, 2).choose(win.state, level, ARENA, min(level.nodes, 20_000)).ply
            in_time, later = kept(game, win, ply)
            assert in_time or (later and level.proves), f"level {level.number} plays {game.text(win.state, ply)}"
