"""What a disk may hold after a cut: all that was synced, and of everything else what each model allows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from tests.power_cuts.disk import MODELS, Disk, Model
from tests.power_cuts.trace import Act, built, recorded

OLD, NEW = b"o" * 8192, b"n" * 8192
CUTS = 60


def left(tmp_path: Path, model: Model, *acts: Act, begin: bytes | None = None) -> list[dict[str, bytes]]:
    """Return what may be on a disk after these acts, cut many times; ``begin`` is in the file "a" before."""
    before = tmp_path / "before"
    before.mkdir()
    if begin is not None:
        (before / "a").write_bytes(begin)
    disk, found = Disk(before), []
    for act in acts:
        disk.do(act)
    for seed in range(CUTS):
        into = tmp_path / f"{seed}"
        disk.cut(model, random.Random(seed), into)
        found.append(files(into))
    return found


def opened(name: str, file: int = 1, made: bool = True) -> Act:
    return Act("o", file, int(made), name.encode())


@pytest.mark.parametrize("model", MODELS)
def test_what_was_synced_is_there_whatever_comes_after_it(tmp_path: Path, model: Model) -> None:
    acts = [opened("a"), Act("w", 1, 0, NEW), Act("s", 1), Act("d", first=b"")]
    for found in left(tmp_path, model, *acts, opened("b", 2), Act("w", 2, 0, OLD)):
        assert found["a"] == NEW


@pytest.mark.parametrize("model", MODELS)
def test_what_was_not_synced_is_there_in_sectors_or_not(tmp_path: Path, model: Model) -> None:
    disks = left(tmp_path, model, opened("a", made=False), Act("w", 1, 0, NEW), begin=OLD)
    contents = {found["a"] for found in disks}
    assert {OLD, NEW} < contents
    sectors = {content[at : at + 512] for content in contents for at in range(0, len(OLD), 512)}
    assert sectors == {b"o" * 512, b"n" * 512}


def test_a_name_is_there_once_its_folder_was_synced(tmp_path: Path) -> None:
    acts = opened("a"), Act("w", 1, 0, NEW), Act("s", 1)
    (tmp_path / "posix").mkdir()
    assert {"a" in found for found in left(tmp_path / "posix", "posix", *acts)} == {True, False}
    (tmp_path / "ordered").mkdir()
    assert all(found["a"] == NEW for found in left(tmp_path / "ordered", "ordered", *acts))


def test_names_are_lost_in_any_order_or_from_the_end_alone(tmp_path: Path) -> None:
    acts = opened("b", 1), opened("c", 2), Act("r", first=b"b", second=b"d")
    model: Model
    for model, most in (("posix", {(), ("b",), ("c",), ("d",), ("b", "c"), ("c", "d")}),
                        ("ordered", {(), ("b",), ("b", "c"), ("c", "d")})):  # fmt: skip
        (tmp_path / model).mkdir()
        assert {tuple(sorted(found)) for found in left(tmp_path / model, model, *acts)} == most


def test_a_size_is_there_with_its_data_where_data_comes_first(tmp_path: Path) -> None:
    acts = opened("a", made=False), Act("w", 1, len(OLD), NEW)
    (tmp_path / "ordered").mkdir()
    assert {found["a"] for found in left(tmp_path / "ordered", "ordered", *acts, begin=OLD)} == {OLD, OLD + NEW}
    (tmp_path / "posix").mkdir()
    assert len({found["a"] for found in left(tmp_path / "posix", "posix", *acts, begin=OLD)}) > 2


def test_a_folder_that_was_lost_takes_along_what_was_in_it(tmp_path: Path) -> None:
    acts = Act("m", first=b"f"), opened("f/a"), Act("w", 1, 0, NEW), Act("s", 1), Act("d", first=b"f")
    assert {"f/a" in found for found in left(tmp_path, "posix", *acts)} == {True, False}


class Lucky(random.Random):
    """Dice by which everything comes to the disk."""

    def choice(self, given: Any) -> Any:
        return max(given)

    def random(self) -> float:
        return 0.0


@pytest.mark.slow
def test_a_program_is_recorded_with_all_that_it_does(tmp_path: Path) -> None:
    folder, empty, cut = tmp_path / "folder", tmp_path / "empty", tmp_path / "cut"
    for each in (folder, empty):
        each.mkdir()
    disk = Disk(empty)
    for act in recorded(built(tmp_path), folder, "tests.power_cuts.busy_hands"):
        disk.do(act)
    disk.cut("posix", Lucky(), cut)
    assert files(cut) == files(folder)


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
