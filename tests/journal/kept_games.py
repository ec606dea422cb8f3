"""Games that a test writes into a journal."""

from __future__ import annotations

from controller.journal.database import Entry, Journal
from controller.journal.recording import Header, Line


def kept_game(journal: Journal, *entries: Entry, header: Header, lines: tuple[Line, ...] = ()) -> int:
    """Write a game, and return its number."""
    number = journal.begin(header)
    for line in lines:
        journal.note(number, line)
    for entry in entries:
        journal.enter(number, entry)
    journal.flush()
    return number
