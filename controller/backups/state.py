"""What of a board's folder goes into a backup, where each part lies, and what stays out of it.

Secrets stay out of it: phones and their keys, links to others, passwords, notices. So does what is of this one machine,
as how the house finds it and who reaches the panel; and what is large and can be made again: runs of the workshop.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from controller.atomic_file import copy_of
from controller.journal import analyses
from controller.own_variants import folder_of as variants_of
from controller.settings import panel_file, secrets
from controller.toml_text import BadToml, parse

GAMES, SETTINGS, PEOPLE = "games.sqlite3", "settings.toml", "people.json"
ANALYSES, VARIANTS = "analyses", "variants"
SINGLE = (GAMES, SETTINGS, PEOPLE)
MEASURED = ("learned", "kinds", "rests")  # of boards: one file each
FOLDERS = (ANALYSES, VARIANTS, *MEASURED)
IN_FOLDER = re.compile(rf"(?:{'|'.join(FOLDERS)})/[^./\\\x00-\x1f][^/\\\x00-\x1f]{{0,119}}")
MOST_PART_BYTES = 8 << 20  # of any part but the games; the largest, an analysis of a long game, has a hundredth of it

Source = bytes | Path


class BoardState(msgspec.Struct, frozen=True):
    """The folder of a board: its ``journal``, which may be reached by a link, and the path ``beside`` that names the
    files of the service.
    """

    journal: Path
    beside: Path

    @property
    def copies(self) -> Path:
        """The folder of the copies."""
        return self.beside.with_name(f"{self.beside.name}.backups")

    @property
    def staging(self) -> Path:
        """The folder in which a backup waits to be put back."""
        return self.beside.with_name(f"{self.beside.name}.put-back")

    @property
    def links(self) -> Path:
        """The folder of the links to other boards and phones far away, which name games by their numbers."""
        return self.beside.with_name(f"{self.beside.name}.afar")

    def places(self) -> dict[str, Path]:
        """Return where each part lies, by its name in a backup; those of `FOLDERS` are folders."""
        return {
            GAMES: self.journal,
            SETTINGS: self.beside.with_name(f"{self.beside.name}.settings.toml"),
            PEOPLE: self.beside.with_name(f"{self.beside.name}.people.json"),
            ANALYSES: analyses.folder_of(self.journal),
            VARIANTS: variants_of(self.journal),
            **{name: self.journal.with_name(name) for name in MEASURED},
        }

    def small_parts(self) -> Iterator[tuple[str, Source]]:
        """Yield what there is beside the games, each with its name in a backup; raises OSError."""
        places = self.places()
        chosen = chosen_settings(places[SETTINGS])
        if chosen:
            yield SETTINGS, panel_file({name: value for name, value in chosen.items() if name not in secrets()})
        people = next((each for each in (places[PEOPLE], copy_of(places[PEOPLE])) if each.is_file()), None)
        if people is not None:
            yield PEOPLE, people.read_bytes()
        for folder in FOLDERS:
            for path in sorted(places[folder].glob("*")):
                name = f"{folder}/{path.name}"
                if known(name) and path.is_file() and path.stat().st_size <= MOST_PART_BYTES:
                    yield name, path


def known(name: str) -> bool:
    """Whether a part of a backup can have that name."""
    return name in SINGLE or IN_FOLDER.fullmatch(name) is not None


def chosen_settings(path: Path) -> dict[str, Any]:
    """Return what was chosen on the panel, by the file at ``path`` or its copy; nothing where neither can be read."""
    for place in (path, copy_of(path)):
        with suppress(OSError, BadToml):
            return parse(place.read_bytes())
    return {}


def settings_for(here: Path, given: bytes) -> bytes:
    """Return the settings ``given`` by a backup with the passwords of this board, whose file lies ``here``.

    Each only where the backup names the same one as this board who is told it. Raises `BadToml`.
    """
    coming, now = parse(given), chosen_settings(here)
    kept = {
        secret: now[secret]
        for secret, told_to in secrets().items()
        if secret in now and now.get(told_to) == coming.get(told_to)
    }
    return panel_file({name: value for name, value in coming.items() if name not in secrets()} | kept)
