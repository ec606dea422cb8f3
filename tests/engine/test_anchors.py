"""The simple players: the greedy one takes what it can and wins where it can, the careful one what costs nothing."""

from __future__ import annotations

from random import Random
from typing import Any

from controller.engine.anchors import ANCHORS, Anchor
from controller.rules.registry import game_named

TIDES = game_named("tides-of-war")


def at(*plies: str) -> Any:
    state = TIDES.start(TIDES.options(), 0)
    for text in plies:
        state = TIDES.play_text(state, text)
    return state


def chosen(anchor: Anchor, state: Any) -> set[str]:
    """Return what it plays, whatever the dice say."""
    return {TIDES.text(state, anchor(TIDES, state, Random(seed))) for seed in range(30)}


def test_the_greedy_one_wins_where_it_can_and_takes_most_where_it_cannot() -> None:
    assert chosen(ANCHORS["greedy"], at("c3-d3")) == {"e3xc3xa1"}, "a win"
    state = at("e1-f1", "f3-e2")
    most = max(len(ply.path) for ply in TIDES.moves(state) if ply.jumps)
    for text in chosen(ANCHORS["greedy"], state):
        assert "x" in text
        assert len(text.split("x")) == most
    assert len(chosen(ANCHORS["greedy"], at())) > 3, "where nothing is to be had, anything"


def costs(state: Any, ply: Any) -> int:
    """Return how many stones the worst answer to ``ply`` takes."""
    after, mover = TIDES.after(state, ply), state.turn
    answers = TIDES.moves(after) if TIDES.seat(after) is not None else []
    left = [TIDES.after(after, answer).stones[mover].bit_count() for answer in answers]
    return state.stones[mover].bit_count() - min(left, default=state.stones[mover].bit_count())


def test_the_careful_one_takes_what_is_free_and_leaves_what_is_taken_back() -> None:
    for plies in (("c3-d3",), ("e1-f1", "f3-e2"), ("c3-c4",), ("b3-c4", "c5-b5")):
        state = at(*plies)
        free = {TIDES.text(state, ply) for ply in TIDES.moves(state) if ply.jumps and not costs(state, ply)}
        played = chosen(ANCHORS["free"], state)
        assert played <= free if free else len(played) > 1


def test_the_one_that_goes_by_chance_plays_everything() -> None:
    state = at()
    assert len(chosen(ANCHORS["random"], state)) > 8
    assert chosen(ANCHORS["random"], state) <= {TIDES.text(state, ply) for ply in TIDES.moves(state)}


def test_what_is_secret_is_chosen_by_chance() -> None:
    game = game_named("beacons")
    state = game.start(game.options(), 1)
    for anchor in ANCHORS.values():
        assert len({game.text(state, anchor(game, state, Random(seed))) for seed in range(10)}) > 3
