"""One change at a time in a copy of the tree, and the tests that run it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.places import Mutant
from tools.mutants.touched import Map

FIRST = 25  # tests of the first try: most changes are noticed by one of the quickest
MOST = 400  # tests in all
MOST_S = 90.0  # of undisturbed tests in all
PATIENCE = 8.0  # times as long as the tests take undisturbed, and no change is waited for longer
LEAST_S = 45.0


@dataclass(frozen=True)
class Outcome:
    """What became of a change: ``noticed`` by a test, by none of ``tests``, or, where those are 0, run by no test."""

    mutant: Mutant
    told: str
    noticed: bool
    tests: int
    how: str


class Copy:
    """A copy of the tree in which changes are tried one after the other."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._folder, self._tries = folder, 0
        shutil.rmtree(folder, ignore_errors=True)
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True
        )
        for name in names.stdout.splitlines():
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        (folder / ".venv").symlink_to(root / ".venv")

    def tried(self, mutant: Mutant, known: Map) -> Outcome:
        """Return what became of ``mutant``."""
        path = self._folder / mutant.file
        source = path.read_bytes()
        told = mutant.told(source)
        tests = _bounded(known.tests(mutant.file, range(mutant.first, mutant.last + 1), mutant.named), known)
        if not tests:
            return Outcome(mutant, told, noticed=False, tests=0, how="no test runs it")
        self._write(path, mutant.applied(source))
        try:
            for part in (tests[:FIRST], tests[FIRST:]):
                how = self._failed(part, sum(map(known.seconds, part))) if part else ""
                if how:
                    return Outcome(mutant, told, noticed=True, tests=len(tests), how=how)
        finally:
            self._write(path, source)
        return Outcome(mutant, told, noticed=False, tests=len(tests), how="passed " + ", ".join(tests[:3]))

    def _write(self, path: Path, source: bytes) -> None:
        """Each with a time of its own: Python takes a file of the same size and second for the one it compiled."""
        self._tries += 1
        path.write_bytes(source)
        at_s = path.stat().st_mtime + 10 * self._tries
        os.utime(path, (at_s, at_s))

    def _failed(self, tests: list[str], seconds: float) -> str:
        """Return how ``tests`` noticed, or nothing."""
        listed = self._folder / "build" / "tests-to-run"
        listed.parent.mkdir(exist_ok=True)
        listed.write_text("\n".join(tests))
        command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "no:xdist", "--reruns", "0"]
        environment = os.environ | {"PYTHONPATH": str(self._folder)}
        try:
            run = subprocess.run(
                [*command, f"@{listed}"], cwd=self._folder, env=environment, capture_output=True, text=True,
                timeout=max(LEAST_S, PATIENCE * seconds), check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return "hangs"
        if run.returncode == 0:
            return ""
        lines = [line for line in run.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        return lines[0][:200] if lines else f"pytest ended with {run.returncode}: {run.stdout[-200:]}"


def _bounded(tests: list[str], known: Map) -> list[str]:
    chosen: list[str] = []
    seconds = 0.0
    for test in tests[:MOST]:
        seconds += known.seconds(test)
        if seconds > MOST_S and chosen:
            break
        chosen.append(test)
    return chosen
