"""Whether a version that was just put on has stood its trial. Pure: what systemd says comes from outside.

It has to take events within two minutes. Then, for five more, it may end twice: whoever pulls a plug does not undo it.
"""

from __future__ import annotations

from typing import Literal

import msgspec

READY_US = 120 * 1_000_000
WATCHED_US = 300 * 1_000_000
MOST_ENDS = 3

Verdict = Literal["wait", "stood", "silent", "ends"]
"""Go on watching, it has stood; or it does not start, or it ends again and again: the version before comes back."""


class ServiceSeen(msgspec.Struct, frozen=True):
    """What systemd says of the service: whether it is ``active``, and how often it was ``started_again`` by itself."""

    active: bool
    started_again: int


class TrialWatch(msgspec.Struct, frozen=True):
    """What was seen so far: when the trial ``began_us``, and since when the service was ready, None while it never was.
    From then on it is ``watched_us`` long.
    """

    began_us: int
    ready_us: int | None = None
    watched_us: int = WATCHED_US

    def saw(self, now_us: int, seen: ServiceSeen) -> tuple[TrialWatch, Verdict]:
        """Return what is known after a look, and what follows from it."""
        if self.ready_us is None and seen.active:
            return TrialWatch(self.began_us, now_us, self.watched_us), "wait"
        if self.ready_us is None:
            late = now_us - self.began_us >= READY_US
            return self, "silent" if late or seen.started_again else "wait"
        if seen.started_again >= MOST_ENDS:
            return self, "ends"
        return self, "stood" if seen.active and now_us - self.ready_us >= self.watched_us else "wait"
