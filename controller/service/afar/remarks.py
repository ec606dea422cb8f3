"""What is noted about a link for whoever looks after this board: on the page, and in the log.

Owns how often that is written: whoever is at the other end, or carries messages there, can bring about any sentence as
often as it likes, and must fill no disk with it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

AGAIN_S = 3600.0  # after which a sentence is written again, whatever fills it
MOST_SENTENCES = 64  # of different kinds; we have fewer


class Remarks:
    """``last`` is the newest one. Lines of ``log`` begin with ``about``; ``clock`` tells seconds."""

    def __init__(self, log: logging.Logger, about: str, clock: Callable[[], float]) -> None:
        self.last = ""
        self._log, self._about, self._clock = log, about, clock
        self._written_s: dict[str, float] = {}

    def note(self, sentence: str) -> None:
        """Show ``sentence``, and write it unless one like it was written a short while ago."""
        self.last = sentence
        kind, now_s = str(getattr(sentence, "template", "")), self._clock()
        known = self._written_s.get(kind)
        if known is None and len(self._written_s) >= MOST_SENTENCES:
            return
        if known is None or now_s - known >= AGAIN_S:
            self._written_s[kind] = now_s
            self._log.warning("%s: %s", self._about, sentence)
