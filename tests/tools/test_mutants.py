"""Changes of the product that a test should notice: which there are, and that who tries them is told the truth."""

from __future__ import annotations

import ast
import json
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from coverage import CoverageData

from tools.mutants.__main__ import every, interval, rooms, sample, unnoticed
from tools.mutants.browsed import Browsed
from tools.mutants.places import mutants
from tools.mutants.script_places import script_mutants
from tools.mutants.touched import DATA, SCRIPTS, SECONDS, Map
from tools.mutants.trial import Copy
from tools.mutants.warm import run

ROOT = Path(__file__).parents[2]
GUARD = b'''"""At most a thousand."""

MOST = 1000


def kept(number: int, polite: bool) -> int:
    """Return ``number``, bounded."""
    if number < 0 and not polite:
        raise ValueError("no number: %d" % number)
    return min(MOST, number)
'''
HALF = """from guard import kept


def test_kept():
    assert kept(5, True) == 5
"""


def changed(source: bytes) -> set[str]:
    """Return the sources, each with one change, without what is the same in all."""
    return {m.new + " for " + source[m.start : m.end].decode() for m in mutants("guard.py", source)}


def test_a_bound_a_condition_a_clamp_and_a_refusal_can_each_be_lost() -> None:
    found = changed(GUARD)
    assert {"100000 for 1000", "<= for <", ">= for <", "(number) for min(MOST, number)"} <= found
    assert {"((number < 0)) for number < 0 and not polite", "bool(polite) for not polite"} <= found
    assert 'pass for raise ValueError("no number: %d" % number)' in found


def test_no_text_is_changed_and_nothing_that_only_a_type_checker_reads() -> None:
    source = b'''def f(of: "list[int]" = []) -> tuple[int, 3]:
    """1 < 2"""
    return say("{n} left", n=g(1))


if TYPE_CHECKING:
    limit: Literal[3] = 3
'''
    assert changed(source) == set()


def test_every_change_is_another_program_that_still_parses() -> None:
    source = (ROOT / "controller/table/people/arbiter.py").read_bytes()
    found = [m.applied(source) for m in mutants("arbiter.py", source)]
    for program in found:
        ast.parse(program)
    assert len(found) == len(set(found)) > 40
    assert source not in found


def test_a_change_of_a_script_is_found_by_its_grammar() -> None:
    source = b"if (!a && b < 2) { f(); }\nconst c = d ? Math.min(5, e) : 1;  // 1 < 2\n"
    found = {m.new + " for " + source[m.start : m.end].decode() for m in script_mutants("a.js", source)}
    assert {"!!a for !a", "(b < 2) for !a && b < 2", "<= for <", "; for f();", "(e) for Math.min(5, e)"} <= found
    assert {"(5 * 100) for 5", "(1 + 1) for 1", "(1) for d ? Math.min(5, e) : 1"} <= found
    assert not any("//" in each for each in found)


def test_a_line_of_the_joined_scripts_is_known_where_it_was_written() -> None:
    browsed = Browsed(ROOT)
    text = browsed._bundles["/panel.js"]
    places = browsed._places(text)
    lines = text.split("\n")
    for number, (file, own) in places.items():
        written = browsed._sources[file].split("\n")[own - 1].strip()
        assert written.removeprefix("export ").startswith(lines[number - 1].strip().partition("import(")[0][:8]), file
    assert len(places) > 0.8 * sum(bool(line.strip()) for line in lines)


@pytest.mark.slow
def test_every_room_of_the_architecture_has_changes_to_try() -> None:
    for name, files in rooms().items():
        assert len(sample(files[:8], 30, f"1 {name}")) == 30, name
    some = rooms()["controller/afar"]
    assert sample(some, 30, "2") == sample(some, 30, "2") != sample(some, 30, "3")


def test_the_interval_is_wilsons() -> None:
    # 81 of 263, as in Newcombe, Statistics in Medicine 17 (1998), table II: 0.2553 to 0.3662.
    below, above = interval(81, 263)
    assert (round(below, 4), round(above, 4)) == (0.2553, 0.3662)
    assert interval(0, 0) == (0.0, 1.0)


