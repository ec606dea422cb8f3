"""Which test runs which line, and how long each takes: noted in one run of the tests, by a plugin of pytest.

``coverage`` does the tracing; a program that a test starts is traced under the name of that test as well.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from coverage import Coverage, CoverageData

from tools.mutants.browsed import Browsed

FOLDER = Path("build/mutants")
DATA, CONFIG = FOLDER / "touched", FOLDER / "coveragerc"
SECONDS, SCRIPTS = FOLDER / "seconds.json", FOLDER / "scripts.json"
PRODUCT = ("controller", "web_panel", "hardware")
FEW = 8  # tests
EVERY_LINE = range(1, 10_000)
AKIN = 10  # times as early as others a test is tried whose name has a word of the module's
TEST = "MUTANTS_TEST"  # the name of the test, for programs that it starts
CONFIGURED = """[run]
source_pkgs = {product}
data_file = {data}
parallel = true
context = ${{{test}}}
patch = subprocess
disable_warnings = no-data-collected, module-not-imported, module-not-measured
"""


class Touched:
    """What a process of pytest notes."""

    def __init__(self, *, traces: bool) -> None:
        self._coverage: Coverage | None = None
        self._seconds: dict[str, float] = defaultdict(float)
        if traces:
            os.environ[TEST] = ""
            self._coverage = Coverage(config_file=str(CONFIG))
            self._coverage.start()
            self._browsed = Browsed(Path.cwd())
            self._browsed.listen()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test begins."""
        if self._coverage is not None:
            os.environ[TEST] = nodeid
            self._coverage.switch_context(nodeid)
            self._browsed.test = nodeid

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A part of a test has ended; one that failed notices nothing that is changed, so it is left out."""
        self._seconds[report.nodeid] += report.duration if report.outcome != "failed" else float("inf")

    def pytest_sessionfinish(self) -> None:
        """All have ended."""
        if self._coverage is not None:
            self._coverage.stop()
            self._coverage.save()
            by_test = {
                test: {file: sorted(lines) for file, lines in files.items()}
                for test, files in self._browsed.lines.items()
            }
            SCRIPTS.with_suffix(f".{os.getpid()}").write_text(json.dumps(by_test))
        SECONDS.with_suffix(f".{os.getpid()}").write_text(json.dumps(self._seconds))


def pytest_configure(config: pytest.Config) -> None:
    """Trace in each process that runs tests, and where xdist spreads them not in the one that only listens."""
    spreads = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    config.pluginmanager.register(Touched(traces=not spreads))


def note(arguments: list[str], jobs: int, *, more: bool = False) -> int:
    """Run the tests that pytest's ``arguments`` choose, and keep what was touched; returns pytest's exit status.

    With ``more`` it is put to what was noted before.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    if not more:
        for old in (*FOLDER.glob("touched*"), SECONDS, SCRIPTS):
            old.unlink(missing_ok=True)
    CONFIG.write_text(CONFIGURED.format(product=",".join(PRODUCT), data=DATA.absolute(), test=TEST))
    plugin = ["-p", "tools.mutants.touched", "-n", str(jobs), "--dist", "worksteal"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    run = subprocess.run([sys.executable, "-m", "pytest", *plugin, *arguments], env=environment, check=False)
    noted = Coverage(config_file=str(CONFIG))
    if more:
        noted.load()
    noted.combine([str(path) for path in FOLDER.glob(f"{DATA.name}.*")])
    noted.save()
    for whole in (SECONDS, SCRIPTS):
        of_all: dict[str, Any] = json.loads(whole.read_text()) if whole.exists() else {}
        for part in sorted(FOLDER.glob(f"{whole.stem}.[0-9]*")):
            of_all |= json.loads(part.read_text())
            part.unlink()
        whole.write_text(json.dumps(of_all))
    return run.returncode


class Map:
    """What was noted, for who chooses tests."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._data = CoverageData(str(root / DATA))
        self._data.read()
        self._seconds: dict[str, float] = json.loads((root / SECONDS).read_text())
        self._by_line: dict[str, dict[int, list[str]]] = {}
        for test, files in json.loads((root / SCRIPTS).read_text()).items():
            for file, numbers in files.items():
                for number in numbers:
                    self._by_line.setdefault(file, {}).setdefault(number, []).append(test)

    def tests(self, file: str, lines: range, named: str) -> list[str]:
        """Return the tests that run any of ``lines``, the quickest first, and many that tell the same turn by turn.

        A line that runs on import, which no test is noted for, defines ``named``, as a class and its field: then those
        that run a line with that name, in any file, the field's first. What is kept once it was reckoned is run by the
        first test alone that wants it: where few run a line, those that run others of its file come after them. So do
        those of a function that runs on import alone.
        """
        found = self._running(file, lines)
        tiers = [found]
        if not found:
            tiers = [self._running_what_names(name, file) for name in reversed(named.split())]
            if not any(tiers) and self._on_import(file, lines):
                tiers = [self._running(file, EVERY_LINE)]
            if not any(tiers) and not self._running(file, EVERY_LINE):
                tiers = [self._running_who_starts(file)]
        elif len(found) < FEW:
            tiers.append(self._running(file, EVERY_LINE))
        return list(dict.fromkeys(test for tier in tiers for test in self._in_turn(tier, file)))

    def _in_turn(self, found: set[str], file: str) -> list[str]:
        tests = sorted((test for test in sorted(found) if self.seconds(test) < float("inf")), key=self.seconds)
        return sorted(tests, key=_turns(tests, self.seconds, Path(file).stem).__getitem__)

    def seconds(self, test: str) -> float:
        """Return how long a test took."""
        return self._seconds.get(test, float("inf"))

    def _running(self, file: str, lines: range) -> set[str]:
        if file not in self._by_line:
            self._by_line[file] = self._data.contexts_by_lineno(str(self._root / file))
        by_line = self._by_line[file]
        return {test for line in lines for test in by_line.get(line, ()) if test}

    def _on_import(self, file: str, lines: range) -> bool:
        """Whether any of ``lines`` ran before the first test."""
        self._running(file, lines)
        return any("" in self._by_line[file].get(line, ()) for line in lines)

    def _running_what_names(self, named: str, own: str) -> set[str]:
        word = re.compile(rf"\b{re.escape(named)}\b")
        found: set[str] = set()
        for name in sorted(self._data.measured_files()):
            file = os.path.relpath(name, self._root)
            text = Path(name).read_text() if Path(name).exists() else ""
            numbers = [number for number, line in enumerate(text.splitlines(), 1) if word.search(line)]
            found |= {test for number in numbers for test in self._running(file, range(number, number + 1))}
        return found or self._running(own, EVERY_LINE)

    def _running_who_starts(self, program: str) -> set[str]:
        """Return the tests of the files that name a module of which no line was seen to run: it may be a process whose
        limits let nobody look on.
        """
        module, found = program.removesuffix(".py").replace("/", "."), set[str]()
        for name in sorted(self._data.measured_files()):
            if Path(name).exists() and module in Path(name).read_text():
                found |= self._running(os.path.relpath(name, self._root), EVERY_LINE)
        return found


def _turns(tests: list[str], seconds: Callable[[str], float], module: str) -> dict[str, float]:
    """Return when each is due.

    The third example of a function waits as though it took three times as long. One whose name has a word of the
    module's comes before others that take a tenth of that.
    """
    words = [word.rstrip("s") for word in module.split("_") if len(word) > 3]
    told: Counter[str] = Counter()
    due: dict[str, float] = {}
    for test in tests:
        function = test.partition("[")[0]
        told[function] += 1
        due[test] = seconds(test) * told[function] / (AKIN if any(word in function for word in words) else 1)
    return due
