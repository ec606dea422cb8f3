"""Chess of Tam Ruat held against the naive generator, in games from the start and in scattered positions."""

from __future__ import annotations

import random

import pytest

from controller.rules.games.tam_ruat_chess.game import GAME
from controller.rules.games.tam_ruat_chess.pieces import COMES_BACK, KINDS
from controller.rules.games.tam_ruat_chess.state import State
from controller.sentences import called
from tests.rules import naive_tam_ruat_chess as naive
from tests.rules.tam_ruat_scenes import ALL, MEN, START, same, scatter, slowly, stand


def met(slow: naive.Position, text: str) -> set[str]:
    """Return what is worth having met in the ply ``text``."""
    _, start, to, victim, back = next(c for c in naive.candidates(slow) if c[0] == text)
    kind = slow.men[start][1]
    found = {kind + ("x" if victim else "-")}
    found |= {f"en passant by {kind}"} if victim and to == slow.passed and victim == slow.runner else set()
    found |= {f"={back}"} if back else set()
    if kind == "W" and victim:
        found.add("a ghost appears" if slow.spare(slow.turn) else "no ghost is spare")
    after = naive.played(slow, start, to, victim, back)
    found |= {"crowned"} if kind == "K" and after.men[to][1] == "E" else set()
    return found | {f"check by {after.men[square][1]}" for square in naive.checkers(after, after.turn)}


def wander(state: State, slow: naive.Position, rng: random.Random, plies: int) -> set[str]:
    """Play at random, rather captures and double steps, comparing at each ply; return what was met."""
    seen: set[str] = set()
    for _ in range(plies):
        legal = same(state, slow)
        if not legal:
            return seen
        onto = "x" + naive.name(slow.passed) if slow.passed else "="
        wild = [t for t in legal if onto in t] or [t for t in legal if "x" in t or "=" in t]
        text = rng.choice(sorted(wild if wild and rng.random() < 0.4 else legal))
        seen |= met(slow, text)
        slow = naive.go_on(slow, legal[text])
        state = GAME.play_text(state, text)
    same(state, slow)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_games_from_the_start_have_the_plies_of_the_naive_generator(seed: int) -> None:
    seen = wander(START, naive.first(), random.Random(seed), 150)
    assert {"w-", "b-", "W-", "k-"} <= seen


@pytest.mark.slow
def test_scattered_positions_have_the_plies_of_the_naive_generator() -> None:
    rng = random.Random(12)
    seen: set[str] = set()
    for _ in range(220):
        state = scatter(rng, MEN, ALL)
        seen |= wander(state, slowly(state), rng, 4)
    assert {kind + sign for kind in KINDS for sign in "-x"} <= seen
    assert {f"={kind}" for kind in COMES_BACK} <= seen
    assert {"crowned", "a ghost appears", "no ghost is spare"} <= seen


@pytest.mark.slow
def test_warriors_and_barbarians_that_meet_have_the_plies_of_the_naive_generator() -> None:
    rng = random.Random(7)
    seen: set[str] = set()
    for _ in range(150):
        state = scatter(rng, "wwwwbbbbC", ((2, 9), (4, 11)))
        seen |= wander(state, slowly(state), rng, 4)
    assert {"en passant by w", "en passant by b", "wx", "bx"} <= seen


@pytest.mark.parametrize(
    ("men", "by"),
    [
        ("wKa1 wCf1 bKf9 bPd10 bwb7", "Chariot on f1"),
        ("wKa1 wcb2 wPa2 bKf6 bgf7", "Cleric on b2"),
        ("wKa1 wQi3 bKf6 bCf1", "Queen on i3"),
        ("wKa1 wkg4 bKf6 bwh5", "Knight on g4"),
        ("wKa1 wPh8 bKf6 bch9", "Paladin on h8"),
        ("wKa1 wPf5 bKf6 bch9", "Paladin on f5"),
        ("wKa1 wXf8 bKf6 bcc8", "Wizard on f8"),
        ("wKa1 wXi7 bKf6 bXc8", "Wizard on i7"),
        ("wKa1 wXe5 bKf6 bkd3", "Wizard on e5"),
        ("wKa1 wwe5 bKf6 bwe6 bbe7", "Warrior on e5"),
        ("wKa1 wbf5 bKf6 bwe6 bbe7", "Barbarian on f5"),
        ("wKa1 wWe5 bKf6 bwe6 bcd9", "Warlock on e5"),
        ("wKa1 wgb6 bKf6 bwe6 bWe7", "Ghost on b6"),
        ("wKa1 wgf3 bKf6 wwf5 bWg6", "Ghost on f3"),
        ("wKa1 wQf2 wcc3 bEf6 bkl1", "Queen on f2"),
    ],
)
def test_every_kind_gives_check_and_only_what_ends_it_is_legal(men: str, by: str) -> None:
    state = stand(men, turn=1)
    slow = slowly(state)
    assert GAME.warns is not None
    assert GAME.warns(state) == f"Black is in check from the {by}."
    assert called(GAME.warns(state), {}, "Black") == f"You are in check from the {by}."
    assert same(state, slow)
    assert len(GAME.plies(state)) < len(list(naive.candidates(slow)))
