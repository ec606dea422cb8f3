"""The installer in folders of a test, with stand-ins for what only root or a Pi has: what it leaves in the end."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each writes its name and arguments into the log; then the script `SOMETHING.then` of the test, if there is one.
STAND_IN = '#!/bin/sh\necho "$(basename "$0") $*" >>"$LOG"\n[ ! -e "$0.then" ] || . "$0.then"\n'
STAND_INS = ("apt-get", "systemctl", "systemd-sysusers", "journalctl", "udevadm", "chgrp", "sleep", "getconf", "id")
# Python makes a folder with a Python in it, which plays the installed one.
PYTHON = (
    'case "$*" in '
    f'*switching.py*) exec {sys.executable} "$@" ;; '
    '"-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp "$0.then" "$3/bin/python.then" ;; '
    "*controller.app.rights*) echo beaconboard ;; "
    "*tomllib*) echo 8000 ;; "
    '*" wheel "*) mkdir -p "$BUILT"; touch "$BUILT/x.whl" ;; '
    "*fingerprint*|*FOLDER*) exit 1 ;; esac"
)


class Pi:
    """A Raspberry Pi that is folders: what is below ``/`` there is below ``root`` here."""

    def __init__(self, folder: Path) -> None:
        self.root, self.bin, self.log = folder / "root", folder / "bin", folder / "log"
        self.bin.mkdir()
        self.log.touch()
        for name in (*STAND_INS, "python3"):
            self.stand_in(name)
        self.stand_in("python3", PYTHON)
        self.stand_in("getconf", "echo 64")
        self.stand_in("id", "echo 0")
        checkout = folder / "checkout"
        checkout.mkdir()
        for part in ("raspberry", "requirements"):
            shutil.copytree(ROOT / part, checkout / part)
        self.switching = checkout / "controller" / "appliance" / "updates" / "switching.py"
        self.switching.parent.mkdir(parents=True)
        shutil.copy(ROOT / "controller" / "appliance" / "updates" / "switching.py", self.switching)
        for part in ("web_panel", "hardware", "pyproject.toml", "README.md", "LICENSE"):
            (checkout / part).touch()
        for script in (checkout / "raspberry").glob("*.sh"):
            text = re.sub(r"(?<=[ =>])/(opt|etc|var/lib)/", rf"{self.root}/\1/", script.read_text(encoding="utf-8"))
            script.write_text(text.replace("/usr/bin/python3", str(self.bin / "python3")), encoding="utf-8")
        (self.root / "etc").mkdir(parents=True)
        (self.root / "etc" / "os-release").write_text("VERSION_CODENAME=trixie\n", encoding="utf-8")
        self.installer = checkout / "raspberry" / "install.sh"

    def stand_in(self, name: str, then: str = "") -> None:
        (self.bin / name).write_text(STAND_IN, encoding="utf-8")
        (self.bin / name).chmod(0o755)
        (self.bin / f"{name}.then").write_text(then, encoding="utf-8")

    def install(self, second: int = 0) -> subprocess.CompletedProcess[str]:
        """Run the installer, at a time of its own."""
        self.stand_in("date", f"echo 20260101-00000{second}")
        env = {
            **os.environ,
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "LOG": str(self.log),
            "BUILT": str(self.root / "built"),
            "PI_MODEL": "Raspberry Pi 5 Model B Rev 1.0",
        }
        return subprocess.run(
            ["sh", str(self.installer)], env=env, capture_output=True, text=True, check=False, timeout=60
        )

    @property
    def versions(self) -> list[str]:
        return sorted(path.name for path in (self.root / "opt/beaconboard").iterdir() if not path.is_symlink())

    @property
    def now(self) -> str:
        """The version that the unit starts; it has to be there."""
        link = self.root / "opt/beaconboard/now"
        assert (link / "bin" / "python").exists(), f"{os.readlink(link)} is gone"
        return Path(os.readlink(link)).name

    @property
    def settings(self) -> Path:
        return self.root / "etc/beaconboard/settings.toml"


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_an_installation_and_an_update_leave_the_newest_version_alone(pi: Pi) -> None:
    first = pi.install(1)
    assert first.returncode == 0, first.stderr
    assert (pi.now, pi.versions) == ("20260101-000001", ["20260101-000001"])
    assert pi.install(2).returncode == 0
    assert (pi.now, pi.versions) == ("20260101-000002", ["20260101-000002"])


@pytest.mark.parametrize("verb", ["daemon-reload", "enable", "restart"])
def test_what_starts_is_left_where_systemd_refuses(pi: Pi, verb: str) -> None:
    refuses = f'case "$*" in {verb}*) exit 1 ;; esac'
    pi.stand_in("systemctl", refuses)
    assert pi.install(1).returncode != 0
    assert pi.now == "20260101-000001"  # the only one there is
    pi.stand_in("systemctl")
    assert pi.install(2).returncode == 0
    pi.stand_in("systemctl", refuses)
    assert pi.install(3).returncode != 0
    assert (pi.now, pi.versions) == ("20260101-000002", ["20260101-000002"])


@pytest.mark.parametrize("step", ["-m venv", "pip install", "wheel"])
def test_what_ends_before_it_is_whole_leaves_nothing(pi: Pi, step: str) -> None:
    assert pi.install(1).returncode == 0
    pi.stand_in("python3", f'case "$*" in *"{step}"*) exit 1 ;; esac\n{PYTHON}')
    assert pi.install(2).returncode != 0
    assert (pi.now, pi.versions) == ("20260101-000001", ["20260101-000001"])


def test_settings_are_for_the_service_alone_also_after_an_update(pi: Pi) -> None:
    assert pi.install(1).returncode == 0
    assert stat.S_IMODE(pi.settings.stat().st_mode) == 0o640
    assert f"chgrp beaconboard {pi.settings}" in pi.log.read_text(encoding="utf-8")
    pi.settings.write_text('afar_password = "secret"\n', encoding="utf-8")
    pi.settings.chmod(0o644)  # as older versions have left it
    assert pi.install(2).returncode == 0
    assert stat.S_IMODE(pi.settings.stat().st_mode) == 0o640
    assert pi.settings.read_text(encoding="utf-8") == 'afar_password = "secret"\n'


def test_whatever_pip_fetches_is_held_to_the_hashes_of_the_lock(pi: Pi) -> None:
    assert pi.install(1).returncode == 0
    calls = [line for line in pi.log.read_text(encoding="utf-8").splitlines() if " -m pip " in line]
    assert len(calls) >= 4
    for call in calls:
        assert "--require-hashes" in call or "--no-index" in call or "/source" in call, call
        assert " wheel " not in call or "--no-build-isolation" in call, call


def test_what_builds_is_locked(pi: Pi) -> None:
    """Everything that the project's build asks for, and the backend of packages without a wheel for a Pi."""
    locked = (ROOT / "requirements" / "build.txt").read_text(encoding="utf-8")
    for name in ("setuptools", "wheel"):
        assert re.search(rf"^{name}==\S+ \\\n +--hash=sha256:[0-9a-f]{{64}}", locked, re.MULTILINE), name
    release = (ROOT / "requirements" / "release.txt").read_text(encoding="utf-8")
    assert set(re.findall(r"^\S+==\S+", locked, re.MULTILINE)) <= set(re.findall(r"^\S+==\S+", release, re.MULTILINE))


