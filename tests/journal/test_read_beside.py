"""A journal that its service has for itself: what others read of it, and how little is written beside it."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec
import pytest

from controller.journal import read_beside, schema
from controller.journal.archive import Archive, JournalFailed
from controller.journal.database import Entry, Journal
from controller.journal.marker import MOST_BEHIND, JournalMark
from controller.journal.read_beside import MOST_TRIES, by_another_process
from controller.journal.recording import Header
from tests.journal.journals import copied

HEADER = Header("circle", board="square144")
SERVICE = """
import sys
from pathlib import Path
from controller.journal.database import Entry, Journal
from controller.journal.recording import Header

journal = Journal(Path(sys.argv[1]))
game = journal.begin(Header("circle", board="square144"))
for at, line in enumerate(sys.stdin):
    journal.enter(game, Entry(at, ply=line.strip()))
    journal.flush()
    print(line, end="", flush=True)
journal.close()
"""


@contextmanager
def service(path: Path) -> Iterator[Callable[[str], None]]:
    """Run a service in another process, which keeps one game; yield what makes a ply in it and has it on disk."""
    command = [sys.executable, "-c", SERVICE, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        stdin, stdout = process.stdin, process.stdout

        def ply(text: str) -> None:
            stdin.write(f"{text}\n")
            stdin.flush()
            assert stdout.readline() == f"{text}\n"

        yield ply
        stdin.close()
        assert process.wait() == 0


def plies(path: Path) -> tuple[str, ...]:
    with closing(Archive(path)) as archive:
        return archive.saved(1).plies


# ---- who reads --------------------------------------------------------------------------------------------


def test_another_process_reads_every_ply_that_was_made_while_the_service_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with service(path) as ply:
        ply("c3-c4")
        with closing(Archive(path)) as archive:
            ply("c6-b5")
            assert archive.saved(1).plies == ("c3-c4",)  # as it was when it was opened
        assert plies(path) == ("c3-c4", "c6-b5")
        assert sorted(os.listdir(tmp_path)) == ["games.sqlite3", "games.sqlite3-wal", "games.sqlite3.lock"]
    assert plies(path) == ("c3-c4", "c6-b5")


@pytest.mark.slow
def test_no_other_process_takes_the_log_from_under_the_service(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with service(path) as ply:
        ply("c3-c4")
        with closing(sqlite3.connect(path, timeout=0)) as db, pytest.raises(sqlite3.OperationalError, match="locked"):
            db.execute("SELECT * FROM games")
        ply("c6-b5")
    assert plies(path) == ("c3-c4", "c6-b5")


@pytest.mark.slow
def test_the_service_begins_while_another_process_reads_and_that_one_reads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    with service(path) as ply:
        ply("c3-c4")
    monkeypatch.setattr(schema, "READER_WAITS_MS", 0)
    reading = "import sqlite3, sys; db = sqlite3.connect(sys.argv[1]); db.execute('SELECT * FROM games').fetchone()\n"
    command = [sys.executable, "-c", f"{reading}print(flush=True); input(); db.close()", str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None
        reader.stdout.readline()
        with closing(Journal(path)) as journal:
            assert journal.told == []
            journal.enter(1, Entry(9, ply="c6-b5"))
            journal.flush()
            reader.communicate("\n")
            assert reader.returncode == 0
            journal.enter(1, Entry(10, ply="c2-d3"))
    assert plies(path) == ("c3-c4", "c6-b5", "c2-d3")


# ---- how it is copied -------------------------------------------------------------------------------------


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A journal to which nothing goes from its log but where a test says so."""
    with closing(schema.opened(tmp_path / "games.sqlite3")) as db:
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("CREATE TABLE pairs (one, other)")
        fill(db, 1)
        db.execute("PRAGMA wal_checkpoint(RESTART)")
        yield db


def fill(db: sqlite3.Connection, number: int) -> None:
    """Write ``number`` into many pages, all or nothing."""
    with db:
        db.execute("DELETE FROM pairs")
        db.executemany("INSERT INTO pairs VALUES (?, ?)", [(number, bytes(400))] * 200)


def numbers(path: Path) -> list[tuple[int, int]]:
    """Return which numbers a sound copy has, and how often."""
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return db.execute("SELECT one, count(*) FROM pairs GROUP BY one").fetchall()


