"""Seats that the board plays for whoever held them, who have them back as they come back, until another game begins."""

from __future__ import annotations

import threading
from collections.abc import Iterable

import msgspec

from controller.orders import WhoPlays
from web_panel.backend import Standing
from web_panel.people.phones import Phones
from web_panel.people.phones_file import Phone

replace = msgspec.structs.replace


class LentSeats:
    """Every method may be called from any thread. They are in memory alone: a restart forgets whose they were."""

    def __init__(self, phones: Phones) -> None:
        self._phones = phones
        self._lock = threading.Lock()
        self._lent: dict[int, tuple[str, Phone]] = {}  # by seat: the id of the phone, and how it held it

    def lend(self, seats: Iterable[int]) -> None:
        """Note who holds the ``seats``, which the board plays next; of one that nobody holds nothing is new."""
        held = {seat: (holder.id, holder) for seat in seats if (holder := self._phones.holder(seat))}
        with self._lock:
            self._lent |= held

    def forget(self) -> None:
        """Another game has begun."""
        with self._lock:
            self._lent = {}

    def pass_on(self, id: str, to: str) -> None:
        """Let what was the phone's ``id`` be that of the phone ``to``."""
        with self._lock:
            self._lent = {seat: (to if of == id else of, held) for seat, (of, held) in self._lent.items()}

    def of(self, standing: Standing) -> dict[int, Phone]:
        """Return whose seats the board plays, by seat: phones that hold none now, as they are called by their people.

        One whose person has come in with another phone since is still called as it was.
        """
        if standing.to_move is None or standing.lesson:
            return {}
        there = {phone.id: phone for phone in self._phones.everybody() if not phone.seats}
        with self._lock:
            lent = {seat: each for seat, each in self._lent.items() if seat in standing.board - standing.out}
        called = {
            seat: held if held.named and not there[id].named else there[id]
            for seat, (id, held) in lent.items()
            if id in there
        }
        return {seat: replace(phone, id=lent[seat][0], seats=(seat,)) for seat, phone in called.items()}


def back_to(seats: Iterable[int], standing: Standing) -> WhoPlays:
    """Return the order by which people play these ``seats`` again."""
    return WhoPlays(levels=tuple(0 if seat in {*seats} else level for seat, level in enumerate(standing.levels)))
