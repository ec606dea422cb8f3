"""What the board and the process that writes to push services say to each other."""

from __future__ import annotations

from typing import Literal

import msgspec

What = Literal["sent", "gone", "later", "refused", "unknown"]


class Keys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The board's keys, by which push services know it (VAPID): the ``private`` number and the ``public`` point, in
    base64url.
    """

    private: str = ""
    public: str = ""


class Letter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One notice: the address and the two keys that the browser gave, and the text that only that browser can read."""

    endpoint: str
    p256dh: str
    auth: str
    text: str


class Job(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Send ``letters``, signed with ``keys``; without keys make some. ``contact`` is where whoever runs a push service
    finds whoever runs this board. A service that is silent for ``answer_s`` seconds is not waited for.
    """

    keys: Keys = Keys()
    contact: str = ""
    letters: tuple[Letter, ...] = ()
    answer_s: float = 10.0


class Became(msgspec.Struct, frozen=True):
    """What became of a letter.

    The push service took it (``sent``), or knows nothing of that browser any more (``gone``); it did not take it and
    may do so ``later``, in ``after_s`` seconds where it said so; it never will (``refused``); or there was no answer,
    and nobody knows (``unknown``). ``why`` is for the log.
    """

    what: What
    why: str = ""
    after_s: float | None = None


class Done(msgspec.Struct, frozen=True):
    """The answer to a job: the keys that were made, or what became of each letter, in their order."""

    keys: Keys = Keys()
    became: tuple[Became, ...] = ()
