"""Ladders: strengths are those that the games were made from; a ladder is gone on with; what cannot be is refused."""

from __future__ import annotations

import random
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine.cannot_think import CannotThink
from controller.engine.ladder import PLAYERS, Met, Terms, fitted, gone_on, keep, pairs, play, table
from controller.rules.registry import game_named

TERMS = Terms("tides-of-war", {}, 1, 20)


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["ladder", *words])
    return done.exit_code, done.output


def drawn(strengths: dict[str, float], games: int, seed: int, draws: bool = False) -> list[Met]:
    """Return games whose results are drawn from ``strengths`` in Elo."""
    dice, met = random.Random(seed), []
    for a, b in pairs():
        chance = 1 / (1 + 10 ** ((strengths[b] - strengths[a]) / 400))
        for number in range(games):
            points = (dice.random() < chance) / 2 + (dice.random() < chance) / 2 if draws else dice.random() < chance
            met.append(Met(a, b, number, float(points), 30))
    return met


def test_near_levels_meet_and_everybody_meets_the_anchors() -> None:
    met = pairs()
    assert len(met) == len(set(met)) == 17 + 13
    assert ("6", "8") in met
    assert ("5", "8") not in met
    assert ("greedy", "8") in met


@pytest.mark.night
@pytest.mark.parametrize("draws", [False, True])
def test_the_strengths_that_games_are_made_from_are_found(draws: bool) -> None:
    true = {name: 90.0 * number for number, name in enumerate(PLAYERS)}
    outside = 0
    for seed in range(4):
        rungs = fitted(drawn(true, 40, seed, draws))
        assert [each.player for each in rungs] == list(PLAYERS)
        assert (rungs[0].elo, rungs[0].error) == (0, 0)
        outside += sum(abs(each.elo - true[each.player]) > each.error for each in rungs[1:])
        outside += sum(abs(each.step - 90) > each.step_error for each in rungs[1:])
    assert outside <= 12, "of 72; about 3 are expected"


@pytest.mark.night
def test_more_games_tell_more() -> None:
    true = {name: 90.0 * number for number, name in enumerate(PLAYERS)}
    few, many = fitted(drawn(true, 10, 1)), fitted(drawn(true, 40, 1))
    assert many[6].step_error == pytest.approx(few[6].step_error / 2, rel=0.2)


def test_who_always_loses_has_a_wide_error() -> None:
    rungs = fitted([Met("random", "8", number, 0.0, 9) for number in range(20)])
    assert rungs[1].elo > 400
    assert rungs[1].error > 300


@pytest.mark.night
def test_a_ladder_is_the_same_again_and_is_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "ladder.jsonl"
    words = ("tides-of-war", "--nodes", "12", "--seed", "3")
    status, said = run(*words, "--games", "2")
    assert status == 0
    assert len(said.splitlines()) == 1 + len(PLAYERS)
    assert run(*words, "--games", "1", "--file", str(file))[0] == 0
    begun = file.read_bytes()
    assert len(begun.splitlines()) == 1 + len(pairs())
    file.write_bytes(begun[:-10])  # as after a power cut
    assert run(*words, "--games", "2", "--file", str(file)) == (0, said)
    lines = file.read_bytes().splitlines()
    assert len(lines) == len(set(lines)) == 1 + 2 * len(pairs())


def test_what_was_kept_is_read(tmp_path: Path) -> None:
    file, met = tmp_path / "ladder.jsonl", Met("random", "1", 0, 0.5, 12)
    assert gone_on(file, TERMS) == []
    keep(file, met)
    assert gone_on(file, TERMS) == [met]
    with pytest.raises(CannotThink, match="is of another ladder"):
        gone_on(file, Terms("tides-of-war", {}, 2, 20))
    file.write_text("what is this\n", encoding="utf-8")
    with pytest.raises(CannotThink, match="is no file of a ladder"):
        gone_on(file, TERMS)


def test_without_games_there_is_no_ladder() -> None:
    with pytest.raises(CannotThink, match="no game against random"):
        fitted([])
    assert [line.split()[0] for line in table(fitted([Met("random", "1", 0, 1, 5)]))] == ["player", "random", "1"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("go",), "unknown game 'go'"),
        (("circle", "--option", "players=4"), "a ladder is played by two"),
        (("circle", "--option", "players=3"), "option players=3 is not allowed"),
        (("circle", "--games", "0"), "0 is not in the range"),
        (("circle", "--file", "/nowhere/at/all.jsonl"), "/nowhere/at/all.jsonl: No such file or directory"),
    ],
)
def test_what_cannot_be_played_is_refused(words: tuple[str, ...], sentence: str) -> None:
    status, said = run(*words)
    assert status == 2
    assert sentence in said


def test_without_choix_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "choix", None)
    status, said = run("tides-of-war", "--games", "1")
    assert status == 2
    assert said == (
        "beaconboard: there are no strengths without the package choix: install the extra 'strength' of beaconboard\n"
    )


def test_each_opening_is_played_by_all_pairs_and_from_both_seats() -> None:
    """Else a strength would be that of who had the better openings."""
    game, first_asked = game_named("tides-of-war"), list[tuple[str, Any]]()

    def by_chance(name: str) -> Callable[[Any, int], Any]:
        def choose(state: Any, seed: int) -> Any:
            first_asked.append((name, state))
            return random.Random(seed).choice(game.moves(state))

        return choose

    begun = defaultdict[tuple[str, str], list[tuple[str, Any]]](list)
    for met in play(game, game.options(), by_chance, 7, 4, []):
        begun[met.a, met.b].append(first_asked[0])
        first_asked.clear()
    assert sorted(begun) == sorted(pairs())
    for (a, b), games in begun.items():
        assert [name for name, _ in games] == [a, b, a, b], "A has the first seat, then B"
    openings = {tuple(state for _, state in games) for games in begun.values()}
    assert len(openings) == 1, "all pairs have the same"
    first, again, other, and_again = openings.pop()
    assert first == again != other == and_again
    another = next(play(game, game.options(), by_chance, 8, 1, []))
    assert (another.number, first_asked[0][1] != first) == (0, True), "another seed has others"


def test_what_was_played_is_not_played_again() -> None:
    game, played = game_named("tides-of-war"), [Met(a, b, 0, 0.5, 9) for a, b in pairs()]
    left = play(game, game.options(), lambda name: lambda state, seed: game.moves(state)[0], 1, 1, played[1:])
    assert [(met.a, met.b, met.number) for met in left] == [(played[0].a, played[0].b, 0)]


def test_what_one_wins_the_other_one_loses() -> None:
    met = [Met("random", "1", number, points, 9) for number, points in enumerate((0.0, 0.0, 0.5, 1.0))]
    assert [(each.games, each.points) for each in fitted(met)] == [(4, 1.5), (4, 2.5)]
