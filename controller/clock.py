"""The clock of the service."""

from __future__ import annotations

import time


def clock_us() -> int:
    """Return the time of the service: microseconds, never backwards."""
    return time.monotonic_ns() // 1000
