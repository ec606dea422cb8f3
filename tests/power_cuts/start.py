"""Starts a board on what a disk holds, as the service does, and says what is there and what was told of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from controller.backups.copies import copies
from controller.backups.putting_back import finish
from controller.backups.state import BoardState
from controller.journal.database import Archive, Entry, Journal
from controller.journal.recording import Header
from controller.own_variants import OwnVariants
from controller.own_variants import folder_of as variants_of
from controller.service.preferences import Preferences
from controller.settings import Settings
from web_panel.people.phones import Phones
from web_panel.people.profiles import Profiles

GAMES = "games.sqlite3"
ALL_GAMES = 1000


def started(journal: Path, told: list[str]) -> dict[str, Any]:
    """Start the board in the order in which the service does; return what it has, and add to ``told`` what it says."""
    said = [finish(journal)]
    with closing(Journal(journal)) as opened:
        said += opened.told
        found, wrong = _beside(journal)
        found["games"] = games(opened)
    told += [sentence for sentence in (*said, *wrong) if sentence]
    return found


def held(journal: Path) -> dict[str, Any]:
    """Return what a sound board has, by which a story begins; nothing is opened to write."""
    found, wrong = _beside(journal)
    assert not wrong
    with closing(Archive(journal)) as archive:
        return {**{name: found[name] for name in ("people", "brightness", "variants")}, "games": games(archive)}


def games(archive: Archive) -> list[Any]:
    """Return each game: what it is, the plies that stand, whether players have ended it."""
    found = []
    for listed in sorted(archive.listed(ALL_GAMES), key=lambda each: each.game_id):
        saved = archive.saved(listed.game_id)
        over = saved.left.outcome is not None and saved.left.outcome.over
        found.append([saved.header.game, list(saved.plies), over] + ([saved.flaw] if saved.flaw else []))
    return found


def _beside(journal: Path) -> tuple[dict[str, Any], list[str]]:
    """Return what lies beside the journal, and what is told of it."""
    beside = {name: journal.with_name(f"{journal.name}.{name}") for name in ("phones.json", "people.json")}
    preferences = Preferences(Settings(), journal.with_name(f"{journal.name}.settings.toml"))
    phones, people = Phones(beside["phones.json"]), Profiles(beside["people.json"])
    variants = OwnVariants(variants_of(journal))
    made = copies(BoardState(journal, journal).copies)
    told = [preferences.told, phones.told, people.told, *variants.unread().values(), *(copy.wrong for copy in made)]
    found = {
        "people": sorted(person.name for person in people.all()),
        "phones": [phone.name for phone in phones.all()],
        "sit": [
            [phone.name, [*phone.seats], [each.seat for each in phone.lent]]
            for phone in phones.all()
            if phone.seats or phone.lent
        ],
        "brightness": preferences.now.brightness,
        "variants": sorted(variants.own()[0]),
        "copies": sum(copy.manifest is not None for copy in made),
    }
    return found, [sentence for sentence in told if sentence]


def unsound(journal: Path) -> str:
    """Return what SQLite finds wrong with a journal, "" for nothing."""
    with closing(sqlite3.connect(journal)) as db:
        found = str(db.execute("PRAGMA integrity_check").fetchone()[0])
    return "" if found == "ok" else found


def goes_on(journal: Path) -> str:
    """Play on after a start; return "" where that is there at the next one, and nothing else has changed."""
    told: list[str] = []
    before = started(journal, told)
    with closing(Journal(journal)) as opened:
        game = opened.begin(Header("circle", board="square144"))
        opened.enter(game, Entry(1, ply="pass"))
    after = started(journal, told)
    if told or after != {**before, "games": [*before["games"], ["circle", ["pass"], False]]}:
        return f"it does not go on: {told} {after['games'][-2:]}"
    return ""
