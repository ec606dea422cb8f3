"""The board's network as the panel sees it: what its helper tells, in sentences."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from controller.appliance.asking import NoHelper, ask
from controller.appliance.network.questions import (
    DOOR,
    HOTSPOT_ADDRESS,
    HOTSPOT_BITS,
    Forget,
    Join,
    Look,
    NetworkState,
    Question,
    Search,
    Used,
    WifiFound,
    Wrong,
)
from controller.clock import clock_us
from controller.refused import Refused
from controller.sentences import say

ANSWER_S = 15.0
KNOWN_US = 5_000_000  # how long it is taken for granted whether the own Wi-Fi is open
PASSWORD_LETTERS = range(8, 65)  # of WPA: IEEE 802.11; 64 are the key itself
NAME_BYTES = 32
OWN_NETWORK = ipaddress.ip_network(f"{HOTSPOT_ADDRESS}/{HOTSPOT_BITS}", strict=False)


class NetworkBackend:
    """A `web_panel.pages.network_page.NetworkAccess`. Every method may be called from any thread."""

    own_address = HOTSPOT_ADDRESS

    def __init__(self, door: Path = DOOR, addresses: Callable[[], tuple[str, ...]] = tuple,
                 now_us: Callable[[], int] = clock_us) -> None:  # fmt: skip
        """``door`` is where the helper is asked; ``addresses`` open the panel from elsewhere, the surest last."""
        self._door, self._addresses, self._now_us = door, addresses, now_us
        self._lock = threading.Lock()
        self._own_open, self._asked_us = False, -KNOWN_US

    def from_own(self, address: str) -> bool:
        """Return whether a request from ``address`` comes through the board's own Wi-Fi, which is open."""
        try:
            if ipaddress.ip_address(address) not in OWN_NETWORK:
                return False
        except ValueError:
            return False
        with self._lock:
            if self._now_us() - self._asked_us >= KNOWN_US:
                self._own_open = self._is_open()
                self._asked_us = self._now_us()
            return self._own_open

    def _is_open(self) -> bool:
        try:
            return ask(self._door, Used(), NetworkState, ANSWER_S).state == "hotspot"
        except NoHelper:
            return False

    def report(self) -> dict[str, Any]:
        """Return how the network stands, as `web_panel.answers_of_pages.NetworkTold` has it."""
        told = self._ask(Look())
        asked = _shown(told.asked)
        return {
            "radio": told.radio,
            "state": told.state,
            "name": _shown(told.ssid),
            "asked": asked,
            "wrong": _sentence(told.wrong, asked),
            "own": told.hotspot,
            "password": told.password,
            "later": next(reversed(self._addresses()), ""),
            "networks": [_network(each) for each in told.networks],
        }

    def search(self) -> None:
        """Look for Wi-Fis in reach; raises `Refused`."""
        self._ask(Search())

    def join(self, id: str, name: str, password: str, hidden: bool) -> None:
        """Begin to join a Wi-Fi; raises `Refused`."""
        told = self._ask(Look())
        ssid = bytes.fromhex(id) or name.encode()
        shown = _shown(ssid)
        if not 1 <= len(ssid) <= NAME_BYTES:
            raise Refused(say("The name of a Wi-Fi has 1 to 32 letters: write it as the router shows it."))
        if not told.radio:
            raise Refused(say("This Pi has no Wi-Fi that can be used: connect it to the router by a cable."))
        if ssid == told.hotspot.encode():
            raise Refused(say("“{name}” is the board's own Wi-Fi: choose that of your home.", name=shown))
        found = next((each for each in told.networks if each.ssid == ssid), None)
        if found and found.security == "unsuitable":
            raise Refused(
                say("“{name}” wants more than a password, such as a user's name: use another Wi-Fi or a cable.",
                    name=shown)
            )  # fmt: skip
        known = found is not None and found.known
        if not password and not hidden and found and found.security == "password" and not known:
            raise Refused(say("“{name}” wants a password: it stands on the router, or ask who set it up.", name=shown))
        if password and len(password.encode()) not in PASSWORD_LETTERS:
            raise Refused(say("A Wi-Fi password has at least 8 letters: type it again."))
        self._ask(Join(ssid, password, hidden))

    def forget(self, id: str) -> None:
        """Forget a Wi-Fi; raises `Refused`."""
        ssid = bytes.fromhex(id)
        if not 1 <= len(ssid) <= NAME_BYTES:
            raise Refused(say("There is no such Wi-Fi: look at the list again."))
        self._ask(Forget(ssid))

    def _ask(self, question: Question) -> NetworkState:
        try:
            told = ask(self._door, question, NetworkState, ANSWER_S)
        except NoHelper as error:
            raise Refused(
                say("The helper for the network does not answer: wait a minute, or restart the Pi.")
            ) from error
        if not told.manager:
            raise Refused(
                say("NetworkManager does not run on this Pi: use Raspberry Pi OS, or set up its network by hand.")
            )
        return told


def _network(found: WifiFound) -> dict[str, Any]:
    return {
        "id": found.ssid.hex(), "name": _shown(found.ssid), "strength": found.strength_percent,
        "security": found.security, "known": found.known,
    }  # fmt: skip


def _shown(ssid: bytes) -> str:
    """Return a Wi-Fi's name as people see it; of bytes that are no text, and of letters that nobody sees, a sign."""
    return "".join(letter if letter.isprintable() else "�" for letter in ssid.decode("utf-8", "replace"))


def _sentence(wrong: Wrong, name: str) -> str:
    match wrong:
        case "":
            return ""
        case "password":
            return say("The password for “{name}” was not accepted: type it again.", name=name)
        case "not found":
            return say("“{name}” was not found: check its name, and bring the board nearer to the router.", name=name)
        case "no address":
            return say("“{name}” let the board in and gave it no address: restart the router and try again.", name=name)
        case "too slow":
            return say("Joining “{name}” took too long: bring the board nearer to the router and try again.", name=name)
        case "refused":
            return say("“{name}” could not be joined: check its password, or use another Wi-Fi.", name=name)
