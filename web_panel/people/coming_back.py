"""Somebody comes back with another phone, or with a browser that has forgotten its cookie, to the seats they held.

Only the seats of a phone that is away can be asked for, and by a phone that somebody has left for another one those of
that one. Those at the table say whether it is the same person. What the board plays for a phone that very phone has
back unasked.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.refused import Refused
from controller.sentences import say
from web_panel.backend import Standing
from web_panel.people.knocking import Knock
from web_panel.people.lent_seats import lent_seats
from web_panel.people.phones import LOCAL, Phones, Visitor
from web_panel.people.phones_file import Phone
from web_panel.people.presence import Presence


class ComingBack:
    """Every method may be called from any thread. ``presence`` returns who is there, `standing` who plays."""

    def __init__(self, phones: Phones, presence: Callable[[], Presence]) -> None:
        self._phones, self._presence = phones, presence
        self.standing: Callable[[], Standing] = Standing

    def seats(self, who: Visitor | Phone) -> list[int]:
        """Return the seats that the board plays for ``who``; else those of phones that are away, for which ``who`` may
        ask, and what the board plays for these. So may who has gone on with another phone. None for one that has a seat
        itself.

        The browser of this machine never forgets whose it is, and takes its seats from nobody.
        """
        if not who.id or who.afar or who.seats:
            return []
        own = self.lent_by(who.id)
        if own or who.id == LOCAL.id:
            return own
        gone = [phone for phone in self._presence().gone(self._phones.all()) if phone.id != LOCAL.id]
        seats = {seat for phone in gone for seat in self.seats_of(phone)}
        return sorted(seats.union(self.elsewhere(who.id)))

    def elsewhere(self, id: str) -> tuple[int, ...]:
        """Return the seats that the person of the phone ``id`` plays with another one, for which they have left it."""
        everybody = self._phones.everybody()
        left = next((phone.left for phone in everybody if phone.id == id), "")
        return next((phone.seats for phone in everybody if left and phone.profile == left and phone.seats), ())

    def seats_of(self, phone: Phone) -> tuple[int, ...]:
        """Return the seats of ``phone``, those that the board plays for it with them."""
        return (*phone.seats, *self.lent_by(phone.id))

    def lent_by(self, id: str) -> list[int]:
        """Return the seats that the board plays for the phone ``id``."""
        return sorted(seat for seat, phone in lent_seats(self._phones, self.standing()).items() if phone.id == id)

    def ask(self, visitor: Visitor, seat: int, simulated: bool, knock: Callable[[str, str], None]) -> Phone | None:
        """Ask those at the table, with ``knock``, whether ``visitor`` is the person whose phone holds ``seat``.

        ``knock`` takes the name of that person and the id of that phone. Where nobody is there to be asked, nor was
        lately, nobody is: the seats are the visitor's, and the phone that held them is returned. So is that of the
        visitor, for which the board plays ``seat``. Raises `Refused`.
        """
        holder = self._phones.holder(seat) or lent_seats(self._phones, self.standing()).get(seat)
        if holder is None or seat not in self.seats(visitor):
            raise Refused(say("Only a phone without a seat can go on for one that is away, and this one is not."))
        if holder.id == visitor.id:
            return holder
        others = {phone.id for phone in self._phones.everybody() if not phone.afar} - {visitor.id, holder.id}
        if others & self._presence().watching():
            knock(holder.name if holder.named else "", holder.id)
        elif others & self._presence().lately(self._phones.all(), simulated):
            raise Refused(say("Nobody is there to confirm that it is you: ask the others to open this page."))
        else:
            self._phones.pass_on(holder.id, visitor.id)
            return holder
        return None

    def asks(self, visitor: Visitor, id: str, of: str) -> bool:
        """Whether ``visitor`` is asked when the phone ``id`` asks for the seats of the phone ``of``, "" for none.

        Those who play or own the table are, and others only while no page of such a phone is open. Who has gone on with
        the phone ``of`` and wants to be back with ``id`` may say so with both in hand.
        """
        here = self._presence().watching() - (set() if self.elsewhere(id) else {of})
        sits = {phone.id for phone in self._phones.everybody() if phone.seats or phone.owner} & here
        return not of or not sits or visitor.id in sits

    def agreed(self, knock: Knock, owner: bool) -> bool:
        """Let the phone that asked go on, as those at the table agree; raises `Refused` where it cannot any more.

        By the word of an ``owner`` it owns the table, too, if the other one did: no player can make one. Returns
        whether it does.
        """
        asks, holder = self._phones.known(knock.id), self._phones.known(knock.of)
        if not {*self.seats_of(holder)} & {*self.seats(asks)}:
            raise Refused(say("The phone that was away is there again, or its seat is another one's."))
        return self._phones.pass_on(holder.id, asks.id, owner)
