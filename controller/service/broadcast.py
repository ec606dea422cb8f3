"""Those who look at the table: what there is to see, handed to every watcher, the newest only.

Owns that picture and the waiting for it. Must not know what it shows.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

import msgspec

from controller.diagnostics.guided_check import GuidedCheck
from controller.service.display import Display
from controller.service.join_by_touch import JoinByTouch
from controller.table.state import Table


class Frame(msgspec.Struct, frozen=True):
    """What watchers look at: ``version`` grows with each change; ``fault`` says what is wrong with the lights, the
    journal, the tracker or the service itself, or "". ``measured`` are the tracker's costs, ``p:m`` by ``a3-b3``.
    ``door`` has the cells that those who want to join are asked to touch, ``walk`` the last walk over the board.
    """

    version: int
    table: Table
    fault: str = ""
    measured: Mapping[str, str] = {}
    showing: Display = Display()
    door: JoinByTouch = JoinByTouch()
    walk: GuidedCheck | None = None


class Broadcast:
    """The watchers. Every method may be called from any thread."""

    def __init__(self, seen: Frame) -> None:
        self._changed = threading.Condition()
        self._seen = seen
        self._ended = False

    def look(self) -> Frame:
        """Return what there is to see now."""
        return self._seen

    def watch(self, quiet_s: float) -> Iterator[Frame | None]:
        """Yield what there is to see now and after each change, newest only; None after a quiet time. Ends with it."""
        version = -1
        while (seen := self._next(version, quiet_s)) is not None:
            yield seen if seen.version != version else None
            version = seen.version

    def _next(self, version: int, quiet_s: float) -> Frame | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._seen.version != version, timeout=quiet_s)
            return None if self._ended else self._seen

    def show(self, seen: Frame | None = None) -> None:
        """Let everybody see ``seen``, or look again at what there is: something beside the table has changed."""
        with self._changed:
            self._seen = msgspec.structs.replace(seen or self._seen, version=self._seen.version + 1)
            self._changed.notify_all()

    def while_open(self, do: Callable[[], None]) -> bool:
        """Call ``do`` unless the end has come, which cannot come meanwhile; return whether it was called."""
        with self._changed:
            if not self._ended:
                do()
            return not self._ended

    def end(self) -> None:
        """Send everybody home."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
