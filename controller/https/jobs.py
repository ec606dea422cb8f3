"""What is asked of the process that makes and reads certificates, and what it answers."""

from __future__ import annotations

from typing import Literal

import msgspec

Wrong = Literal[
    "", "no certificate", "no key", "locked key", "unreadable", "weak key", "apart", "early", "late", "no names",
    "purpose", "missing", "failed",
]  # fmt: skip
"""What is wrong: "" is nothing, "missing" a package, and "failed" that no answer came."""


class MakeAuthority(msgspec.Struct, frozen=True, tag="authority"):
    """Make an authority for ``names`` and those below them, and for the addresses of private ``networks``, that is
    trusted until ``ends``, a time in seconds since 1970. Its file ends with what phones are to trust.
    """

    title: str
    names: tuple[str, ...]
    networks: tuple[str, ...]
    ends: int


class Issue(msgspec.Struct, frozen=True, tag="issue"):
    """Let the ``authority``, a key and a certificate as PEM, make a certificate for ``names`` and ``addresses``."""

    authority: str
    names: tuple[str, ...]
    addresses: tuple[str, ...]
    begins: int
    ends: int


class LookAtPem(msgspec.Struct, frozen=True, tag="look"):
    """Look whether ``pem``, which somebody brought, has a key and certificates that can be served ``now``."""

    pem: str
    now: int


Job = MakeAuthority | Issue | LookAtPem


class Asked(msgspec.Struct, frozen=True):
    """What goes to the process."""

    job: Job


class MadeCertificate(msgspec.Struct, frozen=True):
    """A key with its certificates as PEM, the first one its own, and what is in that: ``der`` is it alone.

    ``names`` are also its addresses. Times are seconds since 1970. Or what is ``wrong``, of the certificate
    that ``begins`` and ``ends`` then where it is of the time.
    """

    wrong: Wrong = ""
    pem: str = ""
    der: bytes = b""
    names: tuple[str, ...] = ()
    begins: int = 0
    ends: int = 0
