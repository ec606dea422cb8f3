"""TOML files that people write: read up to a bound, and refused in a sentence whatever is in them."""

from __future__ import annotations

import stat
from errno import EFBIG, EINVAL
from pathlib import Path
from typing import Any

import msgspec

MOST_BYTES = 1_000_000  # of a file; the largest board takes 30,000


class BadToml(ValueError):
    """Text that is no TOML; the sentence says what is wrong with it."""


def content(path: Path, most_bytes: int = MOST_BYTES) -> bytes:
    """Return what is in the file at ``path``; raises OSError, also where it is no file or too large to be one of these.

    A device need not end, and a pipe need not begin.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise OSError(EINVAL, "it is a device or a pipe, not a file", str(path))
    with path.open("rb") as file:
        found = file.read(most_bytes + 1)
    if len(found) > most_bytes:
        raise OSError(EFBIG, f"it has more than {most_bytes} bytes", str(path))
    return found


def parse(text: bytes) -> dict[str, Any]:
    """Return what ``text`` says; raises `BadToml`."""
    try:
        found: dict[str, Any] = msgspec.toml.decode(text)
    except RecursionError:
        raise BadToml("it is nested too deeply") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadToml(str(error)) from error
    return found
