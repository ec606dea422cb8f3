"""A nonce for what is chosen in secret in a game between two boards.

Owns that it comes from the system's own source of chance, and from nobody who gives an order.
"""

from __future__ import annotations

import secrets

import msgspec

from controller.commitments import NONCE_BYTES
from controller.orders import AnyOrder, BoardPlays, PlayPlies, PlayPly
from controller.table.state import Table


def with_nonce(order: AnyOrder, table: Table) -> AnyOrder:
    """Return ``order`` with a fresh nonce where a seat is bound by it to what it chooses, and without one elsewhere."""
    if not isinstance(order, PlayPly | PlayPlies | BoardPlays):
        return order
    bound = table.play is not None and table.play.session.bound
    return msgspec.structs.replace(order, nonce=secrets.token_hex(NONCE_BYTES) if bound else "")
