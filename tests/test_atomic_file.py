"""Small files survive a power cut whole: what is put in place was synced before, and so was its copy."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from controller import atomic_file


def text(content: bytes) -> str:
    """Return what is in a file; raises ValueError where it is none of ours."""
    if not content.startswith(b"ours"):
        raise ValueError("it begins otherwise")
    return content.decode()


def test_a_file_and_its_copy_are_synced_as_a_whole_before_each_is_put_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[tuple[str, str, int]] = []
    sync, put = os.fsync, Path.replace

    def synced(fd: int) -> None:
        done.append(("synced", Path(os.readlink(f"/proc/self/fd/{fd}")).name, os.fstat(fd).st_size))
        sync(fd)

    def in_place(self: Path, target: Path) -> Path:
        done.append(("in place", target.name, self.stat().st_size))
        return put(self, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", in_place)
    atomic_file.replace(tmp_path / "phones.json", b"ours, 1234")
    assert done == [
        ("synced", "phones.json.new", 10), ("in place", "phones.json", 10),
        ("synced", "phones.json.last-good.new", 10), ("in place", "phones.json.last-good", 10),
        ("synced", tmp_path.name, tmp_path.stat().st_size),
    ]  # fmt: skip


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "phones.json"
    atomic_file.replace(path, b"ours, old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        atomic_file.replace(path, b"ours, new")
    assert atomic_file.read(path, text, "") == ("ours, old", "")


def test_a_file_is_for_whom_its_mode_says(tmp_path: Path) -> None:
    atomic_file.replace(tmp_path / "keys", b"ours", mode=0o600)
    atomic_file.replace(tmp_path / "names", b"ours")
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()}
    assert {modes["keys"], modes["keys.last-good"]} == {"0o600"}
    assert modes["names"] == oct(0o644 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_the_last_good_one_stands_in_for_one_that_cannot_be_read_which_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    assert atomic_file.read(path, text, "nothing") == ("nothing", "")
    atomic_file.replace(path, b"ours, 1")
    for number in (1, 2):
        path.write_bytes(b"damaged %d" % number)
        aside = f"phones.json.damaged-{number}"
        told = f"{aside} cannot be read (it begins otherwise): the last good one is used instead."
        assert atomic_file.read(path, text, "nothing") == ("ours, 1", told)
        assert (tmp_path / aside).read_bytes() == b"damaged %d" % number
        assert not path.exists()


def test_where_the_copy_cannot_be_read_either_it_is_as_if_there_were_none(tmp_path: Path) -> None:
    path = tmp_path / "phones.json"
    path.write_bytes(b"damaged")
    told = "phones.json.damaged-1 cannot be read (it begins otherwise): it is treated as empty."
    assert atomic_file.read(path, text, "nothing") == ("nothing", told)
