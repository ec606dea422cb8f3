"""The panel's pulse: whether pages are still answered."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable

EVERY_S = 5.0
ASK_S = 10.0  # a page is made in some ms; on a busy Pi in a second or two
MISSES = 4  # in a row: a machine that slept, or was busy for a moment, misses one


class PagePulse:
    """Feels the pulse with ``ask``, which returns whether a page was answered.

    Misses are counted, not seconds: the clock goes on while a machine is asleep. Where no page ever was answered there
    is no pulse to lose, so that a machine that cannot reach itself is not restarted for ever.
    """

    def __init__(self, ask: Callable[[], bool]) -> None:
        self._ask = ask
        self._misses, self._answered = 0, False

    @property
    def answers(self) -> bool:
        """Whether pages are answered, as far as is known."""
        return self._misses < MISSES

    def feel(self) -> None:
        """Ask once; returns after `ASK_S` at most."""
        if self._ask():
            self._misses, self._answered = 0, True
        elif self._answered:
            self._misses += 1

    def run(self, ended: threading.Event) -> None:
        """Feel it every `EVERY_S` until ``ended``."""
        while not ended.wait(EVERY_S):
            self.feel()


def answers_page(where: tuple[str, int], patience_s: float = ASK_S) -> bool:
    """Whether the panel at ``where`` answers the request for its page, with anything but an error of its own."""
    line = http.client.HTTPConnection(*where, timeout=patience_s)
    try:
        line.request("HEAD", "/", headers={"Host": "localhost", "Connection": "close"})
        return line.getresponse().status != 500
    except (OSError, http.client.HTTPException):
        return False
    finally:
        line.close()
