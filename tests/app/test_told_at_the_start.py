"""What cannot be read of games is told at the start, each with what still works; the board plays all the same."""

from __future__ import annotations

from typing import Any

import pytest

from controller.app import run


def test_each_file_that_cannot_be_read_has_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("games", "lessons", "puzzles"):
        monkeypatch.setattr(run, f"broken_{kind}", lambda kind=kind: {f"{kind}.py": "line 1"})
    told: dict[str, str] = {}
    service: Any = type("Listening", (), {"tell": lambda _, where, sentence: told.update({where: sentence})})()
    run._tell(service, {"settings": "They cannot be read.", "people": ""})
    assert told == {
        "settings": "They cannot be read.",
        "people": "",
        "games.py": "The rules in games.py cannot be loaded (line 1): all other games can be played.",
        "lessons.py": "The lesson lessons.py cannot be read (line 1): the game can still be played.",
        "puzzles.py": "The puzzles in puzzles.py cannot be read (line 1): the game can still be played.",
    }
