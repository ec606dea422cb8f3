"""What two boards say to each other about one game."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from controller.afar.log import MOST_ENTRIES, Begun, LogEntry
from controller.game_setup import Microseconds
from controller.orders import HomeClock, HomeNow, Wish

VERSION = 2
MOST_BYTES = 2_500_000  # of one message: a whole log with what is around it

Head = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Name = Annotated[str, Meta(max_length=40)]
End = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]  # of a link: eight random bytes, fresh with each start
SomeEnd = Annotated[str, Meta(pattern="^([0-9a-f]{16})?$")]
Count = Annotated[int, Meta(ge=1, lt=1 << 53)]  # of the messages of one end
Number = Annotated[int, Meta(ge=0, lt=1 << 31)]
NOW = HomeNow()


class LogHello(msgspec.Struct, frozen=True, tag="hello"):
    """Either board: my log has ``n`` entries and ends in ``head``. A far board without a log says "" as its head.

    To a far board's hello home answers with what follows. Who says it ``takes`` can be made home.
    """

    n: Number = 0
    head: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    takes: bool = False


class LogEntries(msgspec.Struct, frozen=True, tag="told"):
    """Home: ``entries`` follow after the first ``since``, which end in ``at``; all of it ends in ``head``.

    ``begun`` comes with a log that is told from its start; then it is ``whole``, and takes the place of any other.
    ``done`` is the far board's last order that was carried out, ``now`` what of the game is in no log, and ``clock``
    how the clocks stand where there are any. A board that was home and has handed that over tells so, too.
    """

    since: Number
    at: Head
    entries: Annotated[tuple[LogEntry, ...], Meta(max_length=MOST_ENTRIES)]
    head: Head
    begun: Begun | None = None
    done: Name = ""
    now: HomeNow = NOW
    clock: HomeClock | None = None


class Ask(msgspec.Struct, frozen=True, tag="ask"):
    """Far: carry out ``what`` for ``seat``, at the position after ``n`` entries that end in ``head``. Sent until it is
    answered; ``id`` tells one order from another. ``left_us`` is what the clock of its seat showed when its hand had
    moved.
    """

    id: Name
    n: Number
    head: Head
    seat: Annotated[int, Meta(ge=0, le=15)]
    what: Wish
    left_us: Microseconds | None = None


class Declined(msgspec.Struct, frozen=True, tag="declined"):
    """Home: the order ``id`` was not carried out; ``why`` is one sentence in English. ``said`` is the same as
    `controller.afar.sentences` writes it, so that it can be said in another language; boards of before have none.
    """

    id: Name
    why: Annotated[str, Meta(max_length=500)]
    said: Annotated[str, Meta(max_length=4000)] = ""


class Closed(msgspec.Struct, frozen=True, tag="closed"):
    """Either board: I have ended this link."""


Message = LogHello | LogEntries | Ask | Declined | Closed
