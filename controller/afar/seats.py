"""Which seats of a game each of its two boards holds.

Owns that division: who joins by a link holds its seat, or none to look on, and who has invited holds all others. It
stays, whichever of the two is home.
"""

from __future__ import annotations

import msgspec

from controller.afar.keys import WATCHES
from controller.orders import TakeBack, Wish

DELAY_S = 60.0  # by which who looks on sees a game with clocks late


class HeldSeats(msgspec.Struct, frozen=True):
    """The ``seat`` of a link, or all ``others``.

    >>> Held(1).of(3), Held(1, others=True).of(3), Held(WATCHES).of(3), Held(WATCHES, others=True).of(3)
    ((1,), (0, 2), (), (0, 1, 2))
    """

    seat: int
    others: bool = False

    def __contains__(self, seat: int) -> bool:
        return (seat == self.seat) != self.others

    def of(self, seats: int) -> tuple[int, ...]:
        """Return which of so many ``seats`` they are."""
        return tuple(seat for seat in range(seats) if seat in self)

    @property
    def looks_on(self) -> bool:
        """Whether there are none."""
        return self.seat == WATCHES and not self.others

    def may(self, seat: int, wish: Wish) -> bool:
        """Whether ``seat`` is one of them, and ``wish`` is for it or for others of them alone."""
        if isinstance(wish, TakeBack):
            return seat in self and bool(wish.by) and all(each in self for each in wish.by or ())
        return seat in self and wish.seat == seat


def seat_of(wish: Wish) -> int:
    """Return the seat that wishes, the first of several."""
    if isinstance(wish, TakeBack):
        return min(wish.by or (0,))
    return wish.seat or 0
