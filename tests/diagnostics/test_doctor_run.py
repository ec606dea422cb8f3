"""The doctor's run from the settings to what is written: which devices it opens, and what it leaves behind."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import SimulatedStrip, milliamps
from controller.devices.sensors.gpio_board import Pins
from controller.diagnostics import doctor as module
from controller.diagnostics.doctor import EXAMINED, ExaminationDevices, doctor, examine, health
from controller.diagnostics.examination import EnteredLine
from controller.diagnostics.findings import Health
from controller.diagnostics.planted_faults import world
from controller.settings import Settings
from hardware.profile import Profile, load
from tests.diagnostics.test_doctor import played

SMALL = load("first36")
WHITE = (255, 255, 255)


@pytest.fixture
def soldered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return how the board at the serial port is made to be soldered."""

    def so(*faults: str) -> None:
        def opened(board: Profile, *_: object) -> ExaminationDevices:
            return played(board, *faults)

        monkeypatch.setattr(module, "EXAMINED", {"serial": opened})

    return so


def examined(copy: Path) -> tuple[bool, list[str]]:
    said: list[str] = []
    well = doctor(Settings(board="first36", sensors="serial"), (), copy, said.append, lambda: "")
    return well, said


def test_of_a_board_that_is_right_nothing_is_written(soldered: Callable[..., None], tmp_path: Path) -> None:
    soldered()
    well, said = examined(tmp_path / "learned" / "first36.toml")
    assert well
    assert said[-1] == "Everything that was tried is in order."
    assert list(tmp_path.iterdir()) == []


def test_a_chain_that_is_otherwise_is_written_down_and_has_to_be_flashed(
    soldered: Callable[..., None], tmp_path: Path
) -> None:
    soldered("swap a1 b1")
    copy = tmp_path / "learned" / "first36.toml"
    well, said = examined(copy)
    assert not well
    assert load(str(copy)).by_bit() == world(SMALL, ["swap a1 b1"]).chain
    assert said[-1] == (
        f"The board's actual wiring was written to {copy}: play with --board {copy}, after make flash BOARD={copy}."
    )


def test_lights_that_are_otherwise_need_no_flashing(soldered: Callable[..., None], tmp_path: Path) -> None:
    soldered("lights reversed")
    copy = tmp_path / "first36.toml"
    _, said = examined(copy)
    assert load(str(copy)).by_light() == tuple(reversed(SMALL.by_light()))
    assert said[-1] == f"The board's actual wiring was written to {copy}: play with --board {copy}."


def test_a_dead_sensor_is_told_and_makes_no_other_board(soldered: Callable[..., None], tmp_path: Path) -> None:
    soldered("dead b5")
    well, said = examined(tmp_path / "first36.toml")
    assert not well
    assert "The sensor of b5 never responds." in said[-1]
    assert list(tmp_path.iterdir()) == []


# ---- who answers


def test_what_somebody_enters_is_heard_whatever_its_letters_until_there_is_no_more() -> None:
    given, heard = iter([" \n", "STOP\n", " A1 \n"]), list[object]()

    def lines() -> str:
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    module._listen(lines, heard.append)
    assert heard == [EnteredLine(""), EnteredLine("stop"), EnteredLine("a1")]


def test_all_lights_of_the_strip_are_put_out_and_the_board_is_let_go_when_it_is_over() -> None:
    frames: list[Sequence[Colour]] = []
    clinic = played(SMALL)
    stopped, said = list[bool](), list[str]()
    own = clinic.lights
    assert own is not None

    def show(frame: Sequence[Colour]) -> None:
        frames.append(frame)
        own.show(frame)

    lights: Any = SimpleNamespace(show=show, close=lambda: stopped.append(True))
    devices = (clinic.sensors, lights, clinic.health, clinic.clock, clinic.person)
    examine(ExaminationDevices(SMALL, *devices, 0.0), said.append)
    assert frames[-2] == [WHITE] * 36  # as bright as can be
    assert frames[-1] == [(0, 0, 0)] * 36
    assert stopped == [True]


