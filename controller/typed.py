"""Types that may be read in several threads at once.

msgspec takes in what a struct consists of when something of it is first read, and a second thread that reads the same
struct at that moment ends the process (seen with 0.22; `tests/test_typed.py` shows it). So every type that is read
passes through `ready` first, which lets one thread at a time take it in.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")
_ONE_THREAD = threading.Lock()


def ready(kind: type[T]) -> type[T]:
    """Return ``kind``, anything that msgspec takes as a type, once every thread may read it."""
    found: Any = kind
    _take_in(found)
    return kind


@cache
def _take_in(kind: Any) -> None:
    with _ONE_THREAD:
        msgspec.json.Decoder(kind)


def decoder(kind: type[T]) -> msgspec.json.Decoder[T]:
    """Return what reads ``kind`` from JSON."""
    return msgspec.json.Decoder(ready(kind))
