"""The journal read with the people as they are called today, whatever they were called when they played."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.events import Seating
from controller.journal.archive import Archive, Saved
from controller.journal.recording import Header, Line
from web_panel.backend import Names

replace = msgspec.structs.replace


class NamedArchive(Archive):
    """An `Archive` in which ``people`` have today's names; without them, those of old."""

    def __init__(self, path: Path, people: Names | None) -> None:
        super().__init__(path)
        self._people = people

    def saved(self, game_id: int, lines: bool = True) -> Saved:
        """Return a game as it was left."""
        saved = super().saved(game_id, lines)
        return replace(saved, seating=self._named(saved.seating))

    def recording(self, game_id: int) -> tuple[Header, Sequence[Line]]:
        """Return a game as a recording."""
        header, lines = super().recording(game_id)
        return header, [replace(line, seating=self._named(line.seating)) if line.seating else line for line in lines]

    def _named(self, seating: Seating) -> Seating:
        known = self._people
        if known is None or not any(seating.profiles):
            return seating
        ids = (*seating.profiles, *("",) * len(seating.people))
        names = tuple(known.known_as(id, name) for id, name in zip(ids, seating.people, strict=False))
        said = {seat for seat, id in enumerate(seating.profiles) if id and known.known_as(id, "")}
        unnamed = tuple(seat for seat in seating.unnamed if seat not in said)  # who has said a name only later has one
        return replace(seating, people=names, unnamed=unnamed)
