"""What a seat has chosen in secret, and is bound to before anybody sees it: a hash that the plies must fit later."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

NONCE_BYTES = 32
PERSON = b"beaconboard bid"

Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Committed(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """``seat`` has chosen its plies in secret after ``made`` plies of all. ``nonce`` and ``plies`` are "" and () where
    they are not to be known yet.
    """

    seat: Annotated[int, Meta(ge=0, le=15)]
    made: Annotated[int, Meta(ge=0, lt=1 << 31)]
    commit: Hex
    nonce: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""
    plies: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=200)] = ()

    @property
    def veiled(self) -> Committed:
        """Return this as everybody may know it from the first."""
        return Committed(self.seat, self.made, self.commit)


def commitment(game: str, seed: int, seat: int, made: int, plies: Sequence[str], nonce: str) -> str:
    """Return the hash that binds ``seat`` to ``plies``: BLAKE2b of their canonical text, keyed with the ``nonce``.

    The text names game, seed and seat, so that nobody can take over the hash of another seat, or of another game.

    >>> commitment("beacons", 1, 0, 0, ["bid 5 7"], "00" * 32)[:16]
    '7792e5ed76b7f96f'
    """
    text = msgspec.json.encode([game, seed, seat, made, list(plies)])
    return hashlib.blake2b(text, key=bytes.fromhex(nonce), digest_size=32, person=PERSON).hexdigest()


def fits(game: str, seed: int, what: Committed) -> bool:
    """Whether the plies that were shown are those that ``what`` was bound to."""
    return what.nonce != "" and commitment(game, seed, what.seat, what.made, what.plies, what.nonce) == what.commit


def with_plies(game: str, seed: int, seat: int, made: int, plies: Sequence[str], nonce: str) -> Committed:
    """Return ``plies`` with what binds ``seat`` to them."""
    return Committed(seat, made, commitment(game, seed, seat, made, plies, nonce), nonce, tuple(plies))
