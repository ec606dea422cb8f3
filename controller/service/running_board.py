"""A service with its devices, started and stopped as one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from functools import partial

import msgspec

from controller.clock import clock_us
from controller.devices.interfaces import Emit, SensorBoard
from controller.devices.link.conversation import Debounce
from controller.devices.sensors.serial_board import SerialBoard
from controller.devices.sensors.virtual_hand import Hand
from controller.events import Link
from controller.lessons.puzzle_of_day import PictureOfDay
from controller.sentences import say, together
from controller.service.loop import Service
from controller.service.phone_sites import PhoneSites
from controller.service.preferences import live_settings_of
from controller.service.thinking.board_player import BoardPlayer
from controller.service.thinking.guide import Guide
from controller.service.thinking.process import Thinking
from controller.service.thinking.shared import SharedThinker
from controller.settings import Settings
from controller.tracker.watch import TrackerWatch
from hardware.profile import Profile

log = logging.getLogger(__name__)


class RunningBoard(msgspec.Struct):
    """A service with its devices. ``hand`` moves the pieces of a simulated or emulated board, None at a real one.

    Profile, sensors and hand are others once it has `become` another board; ``followers`` are told of that.
    ``strong`` says whether it reads that its supply offers 1.5 A or more.
    ``becomes_any`` says whether it may. ``of_day`` is the puzzle that it draws while nobody plays.
    What is to be done with the last game before anything moves is called ``before_sensors``.
    """

    profile: Profile
    service: Service
    sensors: SensorBoard
    hand: Hand | None
    tracker: TrackerWatch | None = None
    becomes_any: bool = False
    followers: list[Callable[[Profile], None]] = msgspec.field(default_factory=list)
    before_sensors: list[Callable[[], None]] = msgspec.field(default_factory=list)
    emit: Emit | None = None
    settings: Settings = Settings()
    strong: bool = False
    of_day: PictureOfDay | None = None

    def start(self, emit: Emit | None = None) -> None:
        """Begin to play; events of the sensors go by ``emit`` to the service, and to any other listener."""
        self.service.start()  # with the last game, and so perhaps on another board
        thinker = SharedThinker(Thinking())
        guide = Guide(self.service, thinker.part())
        BoardPlayer(self.service, thinker.part(), guide=guide, thinks_ahead=lambda: self.settings.think_ahead).start()
        for do in self.before_sensors:
            do()
        self.emit = emit or self.service.emit
        if self.profile.on_phones and self.hand is None:
            self._follow_phones(PhoneSites((site.name for site in self.profile.on_phones), self.emit, clock_us))
        if isinstance(self.sensors, SerialBoard):
            self.sensors.on_trouble(partial(self.service.report, "link"))
            self.sensors.on_supply(self._supplied)
        try:
            self.sensors.start(self.emit)
        except Exception as error:  # whatever a driver raises: the panel plays without it
            log.exception("the sensor board cannot be started")
            told = say("The sensor board cannot be started ({error}).", error=str(error))
            self.service.emit(Link(clock_us(), up=False, sentence=told))
        if self.tracker is not None:
            self.tracker.start()

    def _supplied(self, strong: bool) -> None:
        self.strong = strong
        self.service.limit_lights(self.profile.most_milliamps(self.settings.max_milliamps, strong=strong))

    def _follow_phones(self, sites: PhoneSites) -> None:
        """Have sites without sensors among what these say, until the service ends."""
        self.emit = sites.heard

        def run() -> None:
            for frame in self.service.watch():
                if frame is not None:
                    sites.follow(frame.table)

        threading.Thread(target=run, name="phone-sites", daemon=True).start()

    @property
    def scans_per_s(self) -> int | None:
        """How often the sensor board reads its sensors, None where it does not say."""
        status = self.sensors.status() if isinstance(self.sensors, SerialBoard) else None
        return status.scans_per_s if status else None

    @property
    def introduction(self) -> str:
        """Which sensor board is plugged in, its firmware and supply; "" where there is none that says so."""
        told = self.sensors.introduction() if isinstance(self.sensors, SerialBoard) else ""
        return together(told, _supply_told(self.profile, strong=self.strong)) if told else ""

    @property
    def too_weak(self) -> bool:
        """Whether tiles have a supply that offers too little for them."""
        answered = isinstance(self.sensors, SerialBoard) and self.sensors.status() is not None
        return answered and self.profile.has_tiles and not self.strong

    def become(self, profile: Profile, sensors: SensorBoard, hand: Hand, forget: Callable[[], None]) -> None:
        """Go on with other devices; ``forget`` is called once the old ones are silent."""
        self.sensors.stop()
        forget()
        self.profile, self.sensors, self.hand = profile, sensors, hand
        for follow in self.followers:
            follow(profile)
        if self.emit is not None:
            sensors.start(self.emit)

    def without_sensors(self, told: str, work: Callable[[], None]) -> None:
        """Do ``work`` while nobody here uses the sensor board's port; the link is down for that, as is ``told``."""
        assert self.emit is not None  # it has started
        self.sensors.stop()
        self.emit(Link(clock_us(), up=False, sentence=told))
        try:
            work()
        finally:
            self.sensors.start(self.emit)

    def adjust(self, settings: Settings) -> None:
        """Go on with other settings of those that the panel can change; raises `controller.refused.Refused`."""
        if isinstance(self.sensors, SerialBoard):
            self.sensors.set_debounce(Debounce(settings.press_ms, settings.release_ms))
        self.settings = settings
        milliamps = self.profile.most_milliamps(settings.max_milliamps, strong=self.strong)
        self.service.adjust(live_settings_of(settings, milliamps))

    def stop(self) -> None:
        """Stop, with everything written."""
        if self.tracker is not None:
            self.tracker.stop()
        self.sensors.stop()
        self.service.stop()


def _supply_told(profile: Profile, *, strong: bool) -> str:
    """Return what the supply offers and its lights get, "" of a board that cannot read it."""
    if not profile.strong_milliamps:
        return ""
    if strong:
        return say("Its supply offers 1.5 A or more: its lights get up to {most} mA.", most=profile.strong_milliamps)
    return say(
        "Its supply offers less than 1.5 A: its lights get up to {least} mA, with a stronger one up to {most} mA.",
        least=profile.max_milliamps,
        most=profile.strong_milliamps,
    )
