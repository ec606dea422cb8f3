"""What a ply uses is told by the words of its game, and a player can be kept from it."""

from __future__ import annotations

from random import Random

import pytest

from controller.lab.uses import doing_without, kind_of, use_of
from controller.rules.registry import game_named


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tides-of-war", {"stone moves", "stone takes"}),
        ("giantslayer", {"halogai moves", "giant moves", "giant takes"}),
        ("circle", {"class 1 (drop) moves", "class 1 (drop) changes", "class 2 (leaf) takes", "end"}),
        ("beacons", {"bid", "place", "t", "s", "end"}),
        ("tam-ruat-chess", {"Warrior moves", "Knight moves", "King moves"}),
        ("cyvasse", {"rabble moves", "crossbow moves"}),
    ],
)
def test_games_at_random_use_what_their_rules_have(name: str, expected: set[str]) -> None:
    game, found = game_named(name), set()
    for seed in range(3):
        dice, state = Random(seed), game.start(game.options(), seed)
        for _ in range(300):
            if not (plies := game.moves(state)):
                break
            found |= {use_of(game, state, game.shape(state), ply) for ply in plies[:40]}
            state = game.after(state, dice.choice(plies))
    assert expected <= found


def test_who_does_without_taking_takes_only_where_nothing_else_is_left() -> None:
    game = game_named("tides-of-war")
    meek = doing_without(game, 0, "stone takes")
    kept = 0
    for seed in range(20):
        dice, state = Random(seed), game.start(game.options(), seed)
        while (seat := game.seat(state)) is not None:
            plies, shape = meek.moves(state), game.shape(state)
            if seat == 1:
                assert plies == game.moves(state)
            else:
                taking = {use_of(game, state, shape, ply) for ply in plies}
                assert taking == {"stone moves"} or {use_of(game, state, shape, p) for p in game.moves(state)} == taking
                kept += len(plies) < len(game.moves(state))
            state = game.after(state, dice.choice(plies))
    assert kept > 50


def test_a_whole_kind_can_be_done_without() -> None:
    game = game_named("circle")
    state = game.start(game.options(), 1)
    without = doing_without(game, 0, "class 1 (drop)")
    uses = {use_of(game, state, game.shape(state), ply) for ply in without.moves(state)}
    assert "class 1 (drop)" not in {kind_of(use) for use in uses} or len(uses) == len(
        {use_of(game, state, game.shape(state), ply) for ply in game.moves(state)}
    )
