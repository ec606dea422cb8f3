"""A backup is put back whole or not at all: on another board, after any cut of the power, with a card that fails."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from controller.backups import putting_back
from controller.backups.backup_file import BadBackup
from controller.backups.putting_back import decide, finish, show, stage
from controller.backups.state import BoardState
from controller.journal.database import Journal
from controller.journal.marker import JournalLock
from controller.journal.recording import Header
from tests.backups.boards import backed_up, furnished, parts, rewritten, whole
from tests.backups.names_on_disk import NamesOnDisk
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
    tmp_path: Path, backup: Path, here: BoardState, at: int, cut: bool, before: bool,
    calls: Sequence[str] = CALLS, stays: bool = False,
) -> tuple[str, dict[str, bytes], int]:  # fmt: skip
    """Return what is said and what is there once a failing call was followed by a start; and how many calls came."""
    folder = tmp_path / f"{at}-{before}"
    shutil.copytree(here.beside.parent, folder)
    state, said = BoardState(folder / here.journal.name, folder / here.beside.name), ""
    with pytest.MonkeyPatch.context() as patched, suppress(PowerCut):
        failing = FailingCalls(patched, calls, at, cut, before, stays)
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
        assert cut or (found == old) == bool(said), f"call {at}: {said}"
        came.append(found == new)
    assert len(came) > 50
    assert came[-1]
    if cut:  # once it is decided it is done, never again undone
        assert came == sorted(came)
        assert not came[0]


@pytest.mark.parametrize("before", [True, False], ids=["before it", "after it"])
@pytest.mark.parametrize("fault", ["power", "error", "card"])
def test_whichever_name_was_the_last_the_next_start_goes_on_from_there(
    tmp_path: Path, backup: Path, journal: Path, fault: str, before: bool
) -> None:
    here = furnished(tmp_path / "here", journal, people=OTHER)
    old, new = sides(tmp_path, backup, here)
    cut, stays, told = fault == "power", fault == "card", set()
    _, _, names = after_failing(tmp_path, backup, here, NEVER, cut, before, ("rename",))
    for at in range(1, names + 1):
        said, found, _ = after_failing(tmp_path, backup, here, at, cut, before, ("rename",), stays)
        assert (found == old) == said.endswith("all is as it was."), f"name {at}: {said}"
        assert found in (old, new)
        told.add(said)
    assert (
        told
        == {
            "power": {""},
            "error": {"A backup could not be put back (Input/output error): all is as it was."},
            "card": {
                *(["A backup could not be put back (Input/output error): all is as it was."] if before else []),
                "A backup was put back in part only (Input/output error): it goes on at the next start.",
            },
        }[fault]
    )


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


@pytest.mark.parametrize("much", [True, False], ids=["with all", "games and people"])
def test_each_step_is_on_disk_before_another_builds_upon_it(
    tmp_path: Path, backup: Path, journal: Path, monkeypatch: pytest.MonkeyPatch, much: bool
) -> None:
    path = backup if much else backed_up(small_board(tmp_path / "other"), tmp_path)[0]
    state = furnished(tmp_path / "b", journal, people=OTHER)
    state.journal.with_name("games.sqlite3-wal").touch()
    JournalLock(state.journal).close()
    plan, aside = state.staging / "plan.json", state.staging / "old"
    with monkeypatch.context() as patched:
        decided = NamesOnDisk(patched, tmp_path)
        stage(path, state)
        decide(state)
    assert decided.came[plan] == {state.staging, state.staging / "plan.json.new"}
    assert decided.names | decided.contents == set()
    with monkeypatch.context() as patched:
        done = NamesOnDisk(patched, tmp_path)
        assert finish(state.beside) == ""
    assert done.came[aside / "games.sqlite3-wal"] == done.came[aside / "games.sqlite3"] == set()
    assert done.went[plan] == set()
    assert plan not in done.went[aside / "games.sqlite3"]


def test_what_was_taken_back_is_on_disk_before_it_is_over_also_where_the_games_lie_elsewhere(
    tmp_path: Path, backup: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, beside = furnished(tmp_path / "elsewhere", journal).journal, tmp_path / "here" / "games.sqlite3"
    beside.parent.mkdir()
    state = BoardState(elsewhere, beside)
    stage(backup, state)
    decide(state)
    with monkeypatch.context() as patched:
        FailingCalls(patched, ("replace",), 8, cut=False)  # as the notes call it
        taken_back = NamesOnDisk(patched, tmp_path)
        assert finish(state.beside).endswith("all is as it was.")
    assert elsewhere in taken_back.came
    assert taken_back.went[state.staging / "plan.json"] == set()


# ---- refused ----


def refused(path: Path, state: BoardState, sentence: str) -> None:
    before = whole(state)
    with pytest.raises(BadBackup, match=sentence):
        stage(path, state)
    assert whole(state) == before
    assert not state.staging.exists()
    assert finish(state.beside) == ""
    assert whole(state) == before


def with_part(backup: Path, into: Path, name: str, content: bytes) -> Path:
    told = json.loads(parts(backup)["manifest.json"])
    told["parts"][name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    return rewritten(backup, into, {name: content, "manifest.json": json.dumps(told).encode()})


def with_games(backup: Path, into: Path, content: bytes) -> Path:
    return with_part(backup, into, "games.sqlite3", content)


def test_games_that_are_no_journal_are_refused_whatever_their_sum_says(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    sound = parts(backup)["games.sqlite3"]
    with closing(sqlite3.connect(tmp_path / "addresses")) as other, other:
        other.execute("CREATE TABLE addresses (name)")
    strange = (tmp_path / "addresses").read_bytes()
    for content in (b"no database", b"", strange, sound[:4096], sound[:5000] + os.urandom(4000) + sound[9000:]):
        refused(with_games(backup, tmp_path / "x.backup", content), state, "The games in x.backup are damaged")


@pytest.mark.parametrize(
    "program",
    [
        "CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM entries; END",
        "CREATE VIEW more AS SELECT * FROM games",
        "CREATE VIRTUAL TABLE words USING fts5(said)",
    ],
    ids=["trigger", "view", "virtual table"],
)
def test_games_with_a_program_in_them_are_refused(tmp_path: Path, backup: Path, program: str) -> None:
    games_file = tmp_path / "games"
    games_file.write_bytes(parts(backup)["games.sqlite3"])
    with closing(sqlite3.connect(games_file)) as db, db:
        db.execute(program)
    path = with_games(backup, tmp_path / "x.backup", games_file.read_bytes())
    refused(path, small_board(tmp_path / "b"), "The games in x.backup are damaged")


def test_a_card_without_room_is_told_before_anything_is_written(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = small_board(tmp_path / "b")
    needed = show(backup).unpacked_bytes + (16 << 20)  # which stay free whatever is put back
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed))
    stage(backup, state)
    shutil.rmtree(state.staging)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=needed - 1))
    monkeypatch.setattr(putting_back, "unpack", lambda *_: pytest.fail("it was unpacked"))
    refused(backup, state, r"^The card has 16 MB free, and putting this back needs 17 MB: make room first\.$")


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


def test_who_chooses_another_one_before_the_board_starts_gets_that(tmp_path: Path, backup: Path) -> None:
    other, _ = backed_up(small_board(tmp_path / "other"), tmp_path)
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    assert put_back(other, state) == ""
    assert len(games(state.journal)) == 1
    assert "variants/small.toml" not in whole(state)


def test_what_waits_to_be_put_back_is_for_nobody_else_to_read(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    waiting = state.staging / "new"
    assert waiting.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in waiting.rglob("*") if each.is_file()} == {0o600}


def test_what_was_decided_is_off_before_the_first_of_it_goes(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged one is chosen after a sound one, on a card that removes nothing whole any more."""
    state = small_board(tmp_path / "b")
    before = whole(state)
    stage(backup, state)
    decide(state)
    damaged = with_games(backup, tmp_path / "x.backup", b"no database")
    monkeypatch.setattr(shutil, "rmtree", lambda folder, **_: (folder / "new" / "people.json").unlink(missing_ok=True))
    with pytest.raises(BadBackup):
        stage(damaged, state)
    assert finish(state.beside) == ""
    assert whole(state) == before


