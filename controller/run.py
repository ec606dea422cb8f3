"""Runs a rig with its panel until it is interrupted. Owns the order of starting and stopping."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack

from controller.desk import ServiceDesk
from controller.journal import Journal
from controller.rig import build
from controller.settings import Settings
from hardware.profile import load
from web_panel.app import create_app
from web_panel.serve import listen

log = logging.getLogger(__name__)


def run(settings: Settings, held: ExitStack, ready: Callable[[str], None]) -> None:
    """Play until SIGINT or SIGTERM; ``ready`` is told the panel's address when it can be opened.

    Raises what loading the profile and building the rig raise, and OSError where the address is taken.
    """
    profile = load(settings.board)
    journal = Journal(settings.journal_path)
    if journal.damaged:
        log.warning("the journal was damaged; it is kept as %s and a new one begun", journal.damaged)
    rig = build(profile, settings, journal, held)
    server = listen(create_app(ServiceDesk(rig), [settings.host]), settings.host, settings.port)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    rig.start()
    serving = threading.Thread(target=server.run, name="panel")
    serving.start()
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    ready(f"http://{shown}:{server.port}")
    stopping.wait()
    rig.stop()
    server.close()
    serving.join()
