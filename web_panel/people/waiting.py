"""Who plays next: who has asked to, and who has waited how long."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable

from controller.sentences import all_of, say
from web_panel.answers import InLine
from web_panel.backend import Standing
from web_panel.people.phones import LOCAL, Visitor
from web_panel.people.phones_file import Phone


class Waiting:
    """Every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: set[str] = set()  # the ids of the phones whose people want to play next
        self._sat: dict[str, int] = {}  # by id, in which game they had a seat last
        self._games = 0

    def say(self, id: str, on: bool) -> bool:
        """Note that the person of the phone ``id`` wants to play next, or no longer; returns whether that is new."""
        with self._lock:
            new = on != (id in self._asked)
            self._asked = self._asked | {id} if on else self._asked - {id}
            return new

    def wanted(self, phones: Iterable[Phone], called: Callable[[Phone], str], here: Collection[str]) -> str:
        """Return who of the ``phones``, of which a page is open ``here``, want to play next; "" for nobody."""
        with self._lock:
            asked = self._asked & {*here}
        names = [called(phone) for phone in phones if phone.id in asked]
        if len(names) > 1:
            return say("{people} want to play next.", people=all_of(names))
        return say("{person} wants to play next.", person=names[0]) if names else ""

    def begun(self, before: Iterable[str], now: Collection[str]) -> None:
        """Another game has begun: the phones with these ids had seats in the one ``before``, and have them ``now``."""
        with self._lock:
            self._sat |= dict.fromkeys(before, self._games)
            self._games += 1
            self._sat |= dict.fromkeys(now, self._games)
            self._asked -= {*now}

    def line(
        self,
        phones: Iterable[Phone],
        called: Callable[[Phone], str],
        visitor: Visitor,
        standing: Standing,
        here: Collection[str],
        away: Collection[str],
    ) -> list[InLine]:
        """Return who may play the next game, whoever comes first in the line first, of the ``phones`` of which a page
        is open ``here``, or that have a seat. ``visitor`` looks at it, and each is ``called`` so.

        First comes who has won against people, then who wants to play next, then who has beaten the board. After them
        come those who have played and wait, the longest first, the ``visitor``, and who has a seat; then who plays
        beside the person of a phone, who has only watched, and who is ``away``.
        """
        with self._lock:
            asked, sat = frozenset(self._asked), dict(self._sat)

        together = len(standing.of_people) > 1

        def rank(phone: Phone, seats: Collection[int], beside: bool) -> tuple[int, int]:
            if phone.id in away:
                return 8, 0
            if standing.winner in seats:
                return (0, 0) if together else (2, 0)
            if beside:  # everybody with a phone has a seat before anybody whom they have brought along
                return 6, min(seats)
            if phone.id in asked:
                return 1, sat.get(phone.id, 0)
            if not seats and phone.id in sat:
                return 3, sat[phone.id]
            if phone.id == visitor.id:
                return 4, 0
            return (5, min(seats)) if seats else (7, 0)

        line: list[tuple[tuple[int, int], InLine]] = []
        for phone in phones:
            in_game = [seat for seat in phone.seats if seat < len(standing.seats)]
            beside = [each.seat for each in phone.beside if each.seat in in_game]
            own = [seat for seat in in_game if seat not in beside][:1]
            if not in_game and (phone.id not in here or (phone.id == LOCAL.id and not phone.named)):
                continue
            people = [(f"{phone.id}/{seat}", phone.at(seat), [seat]) for seat in beside]
            if own or not in_game or phone.named:  # also who has let somebody else play with it
                people.append((phone.id, phone, own))
            you, gone, wants = phone.id == visitor.id, phone.id in away, phone.id in asked
            for id, who, at in people:
                seat, name = next(iter(at), None), called(who)
                place = rank(phone, at, id != phone.id)
                line.append((place, InLine(id=id, name=name, seat=seat, you=you, away=gone, wants=wants)))
        return [each for _, each in sorted(line, key=lambda each: each[0])]