# ---- which devices


@pytest.fixture
def strips(monkeypatch: pytest.MonkeyPatch) -> list[SimulatedStrip]:
    """The strips that are opened."""
    opened: list[SimulatedStrip] = []

    def open_strip(lights: str, pin: str, count: int, sensors: object) -> SimulatedStrip:
        assert (lights, pin, count) == ("neopixel", "D21", 36)
        opened.append(SimulatedStrip(keep=1))
        return opened[-1]

    monkeypatch.setattr(module, "open_strip", open_strip)
    return opened


@pytest.mark.parametrize(("most", "allowed"), [(0, SMALL.max_milliamps), (300, 300)])
def test_lights_are_as_bright_as_the_board_or_the_settings_allow(
    strips: list[SimulatedStrip], most: int, allowed: int
) -> None:
    settings = Settings(sensors="serial", lights="neopixel", lights_pin="D21", max_milliamps=most)
    with ExitStack() as held:
        clinic = EXAMINED["serial"](SMALL, settings, (), held)
    assert clinic.lights is not None
    clinic.lights.show([WHITE] * 36)
    drawn = milliamps(strips[0].frames[-1])
    assert allowed * 0.9 < drawn <= allowed
    assert clinic.person is None


def test_nobody_is_asked_for_lights_that_are_not_there(strips: list[SimulatedStrip]) -> None:
    with ExitStack() as held:
        assert EXAMINED["serial"](SMALL, Settings(lights="simulated"), (), held).lights is None
    assert strips == []


def test_pixels_on_the_sensor_board_are_looked_at_whatever_the_settings_say() -> None:
    with ExitStack() as held:
        clinic = EXAMINED["serial"](load("cell36"), Settings(lights="simulated"), (), held)
    assert clinic.lights is not None


def test_the_pis_own_pins_are_those_of_the_settings(
    monkeypatch: pytest.MonkeyPatch, strips: list[SimulatedStrip]
) -> None:
    opened: list[tuple[Any, ...]] = []

    def gpio_board(gpio: object, sites: object, clock: object, *, pins: Pins) -> object:
        opened.append((gpio, sites, pins))
        return "the board"

    monkeypatch.setattr(module, "rpi_gpio", lambda: "gpio")
    monkeypatch.setattr(module, "GpioBoard", gpio_board)
    settings = Settings(sensors="gpio", gpio_data_pin=5, gpio_clock_pin=6, gpio_latch_pin=7)
    with ExitStack() as held:
        clinic = EXAMINED["gpio"](SMALL, settings, (), held)
    assert opened == [("gpio", SMALL.by_bit(), Pins(data=5, clock=6, latch=7))]
    assert str(clinic.sensors) == "the board"
    assert clinic.health() is None


def test_what_the_sensor_board_says_of_itself_and_the_pi_of_its_supply() -> None:
    status = SimpleNamespace(scans_per_s=998, scans_missed=1, bad_frames=2, bytes_lost=3, changes_lost=4, flags=0)
    board: Any = SimpleNamespace(status=lambda: status, introduction=lambda: "It is this one.")
    assert health(board, True) == Health(998, 1, 2, 3, 4, True, "It is this one.", strong=False)
    status.flags = 128
    assert health(board, True) == Health(998, 1, 2, 3, 4, True, "It is this one.")
    silent: Any = SimpleNamespace(status=lambda: None)
    assert health(silent, True) is None


def test_a_played_hand_waits_for_the_time_of_the_emulated_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the clock of this machine says: a busy one lets the emulator wait."""
    now_us, looks = [5_000_000], [0]

    def sleeps(_: float) -> None:
        now_us[0] += 5000
        looks[0] += 1

    monkeypatch.setattr(time, "sleep", sleeps)
    emulator: Any = SimpleNamespace(stats=lambda: {"now_us": now_us[0]})
    module._pause(emulator)
    assert looks == [3]  # 12 ms, in steps of 5
