"""The door: who asks to join names a free cell, and a piece put there proves that somebody is at the table.

Owns which cell is asked for, when a touch of it counts, and that the table never reads that touch as a gesture: from
the asking until the cell is empty again its sensor is the door's. Pure: time comes in with events. Must not know who
asks beyond a name, nor HTTP, lights or rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from controller.events import Event, Snapshot, Touch
from controller.sentences import say
from controller.table.board import SOUTH
from controller.table.state import Table
from controller.table.views.lights import Meaning

CELL = re.compile("[a-z][0-9]+")  # not a vertex or a shell node: a piece is put there by hand
MOST_CALLS = 6
WAIT_US = 90_000_000  # how long a cell waits for its piece
GONE_US = 8_000_000  # how long when the page that asked was closed: a reload takes less
PROOF_US = 400_000  # a piece must lie that long: what merely slides over the cell proves nothing
TAKE_OFF_US = 20_000_000  # after that a piece that is still there is the table's to complain of

replace = msgspec.structs.replace


class NoCell(ValueError):
    """No cell can be asked for now; one sentence."""


class JoinRequest(msgspec.Struct, frozen=True):
    """Somebody waits for a piece on ``site``; ``on_us`` is when it came, ``answered`` says that it proved enough.

    ``gone_us`` is when the asking ends because its page was closed, None while it is open.
    """

    site: str
    until_us: int
    gone_us: int | None = None
    on_us: int | None = None
    pole: int = 0
    answered: bool = False

    @property
    def wake_us(self) -> int:
        """When time alone changes something."""
        if self.on_us is None:
            return self.until_us if self.gone_us is None else min(self.until_us, self.gone_us)
        return self.on_us + (TAKE_OFF_US if self.answered else PROOF_US)


class JoinByTouch(msgspec.Struct, frozen=True):
    """The open calls, by who asked."""

    calls: Mapping[str, JoinRequest] = {}

    @property
    def wake_us(self) -> int | None:
        """When time alone changes something, None where nobody waits."""
        return min((call.wake_us for call in self.calls.values()), default=None)

    @property
    def sites(self) -> frozenset[str]:
        """The sites whose sensors are the door's."""
        return frozenset(call.site for call in self.calls.values())

    @property
    def meanings(self) -> dict[str, Meaning]:
        """What the lights say at those sites: choose this cell, and then take the piece off."""
        return {call.site: "chore_off" if call.answered else "choice" for call in self.calls.values()}


class Sifted(msgspec.Struct, frozen=True):
    """What is left of an event: ``events`` for the table, and who has proved to be ``present``."""

    door: JoinByTouch
    events: tuple[Event, ...]
    present: tuple[str, ...] = ()


def ask(door: JoinByTouch, who: str, table: Table, t_us: int) -> JoinByTouch:
    """Return ``door`` with a fresh call of ``who``; raises `NoCell`."""
    others = {name: call for name, call in door.calls.items() if name != who}
    mine = door.calls.get(who)
    if mine is not None and mine.on_us is not None:
        return door  # its sensor stays the door's until the piece is off
    if len(others) >= MOST_CALLS:
        raise NoCell(say("{count} phones are joining already: try again in a minute", count=MOST_CALLS))
    site = next(_free(table, frozenset(call.site for call in others.values())), None)
    if site is None:
        raise NoCell(say("every free cell is wanted by the game just now: join after the next ply, or with the code"))
    return JoinByTouch({**others, who: JoinRequest(site, t_us + WAIT_US)})


def forget(door: JoinByTouch, who: str) -> JoinByTouch:
    """Return ``door`` without the call of ``who``, unless a piece lies there."""
    call = door.calls.get(who)
    if call is None or call.on_us is not None:
        return door
    return JoinByTouch({name: other for name, other in door.calls.items() if name != who})


