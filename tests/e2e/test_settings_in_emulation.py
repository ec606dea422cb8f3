"""The sensor board's debounce, set on the panel in Chromium, acts in the emulated firmware."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue

import pytest
from playwright.sync_api import Page, expect

from controller.app.assembly import build
from controller.devices.sensors.emulated_board import Emulator, built
from controller.events import Event, Touch
from controller.journal.database import Journal
from controller.panel.table_backend import TableBackend
from controller.service.preferences import Preferences
from controller.settings import Settings
from hardware.profile import load
from tests.e2e.running import PATIENCE_S
from web_panel.app import create_app
from web_panel.serve import listen

PULSE_US = 7_000  # how long a magnet is near the contact: longer than the usual 4 ms, shorter than the longest debounce
TRIES = 20


class Board:
    """An emulated sensor board behind a service and its panel."""

    def __init__(self, emulator: Emulator, address: str, heard: SimpleQueue[Event]) -> None:
        self.emulator, self.address, self._heard = emulator, address, heard
        self._marker = False

    def hears(self) -> bool:
        """Let a magnet come near a4 for a moment, then put or take one at f6; returns whether a4 was heard before."""
        self.emulator.bounce("a4", False, 1, PULSE_US)
        over_us = self.emulator.stats()["now_us"] + 4 * PULSE_US
        while self.emulator.stats()["now_us"] < over_us:  # the board's own time goes on by itself
            pass
        self._marker = not self._marker
        self.emulator.set_sensor("f6", self._marker)
        seen = False
        while True:
            event = self._heard.get(timeout=PATIENCE_S)
            if isinstance(event, Touch) and event.site == "f6":
                return seen
            seen = seen or (isinstance(event, Touch) and event.site == "a4" and event.on)


@pytest.fixture
def board(firmware_folder: Path, tmp_path: Path) -> Iterator[Board]:
    line = tmp_path / "line"
    heard: SimpleQueue[Event] = SimpleQueue()
    with Emulator(built(firmware_folder, "square144"), line) as emulator, ExitStack() as held:
        settings = Settings(sensors="serial", serial_port=str(line))
        rig = build(load("square144"), settings, Journal(tmp_path / "games.sqlite3"), held)
        backend = TableBackend(rig, Preferences(settings, tmp_path / "settings.toml"))
        server = listen(create_app(backend, streams=4), "127.0.0.1", 0, streams=4)

        def hear(event: Event) -> None:
            heard.put(event)
            rig.service.emit(event)

        rig.start(hear)
        thread = threading.Thread(target=server.run, daemon=True)
        thread.start()
        for seen in rig.service.watch(PATIENCE_S):
            assert seen is not None, "the sensor board does not answer"
            if not seen.table.link:
                break
        yield Board(emulator, f"http://127.0.0.1:{server.port}/", heard)
        rig.stop()
        server.close()
        thread.join(timeout=PATIENCE_S)


def fill(page: Page, name: str, value: int) -> None:
    with page.expect_response(lambda answer: answer.url.endswith("/api/settings") and answer.request.method == "POST"):
        field = page.locator(f"#set-{name}")
        field.fill(str(value))
        field.blur()
    expect(page.locator(f"#set-{name}")).to_have_value(str(value))


def test_a_longer_debounce_keeps_a_brush_out_and_a_shorter_one_lets_it_in_again(board: Board, page: Page) -> None:
    page.goto(f"{board.address}settings")
    expect(page.locator("#set-press_ms")).to_have_value("4")
    page.locator("#expert summary").click()
    assert board.hears()
    for wanted, debounce in ((False, 15), (True, 2)):
        fill(page, "press_ms", debounce)
        # The order travels on the serial line, the magnet does not: the first few may be faster than the order.
        assert wanted in [board.hears() for _ in range(TRIES)]
        assert [board.hears() for _ in range(3)] == [wanted] * 3
