"""A backup is put back whole or not at all: on another board, after any cut of the power, with a card that fails."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from controller.backups import putting_back
from controller.backups.backup_file import BadBackup
from controller.backups.putting_back import decide, finish, stage
from controller.backups.state import BoardState
from controller.journal.database import Journal
from controller.journal.marker import JournalLock
from controller.journal.recording import Header
from tests.backups.boards import backed_up, furnished, parts, rewritten, whole
from tests.failing_calls import FailingCalls, PowerCut
from tests.journal.journals import contents

CALLS = ("rename", "replace", "unlink", "rmdir", "mkdir", "fsync", "open")
NEVER = 1 << 30
OTHER = '{"profiles":[{"id":"c3","name":"Cleo"}]}'


def put_back(path: Path, state: BoardState) -> str:
    stage(path, state)
    decide(state)
    return finish(state.beside)


def games(journal: Path) -> dict[int, Any]:
    with closing(Journal(journal)) as opened:
        assert opened.told == []
        return contents(opened)


def small_board(folder: Path) -> BoardState:
    """Return a board with one game of its own, other people, and no variants."""
    folder.mkdir(parents=True)
    with closing(Journal(folder / "games.sqlite3")) as opened:
        opened.begin(Header("circle", {}, None, ()))
    state = BoardState(folder / "games.sqlite3", folder / "games.sqlite3")
    state.places()["people.json"].write_text(OTHER)
    return state


@pytest.fixture(scope="module")
def backup(tmp_path_factory: pytest.TempPathFactory, journal: Path) -> Path:
    folder = tmp_path_factory.mktemp("backup")
    return backed_up(furnished(folder / "a", journal), folder)[0]


def test_on_another_board_the_same_games_are_played_on(tmp_path: Path, journal: Path, backup: Path) -> None:
    state = BoardState(tmp_path / "new.sqlite3", tmp_path / "new.sqlite3")
    assert put_back(backup, state) == ""
    assert games(state.journal) == games(journal)
    there = whole(state)
    assert (
        there["new.sqlite3.people.json"] == there["new.sqlite3.people.json.last-good"] == parts(backup)["people.json"]
    )
    assert there["variants/small.toml"] == b'game = "circle"\n'
    assert there["new.sqlite3.analyses/1.json"]
    assert there["learned/square144.toml"] == b'name = "square144"\n'
    assert json.loads(there["rests/cell36.json"])["board"] == "cell36"
    assert b"brightness = 40" in there["new.sqlite3.settings.toml"]
    assert b"house_password" not in there["new.sqlite3.settings.toml"]
    assert not state.staging.exists()


def test_what_a_backup_does_not_have_goes(tmp_path: Path, backup: Path, journal: Path) -> None:
    bare = small_board(tmp_path / "bare")
    bare.places()["people.json"].unlink()
    path, _ = backed_up(bare, tmp_path)
    state = furnished(tmp_path / "b", journal)
    assert put_back(path, state) == ""
    # All but what was measured of boards.
    assert list(whole(state)) == ["games.sqlite3", "learned/square144.toml", "rests/cell36.json"]
    phones = state.beside.with_name("games.sqlite3.phones.json")
    assert phones.read_text() == "key-of-a-phone"  # who was at this table still is


def test_what_was_measured_of_a_board_here_stays_and_of_others_it_comes(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    for name in ("rests", "kinds"):
        state.places()[name].mkdir()
        (state.places()[name] / "cell36.json").write_text("measured here")
    assert put_back(backup, state) == ""
    there = whole(state)
    assert there["rests/cell36.json"] == there["kinds/cell36.json"] == b"measured here"
    assert there["learned/square144.toml"] == b'name = "square144"\n'


@pytest.mark.parametrize(("broker", "stays"), [("home.local", True), ("other.local", False)])
def test_a_password_stays_where_the_same_one_is_told_it(
    tmp_path: Path, backup: Path, journal: Path, broker: str, stays: bool
) -> None:
    here = f'house_broker = "{broker}"\nhouse_password = "mine"\n'
    state = furnished(tmp_path / "b", journal, chosen=here)
    assert put_back(backup, state) == ""
    written = whole(state)["games.sqlite3.settings.toml"]
    assert (b'house_password = "mine"' in written) == stays
    assert b'house_broker = "home.local"' in written


def test_nothing_of_the_games_that_went_is_missed(tmp_path: Path, backup: Path, journal: Path) -> None:
    state = furnished(tmp_path / "b", journal)
    with closing(Journal(state.journal)) as running:
        for _ in range(20):
            running.begin(Header("circle", {}, None, ()))
    assert put_back(backup, state) == ""
    assert len(games(state.journal)) == 3  # and the journal tells of no end that is gone


# ---- cuts ----


def after_failing(
    tmp_path: Path, backup: Path, here: BoardState, at: int, cut: bool, before: bool
) -> tuple[str, dict[str, bytes], int]:
    """Return what is said and what is there once a failing call was followed by a start; and how many calls came."""
    folder = tmp_path / f"{at}-{before}"
    shutil.copytree(here.beside.parent, folder)
    state, said = BoardState(folder / here.journal.name, folder / here.beside.name), ""
    with pytest.MonkeyPatch.context() as patched, suppress(PowerCut):
        failing = FailingCalls(patched, CALLS, at, cut, before)
        try:
            said = put_back(backup, state)
        except BadBackup as wrong:
            said = str(wrong)
    again = finish(state.beside)
    assert again == "" or not cut, again
    assert not state.staging.exists()
    found = whole(state)
    shutil.rmtree(folder)
    return said, found, failing.made


def sides(tmp_path: Path, backup: Path, here: BoardState) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return the board as it was, and as it is when nothing fails."""
    folder = tmp_path / "sides"
    shutil.copytree(here.beside.parent, folder)
    state = BoardState(folder / here.journal.name, folder / here.beside.name)
    old = whole(state)
    assert put_back(backup, state) == ""
    return old, whole(state)


