"""Who has chosen in secret, and who only waits for their turn to send it: never what was chosen."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from web_panel.backend import Standing
from web_panel.people.phones_file import Phone


class Readiness:
    """What phones say of the choices that they keep until these are due. Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: dict[int, tuple[str, int]] = {}  # by seat: the id of the phone, and how many moves there were then

    def say(self, seat: int, phone: str, made: int, on: bool) -> bool:
        """Note that ``phone`` is ready with the choice of ``seat``, or no longer; returns whether that is new."""
        with self._lock:
            before = self._said.pop(seat, None)
            if on:
                self._said[seat] = phone, made
            return on or before is not None

    def forget(self) -> None:
        """Another game has begun."""
        with self._lock:
            self._said.clear()

    def seats(self, standing: Standing, there: Iterable[Phone]) -> list[int]:
        """Return the seats that have chosen while all do so in secret, if not yet sent on a phone that is ``there``.

        None where people at another board choose, too: then the table itself says who is waited for.
        """
        if not standing.secret or standing.afar:
            return []
        held = {seat: phone.id for phone in there for seat in phone.seats}
        with self._lock:
            said = dict(self._said)
        waiting = {
            seat
            for seat, (phone, made) in said.items()
            if held.get(seat) == phone and made <= standing.made and seat not in standing.makers[made:]
        }
        sent = {*standing.kept} - {standing.to_move}  # who is to move may have sent a part of it
        return sorted(sent | waiting)
