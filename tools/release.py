"""Make a release: ``python -m tools.release 1.2.3``, which `make release VERSION=1.2.3` calls.

The change log is joined, the version written, committed and tagged, the wheel built of just that, and the next version
begun. Where anything fails, the repository is as it was.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
LINE = re.compile(r'^version = "([^"]+)"$', re.MULTILINE)


class NotReleased(Exception):
    """There is no release; the text says why."""


def written(folder: Path) -> Version:
    """Return the version that ``pyproject.toml`` says."""
    found = LINE.search((folder / "pyproject.toml").read_text(encoding="utf-8"))
    if found is None:
        raise NotReleased('pyproject.toml has no line version = "…"')
    return Version(found[1])


def release(folder: Path, text: str, build: Callable[[], None]) -> Version:
    """Release the version ``text`` of the repository in ``folder``, and return which one begins then.

    ``build`` makes the wheel once the tag is set. Raises `NotReleased`.
    """
    version = _wanted(folder, text)
    if _git(folder, "status", "--porcelain"):
        raise NotReleased("there are changes that are not committed: commit them, or put them away")
    if _git(folder, "tag", "--list", f"v{version}"):
        raise NotReleased(f"the tag v{version} is there already")
    before = _git(folder, "rev-parse", "HEAD")
    try:
        _run(folder, sys.executable, "-m", "towncrier", "build", "--yes", "--version", str(version))
        _write(folder, version)
        _git(folder, "commit", "-qam", f"Release {version}")
        _git(folder, "tag", "-a", f"v{version}", "-m", f"Beaconboard {version}")
        build()
        after = Version(f"{version.major}.{version.minor + 1}.0.dev0")
        _write(folder, after)
        _git(folder, "commit", "-qam", f"Begin {after.base_version}")
    except BaseException:
        _git(folder, "reset", "-q", "--hard", before)
        if _git(folder, "tag", "--list", f"v{version}"):
            _git(folder, "tag", "-d", f"v{version}")
        raise
    return after


def _wanted(folder: Path, text: str) -> Version:
    try:
        version = Version(text)
    except InvalidVersion as error:
        raise NotReleased(f"{text!r} is no version: write it as 1.2.3") from error
    if str(version) != version.base_version or len(version.release) != 3:
        raise NotReleased(f"{text!r} is no version of a release: write it as 1.2.3")
    if version < written(folder):
        raise NotReleased(f"{version} comes before {written(folder)}, which pyproject.toml has")
    return version


def _write(folder: Path, version: Version) -> None:
    path = folder / "pyproject.toml"
    path.write_text(LINE.sub(f'version = "{version}"', path.read_text(encoding="utf-8"), count=1), encoding="utf-8")


def _git(folder: Path, *words: str) -> str:
    return _run(folder, "git", *words).strip()


def _run(folder: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotReleased(f"{' '.join(command)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def main() -> int:
    """Make the release that is asked for."""
    try:
        after = release(ROOT, "".join(sys.argv[1:2]), build=lambda: print(_run(ROOT, "make", "wheel")))
    except NotReleased as why:
        print(f"No release: {why}.", file=sys.stderr)
        return 1
    print(f"Released and tagged; {after.base_version} has begun. Hand them on with: git push --follow-tags")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
