"""Joining by touch: each request to join gets a free cell, and a piece put there proves that somebody is at the table.

Owns which cell is asked for, when a touch of it counts, and that the table never reads that touch as a gesture. From
the request until the cell is empty again, its sensor is used for joining. Pure: time comes in with events.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from controller.events import SOUTH, Event, Snapshot, Touch
from controller.refused import Refused
from controller.sentences import say
from controller.table.state import Table
from controller.table.views.lights import Meaning

CELL = re.compile("[a-z][0-9]+")  # not a vertex or a shell node: a piece is put there by hand
MOST_REQUESTS = 6
WAIT_US = 90_000_000  # how long a cell waits for its piece
GONE_US = 8_000_000  # how long when the page that asked was closed: a reload takes less
PROOF_US = 400_000  # a piece must lie that long: what merely slides over the cell proves nothing
TAKE_OFF_US = 20_000_000  # after that a piece that is still there is the table's to complain of

replace = msgspec.structs.replace


class NoCell(Refused):
    """No cell is available now; one sentence."""


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
    """The open requests, by who asked."""

    requests: Mapping[str, JoinRequest] = {}

    @property
    def wake_us(self) -> int | None:
        """When time alone changes something, None where nobody waits."""
        return min((request.wake_us for request in self.requests.values()), default=None)

    @property
    def sites(self) -> frozenset[str]:
        """The sites whose sensors are used for joining."""
        return frozenset(request.site for request in self.requests.values())

    @property
    def meanings(self) -> dict[str, Meaning]:
        """What the lights say at those sites: choose this cell, and then take the piece off."""
        return {request.site: "chore_off" if request.answered else "choice" for request in self.requests.values()}


class Sifted(msgspec.Struct, frozen=True):
    """What is left of an event: ``events`` for the table, and who has proved to be ``present``."""

    joining: JoinByTouch
    events: tuple[Event, ...]
    present: tuple[str, ...] = ()


def ask(joining: JoinByTouch, who: str, table: Table, t_us: int) -> JoinByTouch:
    """Return ``joining`` with a fresh request of ``who``; raises `NoCell`."""
    others = {name: request for name, request in joining.requests.items() if name != who}
    mine = joining.requests.get(who)
    if mine is not None and mine.on_us is not None:
        return joining  # its sensor stays used for joining until the piece is off
    if len(others) >= MOST_REQUESTS:
        raise NoCell(say("{count} phones are joining already: try again in a minute", count=MOST_REQUESTS))
    site = next(_free(table, frozenset(request.site for request in others.values())), None)
    if site is None:
        raise NoCell(say("no cell is free for joining right now: try after the next move, or use the code"))
    return JoinByTouch({**others, who: JoinRequest(site, t_us + WAIT_US)})


def any_free(joining: JoinByTouch, table: Table) -> bool:
    """Whether a cell is left for another one who asks."""
    return next(_free(table, joining.sites), None) is not None


def forget(joining: JoinByTouch, who: str) -> JoinByTouch:
    """Return ``joining`` without the request of ``who``, unless a piece lies there."""
    request = joining.requests.get(who)
    if request is None or request.on_us is not None:
        return joining
    return JoinByTouch({name: other for name, other in joining.requests.items() if name != who})


def watched(joining: JoinByTouch, who: str, there: bool, t_us: int) -> JoinByTouch:
    """Return ``joining`` after the page of ``who`` was opened, or closed and not ``there`` any more."""
    request = joining.requests.get(who)
    if request is None:
        return joining
    return JoinByTouch({**joining.requests, who: replace(request, gone_us=None if there else t_us + GONE_US)})


def move(joining: JoinByTouch, table: Table) -> JoinByTouch:
    """Return ``joining`` with other cells for those requests whose cell a ply may concern now."""
    wanted = _wanted(table)
    requests = dict(joining.requests)
    for who, request in joining.requests.items():
        if request.on_us is None and request.site in wanted:
            del requests[who]
            site = next(_free(table, frozenset(other.site for other in requests.values())), None)
            if site is not None:
                requests[who] = replace(request, site=site)
    return JoinByTouch(requests) if requests != joining.requests else joining


def sift(joining: JoinByTouch, event: Event) -> Sifted:
    """Take out of ``event`` what is used for joining, and let the requests' time pass until then."""
    requests, passed, present = {}, [], []
    for who, request in joining.requests.items():
        on = _seen(request, event)
        if on is not None:
            request = _touched(request, event, on)
        if request.on_us is not None and not request.answered and event.t_us - request.on_us >= PROOF_US:
            request = replace(request, answered=True)
            present.append(who)
        if request.answered and on is False:
            continue
        if event.t_us >= request.wake_us:
            if request.on_us is not None:
                passed.append(Touch(event.t_us, request.site, True, request.pole))
            continue
        requests[who] = request
    return Sifted(JoinByTouch(requests), (*_rest(event, joining.sites), *passed), tuple(present))


def _seen(request: JoinRequest, event: Event) -> bool | None:
    """Return what ``event`` says of the request's sensor, None where it says nothing."""
    if isinstance(event, Touch) and event.site == request.site:
        return event.on
    return bool(event.occupied & _marks(request.site)) if isinstance(event, Snapshot) else None


def _touched(request: JoinRequest, event: Event, on: bool) -> JoinRequest:
    if not on:
        long_enough = request.on_us is not None and event.t_us - request.on_us >= PROOF_US
        return request if request.answered or long_enough else replace(request, on_us=None)
    south = isinstance(event, Snapshot) and SOUTH + request.site in event.occupied
    pole = event.pole if isinstance(event, Touch) else -1 if south else 0
    return request if request.on_us is not None else replace(request, on_us=event.t_us, pole=pole)


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

    No hand makes a ply that is secret, and a cell that none of them touches would reveal what stands there.
    """
    mask = table.now
    for arrival in table.arrivals:
        mask |= arrival.bit
    play = table.play
    if play is not None:
        mask |= play.settled.position.standing | play.settled.pending_chores
        for bit, _ in (*play.choices, *play.menu):
            mask |= bit
        for footprint in () if play.session.secret else play.settled.position.footprints:
            mask |= footprint.involved | footprint.chores | footprint.at
    return frozenset(table.board.where(mask))


def _free(table: Table, taken: frozenset[str]) -> Iterator[str]:
    """Yield the cells that can be used, those outside the game first."""
    wanted = _wanted(table) | taken
    inside = frozenset(table.board.where(table.play.game_area.area)) if table.play else frozenset()
    cells = [site for site in table.board.sites if CELL.fullmatch(site) and site not in wanted]
    yield from sorted(cells, key=lambda site: site in inside)
