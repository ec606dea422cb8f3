"""Everything that a program did to the files of a folder, in order, as `recorder.c` writes it down."""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

HEAD = struct.Struct("<c7xQQII")
SOURCE = Path(__file__).with_name("recorder.c")
PATIENCE_S = 600


class Act(msgspec.Struct, frozen=True):
    """One act: its ``kind`` is a letter of `recorder.c`. ``first`` is a name below the folder, or data."""

    kind: str
    file: int = 0
    at: int = 0
    first: bytes = b""
    second: bytes = b""

    @property
    def name(self) -> str:
        """The name of what it is done to."""
        return os.fsdecode(self.first)


def built(folder: Path) -> Path:
    """Compile the recorder into ``folder``."""
    library = folder / "recorder.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", str(library), str(SOURCE)], check=True)
    return library


def recorded(library: Path, folder: Path, module: str, *arguments: str) -> list[Act]:
    """Run a module of ours with what it does to ``folder`` written down; return that."""
    where, to = Path(os.path.realpath(folder)), folder.with_name(f"{folder.name}.trace")
    to.unlink(missing_ok=True)
    more = {"LD_PRELOAD": str(library), "POWER_CUTS_FOLDER": str(where), "POWER_CUTS_TRACE": str(to)}
    command = [sys.executable, "-m", module, *arguments, str(where)]
    subprocess.run(command, env={**os.environ, **more}, check=True, timeout=PATIENCE_S, stdout=subprocess.DEVNULL)
    return list(read(to.read_bytes()))


def read(trace: bytes) -> Iterator[Act]:
    """Yield the acts of a trace."""
    at = 0
    while at < len(trace):
        kind, file, place, first, second = HEAD.unpack_from(trace, at)
        at += HEAD.size
        yield Act(kind.decode(), file, place, trace[at : at + first], trace[at + first : at + first + second])
        at += first + second


def mark(promise: Any) -> None:
    """Note in the trace what is promised from here on; for a program that is recorded."""
    text = msgspec.json.encode(promise)
    ctypes.CDLL(None).power_cuts_mark(text, ctypes.c_size_t(len(text)))
