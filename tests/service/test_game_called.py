"""What people call a game: by its name and when it was begun, at this machine."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.journal.database import Journal, JournalFailed
from controller.journal.recording import Header
from controller.journal.schema import sum_of
from controller.sentences import in_language
from controller.service.game_called import game_called, when_begun
from tests.service.evenings import TIDES

GERMAN = {"{day} {month} at {time}": "{day}. {month}, {time}", "January": "Januar"}


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Journal]:
    monkeypatch.setenv("TZ", "UTC-2")  # two hours before the time that the journal keeps
    time.tzset()
    journal = Journal(tmp_path / "games.sqlite3")
    yield journal
    journal.close()
    monkeypatch.undo()
    time.tzset()


def begun(journal: Journal, when: str) -> int:
    number = journal.begin(Header(TIDES))
    journal.flush()
    db: Any = journal._db
    with db:
        dated = sum_of(None, number, when)
        db.execute("UPDATE games SET started = ?, dated = ? WHERE id = ?", (when, dated, number))
    return number


def test_a_game_is_called_by_its_name_and_when_it_was_begun_here(journal: Journal) -> None:
    number = begun(journal, "2025-12-31 22:05:00")
    assert game_called(journal, TIDES, number) == "Tides of War (1 January at 00:05)"
    assert in_language(when_begun(journal, number), GERMAN) == "1. Januar, 00:05"


def test_where_that_cannot_be_read_its_name_is_enough(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    assert game_called(journal, TIDES, begun(journal, "yesterday")) == "Tides of War"
    assert game_called(journal, TIDES, 7) == "Tides of War"

    def fails(*_: object) -> Any:
        raise JournalFailed("the card is gone")

    monkeypatch.setattr(journal, "listed", fails)
    assert game_called(journal, "gone", 1) == "gone"
