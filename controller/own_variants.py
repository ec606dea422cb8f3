"""The variants of games that people have made: each a file in the service's folder, beside those that come along.

Owns where they lie, and that no two have one name. A file that cannot be read is told and left as it is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path

from controller import atomic_file
from controller.rules.variants import (
    ENDING,
    MOST_BYTES,
    MOST_NAME,
    NAME,
    BadVariant,
    Variant,
    broken,
    read,
    shipped,
    written,
)
from controller.sentences import say
from controller.toml_text import content

MOST_FILES = 200


def folder_of(journal: Path) -> Path:
    """Return where the variants of the service with that journal are kept."""
    return journal.with_name("variants")


def name_for(title: str) -> str:
    """Return a name that fits ``title``: its letters and digits without their accents, in words joined by '-'."""
    plain = unicodedata.normalize("NFKD", title.replace("ß", "ss")).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "-", plain)[:MOST_NAME].strip("-")
    return name if NAME.fullmatch(name) else f"variant-{name}"[:MOST_NAME].strip("-")


def read_file(path: Path) -> Variant:
    """Return the variant in the file at ``path``; raises `BadVariant`."""
    try:
        return read(content(path, MOST_BYTES), path.name)
    except OSError as error:
        why = str(error.strerror)
        raise BadVariant(say("{file} cannot be read: {why}", file=path.name, why=why)) from error


class OwnVariants:
    """The variants of one service. Every method looks at the ``folder`` anew, and may be called from any thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def own(self) -> tuple[dict[str, Variant], dict[str, str]]:
        """Return the people's variants by name, and for each file that cannot be used a sentence on why not."""
        found: dict[str, Variant] = {}
        wrong: dict[str, str] = {}
        for path in self._files()[:MOST_FILES]:
            try:
                variant = read_file(path)
                _check_own(variant, path)
            except BadVariant as error:
                wrong[path.name] = str(error)
            else:
                found[variant.name] = variant
        return found, wrong

    def unread(self) -> dict[str, str]:
        """Return a sentence for each file that cannot be used, also of those that come with games."""
        wrong = {**broken(), **self.own()[1]}
        return {file: say("A variant of a game is left out: {why}.", why=why) for file, why in wrong.items()}

    def all(self) -> Mapping[str, Variant]:
        """Return every variant by name: those that come with the games, then those of people."""
        return {**shipped(), **self.own()[0]}

    def named(self, name: str) -> Variant:
        """Return the variant of that name; raises `BadVariant`."""
        known = self.all()
        if name not in known:
            names = tuple(known) or say("none at all")
            raise BadVariant(say("there is no variant '{name}'; there are: {names}", name=name, names=names))
        return known[name]

    def file(self, variant: Variant) -> Path | None:
        """Return the file of a variant that people have made, None for one that comes with its game."""
        return None if variant.name in shipped() else self._path(variant.name)

    def save(self, variant: Variant, instead: bool = False) -> None:
        """Keep ``variant``, where said so ``instead`` of one of people with its name; raises `BadVariant`."""
        if variant.name in shipped():
            raise BadVariant(_shipped_already(variant.name), "name")
        path = self._path(variant.name)
        if path.exists() and not instead:
            told = say("there is a variant '{name}' already: choose another name, or remove that one first",
                       name=variant.name)  # fmt: skip
            raise BadVariant(told, "name")
        if not path.exists() and len(self._files()) >= MOST_FILES:
            raise BadVariant(say("there are {count} variants already: remove one first", count=MOST_FILES))
        try:
            atomic_file.make_folder(self._folder)
            atomic_file.replace(path, written(variant).encode())
        except OSError as error:
            why = str(error.strerror)
            raise BadVariant(say("{file} cannot be saved: {why}", file=path.name, why=why)) from error

    def remove(self, name: str) -> None:
        """Remove the people's variant of that name, whatever is in its file; raises `BadVariant`."""
        if name in shipped():
            raise BadVariant(say("'{name}' comes with its game: only your own variants can be removed", name=name))
        if not NAME.fullmatch(name) or not self._path(name).exists():
            names = tuple(path.stem for path in self._files()) or say("none at all")
            raise BadVariant(say("there is no own variant '{name}'; there are: {names}", name=name, names=names))
        path = self._path(name)
        try:
            atomic_file.remove(path)
        except OSError as error:
            why = str(error.strerror)
            raise BadVariant(say("{file} cannot be removed: {why}", file=path.name, why=why)) from error

    def free_name(self, title: str) -> str:
        """Return a name that fits ``title`` and that no variant has."""
        base, number = name_for(title), 1
        name = base
        while name in shipped() or self._path(name).exists():
            number += 1
            name = f"{base[: MOST_NAME - 4].rstrip('-')}-{number}"
        return name

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{ENDING}"

    def _files(self) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"*{ENDING}"))
        except OSError:  # a folder that cannot be looked into has none
            return []


def _check_own(variant: Variant, path: Path) -> None:
    if f"{variant.name}{ENDING}" != path.name:
        file = f"{variant.name}{ENDING}"
        raise BadVariant(say("{file}: its name is '{name}': call the file {wanted}",
                             file=path.name, name=variant.name, wanted=file))  # fmt: skip
    if variant.name in shipped():
        raise BadVariant(say("{file}: {why}", file=path.name, why=_shipped_already(variant.name)))


def _shipped_already(name: str) -> str:
    return say("a variant '{name}' comes with its game: choose another name", name=name)