def watched(door: JoinByTouch, who: str, there: bool, t_us: int) -> JoinByTouch:
    """Return ``door`` after the page of ``who`` was opened, or closed and not ``there`` any more."""
    call = door.calls.get(who)
    if call is None:
        return door
    return JoinByTouch({**door.calls, who: replace(call, gone_us=None if there else t_us + GONE_US)})


def move(door: JoinByTouch, table: Table) -> JoinByTouch:
    """Return ``door`` with other cells for those calls whose cell a ply may concern now."""
    wanted = _wanted(table)
    calls = dict(door.calls)
    for who, call in door.calls.items():
        if call.on_us is None and call.site in wanted:
            del calls[who]
            site = next(_free(table, frozenset(other.site for other in calls.values())), None)
            if site is not None:
                calls[who] = replace(call, site=site)
    return JoinByTouch(calls) if calls != door.calls else door


def sift(door: JoinByTouch, event: Event) -> Sifted:
    """Take out of ``event`` what is the door's, and let the calls' time pass until then."""
    calls, passed, present = {}, [], []
    for who, call in door.calls.items():
        on = _seen(call, event)
        if on is not None:
            call = _touched(call, event, on)
        if call.on_us is not None and not call.answered and event.t_us - call.on_us >= PROOF_US:
            call = replace(call, answered=True)
            present.append(who)
        if call.answered and on is False:
            continue
        if event.t_us >= call.wake_us:
            if call.on_us is not None:
                passed.append(Touch(event.t_us, call.site, True, call.pole))
            continue
        calls[who] = call
    return Sifted(JoinByTouch(calls), (*_rest(event, door.sites), *passed), tuple(present))


def _seen(call: JoinRequest, event: Event) -> bool | None:
    """Return what ``event`` says of the call's sensor, None where it says nothing."""
    if isinstance(event, Touch) and event.site == call.site:
        return event.on
    return bool(event.occupied & _marks(call.site)) if isinstance(event, Snapshot) else None


def _touched(call: JoinRequest, event: Event, on: bool) -> JoinRequest:
    if not on:
        long_enough = call.on_us is not None and event.t_us - call.on_us >= PROOF_US
        return call if call.answered or long_enough else replace(call, on_us=None)
    south = isinstance(event, Snapshot) and SOUTH + call.site in event.occupied
    pole = event.pole if isinstance(event, Touch) else -1 if south else 0
    return call if call.on_us is not None else replace(call, on_us=event.t_us, pole=pole)


def _rest(event: Event, sites: frozenset[str]) -> tuple[Event, ...]:
    if isinstance(event, Touch) and event.site in sites:
        return ()
    if isinstance(event, Snapshot):
        return (replace(event, occupied=event.occupied.difference(*map(_marks, sites))),)
    return (event,)


def _marks(site: str) -> frozenset[str]:
    """Return how a snapshot names ``site``, whichever pole is down."""
    return frozenset({site, SOUTH + site})


def _wanted(table: Table) -> frozenset[str]:
    """Return the sites that hold something, should hold something, or that a legal ply touches.

    No hand makes a ply that is secret, and a cell that none of them touches would tell what stands there.
    """
    mask = table.now
    for arrival in table.arrivals:
        mask |= arrival.bit
    play = table.play
    if play is not None:
        mask |= play.settled.outlook.standing | play.settled.loose
        for bit, _ in (*play.choices, *play.menu):
            mask |= bit
        for footprint in () if play.session.secret else play.settled.outlook.footprints:
            mask |= footprint.involved | footprint.chores | footprint.at
    return frozenset(table.board.where(mask))


def _free(table: Table, taken: frozenset[str]) -> Iterator[str]:
    """Yield the cells that can be asked for, those that lie outside of the game first."""
    wanted = _wanted(table) | taken
    inside = frozenset(table.board.where(table.play.ground.area)) if table.play else frozenset()
    cells = [site for site in table.board.sites if CELL.fullmatch(site) and site not in wanted]
    yield from sorted(cells, key=lambda site: site in inside)
