"""What the network's helper can be asked, and what it answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

DOOR = Path("/run/beaconboard-network.sock")
HOTSPOT_ADDRESS, HOTSPOT_BITS = "10.66.84.1", 24  # the dnsmasq file of raspberry/ has it, too
MOST_NETWORKS = 40

# A Wi-Fi's name is up to 32 bytes of anything: IEEE 802.11.
Ssid = Annotated[bytes, Meta(min_length=1, max_length=32)]
Password = Annotated[str, Meta(max_length=64)]

Security = Literal["open", "password", "unsuitable"]
"""What it takes to join: nothing, a password, or more than can be asked for here, such as a user's name."""

Wrong = Literal["", "password", "not found", "no address", "refused", "too slow"]
"""Why a Wi-Fi could not be joined: the ``password`` was not accepted, there is none of that name in reach, it gave
``no address``, NetworkManager ``refused``, or nothing came of it in time.
"""

State = Literal["cable", "wifi", "hotspot", "joining", "none"]
"""Where the board is: in a network by ``cable`` or by ``wifi``, in its own, about to join one, or in ``none``."""


class Look(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """How does the network stand?"""


class Search(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Look anew for Wi-Fis in reach."""


class Join(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Join the Wi-Fi of that name, which may be one that is ``hidden``."""

    ssid: Ssid
    password: Password = ""
    hidden: bool = False


class Forget(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Forget the Wi-Fi of that name."""

    ssid: Ssid


class Used(msgspec.Struct, frozen=True, tag=True, forbid_unknown_fields=True):
    """Somebody uses the board's own Wi-Fi at this moment."""


Question = Look | Search | Join | Forget | Used


class WifiFound(msgspec.Struct, frozen=True):
    """A Wi-Fi in reach, or one that is ``known`` from before; ``strength_percent`` is 0 where it is out of reach."""

    ssid: bytes
    strength_percent: int
    security: Security
    known: bool = False


class NetworkState(msgspec.Struct, frozen=True):
    """How the network stands, after what was asked.

    ``manager`` says whether NetworkManager is there, ``radio`` whether it has one for Wi-Fi. ``ssid`` is the Wi-Fi that
    the board is in, ``asked`` the one that it was to join last, and ``wrong`` why it did not. ``hotspot`` and
    ``password`` are those of the board's own.
    """

    manager: bool
    radio: bool = False
    state: State = "none"
    ssid: bytes = b""
    asked: bytes = b""
    wrong: Wrong = ""
    hotspot: str = ""
    password: str = ""
    networks: tuple[WifiFound, ...] = ()
