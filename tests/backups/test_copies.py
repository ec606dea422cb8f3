"""The folder of copies: seven evenings are kept whatever the clock says, and nothing else is touched."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from controller.backups.copies import copies, make
from controller.backups.state import BoardState
from tests.backups.boards import EVENING, furnished
from tests.backups.names_on_disk import NamesOnDisk


def names(state: BoardState) -> list[str]:
    return [copy.name for copy in copies(state.copies)]


def test_seven_evenings_are_kept(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    for day in range(10):
        make(state, "evening", EVENING + timedelta(days=day))
    assert names(state) == [
        "beaconboard-2026-12-05.backup", "beaconboard-2026-12-04.backup", "beaconboard-2026-12-03.backup",
        "beaconboard-2026-12-02.backup", "beaconboard-2026-12-01.backup", "beaconboard-2026-11-30.backup",
        "beaconboard-2026-11-29.backup",
    ]  # fmt: skip


def test_two_evenings_of_one_day_are_one_copy(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    first, second = (make(state, "evening", EVENING) for _ in range(2))
    assert first == second
    assert [copy.number for copy in copies(state.copies)] == [2]


def test_those_that_were_asked_for_push_out_no_evening(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    make(state, "evening", EVENING - timedelta(days=1))
    for _ in range(5):
        make(state, "asked", EVENING)
    for _ in range(4):
        make(state, "before", EVENING)
    kinds = [copy.kind for copy in copies(state.copies)]
    assert kinds == ["before"] * 3 + ["asked"] * 3 + ["evening"]


def test_a_clock_that_went_back_costs_no_fresh_copy(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    for day in range(7):
        make(state, "evening", EVENING + timedelta(days=day))
    fresh = make(state, "evening", EVENING - timedelta(days=20_000))  # no network: it is 1972
    assert names(state)[0] == fresh.name
    assert len(names(state)) == 7


def test_a_damaged_copy_is_told_and_goes_first(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    for day in range(7):
        path = make(state, "evening", EVENING + timedelta(days=day))
    path.write_bytes(path.read_bytes()[:500])
    assert (
        copies(state.copies)[-1].wrong
        == f"The backup {path.name} is damaged and cannot be put back: choose another one."
    )
    newer = make(state, "evening", EVENING + timedelta(days=7))
    assert path.name not in names(state)
    older = state.copies / names(state)[1]
    for each in (newer, older):
        each.write_bytes(b"")
    assert names(state)[-2:] == [newer.name, older.name]


def test_what_was_cut_off_while_it_was_made_is_no_copy_and_goes(tmp_path: Path, journal: Path) -> None:
    state = furnished(tmp_path / "a", journal)
    state.copies.mkdir()
    (state.copies / "beaconboard-2026-11-01.backup.new").write_bytes(b"PK")
    (state.copies / "notes.txt").write_text("mine")
    (state.copies / "holiday.backup").write_text("not by us")
    assert names(state) == []
    make(state, "evening", EVENING)
    assert sorted(path.name for path in state.copies.iterdir()) == [
        "beaconboard-2026-11-26.backup", "holiday.backup", "notes.txt",
    ]  # fmt: skip


def test_a_copy_is_on_disk_before_the_one_of_before_goes(
    tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = furnished(tmp_path / "a", journal)
    make(state, "evening", EVENING)
    with monkeypatch.context() as patched:
        made = NamesOnDisk(patched, tmp_path)
        path = make(state, "evening", EVENING)
    assert made.came[path] == {path.with_name(f"{path.name}.new")}  # its name alone: what is in it is kept
    assert made.names | made.contents == set()
