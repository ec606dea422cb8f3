"""Packages with games, made for a test in a folder on Python's path, as pip would have left them there."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from controller.app.package_trial import tried
from controller.limited_process import Limits
from controller.rules import registry

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "breakthrough"
HEAD = """
import ctypes, os, sys, time
from dataclasses import replace
import msgspec
from beaconboard_breakthrough import GAME as TOY

def facts(**changed):
    return replace(TOY, facts=msgspec.structs.replace(TOY.facts, **changed))

"""


def put(folder: Path, module: str, source: str, entry: str = "ludo") -> None:
    """Put a package into ``folder``: ``source`` makes its GAME of the game TOY."""
    (folder / module).mkdir()
    (folder / module / "__init__.py").write_text(HEAD + source, encoding="utf-8")
    declare(folder, module, f"{module}:GAME", entry)


def declare(folder: Path, name: str, value: str, entry: str) -> None:
    """Put into ``folder`` what says that the package ``name`` is installed and has a game at ``value``."""
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[beaconboard.games]\n{entry} = {value}\n", encoding="utf-8")


def path_with(*folders: Path) -> str:
    """Return the PYTHONPATH on which ``folders`` lie before Beaconboard."""
    return os.pathsep.join(filter(None, [*map(str, folders), str(ROOT), os.environ.get("PYTHONPATH")]))


def untried(*folders: Path) -> dict[str, str]:
    """Return the environment of a program that has yet to try the packages in ``folders``."""
    kept = {name: value for name, value in os.environ.items() if name != registry.VERDICTS}
    return {**kept, "PYTHONPATH": path_with(*folders)}


def try_all(folder: Path, patch: pytest.MonkeyPatch, limits: Limits) -> None:
    """Try all games in ``folder``; within the test the registry has those that are sound. Use `games_found_again`."""
    patch.setenv("PYTHONPATH", path_with(folder, TOY))
    for place in (TOY, folder):
        patch.syspath_prepend(str(place))
    found = registry.packages()
    verdicts = dict(zip(found, tried((entry.value for entry in found.values()), limits), strict=True))
    patch.setenv(registry.VERDICTS, msgspec.json.encode(verdicts).decode())
