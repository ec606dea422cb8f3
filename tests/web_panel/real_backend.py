"""The real service on a simulated board behind its real panel, in this process; and how a browser plays on it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from controller.app.assembly import build
from controller.app.notices_of import notices_of
from controller.app.simulated_boards import SimulatedBoards
from controller.backups.state import BoardState
from controller.broker import Broker
from controller.clock import clock_us
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.diagnostics.field_watch import FieldWatch
from controller.diagnostics.machine import Machine
from controller.diagnostics.rest_keeper import RestKeeper
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.stops import Ends
from controller.diagnostics.strength_walk import StrengthWalk
from controller.journal.database import Journal
from controller.own_variants import OwnVariants
from controller.panel.afar_backend import AfarBackend, folder_of
from controller.panel.analyses_backend import AnalysesBackend
from controller.panel.backups_backend import BackupsBackend
from controller.panel.diagnostics_backend import DiagnosticsBackend
from controller.panel.health_backend import HealthBackend, Program
from controller.panel.history_backend import HistoryBackend
from controller.panel.network_backend import NetworkBackend
from controller.panel.run_folders import RunFolders
from controller.panel.runs_backend import RunsBackend
from controller.panel.table_backend import TableBackend
from controller.panel.updates_backend import Asked, Find, UpdatesBackend, ask_helper, found_apart
from controller.panel.variants_backend import VariantsBackend
from controller.service.preferences import Preferences
from controller.service.running_board import RunningBoard
from controller.service.thinking.analyst import Analyst
from controller.settings import Settings
from hardware.profile import load
from tests.web_panel.fake_backend import FakeFirmware
from web_panel.app import create_app
from web_panel.people.joining import WaysIn
from web_panel.people.phones import Phones
from web_panel.serve import listen

STREAMS = 4
NOW = datetime(2026, 3, 1, 20, 15)


class Real(msgspec.Struct, frozen=True):
    """A running panel."""

    address: str
    running: RunningBoard
    health: SensorHealth

    @property
    def switch(self) -> SimulatedBoard:
        """The sensors' far end, with its faults."""
        assert isinstance(self.running.sensors, SimulatedBoard)
        return self.running.sensors

    @property
    def plies(self) -> tuple[str, ...]:
        play = self.running.service.look().table.play
        return play.session.plies if play else ()


def real_app(
    board: str,
    folder: Path,
    held: ExitStack,
    finishes: bool = False,
    broker: Broker | None = None,
    relay: str = "",
    asked: Asked | None = None,
    find: Find | None = None,
) -> tuple[Any, RunningBoard, SensorHealth]:
    """Return the panel's app over a real service until ``held`` ends; ``asked`` asks the helper for updates."""
    path = folder / "games.sqlite3"
    settings = Settings(board=board, journal=str(path))
    boards = SimulatedBoards(lambda: settings) if settings.becomes_any else None
    profile = load(settings.one_board)
    journal = Journal(path)
    held.callback(journal.close)
    running = build(profile, settings, journal, held, boards)
    health, log = SensorHealth((site.name for site in profile.sites), clock_us), LastLines()
    preferences = Preferences(settings, folder / "settings.toml")
    backend = TableBackend(running, preferences, finishes)
    history = HistoryBackend(None if boards else profile, path)
    fields = FieldWatch(lambda: running.sensors, clock_us)
    kinds = StrengthWalk(profile, folder / "kinds", clock_us)
    rests = RestKeeper(profile, folder / "rests", lambda: running.sensors, fields, clock_us)
    diagnostics = DiagnosticsBackend(
        profile, settings.one_board, health, log, history, running.service, folder, fields, kinds, rests
    )
    running.followers += [health.now_on, diagnostics.now_on]
    how_it_does = HealthBackend(
        running, preferences, health, log, Machine, diagnostics.last_minutes, lambda: NOW, Program("1.2.3"), Ends()
    )
    analyst = Analyst(running.service, path)
    analyses = AnalysesBackend(history, analyst, path)
    afar = AfarBackend(running.service, folder_of(path), broker, relay)
    running.before_sensors.append(afar.start)
    entry = WaysIn(Phones(), local=True)
    notices = notices_of(running.service, entry.phones, settings)
    held.callback(notices.stop)
    variants = OwnVariants(folder / "variants")
    runs = RunsBackend(RunFolders(folder / "runs"), variants)
    held.callback(runs.close)
    backups = BackupsBackend(BoardState(path, path), running.service, profile.name)
    held.callback(backups.close)
    updates = UpdatesBackend(
        path,
        running.service,
        "1.2.3",
        asked or ask_helper,
        lambda: "https://updates.example" if find else "",
        find or found_apart,
    )
    updates.seek()
    app = create_app(
        backend, streams=STREAMS, entry=entry, history=history, diagnostics=diagnostics, analyses=analyses, afar=afar,
        notices=notices, variants=VariantsBackend(variants), runs=runs, health=how_it_does, backups=backups,
        updates=updates, firmware=FakeFirmware(),
        network=NetworkBackend(folder / "no-helper.sock"),
    )  # fmt: skip
    running.start(kinds.hearing(health.counting(running.service.emit)))
    analyst.start()
    held.callback(analyst.close)
    held.callback(afar.stop)
    held.callback(running.stop)
    return app, running, health


