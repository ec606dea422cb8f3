"""Cyvasse held against its perft figures and a second opinion."""

from __future__ import annotations

import random

import pytest

from controller.rules.game import Piece
from controller.rules.games.cyvasse.game import GAME
from tests.rules.cyvasse_plies import begin, play, texts
from tests.rules.cyvasse_positions import at_random, naive_of
from tests.rules.naive_cyvasse import Naive


def test_perft_of_the_standard_array() -> None:
    assert [GAME.perft(begin(), depth) for depth in (0, 1, 2, 3)] == [1, 86, 7_376, 607_726]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setup", "flank", "sea_ports"),
    [("standard", "halves", "false"), ("open", "online", "true"), ("secret", "halves", "true")],
)
def test_random_games_agree_with_the_naive_rules(setup: str, flank: str, sea_ports: str) -> None:
    rng = random.Random(f"{setup} {flank}")
    state = begin(setup=setup, flank=flank, sea_ports=sea_ports)
    naive = Naive(setup, flank == "online", sea_ports == "true")
    while True:
        legal = texts(state)
        children = naive.legal()
        result = GAME.result(state)
        assert legal == sorted(children)
        assert (result.over, result.winner, result.why) == naive.verdict()
        if not legal:
            assert result.why in GAME.facts.endings
            break
        taking = [text for text in legal if "x" in text]
        text = rng.choice(taking if taking and rng.random() < 0.5 else legal)
        state, naive = play(state, text), children[text]
        assert GAME.decode(GAME.encode(state)) == state


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(80))
def test_crowded_positions_agree_with_the_naive_rules(seed: int) -> None:
    state = at_random(seed)
    children = naive_of(state).legal()
    result = GAME.result(state)
    assert texts(state) == sorted(children)
    assert (result.over, result.winner, result.why) == naive_of(state).verdict()
    for text in random.Random(seed).sample(sorted(children), min(3, len(children))):
        reached, expected = naive_of(play(state, text)), children[text]
        assert (reached.pieces, reached.fortress, reached.centre) == (
            expected.pieces,
            expected.fortress,
            expected.centre,
        )
        assert (reached.mover, reached.idle, reached.dragon_waits) == (
            expected.mover,
            expected.idle,
            expected.dragon_waits,
        )


@pytest.mark.parametrize("seed", range(20))
def test_every_ply_reads_back_and_every_walk_is_free_up_to_its_end(seed: int) -> None:
    state = at_random(seed)
    standing = GAME.shape(state)
    for ply in GAME.plies(state):
        assert GAME.read(state, GAME.text(state, ply)) == ply
        path = GAME.walk(state, ply).path
        assert len(set(path)) == len(path)
        for name in path[1:-1]:
            assert standing.get(name, Piece(None, "M")).kind == "M"
