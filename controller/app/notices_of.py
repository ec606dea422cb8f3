"""Notices and the board that sends them, joined."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial

from controller.app.at_home import in_words
from controller.notices.due import TableSight
from controller.notices.notices import BoardForNotices, Notices
from controller.panel.table_backend import standing
from controller.sentences import say
from controller.service.game_called import title
from controller.service.loop import Service
from controller.service.showing.broadcast import ShownTable
from controller.settings import Settings
from controller.table.session import Session
from web_panel.people.phones import Phones

log = logging.getLogger(__name__)

NOBODY = "https://beaconboard.invalid"  # where no address is set: a push service wants one that can be read


def notices_of(service: Service, phones: Phones, settings: Settings) -> Notices:
    """Return the notices of a running board, of which nothing runs before a phone wants them."""
    journal = settings.journal_path
    addresses = (settings.panel_address, settings.afar_relay)
    contact = next((each for each in addresses if each.startswith("https://")), NOBODY)
    around = BoardForNotices(
        watch=partial(_sights, service, phones),
        seats=lambda: {phone.id: phone.seats for phone in phones.everybody()},
        words=in_words,
        contact=contact,
    )
    return Notices(around, journal.with_name(f"{journal.name}.notices.json"))


def _sights(service: Service, phones: Phones, quiet_s: float) -> Iterator[TableSight | None]:
    for frame in service.watch(quiet_s):
        yield None if frame is None else _sight(frame, phones)


def _sight(frame: ShownTable, phones: Phones) -> TableSight:
    """Return what matters of a table; where its rules fail at that, that it is nobody's turn."""
    play = frame.table.play
    if play is None:
        return TableSight(frame.version)
    try:
        session = _played(play.session)
        own = session is play.session
        seat = standing(frame.table).to_move if own else None if session.final else session.mover
        last, seats = session.positions[-1], session.game.facts.seats
        open_to_all = not session.secret and not last.secret and last.seat is not None
        return TableSight(
            frame.version, frame.game_id, title(session.name), seat, _began(session),
            mover=say(seats[last.seat]) if open_to_all and last.seat is not None else "",
            ready=frame.table.phase in ("play", "fix"),
            afar=bool(session.afar.seats) or phones.any_afar(),
            over=frame.table.phase == "over",
        )  # fmt: skip
    except Exception:  # whatever the rules raise: it is on the panel, and the next table is looked at again
        log.exception("whose turn it is, for notices")
        return TableSight(frame.version)


def _played(session: Session) -> Session:
    """Return the session after the ply that was made at another board and that hands here are still to follow: whose
    turn comes after it may be told before.
    """
    followed = session.decided and session.mover in session.afar.seats
    return session.played(session.decided) if followed else session


def _began(session: Session) -> int:
    """Return after how many plies the turn began that is on now."""
    number = len(session.positions) - 1
    seat = session.mover
    while number and session.game.seat(session.positions[number - 1].state) == seat:
        number -= 1
    return number
