"""Where the panel is found: the addresses that a phone can open, and what the console says of them.

A host answers to its name with ``.local`` wherever mDNS runs, as on Raspberry Pi OS from the first start; so nothing of
ours announces it.
"""

from __future__ import annotations

import io
import ipaddress
import socket

import msgspec
import segno

USUAL_PORT = 80  # of http: addresses need not name it
EVERY = ("0.0.0.0", "::", "*", "")
DOCUMENTATION = ("192.0.2.1", 9)  # never sent to: what matters is which of our addresses would be used


class Address(msgspec.Struct, frozen=True):
    """``here`` opens the panel on this machine, ``shared`` from others, the surest first, if they can at all."""

    here: str
    shared: tuple[str, ...] = ()


def address(host: str, port: int) -> Address:
    """Return where a panel that listens on ``host`` and ``port`` is found."""
    if host not in EVERY:
        url = _url(f"[{host}]" if ":" in host else host, port)
        return Address(url, () if is_loopback(host) else (url,))
    names = [*filter(None, [own_address()]), f"{socket.gethostname().split('.')[0].lower()}.local"]
    return Address(_url("127.0.0.1", port), tuple(_url(name, port) for name in names))


def _url(host: str, port: int) -> str:
    return f"http://{host}" if port == USUAL_PORT else f"http://{host}:{port}"


def is_loopback(host: str) -> bool:
    """Whether only this machine itself can reach ``host``."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_address() -> str:
    """Return this machine's address in its network, "" where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(DOCUMENTATION)
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def lines(found: Address, code: str) -> list[str]:
    """Return what the console says; whoever scans the picture is let in by the ``code`` in it."""
    said = [f"Beaconboard is at {found.here} (stop it with Ctrl+C)"]
    if found.shared:
        drawn = io.StringIO()
        segno.make(f"{found.shared[0]}/#{code}", error="l", micro=False).terminal(out=drawn, compact=True)
        said += [
            f"On a phone: {' or '.join(found.shared)}, or scan this and you are in:",
            drawn.getvalue().rstrip("\n"),
            f"Code for joining without touching the board, valid until the next start: {code[:4]} {code[4:]}",
        ]
    return said
