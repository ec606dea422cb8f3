"""Lights and sensor boards that fail: the board starts, says so, plays on, and tries them again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.app import assembly as rigs
from controller.devices.interfaces import Colour, Emit
from controller.devices.lights import opened
from controller.devices.lights.limiter import LightsFailed, LimitedLights, ReopenedStrip
from controller.devices.link.conversation import Outcome
from controller.devices.link.greeting import Wiring
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.journal.database import Journal
from controller.orders import NewGame
from controller.service.running_board import RunningBoard
from controller.service.showing.retried_lights import FIRST_WAIT_US, MOST_WAIT_US
from controller.settings import Settings
from hardware.profile import load
from tests.service.evenings import TIDES, Evening, kept

FAULTS = [OSError(5, "Input/output error"), ValueError("no such pixel"), KeyError("pin"), LightsFailed("no strip")]


class Driver:
    """Lights whose driver raises ``error`` at the steps named in ``bad``."""

    def __init__(self, error: Exception, bad: set[str]) -> None:
        self.error, self.bad = error, bad
        self.tried = 0
        self.frames: list[tuple[Colour, ...]] = []

    def _at(self, step: str) -> None:
        if step in self.bad:
            self.tried += 1
            raise self.error

    def show(self, frame: Sequence[Colour]) -> None:
        self._at("show")
        self.frames.append(tuple(frame))

    def set_brightness(self, percent: int) -> None:
        self._at("set_brightness")

    def set_max_milliamps(self, most: int) -> None:
        self._at("set_max_milliamps")

    def close(self) -> None:
        self._at("close")


@pytest.mark.slow
@pytest.mark.parametrize("error", FAULTS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("step", ["show", "set_brightness", "close"])
def test_a_driver_that_raises_whatever_it_likes_ends_no_game(tmp_path: Path, error: Exception, step: str) -> None:
    evening = Evening(tmp_path / "games.sqlite3")
    driver = Driver(error, {step})
    evening.service._keep.lights._lights = driver
    evening.start().new_game().hands("-c3 +c4")
    assert evening.plies == ["c3-c4"]
    if step != "close":
        assert evening.seen.fault.startswith("The lights do not work: ")
        driver.bad.clear()
        evening.wait(MOST_WAIT_US / 1000)
        assert evening.seen.fault == ""
        assert any(any(colour) for colour in driver.frames[-1])
    evening.stop()
    assert kept(tmp_path / "games.sqlite3", 1) == ("c3-c4",)


def test_lights_that_fail_are_tried_again_ever_more_rarely(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3")
    driver = Driver(OSError("gone"), {"show"})
    evening.service._keep.lights._lights = driver
    evening.start().order(NewGame(game=TIDES, seed=1))
    begun = driver.tried
    for _ in range(60):
        evening.wait(1000)
    assert 5 <= driver.tried - begun <= 60_000_000 // MOST_WAIT_US + MOST_WAIT_US // FIRST_WAIT_US
    evening.stop()


class Wire:
    """A strip that takes frames while it is plugged in."""

    def __init__(self) -> None:
        self.plugged, self.opened, self.closed = False, 0, 0
        self.frames: list[tuple[Colour, ...]] = []

    def open(self) -> Wire:
        if not self.plugged:
            raise LightsFailed("the lights on pin D18 cannot be used")
        self.opened += 1
        return self

    def write(self, frame: Sequence[Colour]) -> None:
        if not self.plugged:
            raise OSError("gone")
        self.frames.append(tuple(frame))

    def close(self) -> None:
        self.closed += 1


def test_a_strip_is_opened_when_it_can_be_and_again_after_it_failed() -> None:
    wire = Wire()
    lights = LimitedLights(ReopenedStrip(wire.open), 2, 4000, 100)
    red, blue = [(9, 0, 0), (9, 0, 0)], [(0, 0, 9), (0, 0, 9)]
    with pytest.raises(LightsFailed, match="D18"):
        lights.show(red)
    wire.plugged = True
    lights.show(red)
    wire.plugged = False
    with pytest.raises(OSError, match="gone"):
        lights.show(blue)
    wire.plugged = True
    lights.show(red)  # what it shows after the failure is not known: the same frame is sent again
    assert wire.frames == [tuple(red), tuple(red)]
    assert (wire.opened, wire.closed) == (2, 1)


def test_without_lights_or_pins_the_board_starts_says_so_and_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: Any) -> Any:
        raise LightsFailed("this machine has no pin 'D18' for the lights")

    monkeypatch.setattr(opened, "open_neopixels", none)
    with ExitStack() as held:
        journal = Journal(tmp_path / "games.sqlite3")
        rig = rigs.build(load("square144"), Settings(sensors="gpio", lights="neopixel"), journal, held)
        rig.start()
        held.callback(rig.stop)
        rig.service.submit(NewGame(game=TIDES))
        seen = rig.service.look()
        assert seen.fault == "The lights do not work: this machine has no pin 'D18' for the lights."
        assert "install rpi-lgpio" in seen.table.link
        assert seen.table.play is not None


def test_lights_on_a_sensor_board_that_is_none_are_told(tmp_path: Path) -> None:
    with ExitStack() as held:
        settings = Settings(sensors="simulated", lights="sensor_board")
        rig = rigs.build(load("square144"), settings, Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        held.callback(rig.stop)
        rig.service.submit(NewGame(game=TIDES))
        seen = rig.service.look()
        assert seen.fault == (
            "The lights do not work: lights on the sensor board need a sensor board: set sensors to serial."
        )
        assert seen.table.play is not None


def test_a_sensor_board_that_cannot_be_started_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: SimulatedBoard, emit: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(SimulatedBoard, "start", broken)
    with ExitStack() as held:
        rig = rigs.build(load("square144"), Settings(), Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        held.callback(rig.stop)
        rig.service.submit(NewGame(game=TIDES))
        assert rig.service.look().table.link.startswith("The sensor board cannot be started (")
    assert "the sensor board cannot be started" in caplog.messages


class Ailing(SerialBoard):
    """A sensor board on a line of which a test says how it is."""

    def start(self, emit: Emit) -> None:
        pass

    def stop(self) -> None:
        pass


def test_what_ails_the_line_to_the_sensor_board_is_shown_until_it_is_over(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "games.sqlite3")
    board = Ailing("/dev/nowhere", Wiring("square144", 0, {}), evening.clock)
    running = RunningBoard(evening.profile, evening.service, board, None)
    running.start()
    for told in ("Much of it gets lost.", ""):
        board._emit(evening.service.emit, Outcome(trouble=told))
        assert evening.settle().seen.fault == told
    running.stop()


def test_what_the_supply_of_the_sensor_board_offers_is_told_and_limits_the_lights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(tmp_path / "games.sqlite3", "field144")
    limits: list[int] = []
    monkeypatch.setattr(evening.lights, "set_max_milliamps", limits.append)
    board = Ailing("/dev/nowhere", Wiring("field144", 0, {}), evening.clock)
    running = RunningBoard(evening.profile, evening.service, board, None)
    running.start()
    assert (running.introduction, running.scans_per_s, running.too_weak) == ("", None, False)  # it has said nothing yet
    board.introduction = lambda: "Field of tiles."  # type: ignore[method-assign]
    board.status = lambda: SimpleNamespace(scans_per_s=200)  # type: ignore[method-assign,assignment,return-value]
    least, most = evening.profile.max_milliamps, evening.profile.strong_milliamps
    for strong in (False, True):
        running._supplied(strong)
        evening.settle()
        assert (running.scans_per_s, running.too_weak) == (200, not strong)
        assert running.introduction == (
            f"Field of tiles. Its supply offers 1.5 A or more: its lights get up to {most} mA."
            if strong
            else f"Field of tiles. Its supply offers less than 1.5 A: its lights get up to {least} mA, with a stronger "
            f"one up to {most} mA."
        )
    assert limits == [least, most]
    running.stop()
