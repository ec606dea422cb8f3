"""Characters: each plays differently in what it is named for, measured over games; who has none is told so."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.engine.think import EngineQuestion, answer
from controller.game_setup import Opponents
from controller.rules import characters as known
from controller.rules.characters import CHARACTERS, BadCharacter, characters_of, check, slant_of, titled
from controller.rules.game import Illegal
from controller.rules.registry import advice_of, all_games, game_named
from controller.table.people.board_seats import moved_round
from controller.table.session import begin

LEVEL = LEVELS[7]
GAMES = {"tides-of-war": 200}  # else 12: short games tell little each of what is taken
NODES = {"tam-ruat-chess": 60, "cyvasse": 300}  # for a ply, else 150: a few are enough, and many cost minutes
OPENING = 12  # plies at random with which a game begins, so that pieces meet
LONGEST = {"circle": 200, "beacons": 300, "tam-ruat-chess": 120}  # plies of a game that are measured, else 90
# What stands for a game's material and its goals, by feature. In Circle there is nothing to run for.
MATERIAL = {
    "tides-of-war": ("stones",),
    "circle": ("units",),
    "beacons": ("units",),
}
GOALS = {
    "tides-of-war": ("at_1", "at_2", "at_3"),
    "cyvasse": ("siege_fortress",),
    "tam-ruat-chess": ("march", "march_far"),
    "beacons": ("beacons",),
}


HELD = {"beacons", "cyvasse"}  # goals that are held, and not reached once and for all


class Played:
    """What one seat did in its ``plies`` of some games: pieces taken, material kept after each, goals reached."""

    def __init__(self) -> None:
        self.taken = self.kept = self.reached = 0.0
        self.plies = 0


def material(name: str) -> tuple[str, ...]:
    advice = advice_of(name)
    assert advice is not None
    return MATERIAL.get(name) or tuple(each for each in advice.names if each.startswith("kind_"))


def summed(name: str, state: Any, seat: int, features: tuple[str, ...]) -> int:
    advice = advice_of(name)
    assert advice is not None
    row = advice.count(state)[seat]
    return sum(row[advice.names.index(each)] for each in features)


@cache
def play(name: str, character: str, games: int) -> Played:
    """Play games of the character, in each seat, against a player without one."""
    game, found = game_named(name), Played()
    players = [Player(game, 2, character=character), Player(game, 2)]
    for number in range(games):
        dice, state, seat = Random(number // 2), game.start(game.options(), number // 2), number % 2
        for ply in range(LONGEST.get(name, 90)):
            mover = game.seat(state)
            if mover is None:
                break
            if ply < OPENING and not (game.secret and game.secret(state)):
                state = game.after(state, dice.choice(game.moves(state)))
                continue
            chosen = players[mover != seat].choose(state, LEVEL, number * 1009 + ply, NODES.get(name, 150))
            after = game.after(state, chosen.ply)
            if mover == seat:
                found.plies += 1
                ours, theirs = seat, 1 - seat
                taken = summed(name, state, theirs, material(name)) - summed(name, after, theirs, material(name))
                found.taken += max(0, taken)
                found.kept += summed(name, after, ours, material(name))
                goals = GOALS.get(name, ())
                before = 0 if name in HELD else summed(name, state, seat, goals)
                found.reached += max(0, summed(name, after, seat, goals) - before)
            state = after
    return found


def measured(name: str, character: str) -> tuple[float, float]:
    """Return what the character is named for, by its own plies, without it and with it."""
    found = [play(name, each, GAMES.get(name, 12)) for each in ("", character)]
    figure = {"raider": "taken", "hoarder": "kept", "runner": "reached"}[character]
    plain, own = (getattr(each, figure) / each.plies for each in found)
    return plain, own


def test_a_raider_takes_more() -> None:
    plain, own = measured("tides-of-war", "raider")
    assert own > 1.2 * plain


def test_a_hoarder_keeps_more() -> None:
    plain, own = measured("tides-of-war", "hoarder")
    assert own > 1.1 * plain


def test_a_runner_is_sooner_at_its_goal() -> None:
    plain, own = measured("tides-of-war", "runner")
    assert own > 1.2 * plain


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "character", "much"),
    [
        ("beacons", "hoarder", 1.5),
        ("beacons", "runner", 1.2),
        ("circle", "raider", 1.2),
        ("cyvasse", "runner", 1.1),
        ("tam-ruat-chess", "hoarder", 1.02),
        ("tam-ruat-chess", "runner", 1.5),
    ],
)
def test_characters_of_the_other_games(name: str, character: str, much: float) -> None:
    plain, own = measured(name, character)
    assert own > much * plain


def test_every_character_is_measured_here() -> None:
    assert {name: [each.name for each in characters_of(name)] for name in all_games()} == {
        "beacons": ["hoarder", "runner"],
        "circle": ["raider"],
        "cyvasse": ["runner"],
        "giantslayer": [],
        "tam-ruat-chess": ["hoarder", "runner"],
        "tides-of-war": ["raider", "hoarder", "runner"],
    }
    assert all(slant_of(name, each.name) for name in all_games() for each in characters_of(name))


# ---- who has none -------------------------------------------------------------------------------------------


def test_what_a_game_has_not_is_said() -> None:
    check("giantslayer", "")
    assert slant_of("giantslayer", "") is None
    with pytest.raises(BadCharacter, match="giantslayer has no characters"):
        check("giantslayer", "raider")
    with pytest.raises(BadCharacter, match="circle has no character 'runner': choose raider"):
        slant_of("circle", "runner")
    assert (titled("raider"), titled("")) == (CHARACTERS[0].title, "")


def test_a_game_without_features_has_no_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / known.FILE).write_text("[raider]\nown = { stones = 1 }\n", encoding="utf-8")
    monkeypatch.setattr(known, "files_of", lambda name: tmp_path)
    assert characters_of("tides-of-war") == []
    with pytest.raises(BadCharacter, match="has no characters"):
        check("tides-of-war", "raider")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[pirate]\nown = { stones = 1 }", "there is no character 'pirate'"),
        ("[raider]\nown = { horses = 1 }", "tides-of-war has no feature 'horses'"),
        ("[raider]\nown = { stones = 0.5 }", "the characters of tides-of-war: "),
        ("[raider]\nours = { stones = 1 }", "the characters of tides-of-war: "),
        ("[raider", "the characters of tides-of-war: "),
    ],
)
def test_a_wrong_file_is_refused(text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / known.FILE).write_text(text, encoding="utf-8")
    (tmp_path / "advice.py").write_text("", encoding="utf-8")
    monkeypatch.setattr(known, "files_of", lambda name: tmp_path)
    with pytest.raises(BadCharacter, match=sentence):
        slant_of("tides-of-war", "raider")


@pytest.mark.parametrize(
    ("a", "sentence"),
    [("5-raider", "giantslayer has no characters"), ("9-raider", "there is no level 9"), ("x-raider", "no player")],
)
def test_a_match_refuses_them(a: str, sentence: str) -> None:
    done = CliRunner().invoke(cli, ["match", "giantslayer", "--a", a, "--b", "1"])
    assert done.exit_code == 2
    assert sentence in done.output


def test_a_thinking_process_plays_one() -> None:
    asked: dict[str, Any] = {"game": "tides-of-war", "nodes": 300}
    with pytest.raises(BadCharacter, match="choose raider, hoarder, runner"):
        answer(EngineQuestion(**asked, character="pirate"), lambda: False)
    values = {answer(EngineQuestion(**asked, character=each), lambda: False).value for each in ("", "raider", "runner")}
    assert len(values) == 3


def test_a_new_game_with_one_that_it_has_not_is_refused() -> None:
    held = Opponents((3, 3), characters=("raider", ""))
    assert begin("tides-of-war", {}, 1, opponents=held).opponents == held
    with pytest.raises(Illegal, match="giantslayer has no characters"):
        begin("giantslayer", {}, 1, opponents=held)
    people = Opponents((0, 3), characters=("raider", ""))
    assert begin("giantslayer", {}, 1, opponents=people).opponents.characters == (), "a person has none"


def test_a_character_moves_on_with_its_seat() -> None:
    held = Opponents((3, 4), characters=("raider", ""))
    assert moved_round(held, 2, "turn") == Opponents((4, 3), characters=("", "raider"))
    assert moved_round(Opponents((3, 4)), 2, "turn") == Opponents((4, 3))
