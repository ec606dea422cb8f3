"""What a new version is asked before it plays, here in this process: it says what it is, or what is wrong."""

from __future__ import annotations

import json
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.app import self_check
from controller.app.version import installed_version
from controller.journal import schema
from controller.journal.database import Journal
from controller.journal.recording import Header

ABOUT = {"version": installed_version(), "journal": schema.VERSION}


def checked(*given: object) -> Result:
    return CliRunner().invoke(self_check.main, list(map(str, given)))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules are found sound, and memory small: each has a story of its own."""
    monkeypatch.setattr(self_check, "broken_promise", lambda _: "")
    monkeypatch.setattr(self_check, "MOST_MEMORY_MB", 100_000)


def test_asked_what_it_is_it_says_so_and_checks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_check, "MOST_MEMORY_MB", 0)
    (tmp_path / "settings.toml").write_text("prot = 1")
    done = checked("--about", "--settings", tmp_path / "settings.toml")
    assert (done.exit_code, json.loads(done.output)) == (0, ABOUT)


@pytest.mark.usefixtures("quick")
def test_settings_and_games_that_it_would_go_on_with_are_read_and_stay_as_they_are(tmp_path: Path) -> None:
    settings, games = tmp_path / "settings.toml", tmp_path / "games.sqlite3"
    assert json.loads(checked("--settings", settings, "--journal", games).output) == ABOUT  # a board that is new
    settings.write_text(f'journal = "{games}"')
    with closing(Journal(games)) as journal:
        journal.begin(Header("circle", {}, None, ()))
    with closing(sqlite3.connect(games)) as db, db:
        db.execute("PRAGMA user_version = 0")  # of an earlier version
    before = games.read_bytes()
    done = checked("--settings", settings, "--journal", games)
    assert (done.exit_code, json.loads(done.output)) == (0, ABOUT)
    assert games.read_bytes() == before


@pytest.mark.usefixtures("quick")
def test_what_it_does_not_take_is_one_sentence_with_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings, games = tmp_path / "settings.toml", tmp_path / "games.sqlite3"

    def told(*given: object) -> str:
        done = checked(*given)
        assert (done.exit_code, done.stdout) == (1, "")
        return done.stderr.strip().removeprefix("Error: ")

    settings.write_text("prot = 1")
    assert told("--settings", settings).startswith("It does not take the settings of this board: ")
    games.write_bytes(b"no journal at all" * 1000)
    assert told("--journal", games) == "It cannot open a copy of the games: file is not a database."
    games.unlink()
    Journal(games).close()
    with monkeypatch.context() as patched:
        patched.setattr(self_check, "Journal", lambda copy: Journal(copy.with_name("beside.sqlite3")))
        assert told("--journal", games) == "It does not read the games of this board."
    with monkeypatch.context() as patched:
        patched.setattr(self_check, "broken_promise", lambda game: "it counts" if game.facts.name == "circle" else "")
        assert told() == "The rules of circle do not keep what they promise: it counts."
    with monkeypatch.context() as patched:
        patched.setattr(self_check, "broken_games", lambda: {"ludo": "it is gone"})
        assert told() == "The rules of ludo do not keep what they promise: it is gone."
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "controller.app.run", None)
        assert told().startswith("It cannot be loaded: ")
    with monkeypatch.context() as patched:
        patched.setattr(self_check, "MOST_MEMORY_MB", 1)
        assert told().endswith(" MB of memory, and 1 are the most.")
