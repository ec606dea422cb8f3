"""The simple players: the greedy one takes what it can and wins where it can, the careful one what costs nothing."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

from controller.engine.anchors import ANCHORS, Anchor
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tests.engine.tree import Position, Tree

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


# ---- in a game that fits on one hand --------------------------------------------------------------------------


class Stones(Tree):
    """A game of stones: a position ``has`` so many of each seat's, and one that belongs to nobody."""

    colour = None

    def seat(self, state: tuple[Position, int]) -> Any:
        return None if "winner" in state[0] else super().seat(state)

    def shape(self, state: tuple[Position, int]) -> dict[str, Any]:
        first, second = state[0].get("has", (5, 5))
        owners = (*[0] * first, *[1] * second, None)
        return {f"a{rank}": SimpleNamespace(seat=seat) for rank, seat in enumerate(owners, 1)}


def plays(anchor: str, root: Position, seats: int = 2) -> set[str]:
    """Return what it plays, whatever the dice say."""
    game = Stones({"worth": 0.5, **root}, seats)
    return {ANCHORS[anchor](cast(AnyGame, game), game.root, Random(seed)) for seed in range(30)}


def test_the_greedy_one_wins_rather_than_take_and_takes_rather_than_lose() -> None:
    assert plays("greedy", {"take": {"has": (5, 1)}, "win": {"has": (5, 5), "winner": 0}}) == {"win"}
    assert plays("greedy", {"take and lose": {"has": (5, 0), "winner": 1}, "wait": {"has": (5, 5)}}) == {"wait"}
    assert plays("greedy", {"take and draw": {"has": (5, 0), "winner": None}, "wait": {}}) == {"take and draw"}
    assert plays("greedy", {"gain": {"has": (6, 5)}, "take": {"has": (5, 4)}, "wait": {}}) == {"gain", "take"}
    assert plays("greedy", {"take two": {"has": (5, 3)}, "take one": {"has": (5, 4)}, "give one": {"has": (4, 3)}}) == {
        "take two"
    }


def test_the_careful_one_takes_nothing_that_costs_a_piece_in_the_move_or_in_the_answer() -> None:
    free: Position = {"has": (5, 4), "answer": {"has": (5, 4)}}
    exchanged: Position = {"has": (4, 4), "answer": {"has": (4, 4)}}
    taken_back: Position = {"has": (5, 4), "answer": {"has": (5, 4)}, "take back": {"has": (4, 4)}}
    grown: Position = {"has": (6, 5)}
    assert plays("free", {"free": free, "exchanged": exchanged, "taken back": taken_back, "grown": grown}) == {"free"}
    assert plays("free", {"exchanged": exchanged, "wait": {}}) == {"exchanged", "wait"}
    assert plays("free", {"taken back": taken_back, "wait": {}}) == {"taken back", "wait"}


def test_the_careful_one_fears_no_answer_where_there_is_none() -> None:
    """The game is over, or the same seat goes on and would only give something up itself."""
    over: Position = {"has": (5, 4), "winner": 0, "take back": {"has": (4, 4)}}
    assert plays("free", {"goes on": {"has": (5, 4), "give": {"has": (3, 4)}}, "wait": {}}, seats=1) == {"goes on"}
    assert plays("free", {"wins": over, "wait": {}}) == {"wins"}
