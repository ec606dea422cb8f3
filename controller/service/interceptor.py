"""What stands between the sensors and the table: contacts that chatter, who asks to join, a walk over the board.

Owns which events the table hears, and what is lit in place of its own lights. For the service's loop alone, which
calls it in its one thread. Must not know devices, the journal or HTTP.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from controller.diagnostics import guided_check
from controller.diagnostics.guided_check import CheckRequest, GuidedCheck
from controller.events import Event, Tick
from controller.sentences import say
from controller.service import join_by_touch
from controller.service.chatter_filter import ChatterFilter
from controller.table.state import Table


class Joining(msgspec.Struct, frozen=True):
    """Somebody asks to join (see `controller.service.join_by_touch`), or with ``came`` None no longer does."""

    who: str
    came: Callable[[], None] | None


class Watched(msgspec.Struct, frozen=True):
    """The page of ``who``, who asked to join, was opened, or closed and is not ``there`` any more."""

    who: str
    there: bool


class Interceptor:
    """``door`` has those who ask to join, ``walk`` the walk that is on or was the last one."""

    def __init__(self) -> None:
        self._chatter = ChatterFilter()
        self.door = join_by_touch.JoinByTouch()
        self.walk: GuidedCheck | None = None
        self._came: dict[str, Callable[[], None]] = {}  # by who asked to join: whom to tell

    @property
    def stands(self) -> tuple[join_by_touch.JoinByTouch, GuidedCheck | None]:
        """What watchers can tell apart."""
        return self.door, self.walk

    @property
    def walked(self) -> GuidedCheck | None:
        """The walk that is on."""
        return self.walk if self.walk and self.walk.who else None

    @property
    def alone(self) -> frozenset[str] | None:
        """The sites that alone are lit, None where it is the table that says what is."""
        return self.walked.lit if self.walked else None

    @property
    def wake_us(self) -> int | None:
        """When time alone changes something, None where it does not."""
        own = self.walked.until_us if self.walked else self.door.wake_us
        return min((due for due in (own, self._chatter.wake_us) if due is not None), default=None)

    def ask(self, joining: Joining | Watched, table: Table, t_us: int) -> None:
        """Ask for a touch, or no longer; raises `pairing.NoCell`."""
        if isinstance(joining, Watched):
            self.door = join_by_touch.watched(self.door, joining.who, joining.there, t_us)
        elif joining.came is None:
            self.door = join_by_touch.forget(self.door, joining.who)
        elif self.walked:
            busy = say("the board is being walked over just now: join after that, or with the code")
            raise join_by_touch.NoCell(busy)
        else:
            self.door = join_by_touch.ask(self.door, joining.who, table, t_us)
            self._came[joining.who] = joining.came

    def send(self, errand: CheckRequest, table: Table, t_us: int) -> tuple[Event, ...]:
        """Do ``errand`` and return what the table hears of it; raises `walk.NoWalk`."""
        if errand.what == "begin" and self.door.calls:
            raise guided_check.NoWalk(say("somebody is joining just now: try again in a minute"))
        before, self.walk = self.walked, guided_check.run(self.walk, errand, table, t_us)
        if before is None:
            return guided_check.left(t_us) if self.walked and not table.link else ()
        return () if self.walked else guided_check.returned(self.walk, t_us)

    def sift(self, event: Event) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        """Return what the table hears as ``event`` happens, and who has proved to be at the table by it."""
        heard: tuple[Event, ...] = ()
        present: tuple[str, ...] = ()
        for each in self._chatter.hear(event):
            passed, came = self._sifted(each)
            heard, present = heard + passed, present + came
        return heard, present

    def _sifted(self, event: Event) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        if self.walked:
            self.walk, heard = guided_check.hear(self.walked, event)
            return (heard if self.walked else (*guided_check.returned(self.walk, event.t_us), *heard)), ()
        if not self.door.calls:
            return (event,), ()
        sifted = join_by_touch.sift(self.door, event)
        self.door = sifted.door
        return (*sifted.events, Tick(event.t_us)), sifted.present

    def settle(self, table: Table, present: tuple[str, ...]) -> None:
        """Look for other cells to touch where ``table`` needs those; tell those who are ``present``."""
        if not self._came:
            return
        self.door = join_by_touch.move(self.door, table)
        for who in present:
            self._came[who]()
        self._came = {who: came for who, came in self._came.items() if who in self.door.calls}
