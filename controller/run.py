"""Runs a rig with its panel until it is interrupted. Owns the order of starting and stopping."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack

from controller.address import address, is_loopback, lines
from controller.care import Care, LastLines
from controller.care_desk import CareDesk
from controller.desk import ServiceDesk
from controller.journal import Journal
from controller.library import Library
from controller.preferences import Preferences
from controller.rig import build, clock_us
from controller.settings import Settings
from hardware.profile import load
from web_panel.app import create_app
from web_panel.pairing import Entry
from web_panel.seats import Phones
from web_panel.serve import Server, listen

SWITCH_S = 0.0005  # the table waits that long, not the usual 5 ms, for each thread that computes an answer
LOOK_S = 1.0  # how often it is seen to that the service still runs


class Ended(RuntimeError):
    """The service or its panel could not begin, or ended by itself; the sentence says why and what to do."""


def run(settings: Settings, held: ExitStack, ready: Callable[[list[str]], None]) -> None:
    """Play until SIGINT or SIGTERM; ``ready`` is told what to say when the panel can be opened.

    Raises what loading the profile, opening the journal and building the rig raise, and `Ended`.
    """
    sys.setswitchinterval(SWITCH_S)
    profile = load(settings.board)
    journal = Journal(settings.journal_path)
    held.callback(journal.close)
    preferences = Preferences(settings, settings.journal_path.with_name(f"{settings.journal_path.name}.settings.toml"))
    rig = build(profile, preferences.now, journal, held)
    phones = Phones(settings.journal_path.with_name(f"{settings.journal_path.name}.phones.json"))
    alone = settings.sensors in ("simulated", "bench") and is_loopback(settings.host)
    entry = Entry(phones, local=alone, addresses=lambda: address(settings.host, server.port).shared)
    care, log = Care((site.name for site in profile.sites), clock_us), LastLines()
    logging.getLogger().addHandler(log)
    held.callback(logging.getLogger().removeHandler, log)
    library = Library(profile, settings.journal_path)
    folder = settings.journal_path.parent
    care_desk = CareDesk(profile, settings.board, care, log, library, rig.service, folder)
    entry.tell_code = lambda code: ready(lines(address(settings.host, server.port), code))
    server = _listen(ServiceDesk(rig, preferences), settings, entry, library, care_desk)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    rig.start(care.hearing(rig.service.emit))
    serving = threading.Thread(target=server.run, name="panel")
    serving.start()
    ready(lines(address(settings.host, server.port), entry.code))
    while rig.service.running and not stopping.wait(LOOK_S):
        pass
    for apart in (library.apart, care_desk.apart):
        apart.close()
    rig.stop()
    server.close()
    serving.join()
    if not stopping.is_set():
        raise Ended("the service ended by a fault of its own, told above; the game is kept: start it again")


def _listen(desk: ServiceDesk, settings: Settings, entry: Entry, library: Library, care: CareDesk) -> Server:
    app = create_app(desk, [settings.host], entry=entry, library=library, care=care)
    try:
        return listen(app, settings.host, settings.port)
    except (OSError, ValueError) as error:  # of the socket, or of waitress where the host cannot be found
        address = f"{settings.host}:{settings.port}"
        raise Ended(f"the panel cannot listen on {address} ({error}): choose another --host or --port") from error
