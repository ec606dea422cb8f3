"""Seats that the board plays for whoever held them, who have them back as they come back, until another game begins.

The phones keep them, and so they outlive a restart.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from controller.orders import WhoPlays
from web_panel.backend import Standing
from web_panel.people.phones import Phones
from web_panel.people.phones_file import Phone

replace = msgspec.structs.replace


def lent_seats(phones: Phones, standing: Standing) -> dict[int, Phone]:
    """Return whose seats the board plays, by seat: those of ``phones`` that hold none now, as they were called there.

    One whose person has come in with another phone since is still called so.
    """
    if standing.to_move is None or standing.lesson:
        return {}
    lent: dict[int, Phone] = {}
    for phone in phones.everybody():
        for each in phone.lent:
            if not phone.seats and each.game == standing.game and each.seat in standing.board - standing.out:
                person = {"name": each.name, "colour": each.colour, "profile": each.profile, "named": True}
                lent[each.seat] = replace(phone, seats=(each.seat,), **(person if each.name else {}))
    return lent


def back_to(seats: Iterable[int], standing: Standing) -> WhoPlays:
    """Return the order by which people play these ``seats`` again."""
    return WhoPlays(levels=tuple(0 if seat in {*seats} else level for seat, level in enumerate(standing.levels)))
