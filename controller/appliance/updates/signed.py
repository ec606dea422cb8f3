"""Who has signed an update: keys that a root names, and roots that follow each other, as The Update Framework has it.

A root says which keys count. The next one is signed by the keys of the one before as well as by its own, so that keys
change without anybody touching a board. Dates of expiry do not count here: a Pi without a network may have any date.
What keeps an older state out is its number. Only the helper and whoever looks for updates import this.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from tuf.api.exceptions import RepositoryError
from tuf.api.metadata import Metadata, Root, Targets
from tuf.api.serialization import DeserializationError

MOST_ROOTS = 256


class NotSigned(ValueError):
    """The keys that count have not signed it; the text is for the log."""


class ListedFile(msgspec.Struct, frozen=True):
    """A file as the signed list has it: its size, and its SHA-256 in hexadecimal digits."""

    bytes: int
    sha256: str


class SignedList(msgspec.Struct, frozen=True):
    """The files of an update, by name. ``number`` grows with every list that is signed."""

    number: int
    files: dict[str, ListedFile]


def number_of(root: bytes) -> int:
    """Return the number of a root; raises `NotSigned` where it is none."""
    return _root(root).signed.version


def newest_root(trusted: bytes, offered: Iterable[bytes]) -> bytes:
    """Return the last root that follows from the ``trusted`` one by those ``offered``; raises `NotSigned`.

    Those up to the trusted one say nothing new. Of the others each has to follow from the one before.
    """
    last, text = _root(trusted), trusted
    for each in sorted(offered, key=number_of)[:MOST_ROOTS]:
        following = _root(each)
        if following.signed.version <= last.signed.version:
            continue
        if following.signed.version != last.signed.version + 1:
            raise NotSigned(f"root {last.signed.version + 1} is missing")
        for judge in (last, following):
            _verify(judge, following, Root.type)
        last, text = following, each
    return text


def signed_list(root: bytes, text: bytes) -> SignedList:
    """Return what a list says, once as many keys have signed it as ``root`` asks for; raises `NotSigned`."""
    try:
        found: Metadata[Targets] = Metadata[Targets].from_bytes(text)
    except (DeserializationError, ValueError) as error:
        raise NotSigned(str(error)) from error
    _verify(_root(root), found, Targets.type)
    return SignedList(
        found.signed.version,
        {name: ListedFile(each.length, each.hashes.get("sha256", "")) for name, each in found.signed.targets.items()},
    )


def _root(text: bytes) -> Metadata[Root]:
    try:
        found: Metadata[Root] = Metadata[Root].from_bytes(text)
    except (DeserializationError, ValueError) as error:
        raise NotSigned(f"no root: {error}") from error
    if not isinstance(found.signed, Root):
        raise NotSigned(f"no root, but {found.signed.type}")
    return found


def _verify(judge: Metadata[Root], text: Metadata[Root] | Metadata[Targets], role: str) -> None:
    if text.signed.type != role:
        raise NotSigned(f"{text.signed.type} stands in place of {role}")
    try:
        judge.signed.verify_delegate(role, text.signed_bytes, text.signatures)
    except RepositoryError as error:
        raise NotSigned(str(error)) from error
