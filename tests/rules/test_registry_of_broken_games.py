"""A game whose module cannot be loaded is named, and all others are there."""

from __future__ import annotations

import importlib
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
