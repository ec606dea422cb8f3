"""Files that a phone brings in parts: their size is said first, and no part is larger than other addresses take.

Shared by the pages on which an owner chooses a file: backups and updates.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

MOST_PART_BYTES = 3 << 20  # of a file that is brought; a phone turns so much into text in a moment

FileName = Annotated[str, Meta(max_length=200)]


class Bring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file called ``name`` of so many ``bytes`` is about to come."""

    name: FileName
    bytes: Annotated[int, Meta(ge=1, lt=1 << 53)]


class BringPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What stands in the file from the byte ``at`` on, written in base64."""

    at: Annotated[int, Meta(ge=0, lt=1 << 53)]
    data: Annotated[bytes, Meta(max_length=MOST_PART_BYTES)]
