"""The running board: the devices that the settings name, made and joined to a service.

Nothing is probed and nothing falls through: for what is missing a sentence says why.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import date
from functools import partial
from pathlib import Path

from controller.app.simulated_boards import SimulatedBoards, empty_board
from controller.clock import clock_us
from controller.devices.interfaces import SensorBoard, SensorSwitch
from controller.devices.lights.limiter import LimitedLights, ReopenedStrip, Strip
from controller.devices.lights.opened import open_strip
from controller.devices.link.conversation import Debounce
from controller.devices.link.messages import WatchRound
from controller.devices.sensors.absent_board import AbsentBoard
from controller.devices.sensors.emulated_board import built
from controller.devices.sensors.gpio_board import GpioBoard, NoGpio, Pins, rpi_gpio
from controller.devices.sensors.paced_emulator import on_line
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.virtual_hand import VirtualHand
from controller.from_profile import table_board, wiring
from controller.journal.database import Journal
from controller.lessons.puzzle_of_day import PictureOfDay
from controller.sentences import say
from controller.service.loop import Service
from controller.service.preferences import live_settings_of, timing_of
from controller.service.running_board import RunningBoard
from controller.settings import Settings
from controller.table.state import Table
from controller.tracker.judgement import EVERY_MS, Judgement
from controller.tracker.watch import TrackerWatch
from hardware.profile import Profile
from hardware.tracker_circuit import circuit_of

Sensors = tuple[SensorBoard, SensorSwitch | None]  # with what moves its magnets, where a hand on the screen can


def build(
    profile: Profile, settings: Settings, journal: Journal, held: ExitStack, boards: SimulatedBoards | None = None
) -> RunningBoard:
    """Return the running board that ``settings`` ask for; what must be released at the end goes into ``held``.

    With ``boards`` it is simulated and becomes the one that each game wants.

    Raises `EmulatorFault`. Lights and pins that fail are reported on the panel, and play continues without them.
    """
    sensors, switch = SENSORS[settings.sensors](profile, settings, held)
    milliamps = profile.most_milliamps(settings.max_milliamps)
    lights = LimitedLights(_strip(profile, settings, sensors), profile.light_count, milliamps)
    table = Table(
        table_board(profile),
        timing_of(settings),
        link="the sensor board has not answered yet",
        by_taps=switch is not None,
        brightness=settings.brightness,
    )
    live_settings = live_settings_of(settings, milliamps)
    of_day = PictureOfDay(date.today)
    service = Service(table, journal, lights, profile.by_light(), clock_us, live_settings, boards=boards,
                      picture=of_day)  # fmt: skip
    tracker = _tracker(profile, sensors, service)
    running = RunningBoard(profile, service, sensors, VirtualHand(switch) if switch else None, tracker)
    running.of_day = of_day
    running.settings = settings
    if boards is not None:
        running.becomes_any, boards.running = True, running
    return running


def _strip(profile: Profile, settings: Settings, sensors: SensorBoard) -> Strip:
    """Return what shows frames. Lights that are missing now are retried, and the game continues without."""
    opened = partial(open_strip, settings.lights, settings.lights_pin, profile.light_count, sensors)
    return opened() if settings.lights == "simulated" else ReopenedStrip(opened)


def _tracker(profile: Profile, sensors: SensorBoard, service: Service) -> TrackerWatch | None:
    """Return the watch over the board's tracker, None where the board has none."""
    if profile.tracker == "none":
        return None
    if isinstance(sensors, GpioBoard):
        service.judged(
            Judgement("The Pi's own pins cannot read the tracker (a sensor board can), so costs are computed.")
        )
    if not isinstance(sensors, SerialBoard):
        return None
    circuit = circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})
    watch = TrackerWatch(circuit, lambda: service.look().table, service.judged, clock_us)
    sensors.track(WatchRound(EVERY_MS), watch.take)
    return watch


def _simulated(profile: Profile, settings: Settings, held: ExitStack) -> Sensors:
    board = empty_board(profile)
    return board, board


def _serial(profile: Profile, settings: Settings, held: ExitStack) -> Sensors:
    return SerialBoard(settings.serial_port, wiring(profile), clock_us, _debounce(settings)), None


def _gpio(profile: Profile, settings: Settings, held: ExitStack) -> Sensors:
    if profile.has_fields:
        told = say("{board} has no chain that the Pi's own pins could read: set sensors to serial.", board=profile.name)
        return AbsentBoard(clock_us, told), None
    if profile.poles:
        told = say("The Pi's own pins tell no poles, as {board} wants it: set sensors to serial.", board=profile.name)
        return AbsentBoard(clock_us, told), None
    pins = Pins(settings.gpio_data_pin, settings.gpio_clock_pin, settings.gpio_latch_pin)
    try:
        return GpioBoard(rpi_gpio(), profile.by_bit(), clock_us, pins=pins), None
    except NoGpio as missing:
        return AbsentBoard(clock_us, str(missing)), None


def _emulated(profile: Profile, settings: Settings, held: ExitStack) -> Sensors:
    line = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="beaconboard-"))) / "line"
    files = built(Path(settings.emulator_folder), profile.name, rp2040=profile.has_fields)
    emulator = held.enter_context(on_line(files, line, clock_us))
    if profile.has_tiles:
        emulator.feed_tiles()
    return SerialBoard(str(line), wiring(profile), clock_us, _debounce(settings)), emulator


def _debounce(settings: Settings) -> Debounce:
    return Debounce(settings.press_ms, settings.release_ms)


SENSORS: Mapping[str, Callable[[Profile, Settings, ExitStack], Sensors]] = {  # by their names in the settings
    "simulated": _simulated,
    "serial": _serial,
    "gpio": _gpio,
    "emulated": _emulated,
}
