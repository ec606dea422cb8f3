"""The folder of a run is never half written, and nothing that lies in it is written over."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from random import Random

import msgspec
import pytest

from controller.lab import store as storing
from controller.lab.figures import RunFigures
from controller.lab.files import CasePart
from controller.lab.plan import Plan
from controller.lab.refused import LabRefused
from controller.lab.report import judged
from controller.lab.store import Store, missing
from tests.lab.runs import played, quick, rows


def test_another_run_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    store = played(quick(games=4), tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    for other in (
        quick(games=4, seed=2),
        quick(games=4, levels=("1",)),
        Plan(game="beacons", levels=("random",), games=4),
    ):
        with pytest.raises(LabRefused, match="has another run"):
            store.check(other)
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_a_folder_with_other_things_in_it_is_no_run(tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(b"?")
    with pytest.raises(LabRefused, match="has other things in it"):
        Store(tmp_path).check(quick())


def test_a_run_of_other_rules_does_not_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = played(quick(games=4), tmp_path)
    monkeypatch.setattr(storing, "code", lambda: "later")
    with pytest.raises(LabRefused, match="begun with other rules or players"):
        store.check(quick(games=4))


def test_two_do_not_play_into_one_folder(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.begun(quick()), pytest.raises(LabRefused, match="another process is playing"), store.begun(quick()):
        pass


@pytest.mark.slow
def test_a_damaged_file_is_named_and_its_games_are_played_again_once_it_is_gone(tmp_path: Path) -> None:
    plan = quick(games=12)
    store = played(plan, tmp_path)
    whole, dice = rows(store, "games"), Random(4)
    victim = sorted(store.games.iterdir())[1]
    content = victim.read_bytes()
    for damage in (b"", content[: len(content) // 2], bytes(dice.randbytes(len(content)))):
        victim.write_bytes(damage)
        with pytest.raises(LabRefused, match=rf"{victim.name} cannot be read .*: delete it"):
            played(plan, tmp_path)
        with pytest.raises(LabRefused, match="cannot be read"):
            judged(store)
    victim.unlink()
    assert rows(played(plan, tmp_path), "games") == whole


def test_a_part_counts_only_with_both_of_its_files(tmp_path: Path) -> None:
    store = played(quick(games=8), tmp_path)
    (store.plies / sorted(store.games.iterdir())[0].name).unlink()
    with pytest.raises(LabRefused, match="cannot be read"):
        store.parts()


def test_a_full_disk_keeps_what_was_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = played(quick(games=6), tmp_path)
    whole, fsync = rows(store, "games"), os.fsync
    room = iter([True, False])

    def fills_up(file: int) -> None:
        if not next(room, False):
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(file)

    monkeypatch.setattr(os, "fsync", fills_up)
    with pytest.raises(LabRefused, match=r"No space left on device.*what was played before is kept"):
        store.add(CasePart(0, 6, 7), b"games", b"plies")
    monkeypatch.undo()
    assert rows(store, "games") == whole
    assert not list(tmp_path.rglob("*.new"))


def test_a_name_that_no_part_has_is_asked_about(tmp_path: Path) -> None:
    store = played(quick(games=4), tmp_path)
    (store.games / "copy.parquet").write_bytes(sorted(store.games.iterdir())[0].read_bytes())
    with pytest.raises(LabRefused, match="none of this run's files"):
        store.parts()


def test_games_that_are_there_twice_are_not_counted_twice(tmp_path: Path) -> None:
    store = played(quick(games=4), tmp_path)
    first = sorted(store.games.iterdir())[0]
    for folder in (store.games, store.plies):
        (folder / "c00000-000000002-000000009.parquet").write_bytes((folder / first.name).read_bytes())
    with pytest.raises(LabRefused, match="have the same games"):
        store.parts()


@pytest.mark.parametrize("content", [b"", b"{", b'{"plan": 3}', b"\xff\xfe", b'{"plan": {"game": 4}, "code": ""}'])
def test_a_damaged_plan_is_told_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    with pytest.raises(LabRefused, match=r"run\.json is damaged"):
        Store(tmp_path).run()


def test_a_run_without_games_has_no_figures(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with store.begun(quick()), pytest.raises(LabRefused, match="no game was played"):
        RunFigures(store)
    with pytest.raises(LabRefused, match="there is no run in"):
        Store(tmp_path / "nowhere").run()


def test_what_is_missing_is_what_no_part_has() -> None:
    cases = quick(levels=("random", "1")).cases()
    parts = [CasePart(0, 0, 3), CasePart(0, 8, 9), CasePart(1, 2, 5)]
    assert missing(cases, parts, {0: 12, 1: 4, 2: 0}) == {0: [range(4, 8), range(10, 12)], 1: [range(2)]}


def test_a_plan_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    plan = quick(games=5, vary={}, until=0.05, without=("stone takes",))
    with Store(tmp_path).begun(plan):
        assert Store(tmp_path).run().plan == plan
    assert msgspec.json.decode((tmp_path / "run.json").read_bytes())["plan"]["games"] == 5


def test_games_are_others_where_the_lab_makes_them_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = storing.code()
    assert ours == storing.code()
    monkeypatch.setattr(storing, "OWN", storing.OWN[1:])
    assert storing.code() != ours
