"""What the service may ask the helper for updates, and what it is told: a handful of words, and no path, name or order.

The file that is brought lies at a place that the helper knows by itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from controller.appliance.updates.manifest import Installed
from controller.appliance.updates.told import SentenceTold

SOCKET = Path("/run/beaconboard-update.sock")
BROUGHT = "brought.bbupdate"  # in the folder that the service brings files to
FOLDER = "updates"  # beside the journal


class UpdateAsk(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question: how it ``stands``; to ``look`` at the file that was brought; to ``build`` it beside what runs; to
    ``exchange`` what runs for what was built; to go ``back`` to the version before.
    """

    what: Literal["stand", "look", "build", "exchange", "back"]
    name: str = ""  # what the file was called where it came from, for sentences


class UpdateFound(msgspec.Struct, frozen=True):
    """What the file that was brought would put on."""

    version: str
    released: str
    changes: dict[str, tuple[str, ...]]
    minutes: int


class UpdateOutcome(msgspec.Struct, frozen=True):
    """How the last update ended: to which ``version`` it was, whether that ``plays``, and why not."""

    version: str
    plays: bool
    why: SentenceTold = SentenceTold()


Doing = Literal["", "build", "built", "trial"]
"""What is being done: a version is built, one waits to be exchanged, or one that plays is on trial."""


class Stand(msgspec.Struct, frozen=True):
    """How it stands, and what came of the question: ``refused`` says why nothing did.

    ``version`` is what runs, ``before`` what can be gone back to, "" for nothing; ``to`` is what is being put on, and
    ``share`` how much of that is done, from 0 to 1, and ``journal`` of which version the tables of its games are.
    Whoever looks for updates needs to know what is ``here``, and the ``root`` that the board believes, "" for none.
    """

    version: str
    before: str = ""
    doing: Doing = ""
    to: str = ""
    share: float = 0.0
    journal: int = 0
    ended: UpdateOutcome | None = None
    here: Installed | None = None
    root: str = ""
    found: UpdateFound | None = None
    refused: SentenceTold = SentenceTold()


class UpdateSearch(msgspec.Struct, frozen=True):
    """Where to look, at what ``address``, believing whom by a ``root``, for what is ``here``; ``folder`` keeps what was
    seen. With a path to ``fetch`` to, what is found is fetched.
    """

    address: str
    root: str
    here: Installed
    folder: str
    fetch: str = ""


class Offer(msgspec.Struct, frozen=True):
    """What was found: an update for this board, None where there is no newer one; or what is wrong."""

    found: UpdateFound | None = None
    wrong: SentenceTold = SentenceTold()
