"""Reports that a service is alive, and restarts it where work in it hangs or it has grown too much."""

from __future__ import annotations

import os
import socket
import sys
import threading
from typing import NoReturn

from controller.service.heartbeat import Work
from web_panel.serving.pulse import PagePulse, answers_page

SILENT = "the panel answers no page any more: starting again"


class StartAgain(RuntimeError):
    """The service has to be started again; the sentence says what hangs, or that it has grown too much."""


def hanging_at(work: Work) -> StartAgain:
    """Return what to raise where ``work`` does not come to an end."""
    return StartAgain(f"{work.game or 'the service'} does not come to an end at {work.doing}: starting again")


def felt(where: tuple[str, int], ended: threading.Event) -> PagePulse:
    """Return the pulse of the panel at ``where``, felt in a thread of its own until ``ended``."""
    pulse = PagePulse(lambda: answers_page(where))
    threading.Thread(target=pulse.run, args=(ended,), name="pulse of the panel", daemon=True).start()
    return pulse


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
