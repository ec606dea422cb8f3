"""A release is made whole or not at all, and says its version without a tag, too."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.release import NotReleased, release, written

PYPROJECT = """[project]
name = "beaconboard"
version = "0.2.0.dev0"

[tool.towncrier]
name = "Beaconboard"
directory = "changes"
filename = "CHANGELOG.md"
title_format = "## {version} ({project_date})"
underlines = ["", "", ""]
type = [{ directory = "added", name = "Added", showcontent = true }]
"""


def git(folder: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "n")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "n@example.org")
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n<!-- towncrier release notes start -->\n")
    (tmp_path / "changes").mkdir()
    (tmp_path / "changes" / "+hum.added.md").write_text("The board hums.\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def test_one_command_makes_version_change_log_and_tag_and_begins_the_next_one(project: Path) -> None:
    at_the_wheel: list[str] = []
    release(project, "0.2.0", build=lambda: at_the_wheel.append(str(written(project))))
    assert at_the_wheel == ["0.2.0"]
    assert str(written(project)) == "0.3.0.dev0"
    assert git(project, "show", "v0.2.0:pyproject.toml").splitlines()[2] == 'version = "0.2.0"'
    told = git(project, "show", "v0.2.0:CHANGELOG.md")
    assert "## 0.2.0 (" in told
    assert "The board hums." in told
    assert not list((project / "changes").glob("*.md"))
    assert git(project, "status", "--porcelain") == ""
    assert git(project, "log", "--format=%s").splitlines() == ["Begin 0.3.0", "Release 0.2.0", "one"]


def test_a_wheel_that_cannot_be_built_leaves_everything_as_it_was(project: Path) -> None:
    def fails() -> None:
        raise NotReleased("no compiler")

    before = git(project, "rev-parse", "HEAD")
    with pytest.raises(NotReleased, match="no compiler"):
        release(project, "0.2.0", build=fails)
    assert (git(project, "rev-parse", "HEAD"), git(project, "tag")) == (before, "")
    assert (project / "changes" / "+hum.added.md").exists()


@pytest.mark.parametrize(("text", "why"), [
    ("", "is no version"), ("two", "is no version"), ("0.2", "write it as"), ("0.2.0rc1", "write it as"),
    ("0.1.9", "comes before"),
])  # fmt: skip
def test_what_is_no_next_version_is_refused_in_one_sentence(project: Path, text: str, why: str) -> None:
    with pytest.raises(NotReleased, match=why):
        release(project, text, build=lambda: None)
    assert git(project, "tag") == ""


def test_uncommitted_work_and_a_version_that_is_there_are_not_touched(project: Path) -> None:
    (project / "notes.txt").write_text("mine")
    with pytest.raises(NotReleased, match="not committed"):
        release(project, "0.2.0", build=lambda: None)
    assert (project / "notes.txt").read_text() == "mine"
    (project / "notes.txt").unlink()
    git(project, "tag", "v0.2.0")
    with pytest.raises(NotReleased, match="there already"):
        release(project, "0.2.0", build=lambda: None)


def test_the_command_line_says_why_not() -> None:
    said = subprocess.run([sys.executable, "-m", "tools.release", "x"], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (1, "No release: 'x' is no version: write it as 1.2.3.\n")
