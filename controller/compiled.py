"""The compiled core: modules of the rules and of the search as machine code, where `make fast` has made it.

It is only ever used for the very sources it was made from: its folder is named by their fingerprint. After a change to
any of them, everything runs from the sources until it is compiled again. Nothing needs it, and nothing behaves
differently with it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.abc import MetaPathFinder
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE = Path(__file__).parent
FOLDER = PACKAGE / ".compiled"
ROOMS = ("engine", "rules")  # whose sources go into it, or are known to it
PLAIN = "BEACONBOARD_PLAIN"  # set to anything: run from the sources
SUFFIX = EXTENSION_SUFFIXES[0]  # has the version of Python and the kind of machine


class _Finder(MetaPathFinder):
    """Finds the modules that are compiled, by their full names."""

    def __init__(self, files: Mapping[str, Path]) -> None:
        self.files = files

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = self.files.get(fullname)
        if file is None:
            return None
        return spec_from_file_location(fullname, file, loader=ExtensionFileLoader(fullname, str(file)))


def fingerprint() -> str:
    """Return the name of the folder of what is compiled from the sources that lie here, for this Python."""
    mark = sha256(SUFFIX.encode())
    for room in ROOMS:
        for file in sorted((PACKAGE / room).rglob("*.py")):
            mark.update(str(file.relative_to(PACKAGE)).encode() + b"\0" + sha256(file.read_bytes()).digest())
    return mark.hexdigest()[:16]


def use() -> None:
    """From now on import what is compiled of the sources that lie here, where there is any."""
    if os.environ.get(PLAIN) or not FOLDER.is_dir():
        return
    folder = FOLDER / fingerprint()
    files = {".".join(file.relative_to(folder).parts).removesuffix(SUFFIX): file for file in folder.rglob(f"*{SUFFIX}")}
    if files:
        sys.meta_path.insert(0, _Finder(files))


def used() -> bool:
    """Return whether the compiled core is used."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


def outdated() -> bool:
    """Return whether something is compiled, but not of the sources that lie here."""
    return not used() and not os.environ.get(PLAIN) and FOLDER.is_dir() and any(FOLDER.iterdir())


def sentence() -> str:
    """Return in one sentence whether the compiled core is used."""
    if used():
        return "The opponent's search runs compiled."
    if os.environ.get(PLAIN):
        return f"The opponent's search runs from its sources, as {PLAIN} asks."
    if outdated():
        return "The opponent's search runs from its sources: they have changed since they were compiled. Run make fast."
    return "The opponent's search runs from its sources: nothing is compiled. make fast compiles it."
