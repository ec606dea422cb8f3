"""The current view of the table, for every watcher: the newest frame only."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping

import msgspec

from controller.diagnostics.guided_check import GuidedCheck
from controller.sentences import together
from controller.service.showing.display import Display
from controller.service.sifting.join_by_touch import JoinByTouch
from controller.table.state import Table


class ShownTable(msgspec.Struct, frozen=True):
    """What watchers look at: ``version`` grows with each change; ``faults`` say what is wrong and with what: the
    lights, the journal, the tracker, the service itself. ``measured`` are the tracker's costs, ``p:m`` by ``a3-b3``.
    ``joining`` has the cells that those who want to join are asked to touch, ``check`` the last guided check.
    ``game_id`` is the number of the game on the table.
    """

    version: int
    table: Table
    faults: tuple[tuple[str, str], ...] = ()
    measured: Mapping[str, str] = {}
    display: Display = Display()
    joining: JoinByTouch = JoinByTouch()
    check: GuidedCheck | None = None
    game_id: int | None = None

    @property
    def fault(self) -> str:
        """All that is wrong in one text, "" where nothing is."""
        return together(*(sentence for _, sentence in self.faults))


class Broadcast:
    """The watchers. Every method may be called from any thread."""

    def __init__(self, frame: ShownTable) -> None:
        self._changed = threading.Condition()
        self._frame = frame
        self._ended = False

    def look(self) -> ShownTable:
        """Return the current frame."""
        return self._frame

    def watch(self, quiet_s: float) -> Iterator[ShownTable | None]:
        """Yield the current frame and the newest after each change, None after a quiet time; ends at the `end`."""
        version = -1
        while (frame := self._next(version, quiet_s)) is not None:
            yield frame if frame.version != version else None
            version = frame.version

    def _next(self, version: int, quiet_s: float) -> ShownTable | None:
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._frame.version != version, timeout=quiet_s)
            return None if self._ended else self._frame

    def show(self, frame: ShownTable | None = None) -> None:
        """Publish ``frame``, or the current one again where something beside the table has changed."""
        with self._changed:
            self._frame = msgspec.structs.replace(frame or self._frame, version=self._frame.version + 1)
            self._changed.notify_all()

    def while_open(self, do: Callable[[], None]) -> bool:
        """Call ``do`` unless the end has come, which cannot come meanwhile; return whether it was called."""
        with self._changed:
            if not self._ended:
                do()
            return not self._ended

    def end(self) -> None:
        """End every `watch`."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
