"""A game in which nobody has moved for long, and whose people are away: it waits for them, and bars nobody else."""

from __future__ import annotations

from collections.abc import Callable

from web_panel.backend import Standing
from web_panel.people.lent_seats import lent_seats
from web_panel.people.phones import Phones, Visitor
from web_panel.people.phones_file import Phone
from web_panel.people.presence import Presence

LYING_S = 3600.0  # without a move: longer than anybody thinks


class LeftLying:
    """Every method may be called from any thread. ``presence`` returns who is there."""

    def __init__(self, phones: Phones, presence: Callable[[], Presence]) -> None:
        self._phones, self._presence = phones, presence
        self._put_back: tuple[str, int] | None = None  # the game to which a puzzle has led back, as it stood then
        self._leads_back = False  # while one does

    def lies(self, standing: Standing) -> bool:
        """Whether the game is left lying: nobody has moved for `LYING_S`, and nobody who has a seat looks now.

        Where nobody has one, as in a game of hands or one that the board plays alone, only the time counts. A game with
        people elsewhere never is: they move when they can.
        """
        if standing.to_move is None or standing.lesson or standing.afar:
            return False
        if standing.still_s < LYING_S and not self._leads_back and self._put_back != _stands(standing):
            return False
        holders = self._holders(standing).values()
        looking = self._presence().watching()
        return not any(phone.afar or phone.id in looking for phone in holders)

    def whose(self, visitor: Visitor, standing: Standing) -> list[str] | None:
        """Return the names of those whose game is left lying, as far as they gave any; None where none is, and for
        ``visitor`` whose own it is.
        """
        holders = self._holders(standing)
        if visitor.id in {phone.id for phone in holders.values()} or not self.lies(standing):
            return None
        return list(dict.fromkeys(phone.name for _, phone in sorted(holders.items()) if phone.named))

    def leads_back(self, before: Standing) -> None:
        """Note that from a lesson or a puzzle, ``before``, the way leads back to a game: it still lies there."""
        self._leads_back = before.lesson

    def led_back(self, after: Standing | None = None) -> None:
        """Note that it has led to the game ``after``, or nowhere: that lies there unless its people went that way."""
        stays = after is not None and self._leads_back and self._holders(after) and self.lies(after)
        self._leads_back, self._put_back = False, _stands(after) if after and stays else None

    def _holders(self, standing: Standing) -> dict[int, Phone]:
        """Return who holds a seat that is in the game, by seat, the board's with them that it plays for somebody."""
        seats = (seat for seat in range(len(standing.seats)) if seat not in standing.out)
        held = {seat: holder for seat in seats if (holder := self._phones.holder(seat))}
        return lent_seats(self._phones, standing) | held


def _stands(standing: Standing) -> tuple[str, int]:
    return standing.title, standing.made
