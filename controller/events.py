"""Events: everything that can happen to a table, each with its time.

Times are microseconds of one clock that never runs backwards.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from controller.magnet_kinds import MagnetKinds
from controller.orders import AnyOrder

SOUTH = "-"  # stands before a site whose magnet lies with its south pole down, where sensors tell poles


class Touch(msgspec.Struct, frozen=True):
    """A sensor changed: ``on`` says whether a magnet is now over the site (board's own site name)."""

    t_us: int
    site: str
    on: bool
    pole: int = 0  # with ``on``: +1 north or -1 south, which pole faces down; 0 where the sensor does not know


class Snapshot(msgspec.Struct, frozen=True):
    """All sensors at once: ``occupied`` lists every site with a magnet. Heals whatever was lost.

    Where sensors tell poles, the name of a site whose magnet lies with its south pole down has `SOUTH` before it.
    """

    t_us: int
    occupied: frozenset[str]

    @property
    def sites(self) -> frozenset[str]:
        """Every site with a magnet, whichever pole is down."""
        return frozenset(mark.removeprefix(SOUTH) for mark in self.occupied)


class Link(msgspec.Struct, frozen=True):
    """The sensor board came (``up``) or went; ``sentence`` says what happened and what to do."""

    t_us: int
    up: bool
    sentence: str = ""


class FieldSettled(msgspec.Struct, frozen=True):
    """What a linear sensor read once the magnet that came to ``site`` lay still: above 0 its north pole faces down.

    Whose it is was said by the `Touch`; where the board knows kinds of pieces, this is evidence of which one it is.
    """

    t_us: int
    site: str
    field_mt: float


class KindsKnown(msgspec.Struct, frozen=True):
    """The kinds of pieces that the board knows from now on by the strength of their magnets; None: it knows none."""

    t_us: int
    kinds: MagnetKinds | None


class Tick(msgspec.Struct, frozen=True):
    """Time went on. Sent when the table asked to be woken."""

    t_us: int


class Seating(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who sits where: the name of the phone that holds each seat, "" where none does; seats after the last may miss.

    ``by`` says how it came about, if a game began with it: the seats were moved on by one, or drawn by lot. ``kept``
    has the seats that have played in secret, each with the id of the phone that did; nobody else sees with their eyes.
    ``profiles`` are the ids under which the board knows the people, "" where it does not. ``far`` are the seats that
    phones far away hold, ``unnamed`` those whose people have given no name: that one is the phone's alone.
    """

    people: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=16)] = ()
    by: Literal["", "turn", "lots"] = ""
    profiles: Annotated[tuple[Annotated[str, Meta(max_length=16)], ...], Meta(max_length=16)] = ()
    kept: Annotated[
        tuple[tuple[Annotated[int, Meta(ge=0, le=15)], Annotated[str, Meta(max_length=16)]], ...], Meta(max_length=16)
    ] = ()
    far: Annotated[tuple[Annotated[int, Meta(ge=0, le=15)], ...], Meta(max_length=16)] = ()
    unnamed: Annotated[tuple[Annotated[int, Meta(ge=0, le=15)], ...], Meta(max_length=16)] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What people are called in sentences of a game, "" where none gave a name: there the seat's is said."""
        return tuple("" if seat in self.unnamed else name for seat, name in enumerate(self.people))


class Seated(msgspec.Struct, frozen=True):
    """Phones have taken, left or changed seats."""

    t_us: int
    seating: Seating


class Command(msgspec.Struct, frozen=True):
    """An order with its time.

    ``reached`` is where its plies lead, if somebody has played them through already.
    """

    t_us: int
    order: AnyOrder
    reached: Any = None


Sensed = Touch | Snapshot | Link | FieldSettled  # what a sensor board says
Event = Sensed | KindsKnown | Tick | Command | Seated
