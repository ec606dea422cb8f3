"""The image before it is made: how the card is divided, what it is made of, and what its maker is told."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from controller.app.rights import needs_root
from controller.appliance.updates.__main__ import kind_of
from controller.appliance.updates.manifest import Installed, UpdateMachine
from controller.appliance.updates.update_file import Trust, check
from controller.settings import load
from tools.image import needs, partitions, recipe, tree, update
from tools.image.running import NotMade, run

MIB = 1024 * 1024
KEPT = {"/var/lib/beaconboard", "/etc/beaconboard", "/opt/beaconboard", "/var/lib/systemd", "/etc/machine-id"}


@pytest.mark.parametrize("system_mib", [1, 700, 3000])
def test_partitions_follow_each_other_and_hold_what_is_meant_for_them(system_mib: int, tmp_path: Path) -> None:
    parts = partitions.divided(system_mib * MIB, 120 * MIB)
    assert [part.name for part in parts] == ["BOARD-BOOT", "board-system", "board-data"]
    at = 0
    for part in parts:
        assert part.start % (4 * MIB) == part.size % (4 * MIB) == 0  # the pieces that a card erases
        assert part.start >= at
        at = part.start + part.size
        assert at // 512 < 2**32  # the old kind of table counts no further
        assert len(part.name) <= 11 if part.kind == "c" else len(part.name) <= 16
    assert parts[0].size == 256 * MIB  # above FAT32's least
    assert parts[1].size > system_mib * MIB
    assert parts[2].size > 120 * MIB


def test_sfdisk_reads_the_table_as_it_was_meant(tmp_path: Path) -> None:
    parts = partitions.divided(700 * MIB, 120 * MIB)
    image = tmp_path / "card.img"
    with image.open("wb") as file:
        file.truncate(parts[-1].start + parts[-1].size)
    run(["sfdisk", "--quiet", str(image)], said=partitions.table(parts, "00c0ffee"))
    told = json.loads(run(["sfdisk", "--json", str(image)]))["partitiontable"]
    assert (told["label"], told["id"]) == ("dos", "0x00c0ffee")
    assert [(p["start"] * 512, p["size"] * 512, p["type"]) for p in told["partitions"]] == [
        (part.start, part.size, part.kind) for part in parts
    ]


def test_no_package_is_named_twice_and_each_has_a_name_of_debian() -> None:
    names = [*recipe.packages(), *recipe.ONLY_WHILE_IT_IS_MADE]
    assert len(names) == len(set(names))
    assert all(name == name.strip().lower() and " " not in name for name in names)


def test_what_is_compiled_with_is_what_the_installer_takes() -> None:
    line = next(
        line for line in (tree.ROOT / "raspberry/install.sh").read_text().splitlines() if line.startswith("packages=")
    )
    assert set(line.partition('"')[2].strip('"').split()) - {"python3-venv"} == set(recipe.ONLY_WHILE_IT_IS_MADE)


def test_what_is_installed_is_what_git_had_at_the_beginning(tmp_path: Path) -> None:
    checkout, gathered = tmp_path / "checkout", tmp_path / "gathered"
    for name in ("controller/journal/runs.py", "pyproject.toml", "docs/image.md"):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text("as it was")
    (checkout / ".gitignore").write_text("*.pyc\n")
    git = ["git", "-C", str(checkout)]
    run([*git, "init", "-q"])
    run([*git, "add", "."])
    (checkout / "controller/left.pyc").write_text("")
    tree.gather(gathered, checkout)
    (checkout / "pyproject.toml").write_text("as it is later")
    found = {str(path.relative_to(gathered)): path.read_text() for path in gathered.rglob("*") if path.is_file()}
    assert found == {"controller/journal/runs.py": "as it was", "pyproject.toml": "as it was"}


def test_a_file_that_git_does_not_know_is_told_before_anything_is_made(tmp_path: Path) -> None:
    run(["git", "-C", str(tmp_path), "init", "-q"])
    (tmp_path / "controller").mkdir()
    (tmp_path / "controller/new.py").write_text("")
    with pytest.raises(NotMade, match=r"^Git does not know of controller/new\.py, .*: run git add controller/new\.py"):
        tree.gather(tmp_path / "gathered", tmp_path)
    assert not (tmp_path / "gathered").exists()


def test_the_image_has_settings_that_are_valid_and_need_no_root(tmp_path: Path) -> None:
    shipped = (tree.ROOT / "raspberry/settings.toml").read_text(encoding="utf-8")
    (tmp_path / "settings.toml").write_text(tree.changed(shipped, recipe.SETTINGS), encoding="utf-8")
    settings = load(tmp_path / "settings.toml")
    assert settings.lights_pin == "D10"
    assert not needs_root(settings, "pi4")
    with pytest.raises(NotMade, match="has 0 lines for nothing"):
        tree.changed(shipped, {"nothing": "1"})


def test_what_is_kept_is_named_once_and_has_the_places_of_the_service() -> None:
    pairs = tree.kept(tree.SYSTEM)
    assert len({name for name, _ in pairs}) == len({place for _, place in pairs}) == len(pairs)
    assert {place for _, place in pairs} >= KEPT


def test_whatever_a_unit_keeps_has_a_place_that_is_kept() -> None:
    units = [path.read_text(encoding="utf-8") for path in (tree.ROOT / "raspberry").glob("*.service")]
    states = re.findall(r"(?m)^StateDirectory=(.+)$", "\n".join(units))
    written = re.findall(r"(?m)^ReadWritePaths=(.+)$", "\n".join(units))
    assert states
    assert written
    assert {f"/var/lib/{name}" for name in states} | {*written} <= {place for _, place in tree.kept(tree.SYSTEM)}


def test_the_scripts_of_the_system_are_sound_and_may_be_run() -> None:
    scripts = [p for p in tree.SYSTEM.rglob("*") if p.is_file() and p.read_bytes().startswith(b"#!")]
    assert len(scripts) == 4
    for script in scripts:
        assert script.stat().st_mode & 0o111, script
        subprocess.run(["sh", "-n", str(script)], check=True)


@pytest.mark.slow
def test_of_faults_the_newest_are_kept_and_never_more_than_twice_256_kb(tmp_path: Path) -> None:
    ring, said, script = tmp_path / "faults.log", tmp_path / "said", tmp_path / "keep-faults"
    text = (tree.SYSTEM / "usr/lib/beaconboard-image/keep-faults").read_text(encoding="utf-8")
    assert "ring=/data/faults/faults.log\n" in text
    script.write_text(text.replace("ring=/data/faults/faults.log", f"ring={ring}"), encoding="utf-8")
    log = tmp_path / "journalctl"
    log.write_text(f'#!/bin/sh\ncat "{said}"\n')
    log.chmod(0o755)

    def keep(what: str) -> None:
        said.write_text(what)
        subprocess.run(["sh", str(script)], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=True)

    keep("")
    assert not ring.exists()
    for number in range(30):
        keep(f"{number:05}\n" * 20_000)  # 120 KB, of which the end is kept
        assert ring.read_text().endswith(f"{number:05}\n")
        assert all(path.stat().st_size <= 256 * 1024 for path in tmp_path.glob("faults.log*"))
    assert len(list(tmp_path.glob("faults.log*"))) == 2


def test_units_that_are_switched_on_are_there() -> None:
    ours = {path.name for path in (tree.SYSTEM / "etc/systemd/system").iterdir()}
    assert {name for name in tree.ON if name.startswith("beaconboard")} <= ours


def test_make_installs_every_package_that_the_tools_ask_for() -> None:
    line = re.search(r"(?m)^IMAGE_PACKAGES := (.+)$", (tree.ROOT / "Makefile").read_text(encoding="utf-8"))
    assert line is not None
    assert {*needs.TO_MAKE.values(), *needs.TO_TRY.values()} <= set(line[1].split())


def test_the_update_of_the_trial_is_the_next_version_for_the_image(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match=r"has no wheel of Beaconboard: run make image first$"):
        update.made(tmp_path, tmp_path)
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "flask-3.0-py3-none-any.whl").write_bytes(b"code")
    with zipfile.ZipFile(wheels / "beaconboard-1.1.0-py3-none-any.whl", "w") as archive:
        archive.writestr("controller/__init__.py", "")
        archive.writestr("beaconboard-1.1.0.dist-info/METADATA", "Name: beaconboard\nVersion: 1.1.0\n")
        archive.writestr("beaconboard-1.1.0.dist-info/RECORD", "beaconboard-1.1.0.dist-info/METADATA,,\n")
    file, root = update.made(wheels, tmp_path)
    machine = UpdateMachine(kind_of(recipe.PI_MODEL), "aarch64", update.PYTHON)
    found = check(file, Trust(root.encode(), 0), Installed(machine, "1.1.0", 1))
    later = "beaconboard-1.1.1-py3-none-any.whl"
    assert set(found.build.wheels) == {"flask-3.0-py3-none-any.whl", later}
    with zipfile.ZipFile(tmp_path / later) as archive:
        assert archive.read("beaconboard-1.1.1.dist-info/METADATA") == b"Name: beaconboard\nVersion: 1.1.1\n"
        assert archive.read("beaconboard-1.1.1.dist-info/RECORD") == b"beaconboard-1.1.1.dist-info/METADATA,,\n"


def test_it_names_the_packages_that_are_missing(tmp_path: Path) -> None:
    with pytest.raises(NotMade, match=r"^Packages of Debian are missing: as root, run apt install .*mmdebstrap.*$"):
        needs.check_tools(needs.TO_MAKE, path=str(tmp_path))


def test_it_says_how_much_room_is_missing(tmp_path: Path) -> None:
    needs.check_room(tmp_path, 1)
    with pytest.raises(NotMade, match=r"GB free and 1000000 are needed: make room there$"):
        needs.check_room(tmp_path, 10**15)


@pytest.mark.parametrize("said", [None, "disabled\n"])
def test_it_says_that_programs_of_the_pi_do_not_run_here(said: str | None, tmp_path: Path) -> None:
    handler = tmp_path / "qemu-aarch64"
    if said is not None:
        handler.write_text(said)
    with pytest.raises(NotMade, match=r"update-binfmts --enable qemu-aarch64$"):
        needs.check_processor(handler, machine="x86_64")
    needs.check_processor(handler, machine="aarch64")
    handler.write_text("enabled\ninterpreter /usr/bin/qemu-aarch64-static\n")
    needs.check_processor(handler, machine="x86_64")


def test_what_fails_is_told_without_a_traceback() -> None:
    with pytest.raises(NotMade, match=r"^false failed with status 1"):
        run(["false"])
