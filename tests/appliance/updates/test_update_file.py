"""What is put on: signed by whom a board believes, whole, and for this very board; all else is one sentence."""

from __future__ import annotations

import os
import random
import stat
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest

from controller.appliance.updates import update_file
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.update_file import FILES, LIST, BadUpdate, Trust, check, unpack
from tests.appliance.updates.makers import HERE, PI5, Makers

WHEEL = "flask-3.0-py3-none-any.whl"


@pytest.fixture(scope="module")
def makers(tmp_path_factory: pytest.TempPathFactory) -> Makers:
    return Makers(tmp_path_factory.mktemp("makers"))


@pytest.fixture(scope="module")
def update(makers: Makers) -> Path:
    return makers.update()


def refused(path: Path, trust: Trust, here: Installed = HERE) -> str:
    with pytest.raises(BadUpdate) as wrong:
        check(path, trust, here)
    return str(wrong.value)


def parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(path: Path, content: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def test_an_update_says_what_it_changes_and_is_unpacked(makers: Makers, update: Path, tmp_path: Path) -> None:
    found = check(update, makers.trust, HERE)
    assert (found.manifest.version, found.manifest.changes["fr"]) == ("1.1.0", ("Un nouveau jeu.",))
    assert found.manifest.firmware == {"hex91": "ab"}
    assert found.trust.number == 100010000
    unpack(update, makers.trust, HERE, tmp_path)
    assert (tmp_path / WHEEL).read_bytes() == b"code" * 1000
    assert {path.name for path in tmp_path.iterdir()} == set(found.build.wheels)


@pytest.mark.parametrize(
    ("here", "said"),
    [
        (
            Installed(UpdateMachine("pi4", "aarch64", "3.13"), "1.0.0", 1),
            "is not for this machine (pi4, aarch64, Python 3.13)",
        ),
        (
            Installed(UpdateMachine("pi5", "x86_64", "3.13"), "1.0.0", 1),
            "is not for this machine (pi5, x86_64, Python 3.13)",
        ),
        (
            Installed(UpdateMachine("pi5", "aarch64", "3.11"), "1.0.0", 1),
            "is not for this machine (pi5, aarch64, Python 3.11)",
        ),
        (Installed(PI5, "1.2.0", 1), "has version 1.1.0, which is older than 1.2.0, which runs: choose a later one."),
        (Installed(PI5, "1.1.0", 1), "Version 1.1.0 runs already: there is nothing to put on."),
        (Installed(PI5, "1.0.0", 7), "is older than the games of this board, and could not read them"),
    ],
)
def test_for_another_board_or_older_than_what_is_here(makers: Makers, update: Path, here: Installed, said: str) -> None:
    assert said in refused(update, makers.trust, here)


def test_a_version_that_runs_from_a_checkout_is_older_than_its_release(makers: Makers, update: Path) -> None:
    assert check(update, makers.trust, Installed(PI5, "1.1.0.dev0", 1))


def test_games_too_old_for_it(makers: Makers, tmp_path: Path) -> None:
    other = Makers(tmp_path)
    later = msgspec.structs.replace(other.manifest(), journal_reads=3, journal_makes=5)
    assert "no longer reads games as old" in refused(other.update(manifest=later), other.trust)


def test_games_as_old_as_it_still_reads_and_as_new_as_it_makes(tmp_path: Path) -> None:
    other = Makers(tmp_path)
    later = other.update(manifest=msgspec.structs.replace(other.manifest(), journal_reads=3, journal_makes=5))
    for journal in (3, 5):
        assert check(later, other.trust, Installed(PI5, "1.0.0", journal))
    assert "no longer reads games as old" in refused(later, other.trust, Installed(PI5, "1.0.0", 2))
    assert "is older than the games of this board" in refused(later, other.trust, Installed(PI5, "1.0.0", 6))


def test_a_later_format(tmp_path: Path) -> None:
    other = Makers(tmp_path)
    later = msgspec.structs.replace(other.manifest(), format=2)
    assert "is made for later versions" in refused(other.update(manifest=later), other.trust)


def test_signed_by_others_or_by_nobody(makers: Makers, update: Path, tmp_path: Path) -> None:
    said = "is not signed by the makers of this Beaconboard: nothing of it is used."
    assert said in refused(update, Makers(tmp_path).trust)
    makers.key("stranger")
    (tmp_path / "theirs").mkdir()
    theirs = makers.update("1.3.0", sign="stranger").rename(tmp_path / "theirs" / "x.bbupdate")
    assert said in refused(theirs, makers.trust)
    content = parts(update)
    for text in (b"{}", b"nothing", content["roots/1.root.json"], content[LIST].replace(b"flask", b"flusk")):
        assert said in refused(zipped(tmp_path / "y.bbupdate", content | {LIST: text}), makers.trust)


def test_a_board_without_a_key_says_so(update: Path) -> None:
    assert refused(update, Trust(b"", 0)).startswith("This board knows no key for updates")


def test_older_than_the_last_update_that_was_put_on(makers: Makers, update: Path) -> None:
    newer = msgspec.structs.replace(makers.trust, number=100010001)
    assert "was made before the update that this board has had last" in refused(update, newer)


def test_cut_off_anywhere(makers: Makers, update: Path, tmp_path: Path) -> None:
    whole = update.read_bytes()
    for length in [0, 1, 30, 39, 40, *range(100, len(whole), len(whole) // 40), len(whole) - 1]:
        (cut := tmp_path / "cut.bbupdate").write_bytes(whole[:length])
        assert "cut.bbupdate is " in refused(cut, makers.trust)


@pytest.mark.slow
def test_changed_at_any_byte(makers: Makers, update: Path, tmp_path: Path) -> None:
    """What is told is the file's own fault, or it makes no difference, as the date of a part makes none."""
    whole, chance, told = update.read_bytes(), random.Random(5), 0
    for _ in range(300):
        at = chance.randrange(len(whole))
        changed = whole[:at] + bytes([whole[at] ^ (1 << chance.randrange(8))]) + whole[at + 1 :]
        (path := tmp_path / "changed.bbupdate").write_bytes(changed)
        with suppress(BadUpdate):
            assert check(path, makers.trust, HERE).manifest.version == "1.1.0"
            continue
        assert refused(path, makers.trust).startswith("changed.bbupdate ")
        told += 1
    assert told > 200


def without_a_wheel(content: dict[str, bytes]) -> dict[str, bytes]:
    return {name: data for name, data in content.items() if not name.endswith(WHEEL)}


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoil",
    [
        without_a_wheel,
        lambda content: content | {FILES + WHEEL: b"else" * 1000},
        lambda content: content | {FILES + WHEEL: b"more" * 1001},
        lambda content: content | {"../../etc/cron.d/x": b"* * * * *"},
        lambda content: content | {"files/../../x": b"x"},
        lambda content: content | {"/etc/passwd": b"x"},
        lambda content: content | {f"files/{number}.whl": b"" for number in range(3000)},
        lambda content: content | {"roots/99999.root.json/../x": b""},
        lambda content: content | {f"roots/{at}.root.json": content["roots/1.root.json"] for at in range(2, 2001)},
    ],
)
def test_a_hostile_zip(
    makers: Makers, update: Path, tmp_path: Path, spoil: Callable[[dict[str, bytes]], dict[str, bytes]]
) -> None:
    bad = zipped(tmp_path / "bad.bbupdate", spoil(parts(update)))
    assert refused(bad, makers.trust) == "bad.bbupdate is damaged or cut off: fetch it again."


def test_a_bomb_is_read_no_further_than_the_list_says(makers: Makers, update: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(path := tmp_path / "bomb.bbupdate", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts(update).items():
            archive.writestr(name, b"\0" * (40 << 20) if name.endswith(WHEEL) else data)
    assert path.stat().st_size < 1 << 20
    assert "is damaged" in refused(path, makers.trust)


def test_links_in_it_are_no_links_on_the_card(makers: Makers, update: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(path := tmp_path / "links.bbupdate", "w") as archive:
        for name, data in parts(update).items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(entry, data)
    (into := tmp_path / "into").mkdir()
    unpack(path, makers.trust, HERE, into)
    assert not any(each.is_symlink() for each in into.iterdir())


def test_no_update_at_all(makers: Makers, update: Path, tmp_path: Path) -> None:
    (photo := tmp_path / "holiday.jpg").write_bytes(b"\xff\xd8" * 900)
    assert refused(photo, makers.trust).startswith("holiday.jpg is no update of a Beaconboard: choose a file that")
    assert refused(tmp_path / "none", makers.trust) == "none cannot be read: No such file or directory."
    (link := tmp_path / "link.bbupdate").symlink_to(update)
    assert "is no update" in refused(link, makers.trust)
    os.mkfifo(pipe := tmp_path / "pipe.bbupdate")
    assert "is no update" in refused(pipe, makers.trust)


def test_half_a_gigabyte_is_the_most(makers: Makers, tmp_path: Path) -> None:
    (large := tmp_path / "large.bbupdate").touch()
    os.truncate(large, 513 << 20)
    assert refused(large, makers.trust) == (
        "large.bbupdate has 513 MB, and 512 MB are the most that an update may have: choose another one."
    )
    os.truncate(large, 512 << 20)
    assert "is no update" in refused(large, makers.trust)


def test_too_large(makers: Makers, update: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(update_file, "MOST_BYTES", 1000)
    assert "are the most that an update may have" in refused(update, makers.trust)


def test_a_file_that_changes_after_it_was_checked_is_no_more_believed(
    makers: Makers, update: Path, tmp_path: Path
) -> None:
    (brought := tmp_path / "brought.bbupdate").write_bytes(update.read_bytes())
    check(brought, makers.trust, HERE)
    zipped(brought, parts(update) | {FILES + WHEEL: b"evil" * 1000})
    (into := tmp_path / "into").mkdir()
    with pytest.raises(BadUpdate, match="damaged"):
        unpack(brought, makers.trust, HERE, into)


def test_a_signed_list_that_does_not_say_what_it_changes_is_no_update(
    makers: Makers, update: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_file, "MANIFEST", "of-something-else.json")
    assert "is no update of a Beaconboard" in refused(update, makers.trust)