# ---- Debian's packages --------------------------------------------------------------------------------------

LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt-get)"


def test_a_lock_that_something_else_holds_is_waited_for(pi: Pi) -> None:
    tries = pi.root / "tries"
    pi.stand_in(
        "apt-get",
        f'case "$*" in *update*) echo x >>"{tries}"; '
        f'[ "$(wc -l <"{tries}")" -gt 3 ] || {{ echo "{LOCKED}" >&2; exit 100; }} ;; esac',
    )
    assert pi.install(1).returncode == 0
    log = pi.log.read_text(encoding="utf-8")
    assert log.count("apt-get -o DPkg::Lock::Timeout=300 update") == 4
    assert log.count("sleep ") == 3
    assert "apt-get -o DPkg::Lock::Timeout=300 install" in log


def test_another_fault_is_told_at_once(pi: Pi) -> None:
    pi.stand_in("apt-get", 'echo "E: Unable to locate package gcc" >&2; exit 100')
    refused = pi.install(1)
    assert refused.returncode != 0
    assert "Unable to locate package gcc" in refused.stderr
    assert "sleep" not in pi.log.read_text(encoding="utf-8")


def test_nothing_calls_apt_past_that() -> None:
    files = [ROOT / "Makefile", *ROOT.glob("*/*.mk"), *ROOT.glob("firmware/Makefile"), *ROOT.glob(".ci/*")]
    files += [path for path in (ROOT / "raspberry").glob("*.sh") if path.name != "apt.sh"]
    assert len(files) > 6
    for path in files:
        for line in path.read_text(encoding="utf-8").splitlines():
            called = re.search(r"\bapt(-get)? (?!indextargets)(?!install [a-z0-9. -]+\")", line)
            assert not called or line.lstrip().startswith(("#", "@echo", "echo")), f"{path.name}: {line}"


# ---- the unit ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit", ["beaconboard.service", "beaconboard-network.service", "beaconboard-update.service"])
def test_the_unit_is_shut_in(unit: str) -> None:
    """2.0 at most, where 10 is open; systemd 252 is the first that rates a file."""
    said = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=true", str(ROOT / "raspberry" / unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    rated = re.search(r"Overall exposure level for .*: ([0-9.]+)", said.stdout)
    assert rated is not None, said.stderr
    assert float(rated[1]) <= 2.0
