"""What an event and a note are called elsewhere: as lines of a recording and entries of the journal.

Pure.
"""

from __future__ import annotations

import msgspec

from controller.events import Command, Event, FieldSettled, Link, Seating, Snapshot, Touch
from controller.journal.database import Entry
from controller.journal.recording import Line
from controller.table import notes
from controller.table.session import Ended
from controller.table.state import Table


def seating(table: Table) -> Seating:
    """Return who sits where, and who has played in secret in the game on the table."""
    kept = table.play.session.positions[-1].kept if table.play else ()
    return msgspec.structs.replace(table.seating, kept=kept)


def line(event: Event, t_us: int) -> Line | None:
    """Return ``event`` as a line of a recording, None where time alone passed."""
    if isinstance(event, Touch):
        return Line(t_us, site=event.site, on=event.on, pole=event.pole)
    if isinstance(event, FieldSettled):
        return Line(t_us, site=event.site, field_mt=event.field_mt)
    if isinstance(event, Command):
        return Line(t_us, command=event.order)
    if isinstance(event, Link):
        return Line(t_us, link=event.up)
    if isinstance(event, Snapshot):
        return Line(t_us, occupied=tuple(sorted(event.occupied)))
    return None


def entry(note: notes.AnyNote, zero_us: int) -> Entry | None:
    if isinstance(note, notes.PlyMade):
        return Entry(note.t_us - zero_us, ply=note.text, left_us=note.left_us)
    if isinstance(note, notes.BoardStands):
        return Entry(note.t_us - zero_us, back_to=note.n, left_us=note.left_us)
    if isinstance(note, notes.TakenBack):
        return Entry(note.t_us - zero_us, back_to=note.to, left_us=note.left_us)
    if isinstance(note, notes.GameOver) and note.by_players:
        return Entry(note.t_us - zero_us, outcome=note.by_players)
    if isinstance(note, notes.EndTakenBack):
        return Entry(note.t_us - zero_us, outcome=Ended())
    return None
