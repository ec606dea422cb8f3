"""The rig: the devices that the settings name, made and joined to a service.

Owns the choice of backends, each by its name. Nothing is probed and nothing falls through: of what cannot be had a
sentence says why. Must not know rules.
"""

from __future__ import annotations

import logging
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import msgspec

from controller.boards import table_board
from controller.devices.absent_board import AbsentBoard
from controller.devices.bench_board import Bench, built
from controller.devices.gpio_board import GpioBoard, NoGpio, Pins, rpi_gpio
from controller.devices.hand import Hand
from controller.devices.lights import LimitedLights, ReopenedStrip, SimulatedStrip, Strip
from controller.devices.messages import WatchRound
from controller.devices.neopixel_lights import open_neopixels
from controller.devices.ports import Emit, SensorBoard, SensorSwitch
from controller.devices.serial_board import SerialBoard
from controller.devices.serial_check import Wiring
from controller.devices.serial_protocol import Debounce
from controller.devices.simulated_board import SimulatedBoard
from controller.events import Link
from controller.journal import Journal
from controller.preferences import manner_of, timing_of
from controller.sentences import say
from controller.service import Service
from controller.settings import Settings
from controller.table.state import Table
from controller.tracker import EVERY_MS, Judgement
from controller.tracker_watch import TrackerWatch
from hardware.firmware_table import table_hash
from hardware.profile import Profile
from hardware.tracker_circuit import circuit_of

log = logging.getLogger(__name__)


def clock_us() -> int:
    """Return the time of the service: microseconds, never backwards."""
    return time.monotonic_ns() // 1000


class Rig(msgspec.Struct, frozen=True):
    """A service with its devices. ``hand`` moves the pieces of a simulated or emulated board, None at a real one."""

    profile: Profile
    service: Service
    sensors: SensorBoard
    hand: Hand | None
    tracker: TrackerWatch | None = None

    def start(self, emit: Emit | None = None) -> None:
        """Begin to play; events of the sensors go by ``emit`` to the service, where somebody else hears them too."""
        self.service.start()
        try:
            self.sensors.start(emit or self.service.emit)
        except Exception as error:  # whatever a driver raises: the panel plays without it
            log.exception("the sensor board cannot be started")
            told = say("The sensor board cannot be started ({error}).", error=str(error))
            self.service.emit(Link(clock_us(), up=False, sentence=told))
        if self.tracker is not None:
            self.tracker.start()

    def adjust(self, settings: Settings) -> None:
        """Go on with other settings of those that the panel can change; raises `controller.service.Refused`."""
        if isinstance(self.sensors, SerialBoard):
            self.sensors.set_debounce(Debounce(settings.press_ms, settings.release_ms))
        self.service.adjust(manner_of(settings, self.profile.max_milliamps))

    def stop(self) -> None:
        """Stop, with everything written."""
        if self.tracker is not None:
            self.tracker.stop()
        self.sensors.stop()
        self.service.stop()


def wiring(profile: Profile) -> Wiring:
    """Return what a sensor board for ``profile`` must say of itself."""
    sites = {bit: site for bit, site in enumerate(profile.by_bit()) if site is not None}
    return Wiring(profile.name, table_hash(profile), sites)


def build(profile: Profile, settings: Settings, journal: Journal, held: ExitStack) -> Rig:
    """Return the rig that ``settings`` ask for; what must be let go of at the end is entered into ``held``.

    Raises `BenchMissing`. Lights and pins that fail are told on the panel, and play goes on without them.
    """
    sensors, switch = _sensors(profile, settings, held)
    strip: Strip = SimulatedStrip(keep=1)
    if settings.lights == "neopixel":  # that cannot be had now are tried again, and the game goes on without
        strip = ReopenedStrip(lambda: open_neopixels(settings.lights_pin, profile.light_count))
    lights = LimitedLights(strip, profile.light_count, settings.max_milliamps or profile.max_milliamps)
    table = Table(
        table_board(profile),
        timing_of(settings),
        link="the sensor board has not answered yet",
        brightness=settings.brightness,
    )
    manner = manner_of(settings, profile.max_milliamps)
    service = Service(table, journal, lights, profile.by_light(), clock_us, manner)
    tracker = _tracker(profile, sensors, service)
    return Rig(profile, service, sensors, Hand(switch) if switch else None, tracker)


def _tracker(profile: Profile, sensors: SensorBoard, service: Service) -> TrackerWatch | None:
    """Return the watch over the board's tracker, None where the board has none."""
    if profile.tracker == "none":
        return None
    if isinstance(sensors, GpioBoard):
        service.judged(Judgement("The Pi's own pins cannot read the tracker, a sensor board can; costs are computed."))
    if not isinstance(sensors, SerialBoard):
        return None
    circuit = circuit_of(profile.cells, {site.name: site.bit for site in profile.sites})
    watch = TrackerWatch(circuit, lambda: service.look().table, service.judged, clock_us)
    sensors.track(WatchRound(EVERY_MS), watch.take)
    return watch


def _sensors(profile: Profile, settings: Settings, held: ExitStack) -> tuple[SensorBoard, SensorSwitch | None]:
    debounce = Debounce(settings.press_ms, settings.release_ms)
    if settings.sensors == "serial":
        return SerialBoard(settings.serial_port, wiring(profile), clock_us, debounce), None
    if settings.sensors == "gpio":
        pins = Pins(settings.gpio_data_pin, settings.gpio_clock_pin, settings.gpio_latch_pin)
        try:
            return GpioBoard(rpi_gpio(), profile.by_bit(), clock_us, pins=pins), None
        except NoGpio as missing:
            return AbsentBoard(clock_us, str(missing)), None
    if settings.sensors == "bench":
        line = Path(held.enter_context(tempfile.TemporaryDirectory(prefix="beaconboard-"))) / "line"
        bench = held.enter_context(Bench(built(Path(settings.bench_folder), profile.name), line))
        return SerialBoard(str(line), wiring(profile), clock_us, debounce), bench
    simulated = SimulatedBoard((site.name for site in profile.sites), clock_us, hall=profile.sensor == "hall")
    return simulated, simulated
