"""Who plays which seat, by name: those who hold one, and at a game that is over those who have left it since."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence

from web_panel.backend import Standing
from web_panel.people.phones import Phones
from web_panel.people.phones_file import Phone


class NamedSeats:
    """Every method may be called from any thread."""

    def __init__(self, phones: Phones) -> None:
        """What was noted of those who have left is lost with a restart: `sat` says then who sat there."""
        self._phones = phones
        self.sat: Callable[[], Sequence[str]] = tuple  # the names of those who sat in the last game, by seat
        self._lock = threading.Lock()
        self._left: dict[int, Phone] = {}
        self._ended: object = None  # how the game stands that they have left

    def leaves(self, phone: Phone, standing: Standing) -> None:
        """Note that ``phone`` gives up its seats, or may do so: of a game that is over they stay its person's."""
        if standing.to_move is None and phone.named:
            with self._lock:
                known = self._left if self._ended == _which(standing) else {}
                self._left, self._ended = {**known, **{seat: phone.at(seat) for seat in phone.seats}}, _which(standing)

    def of(self, standing: Standing) -> dict[int, Phone]:
        """Return the phones whose people have names, by seat."""
        held = {seat: phone.at(seat) for phone in self._phones.all() for seat in phone.seats}
        left = self._those_who_left(standing, set(held)) if standing.to_move is None and standing.title else {}
        return {seat: phone for seat, phone in {**left, **held}.items() if phone.named}

    def _those_who_left(self, standing: Standing, held: Collection[int]) -> dict[int, Phone]:
        with self._lock:
            if self._ended == _which(standing):
                return self._left
        names = {} if standing.lesson or len(held) >= len(standing.seats) else dict(enumerate(self.sat()))
        sat = {seat: Phone("", name, "", named=True) for seat, name in names.items() if name and seat not in held}
        with self._lock:
            self._left, self._ended = sat, _which(standing)
        return sat


def _which(standing: Standing) -> object:
    return standing.title, standing.seats, standing.makers
