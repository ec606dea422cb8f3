"""Who sits where, as far as the table tells of it: one sentence when a game begins with other seats.

Owns that sentence and for how long it stands, and that seats far away seal their secrets. Who may sit where is not for
the table.
"""

from __future__ import annotations

import msgspec

from controller.events import Seating
from controller.sentences import all_of, say
from controller.table import notes
from controller.table.afar.committing import settle
from controller.table.state import Step, Table

replace = msgspec.structs.replace


def seated(table: Table, seating: Seating) -> Step:
    """Take down who sits where now; the same people as before tell nothing new."""
    if seating.people == table.seating.people and not seating.by:
        table = replace(table, seating=replace(table.seating, profiles=seating.profiles, far=seating.far))
        return _held_far(table)
    table = replace(table, seating=seating)
    words = seats_in_words(table)
    said = (notes.SeatsTold(t_us=table.t_us, words=words),) if words else ()
    table, more = _held_far(table)
    return table, (*said, *more)


def _held_far(table: Table) -> Step:
    """Let the game on the table know which of its seats phones far away hold."""
    play = table.play
    if play is None:
        return table, ()
    before = play.session
    session = before.with_phones(table.seating.far, play.seats)
    if session is before:
        return table, ()
    if not session.afar.away:  # with nobody elsewhere any more, all choose anew
        session = replace(session, promises=session.promises.over())
    return settle(replace(table, play=replace(play, session=session)))


def seats_in_words(table: Table) -> str:
    """Return "Lots: Ann plays White, Ben plays Black." until the first ply; "" where nothing was changed."""
    play, seating = table.play, table.seating
    if play is None or not seating.by or len(play.session.positions) > 1:
        return ""
    seats: dict[str, list[str]] = {}
    for person, seat in zip(seating.people, play.session.game.facts.seats[: play.seats], strict=False):
        if person:
            seats.setdefault(person, []).append(seat)
    if not seats:
        return ""
    plays = (say("{person} plays {seat}", person=who, seat=all_of(names)) for who, names in seats.items())
    if seating.by == "turn":
        return say("New seats: {plays}.", plays=tuple(plays))
    return say("Drawn by lot: {plays}.", plays=tuple(plays))
