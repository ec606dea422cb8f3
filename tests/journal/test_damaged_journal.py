"""Damage in one field, one byte or one file harms one game at most, is told, and the board plays."""

from __future__ import annotations

import os
import random
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from controller.app.cli import cli
from controller.journal import schema
from controller.journal.database import Archive, Journal, JournalFailed
from controller.journal.salvage import OLDER_PAGE_BYTES
from controller.journal.schema import COLUMNS, PAGE_BYTES, SUMMED, opened, sum_of
from controller.orders import NewGame, PlayPly
from controller.panel.history_backend import HistoryBackend
from hardware.profile import load
from tests.journal.journals import contents, copied, judged, played
from tests.service.evenings import WHEN, Evening, kept

LAST, OLD = 3, 2
SEEDS = 300
HUGE = 1 << 62
NOISE: list[Any] = ["once upon a time", b"\xff\xfe\x00\xc3", '{"game": "tides-of', "[1, 2", HUGE, -HUGE, 3.5, "", None]
PLAYED = (0, 1, 4)  # of these values: a start and a ply for each would take minutes
FIELDS = [
    (table, column)
    for table, columns in (("games", "header, started"), *SUMMED.items())
    for column in columns.split(", ")
    if column != "game_id"
]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[int, Any]]:
    """Return a journal of three games, and what is in it."""
    path = played(tmp_path_factory.mktemp("sound") / "games.sqlite3")
    with closing(Journal(path)) as whole:
        found = contents(whole)
        assert whole.told == []
    assert [each[1] for each in found.values()] == ["", "", ""]
    return path, found


def damaged(path: Path, table: str, column: str, game_id: int, value: Any, summed: bool) -> bool:
    """Write ``value`` into the last row of a game; with ``summed`` its sum is right all the same. Whether it can be."""
    key = "id" if table == "games" else "game_id"
    with closing(schema.connect(path)) as db, db:
        row = db.execute(f"SELECT max(id) FROM {table} WHERE {key} = ?", (game_id,)).fetchone()[0]
        if db.execute(f"SELECT {column} IS ? FROM {table} WHERE id = ?", (value, row)).fetchone()[0]:
            return False
        try:
            db.execute(f"UPDATE {table} SET {column} = ? WHERE id = ?", (value, row))
        except sqlite3.IntegrityError:  # the table itself takes no NULL there
            return False
        if summed and table == "games":
            header, started = db.execute("SELECT header, started FROM games WHERE id = ?", (row,)).fetchone()
            sums = (sum_of(None, row, header), sum_of(None, row, started), row)
            db.execute("UPDATE games SET sum = ?, dated = ? WHERE id = ?", sums)
        elif summed:
            query = f"SELECT sum FROM {table} WHERE game_id = ? AND id < ? ORDER BY id DESC LIMIT 1"
            before = db.execute(query, (game_id, row)).fetchone() or (None,)
            fields = db.execute(f"SELECT {SUMMED[table]} FROM {table} WHERE id = ?", (row,)).fetchone()
            db.execute(f"UPDATE {table} SET sum = ? WHERE id = ?", (sum_of(before[0], *fields), row))
    return True


def assert_plays(path: Path) -> None:
    """The board starts, tells of every game in its list, and begins another that takes a ply and is kept."""
    evening = Evening(path).start()
    lines = HistoryBackend(load("square144"), evening.journal.path).played()["games"]
    assert {line["id"] for line in lines} >= {1, 2, 3}
    assert all(line["sentence"] for line in lines)
    evening.laid_out().ply("c3-c4")
    assert evening.plies == ["c3-c4"]
    assert evening.service.running
    number = max(line["id"] for line in HistoryBackend(load("square144"), evening.journal.path).played()["games"])
    evening.stop()
    assert kept(evening.journal.path, number) == ("c3-c4",)


# ---- fields -----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("summed", [False, True], ids=["sum wrong", "sum right"])
@pytest.mark.parametrize("game_id", [LAST, OLD], ids=["last", "old"])
@pytest.mark.parametrize(("table", "column"), FIELDS)
def test_damage_in_a_field_is_told_and_the_board_plays(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path, table: str, column: str, game_id: int, summed: bool
) -> None:
    path, whole = sound
    for number, value in enumerate(NOISE):
        victim = copied(path, tmp_path / str(number))
        if not damaged(victim, table, column, game_id, value, summed):
            continue
        untold = judged(copied(victim, tmp_path / f"{number}-judged"), whole)
        # With a right sum it is no damage but another journal, of which what says nothing is told.
        assert summed or untold == "told", (value, untold)
        if number in PLAYED:
            assert_plays(victim)


