"""Events: everything that can happen to a table, each with its time.

Owns the vocabulary that devices, panel and journal share with the table. Times are microseconds of one clock
that never runs backwards. Must not know rules, games or devices.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta


class Touch(msgspec.Struct, frozen=True):
    """A sensor changed: ``on`` says whether a magnet is now over the site (board's own site name)."""

    t_us: int
    site: str
    on: bool
    pole: int = 0  # hall boards: +1 or -1 with ``on``, which pole faces down; 0 where the sensor cannot tell


class Snapshot(msgspec.Struct, frozen=True):
    """All sensors at once: ``occupied`` lists every site with a magnet. Heals whatever was lost."""

    t_us: int
    occupied: frozenset[str]


class Link(msgspec.Struct, frozen=True):
    """The sensor board came (``up``) or went; ``sentence`` says what happened and what to do."""

    t_us: int
    up: bool
    sentence: str = ""


class Tick(msgspec.Struct, frozen=True):
    """Time went on. Sent when the table asked to be woken."""

    t_us: int


class Order(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """What a person asked for on the panel or in a recording; written with its name under ``do``."""


class NewGame(Order, frozen=True, tag="new_game"):
    """Start a game afresh; the old one stays in the journal."""

    game: str
    options: dict[str, Any] = {}
    seed: int | None = None


class PlayPly(Order, frozen=True, tag="ply"):
    """Make a ply from the panel; the pieces are moved afterwards, led by the lights."""

    text: Annotated[str, Meta(max_length=200)]
    seat: int | None = None


class TakeBack(Order, frozen=True, tag="take_back"):
    """Go back to the position after ``to`` plies (None: one ply back)."""

    to: Annotated[int, Meta(ge=0)] | None = None


class SetBrightness(Order, frozen=True, tag="brightness"):
    """Set the lights' brightness in percent."""

    percent: Annotated[int, Meta(ge=0, le=100)]


class Resume(Order, frozen=True, tag="resume"):
    """Go on with a game of the journal: its options, seed and plies."""

    game_id: int


AnyOrder = NewGame | PlayPly | TakeBack | SetBrightness | Resume


class Command(msgspec.Struct, frozen=True):
    """An order with its time."""

    t_us: int
    order: AnyOrder


Event = Touch | Snapshot | Link | Tick | Command