@contextmanager
def real_panel(
    board: str,
    folder: Path,
    finishes: bool = False,
    broker: Broker | None = None,
    relay: str = "",
    asked: Asked | None = None,
    find: Find | None = None,
) -> Iterator[Real]:
    """Serve the real service on ``board``; where its hand ``finishes`` moves, a tap is a whole one."""
    with ExitStack() as held:
        app, running, health = real_app(board, folder, held, finishes, broker, relay, asked, find)
        server = listen(app, "127.0.0.1", 0, streams=STREAMS)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        try:
            yield Real(f"http://127.0.0.1:{server.port}/", running, health)
        finally:
            running.stop()
            server.close()
            thread.join(timeout=20)


def begin(page: Page, title: str, *, stand: bool = False, **options: str) -> None:
    """Start a game with the dialog, and let the pieces be set up unless they ``stand`` by themselves."""
    page.get_by_role("button", name="New game").click()
    dialog = page.locator("#dialog")
    dialog.get_by_role("radio", name=title, exact=True).check()
    for name, value in options.items():
        if dialog.locator("details").count():
            dialog.locator("details").evaluate("details => details.open = true")
        control = dialog.locator(f'#options [name="{name}"]')
        if control.evaluate("element => element.tagName") == "SELECT":
            control.select_option(label=value)
        else:
            control.fill(value)
    dialog.get_by_role("button", name="Start", exact=True).click()
    if (anyway := dialog.get_by_role("button", name="Start anyway")).is_visible():  # another game is being played
        anyway.click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#title")).to_contain_text(title)  # some say how far the game is, too
    if not stand:
        page.locator("#acts").get_by_role("button", name="Set up for me").click()
    expect(page.locator("body")).not_to_have_attribute("data-phase", "setup")


def board_site(page: Page, label: str) -> str:
    """Return the board's name of the game's site ``label``, as the page has it."""
    sites = page.locator("#board .site")
    page.locator(f'#board .site:is([aria-label="{label}"], [aria-label^="{label}, "])').first.wait_for(state="attached")
    found = sites.evaluate_all(
        "(all, label) => all.find(e => e.getAttribute('aria-label')?.split(', ')[0] === label)?.dataset.site", label
    )
    assert found, label
    return str(found)


def tap(page: Page, label: str) -> None:
    """Tap the cell that the game calls ``label``."""
    page.mouse.click(*middle(page, label))


def drag(page: Page, start: str, end: str) -> None:
    """Drag the piece on ``start`` to ``end``, by the game's names."""
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    page.mouse.move(*middle(page, end), steps=5)
    page.mouse.up()


def middle(page: Page, label: str) -> tuple[float, float]:
    """Return where on the screen the cell is that the game calls ``label``."""
    face = page.locator(f'#board [data-site="{board_site(page, label)}"] .face')
    face.scroll_into_view_if_needed()  # a phone is not high enough for the whole page
    box = face.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def made(page: Page, number: int) -> None:
    """Wait until ``number`` plies are made: many that were written at once are made one after another."""
    expect(page.locator("#plies li")).to_have_count(number, timeout=60_000)


def write(page: Page, text: str) -> None:
    """Write a ply, or several with ";" between them."""
    page.get_by_label("Type a move").fill(text)
    page.get_by_label("Type a move").press("Enter")


def do_it(page: Page) -> None:
    """Let the pieces follow."""
    page.locator("#acts").get_by_role("button", name="Put the pieces right").click()
    expect(page.get_by_role("button", name="Put the pieces right")).to_have_count(0)
