"""How the board does, for people and for programs of the house, and the support bundle."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from controller.diagnostics.bundle import (
    BundleFile,
    Hidden,
    bounded,
    described,
    health_told,
    packages,
    sensors_told,
    settings_told,
    zipped,
)
from controller.diagnostics.condition import Evidence, HealthLine, appraised, in_short
from controller.diagnostics.machine import Machine
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.diagnostics.stops import Ends
from controller.measured import Measured
from controller.refused import Refused
from controller.sentences import say
from controller.service.preferences import Preferences
from controller.service.running_board import RunningBoard
from web_panel.backend import Connected

LATELY_US = 10 * 60_000_000  # what the light's latency is told of


class Program(msgspec.Struct, frozen=True):
    """Which program this is."""

    version: str = ""
    compiled: bool = False


class HealthBackend:
    """A `web_panel.pages.health_page.HealthAccess`."""

    def __init__(
        self, board: RunningBoard, preferences: Preferences, sensors: SensorHealth, log: LastLines,
        machine: Callable[[], Machine], last_minutes: Callable[[], str], now: Callable[[], datetime],
        program: Program, ends: Ends,
    ) -> None:  # fmt: skip
        """``last_minutes`` is a recording; it raises `Refused` where there is none. ``ends`` are of earlier runs."""
        self._board, self._preferences = board, preferences
        self._sensors, self._log = sensors, log
        self._machine, self._last_minutes, self._now = machine, last_minutes, now
        self._program, self._ends = program, ends
        self._lock = threading.Lock()
        self._number, self._shown = 0, b""  # of the bundle that was shown last, and it itself

    @property
    def measured(self) -> Measured:
        """What is timed and counted."""
        return self._board.service.measured

    def report(self, connected: Connected, owner: bool) -> dict[str, Any]:
        """Return how the board does; its lines for the ``owner`` alone."""
        lines = self._lines(connected)
        short = in_short(lines)
        shown = [{"state": each.state, "what": each.what, "advice": each.advice} for each in lines]
        return {"state": short.state, "told": short.what, "lines": shown if owner else [], "owner": owner}

    def metrics(self, connected: Connected) -> bytes | None:
        """Return the figures for programs of the house, None where the settings do not say so."""
        return self._exposed(connected) if self._preferences.now.metrics else None

    def bundle(self, connected: Connected, recording: bool, people: Sequence[str]) -> dict[str, Any]:
        """Make a bundle, with a ``recording`` of the last minutes where that is wished, and return what is in it."""
        lines = self._lines(connected)
        settings, program = self._preferences.now, self._program
        hidden = Hidden(settings, people)
        files = [
            described(settings, program.version, program.compiled),
            health_told(lines),
            settings_told(settings),
            sensors_told(self._sensors.report()),
            BundleFile("log.txt", "".join(f"{line}\n" for line in self._log.lines())),
            BundleFile("figures.txt", self._exposed(connected).decode()),
            packages(),
        ]
        files = [BundleFile(each.name, hidden.out_of(each.text)) for each in files]
        shown = bounded([*files, *([self._recording()] if recording else [])])
        with self._lock:
            self._number, self._shown = self._number + 1, zipped(shown, self._now())
            size, number = len(self._shown), self._number
        return {"number": number, "bytes": size, "files": [{"name": each.name, "text": each.text} for each in shown]}

    def saved(self, number: int) -> bytes:
        """Return the bundle with that number as a zip archive; raises `Refused` where another was shown since."""
        with self._lock:
            if number != self._number or not self._shown:
                raise Refused(say("This bundle is no longer there: look at what is in it again."))
            return self._shown

    def _recording(self) -> BundleFile:
        try:
            return BundleFile("recording.jsonl", self._last_minutes(), whole=True)
        except Refused as wrong:
            return BundleFile("recording.txt", f"There is none: {wrong}\n")

    def _exposed(self, connected: Connected) -> bytes:
        from controller.panel.exposition import ExposedFigures, exposition  # 2 MB that nobody needs who leaves it off

        link = self._sensors.report()["link"]
        return exposition(
            ExposedFigures(
                measured=self.measured, touches=link["touches"], faults=len(self._board.service.look().faults),
                watching=len(connected.phones) + connected.others, scans_per_s=self._board.scans_per_s,
                free_bytes=self._machine().free_bytes, link_up=link["up"],
            )
        )  # fmt: skip

    def _lines(self, connected: Connected) -> tuple[HealthLine, ...]:
        settings, service, report = self._preferences.now, self._board.service, self._sensors.report()
        measured = service.measured
        return appraised(
            Evidence(
                simulated=settings.on_screen,
                link_up=report["link"]["up"],
                link_told=service.look().table.link,
                weak=report["weak"],
                scans_per_s=self._board.scans_per_s,
                strip=settings.lights != "simulated",
                faults=service.look().faults,
                lifts_us=measured.lift_to_light.since(measured.now_us() - LATELY_US),
                machine=self._machine(),
                ends=self._ends,
                phones=connected.phones,
                watching=connected.others,
                compiled=self._program.compiled,
                version=self._program.version,
                sensor_board=self._board.introduction,
                too_weak=self._board.too_weak,
            )
        )
