"""What `make check` tells: one story of every subject at least."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import marks_of_file

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_make_check_has_a_story_of_every_subject() -> None:
    """A subject is a folder of tests; what the pages do in a browser is one, too."""
    told = re.search(r"^CHECKED := (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert told is not None
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-m", told.group(1)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    stories = {line for line in done.stdout.splitlines() if "::" in line}
    subjects = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert subjects - {story.rpartition("/")[0] for story in stories} == set()
    assert any("_browser.py::" in story for story in stories)


def test_no_file_that_the_run_may_leave_unread_marks_a_story_of_its_own() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        if marks_of_file(path.relative_to(ROOT).as_posix()):
            assert "mark.checked" not in path.read_text(encoding="utf-8"), f"{path}: name its story in CHECKED"
