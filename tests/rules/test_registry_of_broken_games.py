"""A game whose module cannot be loaded is named, and all others are there."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest

from controller.rules import registry


def test_every_game_of_ours_can_be_loaded() -> None:
    assert registry.broken_games() == {}


@pytest.mark.usefixtures("games_found_again")
def test_one_that_cannot_be_loaded_is_named_and_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    really = importlib.import_module

    def load(name: str) -> ModuleType:
        if name.endswith(".circle"):
            raise SyntaxError("invalid syntax")
        return really(name)

    monkeypatch.setattr(importlib, "import_module", load)
    assert "circle" not in registry.all_games()
    assert len(registry.all_games()) == 5
    assert registry.broken_games() == {"circle": "SyntaxError: invalid syntax"}
    with pytest.raises(registry.NoSuchGame, match=r"^the game circle cannot be played: SyntaxError: invalid syntax$"):
        registry.game_named("circle")


@pytest.mark.usefixtures("games_found_again")
def test_whoever_names_a_game_of_a_package_that_was_found_faulty_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "it breaks a promise of games: a1-a2 goes over sites of the board: 'a9' is none"
    monkeypatch.setenv(registry.VERDICTS, json.dumps({"hexapawn (hexapawn-for-beaconboard)": wrong}))
    with pytest.raises(registry.NoSuchGame) as refused:
        registry.game_named("hexapawn")
    assert str(refused.value) == f"the game hexapawn (hexapawn-for-beaconboard) cannot be played: {wrong}"
    with pytest.raises(registry.NoSuchGame, match="unknown game 'hexa'; known games: beacons"):
        registry.game_named("hexa")
