"""What the seats of a game between two boards have promised to play in secret, until all have, and all is shown."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.commitments import Committed

replace = msgspec.structs.replace

ANSWER_US = 24 * 3600 * 1_000_000  # who has not shown by then what it was bound to may be taken to have given up


class Promise(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``what`` has its plies where they were chosen, by ``phone``, and everywhere once it is ``shown``."""

    what: Committed
    phone: str = ""
    shown: bool = False

    @property
    def known(self) -> bool:
        """Whether this board knows the plies."""
        return bool(self.what.nonce)

    @property
    def public(self) -> Committed:
        """What everybody may know of it now."""
        return self.what if self.shown else self.what.veiled


class Promises(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that was promised in a game. The first ``settled`` are over: their plies are made, or nothing comes of them.
    The last of these, from number ``round`` on, were promised together.

    ``since_us`` is when all had promised, as far as this board has seen; whoever has not shown it by now is ``late``.
    ``draft`` are the first plies that the board has decided for a seat of its own.
    """

    all: tuple[Promise, ...] = ()
    settled: int = 0
    since_us: int | None = None
    late: bool = False
    draft: tuple[str, ...] = ()
    round: int = 0

    @property
    def late_us(self) -> int | None:
        """When those will be late who have not shown what they promised; None where nobody is waited for."""
        return None if self.late or self.since_us is None or not self.pending else self.since_us + ANSWER_US

    @property
    def pending(self) -> tuple[Promise, ...]:
        """Those that are not over."""
        return self.all[self.settled :]

    @property
    def last(self) -> tuple[Promise, ...]:
        """Those of the last time that seats promised anything."""
        return self.pending or self.all[self.round :]

    @property
    def public(self) -> tuple[Committed, ...]:
        """What everybody may know of all of them."""
        return tuple(each.public for each in self.all)

    def of(self, seat: int) -> Promise | None:
        """Return what ``seat`` has promised, and is not over."""
        return next((each for each in self.pending if each.what.seat == seat), None)

    def have(self, seats: Iterable[int]) -> bool:
        """Whether all of ``seats`` have promised."""
        return all(self.of(seat) is not None for seat in seats)

    def shown(self, seats: Iterable[int]) -> bool:
        """Whether all of ``seats`` have promised, and shown it."""
        return all((each := self.of(seat)) is not None and each.shown for seat in seats)

    def over(self) -> Promises:
        """Return them all as settled."""
        return Promises(self.all, len(self.all), round=self.settled if self.pending else self.round)

    def with_one(self, promise: Promise) -> Promises:
        """Return them with another one, or with ``promise`` in the place of that of its seat."""
        old = self.of(promise.what.seat)
        if old is None:
            return replace(self, all=(*self.all, promise))
        return replace(self, all=tuple(promise if each is old else each for each in self.all))
