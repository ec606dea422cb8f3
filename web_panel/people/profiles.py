"""The people of the household: who has played on this board, under which name, and who of them are one person.

A change is on disk before it counts, or it is refused: two phones that change the same person at once get one answer
each.
"""

from __future__ import annotations

import secrets
import threading
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from controller import atomic_file
from controller.game_setup import NAMELESS
from controller.refused import Refused
from controller.sentences import say
from controller.typed import decoder
from web_panel.people.names import cleaned, skeleton, width

MOST_PROFILES = 200
MOST_LETTERS = 40  # of a name

Id = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,16}$")]
Name = Annotated[str, Meta(min_length=1, max_length=MOST_LETTERS, pattern=r"^[^\x00-\x1f\x7f]+$")]
Colour = Annotated[str, Meta(pattern="^(#[0-9a-f]{6})?$")]  # of a person, "" where none was chosen

replace = msgspec.structs.replace


class KnownPerson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person. ``once`` are the ids of those who turned out to be the same one: their games are this one's. So are the
    games and lessons that they went through on a phone before they said a name there.
    """

    id: Id
    name: Name
    colour: Colour = ""
    once: tuple[Id, ...] = ()


class PeopleFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    profiles: tuple[KnownPerson, ...] = ()


def _without(known: KnownPerson, nameless: str) -> KnownPerson:
    return replace(known, once=tuple(each for each in known.once if each != nameless))


class Profiles:
    """The people, in the order in which they came. Every method may be called from any thread."""

    def __init__(self, path: Path | None = None) -> None:
        """Read the people from ``path``; None keeps them in memory.

        ``told`` says what of the file could not be read, "" where all could: the last good one is used then.
        """
        self._path = path
        self._lock = threading.Lock()
        kept, self.told = PeopleFile(), ""
        if path:
            kept, self.told = atomic_file.read(path, decoder(PeopleFile).decode, kept)
        self._profiles = kept.profiles
        self.version = 1  # changes with every change

    def all(self) -> tuple[KnownPerson, ...]:
        """Return everybody."""
        return self._profiles

    def of(self, id: str) -> KnownPerson | None:
        """Return who has the ``id`` now, also one of somebody who was merged into them; None for nobody."""
        return next((profile for profile in self._profiles if id in (profile.id, *profile.once)), None)

    def known_as(self, id: str, name: str) -> str:
        """Return the name today of who was known as ``id`` and called ``name``: "" where it was removed."""
        known = self.of(id) if id else None
        return known.name if known else "" if id and not id.startswith(NAMELESS) else name

    def called(self, name: str) -> KnownPerson | None:
        """Return who has a name that looks like ``name``; None for nobody."""
        wanted = skeleton(name)
        return next((profile for profile in self._profiles if skeleton(profile.name) == wanted), None)

    def add(self, name: str, colour: str = "") -> KnownPerson:
        """Take in somebody new; raises `Refused`."""
        with self._lock:
            if len(self._profiles) >= MOST_PROFILES:
                raise Refused(say("The board knows {count} people already: remove one first.", count=MOST_PROFILES))
            fresh = KnownPerson(secrets.token_hex(6), self._own_name(name), colour)
            self._save((*self._profiles, fresh))
            return fresh

    def change(self, id: str, name: str, colour: str) -> KnownPerson:
        """Call the person ``id`` by ``name``, with ``colour``; raises `Refused`."""
        with self._lock:
            known = self._known(id)
            changed = replace(known, name=self._own_name(name, known), colour=colour)
            self._save(tuple(changed if each is known else each for each in self._profiles))
            return changed

    def merge(self, id: str, into: str) -> KnownPerson:
        """Let the person ``id`` be the person ``into`` from now on; raises `Refused`."""
        with self._lock:
            gone, stays = self.of(id), self.of(into)
            if gone is not None and gone is stays:
                raise Refused(say("These two are one person already."))
            gone, stays = self._known(id), self._known(into)
            both = replace(stays, colour=stays.colour or gone.colour, once=(*stays.once, gone.id, *gone.once))
            self._save(tuple(both if each is stays else each for each in self._profiles if each is not gone))
            return both

    def also(self, id: str, nameless: str) -> KnownPerson:
        """Let the person ``id``, and nobody else, be who was ``nameless``, by the id of that one; raises `Refused`."""
        with self._lock:
            known = self._known(id)
            both = replace(known, once=(*_without(known, nameless).once, nameless))
            self._save(tuple(both if each is known else _without(each, nameless) for each in self._profiles))
            return both

    def no_longer(self, id: str, nameless: str) -> None:
        """Let the person ``id`` be no longer whoever was ``nameless``; raises `Refused`."""
        with self._lock:
            known = self._known(id)
            self._save(tuple(_without(each, nameless) if each is known else each for each in self._profiles))

    def remove(self, id: str) -> None:
        """Forget the name of the person ``id``; raises `Refused`."""
        with self._lock:
            known = self._known(id)
            self._save(tuple(each for each in self._profiles if each is not known))

    def _known(self, id: str) -> KnownPerson:
        """Return the person who is listed as ``id``: who was merged into another is listed no more."""
        known = next((profile for profile in self._profiles if profile.id == id), None)
        if known is None:
            raise Refused(say("This person is no longer in the list: look again."))
        return known

    def _own_name(self, wanted: str, known: KnownPerson | None = None) -> str:
        """Return ``wanted`` as it is seen; raises `Refused` where that is nothing, too wide, or another's name."""
        name = cleaned(wanted)
        if not name:
            raise Refused(say("This name would be invisible: use letters."))
        if width(name) > MOST_LETTERS:
            raise Refused(say("This name is too long: there is room for {most} letters.", most=MOST_LETTERS))
        other = self.called(name)
        if other is not None and other is not known:
            raise Refused(
                say("There is {name} already: choose that person in the list, or another name.", name=other.name)
            )
        return name

    def _save(self, profiles: tuple[KnownPerson, ...]) -> None:
        if self._path is not None:
            try:
                atomic_file.replace(self._path, msgspec.json.encode(PeopleFile(profiles)), 0o600)
            except OSError as error:
                why = str(error.strerror)
                raise Refused(say("The people cannot be saved: {why}.", why=why)) from error
        self._profiles = profiles
        self.version += 1
