"""How often an address did something lately, for the limits of the panel.

They go by a clock that is never set: a board without a battery begins with some old time, and is put right by hours at
once when it finds a network.
"""

from __future__ import annotations

import threading
from time import monotonic, time

from limits.storage import Storage

STEADY = "steady"  # the scheme under which a limiter finds `SteadyCounts`
MOST = 10_000  # counts kept; the oldest goes first


class SteadyCounts(Storage):
    """A storage for `limits`. Every method may be called from any thread."""

    STORAGE_SCHEME = [STEADY]  # noqa: RUF012 - as `limits` has it

    def __init__(self, uri: str | None = None, wrap_exceptions: bool = False, **options: float | str | bool) -> None:
        super().__init__(uri, wrap_exceptions, **options)
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}  # by key: how often, and until when that counts

    @property
    def base_exceptions(self) -> type[Exception]:
        """What may go wrong."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count ``amount`` more; the first one of a key says for how many seconds all count."""
        with self._lock:
            count, until = self._now(key)
            if not count:
                self._counts.pop(key, None)  # so that the oldest stands first
            self._counts[key] = count + amount, until or monotonic() + expiry
            while len(self._counts) > MOST:
                del self._counts[next(iter(self._counts))]
            return count + amount

    def get(self, key: str) -> int:
        """Return the count of ``key``."""
        with self._lock:
            return self._now(key)[0]

    def get_expiry(self, key: str) -> float:
        """Return until when ``key`` counts, as the time of the day has it."""
        with self._lock:
            _, until = self._now(key)
            return time() + until - monotonic()

    def _now(self, key: str) -> tuple[int, float]:
        count, until = self._counts.get(key, (0, 0.0))
        return (count, until) if monotonic() < until else (0, 0.0)

    def check(self) -> bool:
        """Whether counts can be kept."""
        return True

    def reset(self) -> int:
        """Forget all counts; return how many there were."""
        with self._lock:
            count = len(self._counts)
            self._counts.clear()
            return count

    def clear(self, key: str) -> None:
        """Forget the count of ``key``."""
        with self._lock:
            self._counts.pop(key, None)
