"""Who is to be told of a turn now: once, a few seconds after it began, unless a page of theirs was looked at since."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from controller.notices.letters import Became
from controller.notices.subscriptions import SeatTurn, Subscription, Subscriptions

GRACE_S = 5.0  # for which a page that is looked at has time to say so
AGAIN_S = 30.0  # before what a push service did not take is sent again; each time four times as long
MOST_AGAIN_S = 3600.0
MOST_TRIES = 100  # some four days


class TableSight(msgspec.Struct, frozen=True):
    """What matters of a table: its ``version``, the number and the ``title`` of the game, whose turn it is and after
    how many plies that turn ``began``. ``mover`` has moved last, "" where that is not for everybody to know; ``ready``
    says that play goes on, ``afar`` that somebody plays who is not at this board.
    """

    version: int
    game: int | None = None
    title: str = ""
    seat: int | None = None
    began: int = 0
    mover: str = ""
    ready: bool = False
    afar: bool = False
    over: bool = False


class Due:
    """Everything but `seen` is called by one thread. Times are in seconds, of a clock that never goes back."""

    def __init__(self, subscriptions: Subscriptions, grace_s: float = GRACE_S) -> None:
        self._subscriptions, self._grace_s = subscriptions, grace_s
        self._turn: SeatTurn | None = None
        self._version = self._before = -1  # the last one that was looked at, and the last one before the turn began
        self._ready_s: float | None = None
        self._again: dict[str, tuple[int, float]] = {}  # by endpoint: how often it was tried, and when it is next
        self._seen: dict[str, int] = {}  # by phone: the version of the table that its page has shown

    def seen(self, phone: str, version: int) -> None:
        """Note that somebody looks at a page of ``phone`` that shows that version; may be called from any thread."""
        self._seen[phone] = version

    def look(self, sight: TableSight, seats: Mapping[str, tuple[int, ...]], now_s: float) -> tuple[Subscription, ...]:
        """Return who is to be told now; who holds no seat any more, or whose game is over, is forgotten."""
        self._subscriptions.drop(lambda each: sight.over or not seats.get(each.phone))
        self._follow(sight, now_s)
        turn = self._turn
        if turn is None or not sight.afar or self._ready_s is None or now_s - self._ready_s < self._grace_s:
            return ()
        return tuple(
            each for each in self._subscriptions.all
            if turn.seat in seats.get(each.phone, ()) and each.told != turn
            and self._seen.get(each.phone, -1) <= self._before
            and self._again.get(each.endpoint, (0, now_s))[1] <= now_s
        )  # fmt: skip

    def _follow(self, sight: TableSight, now_s: float) -> None:
        seat = None if sight.over else sight.seat
        turn = None if seat is None else SeatTurn(sight.game, seat, sight.began)
        if turn != self._turn:
            self._turn, self._before, self._ready_s, self._again = turn, self._version, None, {}
            past = (each.endpoint for each in self._subscriptions.all if each.told != turn)
            self._subscriptions.note(frozenset(past), None)
        if not sight.ready:
            self._ready_s = None
        elif self._ready_s is None:
            self._ready_s = now_s
        self._version = sight.version

    def note_told(self, whom: tuple[Subscription, ...]) -> None:
        """Note, on disk, that these are told of the turn that is on: from now on it is better that one notice is lost
        than that it comes twice.
        """
        self._subscriptions.note(frozenset(each.endpoint for each in whom), self._turn)

    def became(self, whom: Subscription, what: Became, now_s: float) -> None:
        """Note what became of the notice to one of them."""
        if what.what == "gone":
            self._subscriptions.drop(lambda each: each.endpoint == whom.endpoint)
        elif what.what == "later":
            tries = self._again.get(whom.endpoint, (0, 0.0))[0] + 1
            wait_s = max(what.after_s or 0.0, min(AGAIN_S * 4 ** (tries - 1), MOST_AGAIN_S))
            self._again[whom.endpoint] = tries, now_s + wait_s
            if tries < MOST_TRIES:
                self._subscriptions.note(frozenset((whom.endpoint,)), None)