def test_a_last_game_that_lost_its_end_goes_on_from_there_as_a_new_one(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path
) -> None:
    victim = copied(sound[0], tmp_path / "one")
    assert damaged(victim, "entries", "left_us", LAST, "[12, 'noise", summed=False)
    evening = Evening(victim).start()
    assert evening.plies == ["c3-c4", "c6-b5", "c2-d3"]
    assert evening.table.play.clock.left_us != ()
    told = "the journal is damaged here: moves of this game that are left: 3. It continues from there as a new game."
    assert re.search(rf"Tides of War \({WHEN}\): {told}", evening.seen.fault)
    evening.set_up().ply("b6-a6")
    evening.stop()
    assert kept(victim, 4) == ("c3-c4", "c6-b5", "c2-d3", "b6-a6")
    again = Evening(victim).start()
    assert again.plies == ["c3-c4", "c6-b5", "c2-d3", "b6-a6"]
    assert again.seen.fault == ""
    again.stop()


def test_a_changed_touch_is_told_to_who_writes_the_recording_out(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path
) -> None:
    """A row's sum covers its touch: the recording has what came before, and says that it is not all."""
    path, whole = sound
    for game_id in whole:
        victim = copied(path, tmp_path / str(game_id))
        command = ["record", str(game_id), "--journal", str(victim)]
        before = CliRunner().invoke(cli, command)
        assert before.exit_code == 0, before.output
        with closing(schema.connect(victim)) as db, db:
            ids = [row[0] for row in db.execute("SELECT id FROM lines WHERE game_id = ? ORDER BY id", (game_id,))]
            changed = ids[len(ids) // 2]
            (line,) = db.execute("SELECT line FROM lines WHERE id = ?", (changed,)).fetchone()
            db.execute("UPDATE lines SET line = ? WHERE id = ?", (line.replace('t_us":', 't_us":1', 1), changed))
        after = CliRunner().invoke(cli, command)
        assert after.exit_code == 1
        assert "the recording of this game breaks off" in after.output
        assert len(after.output.splitlines()) < len(before.output.splitlines())


# ---- bytes ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("mark", ["with its mark", "without its mark"])
def test_no_flipped_bit_loses_anything_silently(sound: tuple[Path, dict[int, Any]], tmp_path: Path, mark: str) -> None:
    path, whole = sound
    outcomes = set()
    for seed in range(SEEDS):
        dice = random.Random(f"{mark} {seed}")
        victim = copied(path, tmp_path / str(seed))
        if mark == "without its mark":
            victim.with_name(f"{victim.name}.lock").unlink()
        content = bytearray(victim.read_bytes())
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        victim.write_bytes(content)
        outcome = judged(victim, whole)
        assert outcome in ("whole", "told"), (seed, outcome)
        outcomes.add(outcome)
        shutil.rmtree(victim.parent)
    assert outcomes == {"whole", "told"}


def test_a_page_of_noise_loses_what_lay_on_it_and_the_other_games_are_brought_over(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    first = Evening(path).start()
    for game in range(40):
        first.order(NewGame(game="tides-of-war", seed=game)).set_up(5).ply("c3-c4")
    first.stop()
    content = bytearray(path.read_bytes())
    rows = content.index(b'"c3-c4"') if b'"c3-c4"' in content else content.rindex(b"c3-c4")
    page = rows // 4096 * 4096
    content[page : page + 4096] = bytes(reversed(range(256))) * 16
    path.write_bytes(content)
    evening = Evening(path).start()
    assert "are recovered in full: " in evening.seen.fault
    assert evening.journal.damaged is not None
    assert evening.journal.damaged.read_bytes() == bytes(content)
    with closing(Archive(evening.journal.path)) as archive:
        listed = archive.listed(100)
        whole = [each for each in listed if _readable(archive, each.game_id)]
    assert len(listed) == 40
    assert whole or "40 in part" in evening.seen.fault
    evening.new_game().ply("c3-c4")
    evening.stop()


def _readable(archive: Archive, game_id: int) -> bool:
    try:
        return archive.saved(game_id).flaw == ""
    except JournalFailed:
        return False


@pytest.mark.parametrize("at", ["read", "put aside"])
def test_a_recovery_that_was_cut_off_is_begun_anew_or_gone_on_with(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    victim = copied(sound[0], tmp_path / "one")
    with closing(schema.connect(victim)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'line_runs'").fetchone()
    with victim.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(b"\xff" * PAGE_BYTES)

    def cut(*_: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched, suppress(JournalFailed):
        patched.setattr(schema, "exchange" if at == "read" else "_follow", cut)
        Journal(victim).close()
    with closing(Journal(victim)) as journal:
        assert contents(journal) == sound[1]
        assert journal.damaged == victim.with_name("games.sqlite3.damaged-1")
        assert journal.told[0].startswith("The journal was damaged: it is kept as games.sqlite3.damaged-1")
    with closing(Journal(victim)) as journal:
        assert journal.told == []


@pytest.mark.parametrize("page_bytes", [PAGE_BYTES, OLDER_PAGE_BYTES])
def test_the_first_4096_bytes_of_any_journal_cost_no_game(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path, page_bytes: int
) -> None:
    path, whole = sound
    victim = tmp_path / path.name
    with closing(opened(victim, page_bytes)) as db, db:
        db.execute("ATTACH ? AS other", (str(path),))
        for table in COLUMNS:
            db.execute(f"INSERT INTO {table} SELECT * FROM other.{table}")
    assert victim.stat().st_size % page_bytes == 0
    content = bytearray(victim.read_bytes())
    content[:4096] = bytes(reversed(range(256))) * 16
    victim.write_bytes(content)
    with closing(Journal(victim)) as brought:
        assert "recovered in full: 3, in part: 0; lost: 0." in brought.told[0]
        assert contents(brought) == whole


def test_a_damaged_first_page_costs_no_game(sound: tuple[Path, dict[int, Any]], tmp_path: Path) -> None:
    path, whole = sound
    victim = copied(path, tmp_path / "one")
    content = bytearray(victim.read_bytes())
    content[:16] = b"once upon a time"
    victim.write_bytes(content)
    with closing(Journal(victim)) as brought:
        assert "Of its games are recovered in full: 3, in part: 0; lost: 0." in brought.told[0]
        assert contents(brought) == whole


# ---- files beside it ----------------------------------------------------------------------------------------

DEEDS = ["noise", "nothing in it", "a folder", "unreadable"]


def do(path: Path, deed: str, patch: pytest.MonkeyPatch) -> None:
    """Put something else in the place of a file."""
    if path.is_file():
        path.unlink()
    if deed == "a folder":
        path.mkdir(parents=True)
    elif deed == "nothing in it":
        path.write_bytes(b"")
    else:
        path.write_bytes(bytes(range(256)) * 20)
    if deed == "unreadable":
        really = Path.read_bytes

        def refused(self: Path) -> bytes:  # tests may run as a user who may read everything
            if self == path:
                raise PermissionError(13, "Permission denied", str(path))
            return really(self)

        patch.setattr(Path, "read_bytes", refused)


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("extra", [".lock", "-wal", "-shm"])
def test_a_file_beside_the_journal_costs_no_game(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, extra: str, deed: str
) -> None:
    path, whole = sound
    victim = copied(path, tmp_path / "one")
    do(victim.with_name(f"{victim.name}{extra}"), deed, monkeypatch)
    assert judged(copied(victim, tmp_path / "two"), whole) == "whole"
    with closing(Journal(victim)), pytest.raises(JournalFailed, match="another service keeps its games in"):
        Journal(victim)
    assert_plays(victim)


@pytest.mark.parametrize("deed", ["noise", "nothing in it", "a folder", "one bit"])
def test_a_log_that_is_lost_after_a_power_cut_is_told(
    tmp_path: Path, deed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().new_game().ply("c3-c4").set_up().ply("c6-b5")
    victim = copied(evening.path, tmp_path / "cut")
    evening.stop()
    log = victim.with_name(f"{victim.name}-wal")
    if deed == "one bit":
        content = bytearray(log.read_bytes())
        content[100] ^= 4
        log.write_bytes(content)
    else:
        do(log, deed, monkeypatch)
    again = Evening(victim).start()
    assert "The end of the journal is missing:" in again.seen.fault
    assert again.table.play is None
    again.new_game().ply("c3-c4")
    assert again.plies == ["c3-c4"]
    again.stop()


def test_an_empty_journal_is_told(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(b"")
    evening = Evening(path).start()
    assert evening.seen.fault == "The journal games.sqlite3 was empty: a new one has been started."
    evening.new_game().ply("c3-c4")
    evening.stop()
    assert kept(path, 1) == ("c3-c4",)


# ---- other versions ---------------------------------------------------------------------------------------


def test_a_journal_of_a_later_version_is_left_alone_and_games_are_kept_beside_it(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path
) -> None:
    victim = copied(sound[0], tmp_path / "one")
    with closing(sqlite3.connect(victim)) as db:
        db.execute("PRAGMA user_version = 7")
    before = victim.read_bytes()
    beside = victim.with_name("games.sqlite3.version-1")
    for number in (1, 2):
        evening = Evening(victim).start()
        assert (
            f"was written by a later Beaconboard (version 7) and stays unchanged: games are kept in {beside.name}."
            in evening.seen.fault
        )
        evening.new_game().ply("c3-c4")
        evening.stop()
        assert kept(beside, number) == ("c3-c4",)
    assert victim.read_bytes() == before
    with pytest.raises(JournalFailed, match=r"was written by a later Beaconboard \(version 7\)"):
        Archive(victim).saved(1)


def test_a_journal_of_before_the_versions_is_read_and_brought_up(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(OLDEST)
    with closing(Archive(path)) as archive:
        assert archive.saved(1).plies == ("c3-c4", "c6-b5")
    evening = Evening(path).start()
    assert evening.seen.fault == ""
    assert evening.plies == ["c3-c4", "c6-b5"]
    evening.set_up().ply("c2-d3")
    evening.stop()
    assert kept(path, 1) == ("c3-c4", "c6-b5", "c2-d3")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
        assert db.execute("SELECT count(*) FROM entries WHERE sum IS NULL").fetchone() == (0,)


OLDEST = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, header TEXT NOT NULL, started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE entries (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, t_us INTEGER NOT NULL,
    ply TEXT, back_to INTEGER, left_us TEXT, outcome TEXT
);
CREATE TABLE lines (
    id INTEGER PRIMARY KEY, game_id INTEGER NOT NULL REFERENCES games, line TEXT NOT NULL
);
CREATE INDEX entries_of_game ON entries (game_id);
CREATE INDEX lines_of_game ON lines (game_id);
INSERT INTO games (header) VALUES ('{"game":"tides-of-war","board":"square144","seed":1}');
INSERT INTO entries (game_id, t_us, ply, left_us) VALUES (1, 5, 'c3-c4', '[]'), (1, 9, 'c6-b5', '[]');
INSERT INTO lines (game_id, line) VALUES (1, '{"t_us":5,"link":true}');
"""


# ---- a disk that takes nothing ------------------------------------------------------------------------------


class ReadOnly:
    """A disk that is mounted to be read only: what is opened on it can never be written, even later."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.on = False
        really = schema.connect

        def connect(path: Path, query: str = "") -> sqlite3.Connection:
            if self.on and not path.exists():
                raise sqlite3.OperationalError("unable to open database file")
            return really(path, "?mode=ro" if self.on and "mode=ro" not in query else query)

        patch.setattr(schema, "connect", connect)


def test_a_disk_that_can_only_be_read_is_opened_again_when_it_can_be_written(
    sound: tuple[Path, dict[int, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = copied(sound[0], tmp_path / "one")
    disk = ReadOnly(monkeypatch)
    disk.on = True
    evening = Evening(victim).start()
    assert evening.plies == ["c3-c4", "c6-b5", "c2-d3", "b6-a6"]
    order = NewGame(game="tides-of-war", seed=4)
    warning = evening.service.submit(order)
    assert warning.startswith("The game is not being saved: the journal")
    assert warning in evening.seen.fault
    evening.set_up().ply("c3-c4").set_up()
    disk.on = False
    evening.ply("c6-b5")
    assert evening.seen.fault == ""
    evening.stop()
    assert kept(victim, 4) == ("c3-c4", "c6-b5")
    assert kept(victim, 3) == ("c3-c4", "c6-b5", "c2-d3", "b6-a6")


def test_without_a_folder_to_write_in_games_go_on_and_get_their_numbers_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.sqlite3"
    disk = ReadOnly(monkeypatch)
    disk.on = True
    evening = Evening(path).start().new_game().ply("c3-c4")
    evening.new_game().ply("c6-b5" if "c6-b5" in evening.plies else "c3-c4")
    assert evening.seen.fault.startswith("The game is not being saved: the journal")
    disk.on = False
    evening.set_up().ply("c6-b5")
    evening.stop()
    assert [kept(path, 1), kept(path, 2)] == [("c3-c4",), ("c3-c4", "c6-b5")]


def test_the_lock_holds_through_a_symbolic_link_and_where_it_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, link = tmp_path / "games.sqlite3", tmp_path / "elsewhere" / "link.sqlite3"
    link.parent.mkdir()
    link.symlink_to(path)
    with closing(Journal(path)), pytest.raises(JournalFailed, match="another service keeps its games in"):
        Journal(link)
    really = os.open

    def refused(place: Any, flags: int, *mode: int) -> int:
        if str(place).endswith(".lock"):
            raise OSError(30, "Read-only file system", str(place))
        found: int = really(place, flags, *mode)
        return found

    monkeypatch.setattr("controller.journal.marker.os.open", refused)
    with closing(Journal(path)), pytest.raises(JournalFailed, match="another service keeps its games in"):
        Journal(path)


def test_an_order_on_a_full_disk_says_that_it_is_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(tmp_path / "games.sqlite3").start().new_game()

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Journal, "_write", full)
        assert "disk is full" in evening.service.submit(PlayPly(text="c3-c4"))
    evening.set_up()
    assert evening.service.submit(PlayPly(text="c6-b5")) == ""
    evening.stop()
    assert kept(evening.path, 1) == ("c3-c4", "c6-b5")
