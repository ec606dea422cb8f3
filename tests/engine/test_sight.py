"""How well a level sees: how far it looks, what it overlooks, how it errs; told in a game that fits on one hand."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import pytest

from controller.engine.best_first import BestFirst
from controller.engine.found import Found, Sight
from controller.engine.judgement import LEAST, lost, won
from controller.engine.levels import LEVELS, level_of
from controller.rules.game import AnyGame
from controller.rules.registry import all_games, came_along
from tests.engine.tree import Position, Tree

# Taking the piece looks best, until the answer is seen, which takes a whole town. "wait" gives nothing away.
POISONED: Position = {
    "worth": 0.5,
    "take": {"worth": 0.7, "town falls": {"worth": 0.2}, "retreat": {"worth": 0.8}},
    "wait": {"worth": 0.6, "attack": {"worth": 0.55}, "retreat": {"worth": 0.6}},
}


def seen(root: Position, sight: Sight, seed: int = 1, nodes: int = 40, seats: int = 2) -> Found:
    tree = Tree(root, seats)
    search = BestFirst(cast(AnyGame, tree), tree.root, seats, tree.judge, sight, seed)
    search.run(nodes, lambda: False)
    return search.found()


def test_who_looks_at_its_own_move_alone_takes_the_poisoned_piece() -> None:
    found = seen(POISONED, Sight(depth=1))
    assert (found.ply, found.line, found.decided) == ("take", ("take",), True)
    assert found.nodes == 2, "it looked at the two moves and at no answer"


def test_who_looks_at_the_answer_leaves_the_poisoned_piece() -> None:
    found = seen(POISONED, Sight(depth=2))
    assert found.line == ("wait", "attack")
    assert dict(found.worths) == {"take": 0.2, "wait": 0.55}


def test_of_its_own_moves_it_overlooks_half_as_many_as_of_the_answers() -> None:
    """Of a hundred moves, thirty of hundred for 60 per cent; and it never sees nothing."""
    many: Position = {"worth": 0.5, **{f"move {number}": {"worth": 0.5} for number in range(100)}}
    counts = [len(seen(many, Sight(depth=1, overlooks=60), seed).worths) for seed in range(40)]
    assert 68 <= sum(counts) / len(counts) <= 72
    assert len(seen(many, Sight(depth=1)).worths) == 100
    assert len(seen(many, Sight(depth=1, overlooks=200)).worths) == 1
    answered: Position = {"worth": 0.5, "go": many}
    assert {seen(answered, Sight(depth=2, overlooks=100), seed).nodes for seed in range(20)} == {2}
    answers = [seen(answered, Sight(depth=2, overlooks=60), seed).nodes - 1 for seed in range(40)]
    assert 37 <= sum(answers) / len(answers) <= 43


@pytest.mark.parametrize("seats", [2, 3])
def test_who_errs_is_wrong_by_as_much_as_it_says_and_takes_nothing_for_decided(seats: int) -> None:
    ways: Position = {"worth": 0.5, **{f"move {number}": {"worth": 0.5} for number in range(200)}}
    for errs in (5, 20, 100):
        worths = [worth for _, worth in seen(ways, Sight(depth=1, errs=errs), seats=seats).worths]
        assert max(worths) <= min(0.5 + errs / 100, 1 - LEAST)
        assert min(worths) >= max(0.5 - errs / 100, LEAST)
        assert max(worths) - min(worths) > min(errs / 100 * 1.9, 0.97), "it errs both ways, as far as it says"
        assert not any(won(worth) or lost(worth) for worth in worths)


def test_what_two_hold_is_one_whole_for_who_errs() -> None:
    found = seen(POISONED, Sight(depth=1, errs=30))
    assert sum(found.shares) == pytest.approx(1)


def test_a_win_is_seen_by_who_errs_and_ends_the_search() -> None:
    at_hand: Position = {"worth": 0.5, "wait": {"worth": 0.9}, "win": {"worth": 0.5, "winner": 0}}
    found = seen(at_hand, Sight(depth=1, errs=100))
    assert (found.ply, found.decided) == ("win", True)
    assert won(found.shares[0])


def test_a_win_at_hand_is_overlooked_by_nobody_who_knows_such() -> None:
    many: Position = {"worth": 0.5, "win": {"winner": 0}, **{f"move {n}": {"worth": 0.6} for n in range(60)}}
    assert {seen(many, Sight(depth=1, overlooks=150, wins_in=1), seed).ply for seed in range(30)} == {"win"}
    assert len({seen(many, Sight(depth=1, overlooks=150), seed).ply for seed in range(30)}) > 5


def test_of_two_wins_the_nearer_one_is_worth_more() -> None:
    """A hundred-thousandth for each move that it takes; see `LATER`."""
    won_in_three: Position = {"worth": 0.5, "give": {"worth": 0.5, "take": {"worth": 0.5, "mate": {"winner": 0}}}}
    assert seen({"worth": 0.5, "win": {"winner": 0}}, Sight()).shares[0] == pytest.approx(1 - 1e-5, abs=1e-9)
    assert seen(won_in_three, Sight()).shares[0] == pytest.approx(1 - 3e-5, abs=1e-9)
    both = seen({**won_in_three, "win": {"winner": 0}}, Sight())
    assert both.line == ("win",)


# ---- what the levels have of it -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in all_games() if came_along(name)])
def test_each_level_looks_at_more_and_sees_better_than_the_one_below(name: str) -> None:
    levels = [level_of(level.number, name) for level in LEVELS]
    for below, level in pairwise(levels):
        assert below.nodes <= level.nodes <= LEVELS[-1].nodes
        assert below.sight.depth <= level.sight.depth
        if below.sight.depth == level.sight.depth:  # who looks one ply farther may overlook more of it
            assert below.sight.overlooks >= level.sight.overlooks
        assert below.sight.errs >= level.sight.errs
        assert below != level


def test_the_levels_are_what_is_said_of_them() -> None:
    """The lines that people choose by, as docs/opponent.md has them."""
    first, second, third, *_, last = LEVELS
    assert (first.sight.depth, second.sight.depth) == (1, 1), "its own move alone; little beyond it"
    assert 60 <= first.sight.overlooks / 2 <= 75, "often misses the best one"
    assert third.sight.depth == 2, "some of the answers ..."
    assert third.sight.overlooks > 50, "... and misses most"
    assert (last.sight.overlooks, last.sight.errs) == (0, 0), "misses nothing"
    assert last.sight.depth >= 1000, "and looks as far as the time allows"
    assert 0 < last.proves < 50, "most of the time goes to what looks best"
    for level in LEVELS[:-1]:
        assert not level.proves
        assert 1 <= level.nodes <= 6_000
        assert level.sight.errs <= 60
        assert level.sight.overlooks <= 140
        assert level.sight.depth <= 6
    assert [level.sight.wins_in for level in LEVELS[:-1]] == [0, 0, 1, 1, 1, 2, 2], (
        "no win in one from 3, in two from 6"
    )
    assert [level.sight.recaptures for level in LEVELS] == [False, False, *5 * [True], False], "8 overlooks nothing"
