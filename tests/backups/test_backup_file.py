"""What is in a backup and what never is; and every file that somebody may hand in as one."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import sqlite3
import zipfile
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from controller import checked_zip
from controller.backups.backup_file import BadBackup, Occasion, check, manifest_of, write
from controller.backups.state import BoardState
from controller.journal import read_beside
from controller.journal.database import Archive, Journal
from controller.journal.recording import Header
from tests.backups.boards import SECRET, backed_up, furnished, parts, rewritten
from tests.journal.journals import contents


def test_a_backup_has_what_an_owner_would_miss(tmp_path: Path, journal: Path) -> None:
    path, manifest = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    assert check(path) == manifest
    assert (manifest.games, manifest.people, manifest.variants, manifest.board) == (3, 2, 1, "square144")
    assert (manifest.made, manifest.day, manifest.kind) == ("2026-11-26 23:10:00", "2026-11-26", "asked")
    assert parts(path).keys() == {
        "manifest.json", "games.sqlite3", "settings.toml", "people.json", "analyses/1.json", "variants/small.toml",
        "learned/square144.toml", "rests/cell36.json",
    }  # fmt: skip
    assert b"brightness = 40" in parts(path)["settings.toml"]


def test_no_secret_is_in_it(tmp_path: Path, journal: Path) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    inside = b"".join(parts(path).values())
    assert not [secret for secret in SECRET if secret.encode() in inside]
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_games_in_it_are_those_of_one_moment_while_a_service_writes(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    with closing(Journal(state.journal)) as running:
        running.begin(Header("circle", {}, None, ()))
        running.flush()
        path, manifest = backed_up(state, tmp_path)
        assert manifest.games == 4
    with (tmp_path / "out.sqlite3").open("wb") as out:
        out.write(parts(path)["games.sqlite3"])
    with closing(Archive(tmp_path / "out.sqlite3")) as found:
        assert [each.game_id for each in found.listed(9)] == [4, 3, 2, 1]
    with closing(sqlite3.connect(tmp_path / "out.sqlite3")) as by_any_tool:
        kept = by_any_tool.execute("PRAGMA journal_mode").fetchone()
    assert kept == ("delete",)  # one file, which can be looked into where nothing can be written


def test_a_board_with_nothing_but_games_has_a_backup(tmp_path: Path) -> None:
    state = BoardState(tmp_path / "games.sqlite3", tmp_path / "games.sqlite3")
    Journal(state.journal).close()
    path, manifest = backed_up(state, tmp_path)
    assert (manifest.games, manifest.last, [*manifest.parts]) == (0, "", ["games.sqlite3"])
    assert manifest_of(path) == manifest


def test_a_clock_that_was_never_set_keeps_no_board_from_a_backup(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    never = Occasion(1, "evening", datetime(1970, 1, 1, tzinfo=UTC))
    assert write(tmp_path / "old.backup", state, never).day == "1970-01-01"
    assert check(tmp_path / "old.backup").made == "1970-01-01 00:00:00"


@pytest.mark.parametrize("call", ["open", "fsync", "replace"])
def test_a_full_card_is_one_sentence_and_the_last_copy_stays(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    state = furnished(tmp_path / "a", journal)
    path, manifest = backed_up(state, tmp_path)
    real = getattr(os, call)

    def full(*given: Any, **more: Any) -> Any:
        if call == "open" and not str(given[0]).endswith(".new"):
            return real(*given, **more)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, call, full)
    with pytest.raises(BadBackup, match=r"^No backup can be made in .*: No space left on device\. Make room"):
        backed_up(state, tmp_path, number=2)
    monkeypatch.undo()
    assert check(path) == manifest
    assert [each.name for each in tmp_path.glob("*.backup*")] == ["some.backup"]


# ---- what somebody hands in ----


def later(path: Path, into: Path, **versions: int) -> Path:
    told = {**json.loads(parts(path)["manifest.json"]), **versions, "more": "that is not known yet"}
    return rewritten(path, into, {"manifest.json": json.dumps(told).encode()})


def test_one_of_before_boards_were_measured_is_as_good(tmp_path: Path, journal: Path) -> None:
    path, manifest = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    measured = {name: None for name in manifest.parts if name.startswith(("learned/", "rests/"))}
    told = json.loads(parts(path)["manifest.json"])
    told["parts"] = {name: part for name, part in told["parts"].items() if name not in measured}
    older = json.dumps({**told, "format": 1}).encode()
    assert check(rewritten(path, tmp_path / "1.backup", {**measured, "manifest.json": older})).games == 3


@pytest.mark.parametrize("versions", [{"format": 3}, {"journal_version": 9}])
def test_one_of_a_later_version_says_that_the_board_wants_an_update(
    tmp_path: Path, journal: Path, versions: dict[str, int]
) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    with pytest.raises(BadBackup, match=r"l\.backup was made by a later Beaconboard: update this board first"):
        check(later(path, tmp_path / "l.backup", **versions))


def test_what_is_no_backup_is_called_so(tmp_path: Path, journal: Path) -> None:
    text, photo, empty, other = (tmp_path / name for name in ("a.txt", "b.jpg", "c.backup", "d.zip"))
    text.write_text("Dear board,")
    photo.write_bytes(b"\xff\xd8" + os.urandom(5000))
    empty.touch()
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("holiday.txt", "sun")
    for path in (text, photo, empty, other, journal):
        with pytest.raises(BadBackup, match=rf"^{path.name} is no backup of a Beaconboard: choose a file that ends in"):
            check(path)
    with pytest.raises(BadBackup, match=r"^gone\.backup cannot be read: No such file or directory\.$"):
        check(tmp_path / "gone.backup")


def test_damage_at_any_byte_is_found(tmp_path: Path, journal: Path) -> None:
    path, manifest = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    sound, hurt = path.read_bytes(), tmp_path / "hurt.backup"
    said: set[str] = set()
    for at in [*range(0, len(sound), 97), *range(len(sound) - 600, len(sound), 7)]:
        hurt.write_bytes(sound[:at] + bytes([sound[at] ^ 0x55]) + sound[at + 1 :])
        try:
            assert check(hurt) == manifest  # a date, or another byte that nobody reads
        except BadBackup as wrong:
            said.add(str(wrong).partition(": ")[0])
    assert said <= {
        "The backup hurt.backup is damaged and cannot be put back", "hurt.backup is no backup of a Beaconboard",
        "The backup hurt.backup was made by a later Beaconboard",
    }  # fmt: skip
    assert len(said) > 1


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_one_that_was_cut_off_is_damaged_and_not_something_else(tmp_path: Path, journal: Path, share: float) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    with pytest.raises(BadBackup, match=r"^The backup some\.backup is damaged and cannot be put back: choose another"):
        check(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"games.sqlite3": None},
        {"games.sqlite3": b"other games"},
        {"people.json": b"{}"},
        {"../../evil": b"x"},
        {"variants/../../evil": b"x"},
        {"variants/.hidden": b"x"},
        {"phones.json": b"a stranger's phone"},
        {"manifest.json": b"{}"},
        {"manifest.json": b"[" * 100_000},
        {"manifest.json": b"\xff"},
        {"manifest.json": b" " * (5 << 20)},
    ],
    ids=map(str, range(11)),
)
def test_a_backup_is_held_to_its_own_words(tmp_path: Path, journal: Path, changes: dict[str, bytes | None]) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    with pytest.raises(BadBackup, match="is damaged"):
        check(rewritten(path, tmp_path / "made-up.backup", changes))


def test_a_list_of_parts_without_end_is_refused(tmp_path: Path, journal: Path) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    manifest = parts(path)["manifest.json"]
    for spaces, is_read in ((4 << 20) - len(manifest), True), ((4 << 20) + 1 - len(manifest), False):
        long = rewritten(path, tmp_path / "long.backup", {"manifest.json": manifest + b" " * spaces})
        with nullcontext() if is_read else pytest.raises(BadBackup, match="is damaged"):
            check(long)
    for more, is_read in (20_000 - len(parts(path)) + 1, True), (20_000 - len(parts(path)) + 2, False):
        many = naming(path, tmp_path / "many.backup", {f"variants/{number}": b"" for number in range(more)})
        with nullcontext() if is_read else pytest.raises(BadBackup, match="is damaged"):
            manifest_of(many)


def test_a_card_that_fails_while_a_backup_is_read_is_told_of_as_one(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)

    def failing(*_: Any) -> Any:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(checked_zip, "pieces", failing)
    with pytest.raises(BadBackup, match=r"^some\.backup cannot be read: Input/output error\.$"):
        check(path)


def test_a_file_of_10_gb_is_not_even_opened(tmp_path: Path) -> None:
    path = tmp_path / "huge.backup"
    with path.open("wb") as file:
        file.truncate(10 << 30)  # takes no room
    with pytest.raises(BadBackup, match=r"^huge\.backup has 10240 MB, and 256 MB are the most"):
        check(path)


@pytest.mark.slow
def test_a_part_that_says_to_be_small_and_grows_without_end_is_left_at_its_word(tmp_path: Path, journal: Path) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    bomb = rewritten(path, tmp_path / "bomb.backup", {"people.json": bytes(100 << 20)})
    assert bomb.stat().st_size < 1 << 20
    with pytest.raises(BadBackup, match="is damaged"):
        check(bomb)


def test_a_journal_of_before_sums_is_taken_along_and_brought_up_where_it_arrives(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    with closing(Journal(state.journal)) as now:
        games = contents(now)
    with closing(sqlite3.connect(state.journal)) as db, db:
        db.execute("PRAGMA user_version = 0")
    path, manifest = backed_up(state, tmp_path)
    assert manifest.journal_version == 0
    out = tmp_path / "out.sqlite3"
    out.write_bytes(parts(path)["games.sqlite3"])
    with closing(Journal(out)) as brought_up:
        assert contents(brought_up) == games


def naming(path: Path, into: Path, content: dict[str, bytes], but: str = "") -> Path:
    """Write a backup whose own words name these parts as well, and not ``but``."""
    told = json.loads(parts(path)["manifest.json"])
    told["parts"] |= {
        name: {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()} for name, data in content.items()
    }
    told["parts"].pop(but, None)
    changes: dict[str, bytes | None] = {**content, "manifest.json": json.dumps(told).encode()}
    return rewritten(path, into, changes | ({but: None} if but else {}))


@pytest.mark.parametrize(
    ("content", "but"),
    [
        ({"phones.json": b"a stranger's phone"}, ""),
        ({"variants/../../evil": b"x"}, ""),
        ({"people.json": b" " * ((8 << 20) + 1)}, ""),
        ({}, "games.sqlite3"),
    ],
    ids=["a file of secrets", "a way out", "too large", "without games"],
)
def test_what_no_backup_has_is_refused_also_where_its_own_words_name_it(
    tmp_path: Path, journal: Path, content: dict[str, bytes], but: str
) -> None:
    path, _ = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    assert check(naming(path, tmp_path / "fine.backup", {"variants/large.toml": b" " * (8 << 20)})).format == 2
    with pytest.raises(BadBackup, match="is damaged"):
        check(naming(path, tmp_path / "made-up.backup", content, but))


def test_games_take_less_room_in_it_and_are_copied_on_the_card_where_memory_is_no_folder(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_beside, "SHARED_MEMORY", tmp_path / "nowhere")
    path, manifest = backed_up(furnished(tmp_path / "a", journal), tmp_path)
    assert check(path) == manifest
    assert path.stat().st_size < manifest.unpacked_bytes / 3
