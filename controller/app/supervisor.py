"""Reports that a service is alive, and restarts it where work in it hangs or it has grown too much.

Owns the words to systemd and the new start. Must not know tables or panels.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import NoReturn

from controller.service.heartbeat import Work


class Hanging(RuntimeError):
    """Work that does not come to an end: the service has to be started again."""

    def __init__(self, work: Work) -> None:
        super().__init__(f"{work.game or 'the service'} does not come to an end at {work.doing}: starting again")


class Outgrown(RuntimeError):
    """The service uses more memory than it should: it has ended in order, and has to be started again."""

    def __init__(self, used_mb: int) -> None:
        super().__init__(f"the service has grown to {used_mb} MB of memory: starting again")


def notify(state: str) -> None:
    """Tell systemd ``state``, as READY=1 or WATCHDOG=1; nothing where it does not listen."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        try:
            line.sendto(state.encode(), f"\0{address[1:]}" if address.startswith("@") else address)
        except OSError:
            return  # systemd's own watchdog takes over from here


def start_again() -> NoReturn:
    """Replace this process with a fresh one of the same program: threads, locks and sockets end with it."""
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
