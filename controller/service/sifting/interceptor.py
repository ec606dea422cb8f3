"""Between the sensors and the table: contacts that chatter, touches of people who join, a guided check of the board.

For the service's loop alone, which calls it in its one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import msgspec

from controller.diagnostics import guided_check
from controller.diagnostics.guided_check import CheckRequest, GuidedCheck
from controller.events import Event, Tick
from controller.refused import Refused
from controller.sentences import say
from controller.service.sifting import join_by_touch
from controller.service.sifting.chatter_filter import ChatterFilter
from controller.table.state import Table


class Joining(msgspec.Struct, frozen=True):
    """Somebody asks to join (see `controller.service.sifting.join_by_touch`), or with ``came`` None no longer does."""

    who: str
    came: Callable[[], None] | None


class Watched(msgspec.Struct, frozen=True):
    """The page of ``who``, who asked to join, was opened, or closed and is not ``there`` any more."""

    who: str
    there: bool


class Interceptor:
    """``joining`` has those who ask to join, ``check`` the guided check that is running or was the last one."""

    def __init__(self) -> None:
        self._chatter = ChatterFilter()
        self.joining = join_by_touch.JoinByTouch()
        self.check: GuidedCheck | None = None
        self._came: dict[str, Callable[[], None]] = {}  # by who asked to join: what to call

    @property
    def stands(self) -> tuple[join_by_touch.JoinByTouch, GuidedCheck | None]:
        """What watchers can distinguish."""
        return self.joining, self.check

    @property
    def running_check(self) -> GuidedCheck | None:
        """The check that is running, None where none is."""
        return self.check if self.check and self.check.who else None

    @property
    def alone(self) -> frozenset[str] | None:
        """The only sites that are lit, None where the table decides."""
        return self.running_check.lit if self.running_check else None

    @property
    def wake_us(self) -> int | None:
        """When time alone changes something, None where it does not."""
        own = self.running_check.until_us if self.running_check else self.joining.wake_us
        return min((due for due in (own, self._chatter.wake_us) if due is not None), default=None)

    def ask(self, request: Joining | Watched, table: Table, t_us: int) -> None:
        """Ask for a touch, or no longer; raises `join_by_touch.NoCell`."""
        if isinstance(request, Watched):
            self.joining = join_by_touch.watched(self.joining, request.who, request.there, t_us)
        elif request.came is None:
            self.joining = join_by_touch.forget(self.joining, request.who)
        elif self.running_check:
            busy = say("a board check is running: join after it, or use the code")
            raise join_by_touch.NoCell(busy)
        else:
            self.joining = join_by_touch.ask(self.joining, request.who, table, t_us)
            self._came[request.who] = request.came

    def send(self, request: CheckRequest, table: Table, t_us: int) -> tuple[Event, ...]:
        """Carry out ``request`` and return the events that the table receives; raises `Refused`."""
        if request.what == "begin" and self.joining.requests:
            raise Refused(say("somebody else is joining: try again in a minute"))
        before, self.check = self.running_check, guided_check.run(self.check, request, table, t_us)
        if before is None:  # it has begun
            return () if table.link else guided_check.left(t_us)
        return () if self.running_check else guided_check.returned(self.check, t_us)

    def sift(self, event: Event) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        """Return the events that the table receives at ``event``, and who has proved by it to be at the table."""
        heard: tuple[Event, ...] = ()
        present: tuple[str, ...] = ()
        for each in self._chatter.hear(event):
            passed, came = self._sifted(each)
            heard, present = heard + passed, present + came
        return heard, present

    def _sifted(self, event: Event) -> tuple[tuple[Event, ...], tuple[str, ...]]:
        if self.running_check:
            self.check, heard = guided_check.hear(self.running_check, event)
            return (heard if self.running_check else (*guided_check.returned(self.check, event.t_us), *heard)), ()
        if not self.joining.requests:
            return (event,), ()
        sifted = join_by_touch.sift(self.joining, event)
        self.joining = sifted.joining
        return (*sifted.events, Tick(event.t_us)), sifted.present

    def change_board(self, table: Table, t_us: int) -> None:
        """Go on at ``table``, whose board is another one now: who asks to join touches a cell of it; no check runs."""
        asked, self._chatter, self.check = self.joining.requests, ChatterFilter(), None
        self.joining = join_by_touch.JoinByTouch()
        for who in asked:
            with suppress(join_by_touch.NoCell):
                self.joining = join_by_touch.ask(self.joining, who, table, t_us)

    def settle(self, table: Table, present: tuple[str, ...]) -> None:
        """Look for other cells to touch where ``table`` needs those; notify those who are ``present``."""
        if not self._came:
            return
        self.joining = join_by_touch.move(self.joining, table)
        for who in present:
            self._came[who]()
        self._came = {who: came for who, came in self._came.items() if who in self.joining.requests}