def copying(between: Callable[[], object]) -> Callable[[Sequence[Path], Path], None]:
    """Copy as another process does, with something ``between`` the journal and its log."""

    def copy(paths: Sequence[Path], folder: Path) -> None:
        by_another_process(paths[:1], folder)
        between()
        if paths[1:]:
            by_another_process(paths[1:], folder)

    return copy


def test_what_goes_from_the_log_into_the_journal_as_it_is_copied_is_in_the_copy(
    tmp_path: Path, writer: sqlite3.Connection
) -> None:
    fill(writer, 2)
    checkpoint = copying(lambda: writer.execute("PRAGMA wal_checkpoint"))
    (folder := tmp_path / "copy").mkdir()
    assert numbers(read_beside.copied(tmp_path / "games.sqlite3", folder, checkpoint)) == [(2, 200)]


def test_a_log_that_begins_again_as_it_is_copied_has_all_of_it_copied_again(
    tmp_path: Path, writer: sqlite3.Connection
) -> None:
    fill(writer, 2)
    tries: list[int] = []

    def once() -> None:
        tries.append(1)
        if len(tries) == 1:
            writer.execute("PRAGMA wal_checkpoint(RESTART)")
            with writer:
                writer.execute("UPDATE pairs SET one = 3")

    (folder := tmp_path / "copy").mkdir()
    assert numbers(read_beside.copied(tmp_path / "games.sqlite3", folder, copying(once))) == [(3, 200)]
    assert len(tries) == 2


@pytest.mark.slow
def test_a_journal_that_changes_too_fast_and_one_that_is_gone_are_no_copies(
    tmp_path: Path, writer: sqlite3.Connection
) -> None:
    tries: list[int] = []

    def again() -> None:
        tries.append(1)
        fill(writer, len(tries))
        writer.execute("PRAGMA wal_checkpoint(RESTART)")
        fill(writer, len(tries))

    (folder := tmp_path / "copy").mkdir()
    with pytest.raises(OSError, match=r"^games\.sqlite3 changes too fast to be copied: try again in a minute$"):
        read_beside.copied(tmp_path / "games.sqlite3", folder, copying(again))
    assert len(tries) == MOST_TRIES
    with pytest.raises(OSError, match="No such file"):
        read_beside.copied(tmp_path / "gone.sqlite3", folder)


@pytest.mark.slow
def test_where_no_copy_can_be_made_that_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.sqlite3"
    with service(path) as ply:
        ply("c3-c4")
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(
            JournalFailed, match=r"cannot be read: .*No such file or directory: 'cp'; mend that or name"
        ):
            Archive(path)


# ---- the mark ---------------------------------------------------------------------------------------------


def mark(path: Path) -> JournalMark:
    return msgspec.json.decode(path.with_name(f"{path.name}.lock").read_bytes().strip(), type=JournalMark)


def test_the_mark_is_written_after_some_plies_and_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with closing(Journal(path)) as journal:
        game = journal.begin(HEADER)
        journal.flush()
        found = []
        for at in range(3 * MOST_BEHIND + 5):
            journal.enter(game, Entry(at, ply="c3-c4"))
            journal.flush()
            found.append(mark(path).entries)
    assert sorted(set(found)) == [0, MOST_BEHIND, 2 * MOST_BEHIND, 3 * MOST_BEHIND]
    assert found[-1] == 3 * MOST_BEHIND
    assert mark(path).entries == 3 * MOST_BEHIND + 5


def test_a_loss_is_told_once_also_where_the_power_fails_again(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with closing(Journal(path)) as journal:
        game = journal.begin(HEADER)
        journal.flush()
        journal.close()
    with closing(Journal(path)) as journal:
        for at in range(MOST_BEHIND):
            journal.enter(game, Entry(at, ply="c3-c4"))
            journal.flush()
        lost = copied(path, tmp_path / "lost")
    lost.with_name(f"{lost.name}-wal").unlink()
    with closing(Journal(lost)) as journal:
        assert journal.told[0].startswith(
            f"The end of the journal is missing: games: 0, moves and endings: {MOST_BEHIND}"
        )
        journal.enter(game, Entry(1, ply="c3-c4"))
        journal.flush()
        cut = copied(lost, tmp_path / "cut")
    with closing(Journal(cut)) as journal:
        assert journal.told == []
        assert journal.saved(game).plies == ("c3-c4",)
