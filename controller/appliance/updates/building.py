"""Builds a version beside the one that runs, of wheels that were checked, without a network; and asks it how it does.

What is built says what it is in a file that is written last.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from controller.appliance.updates.manifest import Installed
from controller.appliance.updates.switching import ABOUT, BUILT, Versions
from controller.appliance.updates.update_file import BadUpdate, Trust, Update, unpack
from controller.sentences import say
from controller.typed import ready

SYSTEM_PYTHON = "/usr/bin/python3"
INSTALLED_TO_WHEEL = 5  # a version takes so many times what its wheels have, at most; measured: 4.2
SPARE_BYTES = 100 << 20
BUILD_S = 1800.0
SHARES = (0.05, 0.2, 0.3, 0.85, 1.0)  # of the time on a Pi: checked, unpacked, empty, installed, tried

Run = Callable[[Sequence[str], float], tuple[int, str]]
"""Runs a command for at most so many seconds; returns its exit status and what it said."""


class About(msgspec.Struct, frozen=True):
    """What a built version says of itself: its name, and of which version the tables of its journals are."""

    version: str = ""
    journal: int = 0


class Places(msgspec.Struct, frozen=True):
    """Where things lie: the ``home`` of the versions, what was ``brought``, ``settings``, ``journal``, ``scratch``."""

    home: Path
    brought: Path
    settings: Path
    journal: Path
    scratch: Path


class Builder:
    """Builds one version. ``tell`` is told how much of it is done, from 0 to 1."""

    def __init__(self, places: Places, run: Run, tell: Callable[[float], object]) -> None:
        self._places, self._run, self._tell = places, run, tell

    def build(self, update: Update, trust: Trust, here: Installed, name: str) -> Path:
        """Return the folder of the version that was brought; raises `BadUpdate`, and leaves nothing then."""
        new = self._places.home / time.strftime("%Y%m%d-%H%M%S", time.gmtime())
        wheels = self._places.scratch / "wheels"
        try:
            self._check_room(update)
            self._tell(SHARES[0])
            shutil.rmtree(wheels, ignore_errors=True)
            wheels.mkdir(mode=0o700)
            update = unpack(self._places.brought, trust, here, wheels, name)
            self._tell(SHARES[1])
            self._install(update, wheels, new)
            self._keep_compiled(new)
            self._ask(new)
        except OSError as error:
            shutil.rmtree(new, ignore_errors=True)
            raise BadUpdate(_not_built(error)) from error
        except BadUpdate:
            shutil.rmtree(new, ignore_errors=True)
            raise
        finally:
            shutil.rmtree(wheels, ignore_errors=True)
        return new

    def _check_room(self, update: Update) -> None:
        free = shutil.disk_usage(self._places.home).free
        needed = update.bytes * (INSTALLED_TO_WHEEL + 1) + SPARE_BYTES
        if free < needed:
            raise BadUpdate(say("The card has {free} MB free, and this update needs {needed} MB: make room first.",
                                free=free >> 20, needed=-(-needed >> 20)))  # fmt: skip

    def _install(self, update: Update, wheels: Path, new: Path) -> None:
        """Install just what was checked: nothing is fetched, built, or looked up by its name."""
        self._do([SYSTEM_PYTHON, "-m", "venv", str(new)])
        self._tell(SHARES[2])
        lock = wheels / "lock.txt"
        lines = [f"{wheels / each} --hash=sha256:{update.listed.files[each].sha256}\n" for each in update.build.wheels]
        lock.write_text("".join(lines), encoding="utf-8")
        python = str(new / "bin" / "python")
        self._do([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps",
                  "--no-cache-dir", "--only-binary", ":all:", "--require-hashes", "-r", str(lock)])  # fmt: skip
        self._tell(SHARES[3])

    def _keep_compiled(self, new: Path) -> None:
        """Take over the compiled search, where rules and search are as they were; else it runs from its sources."""
        now = Versions(self._places.home).now
        status, made = self._run([str(new / "bin" / "python"), "-c",
                                  "from controller.compiled import fingerprint; print(fingerprint())"], 60)  # fmt: skip
        if status or now is None:
            return
        for old in now.glob(f"lib/python3*/site-packages/controller/.compiled/{made.strip()}"):
            place = new / old.relative_to(now)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(old, place)

    def _ask(self, new: Path) -> None:
        """Let the new version check itself, and keep what it says of itself."""
        said = self._do([
            str(new / "bin" / "python"), "-m", "controller.app.self_check",
            "--settings", str(self._places.settings), "--journal", str(self._places.journal),
        ])  # fmt: skip
        (new / BUILT).write_text(said.strip().rpartition("\n")[2] + "\n", encoding="utf-8")
        self._tell(SHARES[4])

    def _do(self, command: Sequence[str]) -> str:
        status, said = self._run(command, BUILD_S)
        if status:
            why = said.strip().rpartition("\n")[2][-200:].removeprefix("Error: ")
            raise BadUpdate(
                say("The update fails its check on this board and was not put on: {why}", why=why or str(status))
            )
        return said


def _not_built(error: OSError) -> str:
    return say("The update was not put on ({why}): make room on the card, or look at Board care.",
               why=str(error.strerror))  # fmt: skip


def about(folder: Path | None) -> About:
    """Return what the version in a folder says of itself; nothing where it says nothing that can be read."""
    try:
        return msgspec.json.decode((folder / ABOUT).read_bytes(), type=ready(About)) if folder else About()
    except (OSError, ValueError):
        return About()


def run(command: Sequence[str], seconds: float) -> tuple[int, str]:
    """Run a command as `Run` says, in a folder without sources: Python looks there first."""
    try:
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return 1, "it takes too long"
    return done.returncode, done.stdout if done.returncode == 0 else done.stderr or done.stdout
