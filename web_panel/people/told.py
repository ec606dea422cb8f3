"""What a browser is told of itself and of who is at the table."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from web_panel.answers import InLine
from web_panel.backend import TableAccess
from web_panel.people.allowed import may_release, players
from web_panel.people.joining import WaysIn
from web_panel.people.left_lying import LYING_S
from web_panel.people.lent_seats import lent_seats
from web_panel.people.phones import Visitor, shown_name
from web_panel.people.phones_file import Phone

SHOWN_SETTINGS = ("sounds", "turned", "reactions")


def you(
    backend: TableAccess, entry: WaysIn, visitor: Visitor, asking: str, on_this_machine: bool = True
) -> dict[str, Any]:
    """Return what a browser may know of itself and of those at the table; it contains no secret and no hash.

    One that is not ``on_this_machine`` is told when the panel closes for it: afterwards nobody could.
    """
    phones = entry.phones
    everybody = phones.all()
    gone = {phone.id for phone in entry.presence.gone(everybody)}
    unseen = {phone.id for phone in entry.presence.unseen(everybody)} - {visitor.id}
    knock = (
        entry.knocks.first(gone, entry.coming_back.elsewhere) if visitor.role != "guest" and not visitor.afar else None
    )
    standing = backend.standing()
    here = entry.playing(standing, backend.hand is not None)
    in_game = range(len(standing.seats))  # a seat of another game that the phone keeps is none of this one
    return {
        "role": visitor.role,
        "name": shown_name(visitor) if visitor.id else "",
        "seats": [seat for seat in visitor.seats if not in_game or seat in in_game],
        "held": {str(seat): shown_name(phone.at(seat)) for phone in everybody for seat in phone.seats},
        "people": {
            str(seat): {"name": phone.name, "colour": phone.colour} for seat, phone in entry.named.of(standing).items()
        },
        "barred": bool(players(visitor, phones, standing, here)),
        "lying": entry.lying.whose(visitor, standing),
        "away": (away := entry.presence.away(everybody) if backend.hand is not None else []),
        "last_here": {
            str(seat): _minutes_ago(gone_s)
            for phone in everybody
            for seat in phone.seats
            if seat in away and (gone_s := entry.presence.gone_s(phone, standing.still_s)) >= LYING_S
        },
        "releases": may_release(visitor, everybody, entry.presence),
        "owner_here": next((shown_name(each) for each in entry.presence.here(phones.everybody()) if each.owner), ""),
        "here": _names_here(entry, here) if visitor.role == "guest" and on_this_machine else [],
        "ready": entry.readiness.seats(standing, (phone for phone in everybody if phone.id not in gone)),
        "told": entry.news.to(visitor),
        "afar": phones.any_afar(),
        "named": visitor.named,
        "profile": entry.people.of(visitor.profile),
        "shut": entry.closing and not on_this_machine and not visitor.afar,
        "waits": entry.people.goes_on(visitor, standing.learner),
        "asked": backend.asked_cell(asking) if asking else None,
        "knock": {
            "id": knock.id,
            "name": knock.name,
            "again": bool(knock.of),
            "away": knock.of in gone,
            "owner": visitor.role == "owner" and _owned(knock.of, everybody),
        }
        if knock and knock.id != visitor.id and entry.coming_back.asks(visitor, knock.id, knock.of)
        else None,
        "knocking": entry.knocks.stand(asking or visitor.id),
        "again": entry.coming_back.seats(visitor),
        "elsewhere": list(entry.coming_back.elsewhere(visitor.id)),
        "lent": {
            str(seat): {"name": phone.name if phone.named else "", "you": phone.id == visitor.id}
            for seat, phone in lent_seats(phones, standing).items()
        },
        "panel": {name: value for name, value in backend.settings().items() if name in SHOWN_SETTINGS},
        "phones": [
            _phone(phone, entry.people.phone_name(phone), visitor, phone.id in gone)
            for phone in everybody
            if visitor.role != "guest" and phone.id not in unseen
        ],
        "cheers": entry.cheers.now(lambda id: _first_seat(id, everybody, len(standing.seats))),
        "wants_next": entry.waiting.wanted(everybody, entry.people.phone_name, entry.presence.watching()),
        "line": _line(backend, entry, visitor) if visitor.role != "guest" else [],
    }


def _first_seat(id: str, phones: Iterable[Phone], count: int) -> int | None:
    """Return the first of the ``count`` seats of the game that the phone ``id`` holds."""
    return next((seat for phone in phones if phone.id == id for seat in phone.seats if seat < count), None)


def _line(backend: TableAccess, entry: WaysIn, visitor: Visitor) -> list[InLine]:
    """Return who may play the next game, where anybody else is among them."""
    phones, here, standing = entry.phones.everybody(), entry.presence.watching(), backend.standing()
    away = {phone.id for phone in entry.presence.gone(phones)} if backend.hand is not None else set[str]()
    line = entry.waiting.line(phones, entry.people.phone_name, visitor, standing, here, away)
    return line if any(not each["you"] for each in line) else []


def _names_here(entry: WaysIn, here: Collection[str]) -> list[str]:
    """Return the names of the people whose phones are ``here``."""
    return [phone.name for phone in entry.phones.everybody() if phone.named and phone.id in here]


def _minutes_ago(seconds: float) -> str:
    """Return the minute so many ``seconds`` ago, as times are kept."""
    return f"{datetime.now(UTC) - timedelta(seconds=seconds):%Y-%m-%d %H:%M:00}"


def _owned(id: str, phones: Iterable[Phone]) -> bool:
    """Whether the ownership of the phone ``id`` would be passed on with its seats."""
    return any(phone.id == id and phone.owner and not phone.here for phone in phones)


def _phone(phone: Phone, name: str, visitor: Visitor, away: bool) -> dict[str, Any]:
    """Return what ``visitor`` may know of a phone at the table, which is called ``name``."""
    return {
        "id": phone.id,
        "name": name,
        "owner": phone.owner,
        "you": phone.id == visitor.id,
        "away": away,
        "seats": phone.seats,
    }