@pytest.mark.slow
@pytest.mark.parametrize("before", [True, False], ids=["before the call", "after the call"])
@pytest.mark.parametrize("cut", [True, False], ids=["power", "error"])
def test_whatever_fails_the_old_or_the_new_is_there_whole(
    tmp_path: Path, backup: Path, cut: bool, before: bool
) -> None:
    here = small_board(tmp_path / "here")
    wal = here.journal.with_name("games.sqlite3-wal")
    wal.write_bytes(b"")  # as a service leaves it that was killed
    old, new = sides(tmp_path, backup, here)
    _, _, calls = after_failing(tmp_path, backup, here, NEVER, cut, before)
    came = []
    for at in range(1, calls + 1):
        said, found, _ = after_failing(tmp_path, backup, here, at, cut, before)
        assert found in (old, new), f"call {at}: {said} {sorted(found)}"
        assert cut or said or found == new, f"call {at}: nothing is said"
        came.append(found == new)
    assert len(came) > 50
    assert came[-1]
    if cut:  # once it is decided it is done, never again undone
        assert came == sorted(came)
        assert not came[0]


def test_a_log_beside_games_that_came_is_theirs(tmp_path: Path, backup: Path) -> None:
    """A card that fails in both directions: the service plays on with what came, and a later start goes on."""
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    (state.staging / "old").mkdir()
    state.journal.rename(state.staging / "old" / "games.sqlite3")
    (state.staging / "new" / "games.sqlite3").rename(state.journal)
    log = state.journal.with_name("games.sqlite3-wal")
    with closing(Journal(state.journal)) as running:
        running.begin(Header("circle", {}, None, ()))
        running.flush()
        crashed = log.read_bytes(), state.journal.read_bytes()
    log.write_bytes(crashed[0])
    state.journal.write_bytes(crashed[1])
    assert finish(state.beside) == ""
    assert len(games(state.journal)) == 4


# ---- refused ----


def refused(path: Path, state: BoardState, sentence: str) -> None:
    before = whole(state)
    with pytest.raises(BadBackup, match=sentence):
        stage(path, state)
    assert whole(state) == before
    assert not state.staging.exists()
    assert finish(state.beside) == ""
    assert whole(state) == before


def with_games(backup: Path, into: Path, content: bytes) -> Path:
    told = json.loads(parts(backup)["manifest.json"])
    told["parts"]["games.sqlite3"] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return rewritten(backup, into, {"games.sqlite3": content, "manifest.json": json.dumps(told).encode()})


def test_games_that_are_no_journal_are_refused_whatever_their_sum_says(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    sound = parts(backup)["games.sqlite3"]
    for content in (b"no database", b"", sound[:4096], sound[:5000] + os.urandom(4000) + sound[9000:]):
        refused(with_games(backup, tmp_path / "x.backup", content), state, "The games in x.backup are damaged")


def test_games_with_a_program_in_them_are_refused(tmp_path: Path, backup: Path) -> None:
    games_file = tmp_path / "games"
    games_file.write_bytes(parts(backup)["games.sqlite3"])
    with closing(sqlite3.connect(games_file)) as db, db:
        db.execute("CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM entries; END")
    path = with_games(backup, tmp_path / "x.backup", games_file.read_bytes())
    refused(path, small_board(tmp_path / "b"), "The games in x.backup are damaged")


def test_a_card_without_room_is_told_before_anything_is_written(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = small_board(tmp_path / "b")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=3 << 20))
    monkeypatch.setattr(putting_back, "unpack", lambda *_: pytest.fail("it was unpacked"))
    refused(backup, state, r"^The card has 3 MB free, and putting this back needs \d+ MB: make room first\.$")


def test_links_to_others_come_first(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    state.links.mkdir()
    (state.links / "x.link").touch()
    refused(backup, state, r"^This board has links to others far away.*: end those links first, under Another board\.$")


def test_a_game_that_went_on_meanwhile_is_not_lost(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    with closing(Journal(state.journal)) as running:
        running.begin(Header("circle", {}, None, ()))
    assert finish(state.beside).startswith("A game went on while a backup was about to be put back")
    assert len(games(state.journal)) == 2
    assert not state.staging.exists()


def test_nothing_is_exchanged_under_a_service_that_runs(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    before = whole(state)
    with closing(JournalLock(state.journal)):
        assert finish(state.beside) == ""
        assert whole(state) == before
    assert finish(state.beside) == ""
    assert len(games(state.journal)) == 3


def test_what_was_staged_and_is_gone_is_told_and_changes_nothing(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    before = whole(state)
    stage(backup, state)
    decide(state)
    (state.staging / "new" / "people.json").unlink()
    assert finish(state.beside) == "What was to be put back is gone: nothing was changed. Try again."
    assert whole(state) == before
    assert not state.staging.exists()


def test_games_that_can_no_longer_be_read_make_room_all_the_same(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    state.journal.write_bytes(b"no journal at all" * 1000)
    assert finish(state.beside) == ""
    assert len(games(state.journal)) == 3
