"""One change at a time in a copy of the tree, and the tests that run it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.places import Mutant
from tools.mutants.touched import Map

FIRST = 25  # tests of the first try: most changes are noticed by one of the quickest
MOST = 3000  # tests in all
MOST_S = 60.0  # of undisturbed tests in all
PATIENCE = 8.0  # times as long as the tests take undisturbed, and no change is waited for longer
LEAST_S = 25.0
AGAIN = 3.0  # times as long it is waited for a second time
FAILED = re.compile(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", re.MULTILINE)
ENDED = "pytest ended with {}"
NOT_FOUND = 4  # as pytest ends where a test has another name by now


@dataclass(frozen=True)
class TrialOutcome:
    """What became of a change: ``noticed`` by a test, by none of ``tests``, or, where those are 0, run by no test."""

    mutant: Mutant
    told: str
    noticed: bool
    tests: int
    how: str


class Copy:
    """A copy of the tree in which changes are tried one after the other."""

    def __init__(self, root: Path, folder: Path, most_s: float = MOST_S) -> None:
        self._folder, self._most_s, self._tries = folder, most_s, 0
        self._sound, self._unsound = set[str](), set[str]()
        shutil.rmtree(folder, ignore_errors=True)
        names = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True
        )
        for name in names.stdout.splitlines():
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        (folder / ".venv").symlink_to(root / ".venv")
        self._warm = _warm(folder)

    def close(self) -> None:
        """End what runs the tests."""
        with self._warm:
            pass

    def tried(self, mutant: Mutant, known: Map) -> TrialOutcome:
        """Return what became of ``mutant``."""
        path = self._folder / mutant.file
        source = path.read_bytes()
        told = mutant.told(source)
        tests = self._bounded(known.tests(mutant.file, range(mutant.first, mutant.last + 1), mutant.named), known)
        if not tests:
            return TrialOutcome(mutant, told, noticed=False, tests=0, how="no test runs it")
        for part in filter(None, (tests[:FIRST], tests[FIRST:])):
            seconds = sum(map(known.seconds, part))
            self._write(path, mutant.applied(source))
            how, failed = self._failed(part, seconds)
            self._write(path, source)
            if how and not self._passes(failed or part, seconds):
                return self.tried(mutant, known)
            if how:
                return TrialOutcome(mutant, told, noticed=True, tests=len(tests), how=how)
        return TrialOutcome(mutant, told, noticed=False, tests=len(tests), how="passed " + ", ".join(tests[:3]))

    def _bounded(self, tests: list[str], known: Map) -> list[str]:
        chosen: list[str] = []
        seconds = 0.0
        for test in [test for test in tests if test not in self._unsound][:MOST]:
            seconds += known.seconds(test)
            if seconds > self._most_s and chosen:
                break
            chosen.append(test)
        return chosen

    def _write(self, path: Path, source: bytes) -> None:
        """Each with a time of its own: Python takes a file of the same size and second for the one it compiled."""
        self._tries += 1
        path.write_bytes(source)
        at_s = path.stat().st_mtime + 10 * self._tries
        os.utime(path, (at_s, at_s))

    def _passes(self, tests: list[str], seconds: float) -> bool:
        """Whether ``tests`` pass where nothing is changed; those that do not say nothing of any change."""
        key = "\n".join(tests)
        if key not in self._sound:
            how, _ = self._failed(tests, seconds)
            if how:
                self._unsound |= set((how.startswith(ENDED.format(NOT_FOUND)) and self._gone(tests)) or tests)
                return False
            self._sound.add(key)
        return True

    def _gone(self, tests: list[str]) -> list[str]:
        """Return those of ``tests`` that there are no more."""
        files = {test.partition("::")[0] for test in tests}
        there = sorted(file for file in files if (self._folder / file).exists())
        command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-o", "addopts=", *there]
        environment = {**os.environ, "PYTHONPATH": str(self._folder), "PYTEST_ADDOPTS": ""}
        told = subprocess.run(
            command, cwd=self._folder, env=environment, capture_output=True, text=True, check=False
        ).stdout
        return [test for test in tests if test not in set(told.splitlines() if there else ())]

    def _failed(self, tests: list[str], seconds: float) -> tuple[str, list[str]]:
        """Return how ``tests`` noticed, or nothing; and the test that did, where it is known."""
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        for most_s in (max(LEAST_S, PATIENCE * seconds), AGAIN * max(LEAST_S, PATIENCE * seconds)):
            print(json.dumps({"tests": tests, "seconds": most_s}), file=self._warm.stdin, flush=True)
            answer = json.loads(self._warm.stdout.readline())
            if answer["status"] is not None:
                break  # else others may have kept the machine from it
        if answer["status"] is None:
            return "hangs", []
        if answer["status"] == 0:
            return "", []
        if (line := FAILED.search(answer["told"])) is None:
            return f"{ENDED.format(answer['status'])}: {answer['told'][-200:]}", []
        return line.group()[:200], [test for test in tests if test == line.group(1)]


def _warm(folder: Path) -> subprocess.Popen[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPATH"] = str(folder)
    return subprocess.Popen(
        [sys.executable, "-P", Path(__file__).with_name("warm.py")],
        cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