@pytest.fixture
def guarded(tmp_path: Path) -> Path:
    """Return a tree with a guard and one test that tells half of what it does."""
    (tmp_path / "guard.py").write_bytes(GUARD)
    (tmp_path / "test_guard.py").write_text(HALF)
    (tmp_path / ".venv").mkdir()
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for path, text in (
        (SECONDS, {"test_guard.py::test_kept": 0.01}),
        (SCRIPTS, {"test_guard.py::test_kept": {"guard.py": [3, 6, 7, 8, 10]}}),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(json.dumps(text))
    data = CoverageData(str(tmp_path / DATA))
    data.add_lines({str(tmp_path / "other.py"): []})
    data.write()
    return tmp_path


@pytest.mark.slow
def test_who_tries_a_change_is_told_whether_a_test_noticed(guarded: Path) -> None:
    known = Map(guarded)
    with closing(Copy(guarded, guarded / "build/copy")) as copy:
        outcomes = {o.told: o for o in (copy.tried(m, known) for m in mutants("guard.py", GUARD) if m.line > 8)}
    noticed = {told for told, outcome in outcomes.items() if outcome.noticed}
    assert "guard.py:10: min(MOST, number)  →  (MOST)" in noticed
    assert "guard.py:10: min(MOST, number)  →  (number)" in outcomes.keys() - noticed
    assert outcomes['guard.py:9: raise ValueError("no number: %d" % number)  →  pass'].how == "no test runs it"
    assert (guarded / "build/copy/guard.py").read_bytes() == GUARD


@pytest.mark.slow
def test_a_test_that_fails_anyway_notices_nothing(guarded: Path) -> None:
    """It would call every change noticed: it is tried once where nothing is changed, and left out from then on."""
    (guarded / "test_guard.py").write_text(HALF + "    raise AssertionError\n")
    with closing(Copy(guarded, guarded / "build/copy")) as copy:
        (change, *_) = [m for m in mutants("guard.py", GUARD) if m.new == "(MOST)"]
        assert not copy.tried(change, Map(guarded)).noticed


@pytest.mark.slow
def test_a_test_that_has_another_name_by_now_silences_no_other(guarded: Path) -> None:
    seconds = {"test_guard.py::test_before": 0.001, "test_gone.py::test_it": 0.001, "test_guard.py::test_kept": 0.01}
    (guarded / SECONDS).write_text(json.dumps(seconds))
    (guarded / SCRIPTS).write_text(json.dumps({test: {"guard.py": [3, 6, 7, 8, 10]} for test in seconds}))
    with closing(Copy(guarded, guarded / "build/copy")) as copy:
        (change, *_) = [m for m in mutants("guard.py", GUARD) if m.told(GUARD).endswith("min(MOST, number)  →  (MOST)")]
        outcome = copy.tried(change, Map(guarded))
    assert (outcome.noticed, outcome.tests) == (True, 1)


@pytest.mark.slow
def test_a_change_that_hangs_is_noticed_and_ended(tmp_path: Path) -> None:
    (tmp_path / "test_wait.py").write_text("import time\n\n\ndef test_wait():\n    time.sleep(600)\n")
    began = time.monotonic()
    assert run([str(tmp_path / "test_wait.py")], 3.0) == (None, "")
    assert time.monotonic() - began < 30


def test_the_quickest_come_first_and_one_function_does_not_keep_the_others_waiting(guarded: Path) -> None:
    took = {"t.py::many[1]": 0.2, "t.py::many[2]": 0.2, "t.py::many[3]": 0.2, "t.py::other": 0.3, "t.py::failed": None}
    (guarded / SECONDS).write_text(json.dumps({test: s or float("inf") for test, s in took.items()}))
    (guarded / SCRIPTS).write_text(json.dumps({test: {"guard.js": [1]} for test in took}))
    order = ["t.py::many[1]", "t.py::other", "t.py::many[2]", "t.py::many[3]"]
    assert Map(guarded).tests("guard.js", range(1, 2), "") == order


def test_what_is_reckoned_once_for_all_is_tried_by_all_who_use_the_file(guarded: Path) -> None:
    (guarded / SECONDS).write_text(json.dumps({"t.py::first": 2.0, "t.py::second": 0.1}))
    (guarded / SCRIPTS).write_text(json.dumps({"t.py::first": {"guard.js": [1, 9]}, "t.py::second": {"guard.js": [9]}}))
    assert Map(guarded).tests("guard.js", range(1, 2), "") == ["t.py::first", "t.py::second"]
    assert Map(guarded).tests("guard.js", range(5, 6), "") == [], "no test runs it"


def test_a_field_is_tried_by_who_names_it_and_then_by_who_names_its_class(guarded: Path) -> None:
    source = b"class Bounds:\n    most: int = 9\n\n\nLEAST = 3\n"
    assert {m.named for m in mutants("bounds.py", source)} == {"Bounds most", "LEAST"}
    assert {m.named for m in mutants("sides.py", b"WHITE, BLACK = 0, 1\n")} == {"WHITE BLACK"}
    data = CoverageData(str(guarded / DATA))
    for test, line in (("t.py::field", "print(bounds.most)"), ("t.py::whole", "print(Bounds())")):
        (guarded / f"{test[6:]}.py").write_text(line)
        data.set_context(test)
        data.add_lines({str(guarded / f"{test[6:]}.py"): [1]})
    data.write()
    (guarded / SECONDS).write_text(json.dumps({"t.py::field": 2.0, "t.py::whole": 0.1}))
    assert Map(guarded).tests("bounds.py", range(2, 3), "Bounds most") == ["t.py::field", "t.py::whole"]


def test_a_function_that_runs_on_import_alone_is_tried_by_all_who_use_its_file(guarded: Path) -> None:
    data = CoverageData(str(guarded / DATA))
    for test, line in (("", 2), ("t.py::later", 9)):
        data.set_context(test)
        data.add_lines({str(guarded / "made.py"): [line]})
    data.write()
    (guarded / SECONDS).write_text(json.dumps({"t.py::later": 2.0}))
    assert Map(guarded).tests("made.py", range(2, 3), "") == ["t.py::later"]
    assert Map(guarded).tests("made.py", range(5, 6), "") == [], "no test runs it"


def test_a_program_that_nobody_saw_run_is_tried_by_the_tests_of_who_starts_it(guarded: Path) -> None:
    (guarded / "starts.py").write_text('COMMAND = ("python", "-m", "sends.post")\nprint(COMMAND)\n')
    data = CoverageData(str(guarded / DATA))
    data.set_context("t.py::sends")
    data.add_lines({str(guarded / "starts.py"): [2]})
    data.write()
    (guarded / SECONDS).write_text(json.dumps({"t.py::sends": 2.0}))
    assert Map(guarded).tests("sends/post.py", range(7, 8), "") == ["t.py::sends"]
    assert Map(guarded).tests("sends/other.py", range(7, 8), "") == []


def test_what_nobody_noticed_is_found_again_where_it_lies_by_now() -> None:
    file = "tools/mutants/trial.py"
    source = (ROOT / file).read_bytes()
    *_, last = every([file])
    moved = last.told(source).replace(f":{last.line}:", f":{last.line + 7}:")
    kept = [{"told": moved, "noticed": False}, {"told": f"{file}:1: gone  →  pass", "noticed": False}]
    assert unnoticed(kept) == [last]


def test_tests_that_a_busy_machine_has_kept_waiting_are_given_a_second_and_longer_time(
    guarded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else they would count for unsound, and notice nothing from then on."""
    asked: list[float] = []

    class Busy:
        """Answers the first time that nothing came of it."""

        def __init__(self) -> None:
            self.stdin, self.stdout = self, self

        def write(self, text: str) -> None:
            asked.extend([json.loads(text)["seconds"]] if text.strip() else [])

        def flush(self) -> None:
            """Nothing waits."""

        def readline(self) -> str:
            return json.dumps({"status": None if len(asked) == 1 else 0, "told": ""})

    monkeypatch.setattr("tools.mutants.trial._warm", lambda folder: Busy())
    copy = Copy(guarded, guarded / "build/copy")
    (change, *_) = [m for m in mutants("guard.py", GUARD) if m.new == "(MOST)"]
    outcome = copy.tried(change, Map(guarded))
    assert (outcome.noticed, outcome.how) == (False, "passed test_guard.py::test_kept")
    assert len(asked) == 2
    assert asked[1] > asked[0]
