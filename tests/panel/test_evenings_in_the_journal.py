"""What is told of an evening: which games belong to it, and that no more of the journal is read than that needs."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.events import Seating
from controller.journal.database import Archive, Entry, Journal
from controller.journal.recording import Header, Line
from controller.panel.history_backend import HistoryBackend
from hardware.profile import load

PLIES = ("c2-d3", "e4xc2xc4", "b4-b5", "f2-f1")
HOUR_US = 3_600_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def kept(path: Path, *games: tuple[str, int]) -> HistoryBackend:
    """Return the library of a journal with a game for each time at which it began and for how long it was played."""
    journal = Journal(path)
    for _, lasted_us in games:
        game_id = journal.begin(Header("tides-of-war", board="square144"))
        journal.enter(game_id, Entry(1, ply=PLIES[0]))
        journal.note(game_id, Line(lasted_us, site="c3", on=True))
    journal.close()
    db = sqlite3.connect(path)
    for number, (started, _) in enumerate(games, 1):
        db.execute("UPDATE games SET started = ? WHERE id = ?", (started, number))
    db.execute("PRAGMA user_version = 0")  # as one that has no sums
    db.commit()
    db.close()
    return HistoryBackend(load("square144"), path)


def evening(library: HistoryBackend) -> list[int]:
    return [line["id"] for line in library.evening()["games"]]


def test_an_evening_goes_on_over_midnight(path: Path) -> None:
    games = kept(
        path,
        ("2026-11-21 12:00:00", HOUR_US),
        ("2026-11-21 22:30:00", HOUR_US),
        ("2026-11-21 23:45:00", HOUR_US),
        ("2026-11-22 00:50:00", HOUR_US),
    )
    assert evening(games) == [4, 3, 2]


def test_a_long_game_is_no_gap_and_a_long_gap_ends_the_evening_of_the_same_day(path: Path) -> None:
    games = kept(
        path,
        ("2026-11-21 08:00:00", HOUR_US),
        ("2026-11-21 13:30:00", 5 * HOUR_US),
        ("2026-11-21 21:00:00", HOUR_US),
    )
    assert evening(games) == [3, 2]


def test_a_clock_that_was_set_back_and_a_damaged_time_hide_no_game_of_today(path: Path) -> None:
    games = kept(path, ("2026-11-21 20:00:00", HOUR_US), ("1970-01-01 00:00:12", HOUR_US), ("nonsense", HOUR_US))
    assert evening(games) == [3, 2, 1]


def test_who_asks_for_the_list_has_no_recording_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chattering contact once made a recording of an hour 45 MB: each guest took 800 MB for the list of games."""
    journal = Journal(path)
    game_id = journal.begin(Header("tides-of-war", board="square144"))
    for number in range(3000):
        seating = Seating(("Ann", "Ben")) if number == 7 else None
        journal.note(
            game_id, Line(number, seating=seating) if seating else Line(number, site="l12", on=number % 2 == 0)
        )
    for number, ply in enumerate(PLIES):
        journal.enter(game_id, Entry(number, ply=ply))
    journal.close()
    decoded: list[str] = []
    decode = msgspec.json.decode

    def counted(text: str, **how: Any) -> object:
        decoded.append(text)
        return decode(text, **how)

    monkeypatch.setattr(msgspec.json, "decode", counted)
    archive = Archive(path)
    saved = archive.saved(game_id, lines=False)
    archive.close()
    assert (saved.plies, saved.t_us, saved.seating.people) == (PLIES, 2999, ("Ann", "Ben"))
    assert len(decoded) < 20


def test_who_looks_through_a_game_has_it_played_through_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(path)
    for _ in range(4):
        game_id = journal.begin(Header("tides-of-war", board="square144"))
        for number, ply in enumerate(PLIES):
            journal.enter(game_id, Entry(number, ply=ply))
    journal.close()
    library, read, really = HistoryBackend(load("square144"), path), [], HistoryBackend._read
    monkeypatch.setattr(HistoryBackend, "_read", lambda self, saved: read.append(saved) or really(self, saved))
    for number in range(5):
        assert library.position(2, number)["ply"] == number
    assert [saved.game_id for saved in read] == [2]
    for game_id in (1, 2, 3, 4):
        library.text(game_id)
    assert len(library._sessions) == 2
