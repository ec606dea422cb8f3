"""Who hears what a sensor board tells, and nothing else."""

from __future__ import annotations

import threading
from collections.abc import Callable

from controller.events import Link, Sensed, Snapshot, Touch
from tests.waiting import PATIENCE_S

Event = Sensed


class BoardListener:
    """Keeps events, and what somebody who hears only them believes to stand on the board; a test may wait for one."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.believed: set[str] = set()
        self.up = False
        self._news = threading.Condition()
        self._taken = 0

    def __call__(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._believe(event)
            self._news.notify_all()

    def _believe(self, event: Event) -> None:
        match event:
            case Link():
                self.up = event.up
            case Snapshot():
                self.believed = set(event.sites)
            case Touch(on=True):
                self.believed.add(event.site)
            case Touch():
                self.believed.discard(event.site)

    def touches(self) -> list[tuple[str, bool]]:
        return [(event.site, event.on) for event in self.events if isinstance(event, Touch)]

    def until(self, wanted: Callable[[Event], bool]) -> Event:
        """Return the first event after those waited for before that is ``wanted``; another thread tells it."""

        def found() -> bool:
            while self._taken < len(self.events):
                self._taken += 1
                if wanted(self.events[self._taken - 1]):
                    return True
            return False

        with self._news:
            assert self._news.wait_for(found, PATIENCE_S), self.events
            return self.events[self._taken - 1]

    def until_touch(self, site: str, on: bool) -> None:
        self.until(lambda event: isinstance(event, Touch) and (event.site, event.on) == (site, on))

    def until_link(self, up: bool) -> str:
        event = self.until(lambda event: isinstance(event, Link) and event.up == up)
        assert isinstance(event, Link)
        return event.sentence

    def until_snapshot(self) -> frozenset[str]:
        event = self.until(lambda event: isinstance(event, Snapshot))
        assert isinstance(event, Snapshot)
        return event.occupied
