"""The file with the phones that were let in."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from controller import atomic_file
from controller.game_setup import Seat
from controller.typed import ready
from web_panel.people.profiles import MOST_LETTERS, Colour, Id, Name

log = logging.getLogger(__name__)

PhoneName = Name
NoId = Annotated[str, Meta(pattern="^([A-Za-z0-9_-]{1,16})?$")]
CalledSo = Annotated[str, Meta(max_length=MOST_LETTERS, pattern=r"^[^\x00-\x1f\x7f]*$")]


class Beside(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Somebody who plays a ``seat`` of a phone that another person holds, as a child on a parent's."""

    seat: Seat
    name: PhoneName
    colour: Colour = ""
    profile: NoId = ""


class Lent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A ``seat`` that the board plays in a ``game`` for whoever had it, as they were called there; "" for no name."""

    seat: Seat
    game: int | None = None
    name: CalledSo = ""
    colour: Colour = ""
    profile: NoId = ""


class Phone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A phone that was let in. ``secret`` is the SHA-256 of what its cookie holds, ``by_https`` of the one by https.

    ``named`` says that its person gave the name, else it is one of ours, as "Phone 2". ``profile`` is the id of that
    person among those whom the board knows, "" where it does not. One that is ``afar`` came by a link; one that is
    ``here`` is the browser on this machine that let phones in or kept them out last; one that is ``apart`` is a browser
    on this machine, too, whose person wanted to be somebody else than whoever sits at it. ``nameless`` is the id under
    which a person without a profile has sat down or asked for a lesson: it becomes that of whoever they say they are.
    ``left`` is the id of the person who left it behind for another one, until somebody says who holds it. ``beside``
    are the people who play some of its seats, ``lent`` the seats that the board plays for it until another game begins.
    """

    id: Id
    name: PhoneName
    secret: str
    owner: bool = False
    seats: tuple[Seat, ...] = ()
    colour: Colour = ""
    named: bool = False
    profile: NoId = ""
    afar: bool = False
    here: bool = False
    apart: bool = False
    by_https: str = ""
    nameless: NoId = ""
    left: NoId = ""
    beside: tuple[Beside, ...] = ()
    lent: tuple[Lent, ...] = ()

    def at(self, seat: int) -> Phone:
        """Return the phone as that of whoever plays ``seat`` on it."""
        who = next((each for each in self.beside if each.seat == seat), None)
        if who is None:
            return self
        person = {"name": who.name, "colour": who.colour, "profile": who.profile}
        return msgspec.structs.replace(self, **person, named=True, nameless="")

    def with_seats(self, seats: tuple[int, ...], beside: tuple[Beside, ...] | None = None) -> Phone:
        """Return the phone with these ``seats``, and with who plays ``beside``: as before, where they still are."""
        known = self.beside if beside is None else beside
        return msgspec.structs.replace(self, seats=seats, beside=tuple(each for each in known if each.seat in seats))


class PhonesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The file. ``local`` is the browser on this machine while it stands for none of the phones; None as it begins."""

    phones: tuple[Phone, ...] = ()
    local: Phone | None = None


def parse(content: bytes) -> PhonesFile:
    """Return the phones in ``content``; raises ValueError."""
    return msgspec.json.decode(content, type=ready(PhonesFile))


def write(path: Path, kept: PhonesFile) -> None:
    """Replace the file; for its owner's eyes."""
    try:
        atomic_file.replace(path, msgspec.json.encode(kept), 0o600)
    except OSError as error:
        # What was changed holds until a restart: better than to keep people out for a full disk.
        log.warning("the phones at the table cannot be saved in %s: %s", path, error.strerror)
