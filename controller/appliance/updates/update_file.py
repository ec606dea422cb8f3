"""One update as a file: a signed list, the roots that lead to it, and what the list names. Checked before it is used.

The zip begins with the list. Of the files in the list it may have those alone that one kind of machine needs.
"""

from __future__ import annotations

import os
import re
import stat
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from controller import checked_zip
from controller.appliance.updates.manifest import (
    MOST_BYTES,
    WHEEL,
    Build,
    Installed,
    UpdateManifest,
    build_for,
    too_large,
    why_not,
)
from controller.appliance.updates.signed import NotSigned, SignedList, newest_root, signed_list
from controller.sentences import say, tapped_or_typed
from controller.typed import ready

LIST, MANIFEST = "list.json", "manifest.json"
ROOTS, FILES = "roots/", "files/"
ROOT_NAME = re.compile(r"roots/\d{1,5}\.root\.json")
MOST_FILE_BYTES = 128 << 20
MOST_TEXT_BYTES = 2 << 20  # of the list, of a root, of what the update says of itself
MOST_FILES = 2000


class BadUpdate(checked_zip.BadZip):
    """A file that is no update, or none for this board; the sentence says what is wrong and what to do."""


class Trust(msgspec.Struct, frozen=True):
    """Whom a board believes: its newest ``root``, b"" for none, and the ``number`` of the newest list it has put on."""

    root: bytes
    number: int


class Update(msgspec.Struct, frozen=True):
    """An update that is sound and fits: what it says, the wheels for this machine, and whom to believe from then on."""

    manifest: UpdateManifest
    build: Build
    listed: SignedList
    trust: Trust

    @property
    def bytes(self) -> int:
        """How much the wheels for this machine have."""
        return sum(self.listed.files[wheel].bytes for wheel in self.build.wheels)


def check(path: Path, trust: Trust, here: Installed, name: str = "") -> Update:
    """Return the update in a file once its signatures and every part that this machine needs were found sound.

    Raises `BadUpdate`, in whose sentence the file is called ``name``.
    """
    called = name or path.name
    with _opened(path, called) as archive:
        update = _read(archive, trust, here, called)
        for wheel in update.build.wheels:
            for _ in _pieces(archive, update.listed, wheel):
                pass
    return update


def unpack(path: Path, trust: Trust, here: Installed, into: Path, name: str = "") -> Update:
    """Write the wheels for this machine ``into`` a folder, each checked as it is written; raises `BadUpdate`, OSError.

    The file itself need not be the one that was checked: what is used is what was read here.
    """
    called = name or path.name
    with _opened(path, called) as archive:
        update = _read(archive, trust, here, called)
        for wheel in update.build.wheels:
            with open(os.open(into / wheel, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                for piece in _pieces(archive, update.listed, wheel):
                    file.write(piece)
    return update


@contextmanager
def _opened(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise BadUpdate(_no_update(name))
        if about.st_size > MOST_BYTES:
            raise BadUpdate(too_large(about.st_size, name))
        with checked_zip.opened(path, LIST) as archive:
            yield archive
    except checked_zip.Other as error:
        raise BadUpdate(_no_update(name)) from error
    except checked_zip.Damaged as error:
        raise BadUpdate(_damaged(name)) from error
    except OSError as error:
        raise BadUpdate(say("{file} cannot be read: {why}.", file=name, why=str(error.strerror))) from error


def _no_update(name: str) -> str:
    return say("{file} is no update of a Beaconboard: choose a file that ends in .bbupdate.", file=name)


def _damaged(name: str) -> str:
    return say("{file} is damaged or cut off: fetch it again.", file=name)


def _read(archive: zipfile.ZipFile, trust: Trust, here: Installed, name: str) -> Update:
    """Return what a file brings, by its signed list alone."""
    listed, root = _listed(archive, trust, name)
    _hold(archive, listed)
    manifest = _manifest(archive, listed, name)
    wrong = why_not(manifest, here, name)
    build = build_for(manifest, here)
    if wrong or build is None:
        raise BadUpdate(wrong)
    if not all(WHEEL.fullmatch(wheel) for wheel in build.wheels):
        raise checked_zip.Damaged(LIST)
    return Update(manifest, build, listed, Trust(root, listed.number))


def _listed(archive: zipfile.ZipFile, trust: Trust, name: str) -> tuple[SignedList, bytes]:
    """Return the signed list, and the newest root, which says whose signatures count."""
    if not trust.root:
        raise BadUpdate(
            tapped_or_typed(
                say("This board knows no key for updates: it needs a new card."),
                "This board knows no key for updates: install one with make install, or a new card.",
            )
        )
    roots = [each for each in archive.namelist() if ROOT_NAME.fullmatch(each)][:MOST_FILES]
    try:
        root = newest_root(
            trust.root, [checked_zip.small_part(archive, each, MOST_TEXT_BYTES) for each in roots]
        )  # fmt: skip
        listed = signed_list(root, checked_zip.small_part(archive, LIST, MOST_TEXT_BYTES))
    except NotSigned as error:
        raise BadUpdate(
            say("{file} is not signed by the makers of this Beaconboard: nothing of it is used. Fetch it from them.",
                file=name)
        ) from error  # fmt: skip
    if listed.number < trust.number:
        raise BadUpdate(say("{file} was made before the update that this board has had last: choose a later one.",
                            file=name))  # fmt: skip
    return listed, root


def _hold(archive: zipfile.ZipFile, listed: SignedList) -> None:
    """Hold the zip to its list: nothing that the list and the roots do not name, nothing of another size."""
    found = {entry.filename: entry.file_size for entry in archive.infolist()}
    allowed = {FILES + name: about.bytes for name, about in listed.files.items()}
    allowed |= {name: size for name, size in found.items() if name == LIST or ROOT_NAME.fullmatch(name)}
    large = any(about.bytes > MOST_FILE_BYTES for about in listed.files.values())
    if large or len(found) > MOST_FILES or not found.keys() <= allowed.keys():
        raise checked_zip.Damaged(LIST)
    checked_zip.hold(archive, {name: allowed[name] for name in found})


def _manifest(archive: zipfile.ZipFile, listed: SignedList, name: str) -> UpdateManifest:
    if MANIFEST not in listed.files or listed.files[MANIFEST].bytes > MOST_TEXT_BYTES:
        raise BadUpdate(_no_update(name))
    text = b"".join(_pieces(archive, listed, MANIFEST))
    return msgspec.json.decode(text, type=ready(UpdateManifest))


def _pieces(archive: zipfile.ZipFile, listed: SignedList, name: str) -> Iterator[bytes]:
    about = listed.files[name]
    return checked_zip.pieces(archive, FILES + name, about.bytes, about.sha256)
