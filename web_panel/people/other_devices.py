"""Whether a device other than this machine has opened the panel: so an owner sees that phones get in."""

from __future__ import annotations

import ipaddress
import socket


class OtherDevices:
    """Whether another device than this machine has opened the panel since the start. May be used from any thread."""

    def __init__(self) -> None:
        self.seen = False

    def note(self, address: str) -> None:
        """Note that a page is open at ``address``."""
        self.seen = self.seen or not is_own(address)


def is_own(address: str) -> bool:
    """Whether ``address`` is one of this machine's: there it can open a socket. What is no address is its own, too."""
    try:
        version = ipaddress.ip_address(address).version
    except ValueError:
        return True
    with socket.socket(socket.AF_INET6 if version == 6 else socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            return False
    return True
