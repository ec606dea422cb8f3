"""A service with its devices, started and stopped as one. Must not know how each was chosen."""

from __future__ import annotations

import logging

import msgspec

from controller.clock import clock_us
from controller.devices.interfaces import Emit, SensorBoard
from controller.devices.link.conversation import Debounce
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.virtual_hand import Hand
from controller.events import Link
from controller.sentences import say
from controller.service.loop import Service
from controller.service.preferences import live_settings_of
from controller.settings import Settings
from controller.tracker.watch import TrackerWatch
from hardware.profile import Profile

log = logging.getLogger(__name__)


class RunningBoard(msgspec.Struct, frozen=True):
    """A service with its devices. ``hand`` moves the pieces of a simulated or emulated board, None at a real one."""

    profile: Profile
    service: Service
    sensors: SensorBoard
    hand: Hand | None
    tracker: TrackerWatch | None = None

    def start(self, emit: Emit | None = None) -> None:
        """Begin to play; events of the sensors go by ``emit`` to the service, and to any other listener."""
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
        """Go on with other settings of those that the panel can change; raises `controller.refused.Refused`."""
        if isinstance(self.sensors, SerialBoard):
            self.sensors.set_debounce(Debounce(settings.press_ms, settings.release_ms))
        self.service.adjust(live_settings_of(settings, self.profile.max_milliamps))

    def stop(self) -> None:
        """Stop, with everything written."""
        if self.tracker is not None:
            self.tracker.stop()
        self.sensors.stop()
        self.service.stop()