def test_settings_that_nobody_can_read_are_no_backup_and_the_sentence_says_where(tmp_path: Path, backup: Path) -> None:
    path = with_part(backup, tmp_path / "x.backup", "settings.toml", b"brightness = \n")
    refused(path, small_board(tmp_path / "b"), r"^x\.backup cannot be put back \(.*line 1.*\): nothing was changed\.$")


def test_games_here_that_cannot_be_counted_keep_a_backup_from_them(tmp_path: Path, backup: Path) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    state.journal.write_bytes(b"no journal at all" * 1000)
    with pytest.raises(BadBackup, match=r"^Nothing was put back: file is not a database\. Try again\.$"):
        decide(state)
    assert not state.staging.exists()


def test_a_lock_that_fails_puts_it_off_to_the_next_start(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = small_board(tmp_path / "b")
    stage(backup, state)
    decide(state)
    before = whole(state)
    with monkeypatch.context() as patched:
        FailingCalls(patched, ("open",), 1, cut=False, stays=True)
        told = finish(state.beside)
    assert told == "A backup cannot be put back now (Input/output error): it is tried at the next start."
    assert whole(state) == before
    assert finish(state.beside) == ""
    assert len(games(state.journal)) == 3


def test_a_half_that_was_put_back_is_not_thrown_away_because_a_card_cannot_read_what_comes_next(
    tmp_path: Path, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = small_board(tmp_path / "b")
    with monkeypatch.context() as patched, suppress(PowerCut):
        FailingCalls(patched, ("rename",), 3, cut=True)
        put_back(backup, state)
    assert (state.staging / "old").stat().st_mode & 0o777 == 0o700
    plan, aside = state.staging / "plan.json", tmp_path / "aside"
    plan.rename(aside)
    plan.mkdir()  # it cannot be read
    assert finish(state.beside) == "A backup cannot be put back now (Is a directory): it is tried at the next start."
    plan.rmdir()
    aside.rename(plan)
    assert finish(state.beside) == ""
    assert len(games(state.journal)) == 3
