"""Matches and what they say of strength; training; the commands."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine import training
from controller.engine.judgement import weights_of
from controller.engine.matches import OPENING, Score, chooser, match
from controller.engine.training import WeighedPosition, fit, games, loss
from controller.game_setup import BEST_LEVEL
from controller.rules.registry import advice_of, game_named


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, words)
    return done.exit_code, done.output


def test_elo_follows_from_the_points() -> None:
    score = Score(2)
    for points in [1.0] * 30 + [0.5] * 10 + [0.0] * 10:
        score = score.and_also(points)
    assert (score.wins, score.draws, score.losses) == (30, 10, 10)
    assert score.mean == 0.7
    assert score.elo(0.7) == pytest.approx(147.2, abs=0.1)
    assert score.line() == "30 won, 10 drawn, 10 lost of 50; 70.0 % ± 11.4; Elo +147 (+60 to +257)"


def test_four_equal_players_have_a_quarter_each() -> None:
    score = Score(4, 25, 0, 75)
    assert score.elo(score.mean) == pytest.approx(0)
    assert Score(2, 4).line() == "4 won, 0 drawn, 0 lost of 4; 100.0 % ± 0.0; Elo difference beyond measure"


def test_a_match_is_the_same_again() -> None:
    words = ("match", "tides-of-war", "--a", "2", "--b", "free", "--games", "4", "--seed", "3", "--games-told")
    status, said = run(*words)
    assert (status, said) == run(*words)
    assert len(said.splitlines()) == 5
    assert said.splitlines()[0].startswith("seed 3000009, seat 1: ")
    assert said.splitlines()[-1].startswith("2 against free: ")


@pytest.mark.slow
def test_no_game_of_a_match_is_won_in_its_opening() -> None:
    """Such a game, here one in fifteen, would say nothing of the players: the loser may not have made a move."""
    game = game_named("tides-of-war")
    wins_at_once = chooser("greedy", game, 2, None, lambda: lambda: False)
    lengths = [one.plies for one in match(game, game.options(), wins_at_once, wins_at_once, 200, 11, 2)]
    assert len(lengths) == 200
    assert min(lengths) > OPENING + 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("go", "--a", "1", "--b", "2"), "unknown game 'go'"),
        (
            ("circle", "--a", f"{BEST_LEVEL + 1}", "--b", "2"),
            f"there is no level {BEST_LEVEL + 1}: choose 1 to {BEST_LEVEL}",
        ),
        (("circle", "--a", "me", "--b", "2"),
         "there is no player 'me': choose random, greedy, free, a level from 1 to 8"),
        (("circle", "--a", "1", "--b", "2", "--option", "players=3"), "option players=3 is not allowed"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_refused(words: tuple[str, ...], sentence: str) -> None:
    status, said = run("match", *words)
    assert status == 2
    assert said.startswith("beaconboard: ")
    assert sentence in said


def test_a_fit_finds_what_decides() -> None:
    kept = [
        WeighedPosition(((number % 3, number % 2), (2 - number % 3, 1)), (1.0, 0.0) if number % 3 == 2 else (0.0, 1.0))
        for number in range(900)
        if number % 3 != 1
    ]
    weights = fit(kept, ("decides", "does_not"), {}, 1)
    assert weights == fit(kept, ("decides", "does_not"), {}, 1)
    assert weights["decides"] > 10 * abs(weights["does_not"])
    assert loss(kept, ("decides", "does_not"), weights) < loss(kept, ("decides", "does_not"), {}) / 4


def test_training_writes_weights_and_how_they_were_made(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    words = ("train", "tides-of-war", "--games", "3", "--rounds", "1", "--nodes", "20", "--into", str(file))
    status, said = run(*words)
    assert status == 0
    assert said.startswith("round 1: ")
    assert re.fullmatch(r"round 1: [1-9]\d* positions, error 0\.\d{4}, then 0\.\d{4}\n", said)
    text = file.read_text(encoding="utf-8")
    assert "Made by: beaconboard train tides-of-war --games 3 --rounds 1 --nodes 20 --seed 1\n" in text
    assert all(isinstance(weight, int) for weight in tomllib.loads(text)["weights"].values())
    run(*words)
    assert file.read_text(encoding="utf-8") == text


def test_each_round_of_training_plays_other_games_by_what_was_learned_and_learns_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds: list[tuple[int, dict[str, int]]] = []

    def noted(*given: Any) -> Any:
        rounds.append((given[-1], dict(given[4])))
        return games(*given)

    monkeypatch.setattr(training, "games", noted)
    words = ("train", "tides-of-war", "--games", "2", "--rounds", "2", "--nodes", "20", "--seed", "5")
    _, said = run(*words, "--into", str(tmp_path / "weights.toml"))
    (first_seed, before), (second_seed, learned) = rounds
    assert (first_seed, second_seed) == (5, 6)
    assert before != learned
    first, both = (int(number) for number in re.findall(r"(\d+) positions", said))
    assert 0 < first < both


def kept_of(name: str, book: Any = None) -> list[list[WeighedPosition]]:
    """Return what is kept of two games that a program plays against itself, where only open positions are counted."""
    game, advice = game_named(name), advice_of(name)
    assert advice is not None
    count = advice.count

    def counted(state: Any) -> Any:
        assert game.seat(state) is not None, "a game that is over foretells nothing"
        assert not (game.secret and game.secret(state)), "what is hidden is judged by nobody"
        return count(state)

    return list(games(game, game.options(), 2, replace(advice, count=counted, book=book), {}, 2, 20, 1))


def test_games_for_training_keep_what_was_counted_and_how_the_game_ended() -> None:
    """At most forty positions of a game, whose shares are those of its end: all to the winner."""
    for kept in kept_of("tides-of-war"):
        assert 0 < len(kept) <= 40
        assert len({each.share for each in kept}) == 1
        assert sorted(kept[0].share) in ([0.0, 1.0], [0.5, 0.5])
        assert {len(each.counted) for each in kept} == {2}
        assert {len(row) for each in kept for row in each.counted} == {len(weights_of("tides-of-war"))}


def test_what_a_book_plays_teaches_nothing() -> None:
    game = game_named("tides-of-war")
    assert kept_of("tides-of-war", book=lambda state, seed: game.moves(state)[-1]) == [[], []]


def test_secret_bids_are_drawn_in_training_and_teach_nothing() -> None:
    assert all(0 < len(kept) <= 40 for kept in kept_of("beacons"))
