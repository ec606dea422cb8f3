"""Who sits where, as far as the table tells of it: one sentence when a game begins with other seats.

Owns that sentence and for how long it stands. Who may sit where is not for the table. Must not know phones.
"""

from __future__ import annotations

import msgspec

from controller.events import Seating
from controller.sentences import all_of, say
from controller.table import notes
from controller.table.state import Step, Table

replace = msgspec.structs.replace


def seated(table: Table, seating: Seating) -> Step:
    """Take down who sits where now; the same people as before tell nothing new."""
    if seating.people == table.seating.people and not seating.by:
        return replace(table, seating=replace(table.seating, profiles=seating.profiles)), ()
    table = replace(table, seating=seating)
    words = told(table)
    return table, (notes.SeatsTold(t_us=table.t_us, words=words),) if words else ()


def told(table: Table) -> str:
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
