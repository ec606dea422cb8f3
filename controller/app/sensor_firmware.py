"""The firmware of the sensor board, as the page of updates has it: whether it fits, and how it is written.

Where a new version of the service wants another one, it is written by itself, once: nobody can play before.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from controller.devices.link.greeting import Fit
from controller.devices.sensors.serial_board import SerialBoard
from controller.refused import Refused
from controller.sentences import say, together
from controller.service.running_board import RunningBoard
from hardware.firmware_images import CannotFlash

log = logging.getLogger(__name__)

LOOK_S = 2.0
TOLD = {
    Fit.UNKNOWN: say("The sensor board has not answered."),
    Fit.FITS: say("The sensor board's firmware fits this version."),
    Fit.OLDER: say("The sensor board's firmware is older than this version's: the board plays, but lacks what is new."),
    Fit.OTHER_VERSION: say("The sensor board's firmware is of another version."),
    Fit.OTHER_BOARD: say("The sensor board's firmware is for another board."),
}

Port = Callable[[], str]  # finds the board's port; raises OSError where there is none
Write = Callable[[Port], None]  # the firmware to the board at a port; raises `CannotFlash`, and OSError as that does


class SensorFirmware:
    """A `web_panel.pages.updates_page.FirmwareAccess`: ``writer`` finds what writes, or raises `CannotFlash`."""

    def __init__(self, board: RunningBoard, sensors: SerialBoard, writer: Callable[[], Write], port: Port) -> None:
        self._board, self._sensors, self._writer, self._port = board, sensors, writer, port
        self._closing = threading.Event()
        self._begins = threading.Lock()  # while it is decided whether to write: several may ask at once
        self._writing: threading.Thread | None = None
        self._failed = ""
        self._tried = False  # by itself, since the service began

    def start(self) -> None:
        """Begin to see to it that the firmware is that of this version."""
        threading.Thread(target=self._watch, name="firmware", daemon=True).start()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        """Write the firmware where the board has another version, unless that was tried already."""
        if self._tried or self._sensors.firmware() is not Fit.OTHER_VERSION:
            return
        self._tried = True
        try:
            self.write()
        except Refused as refused:
            log.warning("the firmware of the sensor board is not written: %s", refused)

    def report(self) -> dict[str, Any]:
        """Return how it stands, in a sentence, whether it can be written, and whether it is being written."""
        if self._is_writing:
            return {"told": _writes(), "can": False, "writes": True}
        fit = self._sensors.firmware()
        told = TOLD[fit] if fit is Fit.FITS else self._failed or TOLD[fit]
        told = together(told, self._sensors.introduction())
        try:
            self._writer()
        except CannotFlash as cannot:
            return {"told": together(told, str(cannot)), "can": False, "writes": False}
        if fit is Fit.OLDER:
            told = together(told, say("Write this version's when nobody plays."))
        return {"told": told, "can": True, "writes": False}

    def write(self) -> None:
        """Begin to write the firmware of this version; raises `Refused`."""
        with self._begins:
            self._begin()

    def _begin(self) -> None:
        if self._closing.is_set():
            return  # the board is about to be let go of
        if self._is_writing:
            raise Refused(_writes())
        table = self._board.service.look().table
        if table.phase in ("play", "fix") and not table.link:
            raise Refused(say("A game is being played: pause or end it first, then write the firmware."))
        try:
            write = self._writer()
        except CannotFlash as cannot:
            raise Refused(str(cannot)) from cannot
        self._failed = ""
        self._writing = threading.Thread(target=self._write, args=(write,), name="firmware-writing")
        self._writing.start()

    def _write(self, write: Write) -> None:
        def work() -> None:
            try:
                write(self._port)
            except CannotFlash as cannot:
                self._failed = str(cannot)
            except OSError:
                self._failed = say("The sensor board is not plugged in: connect it to a USB port of the Pi.")

        self._board.without_sensors(_writes(), work)

    @property
    def _is_writing(self) -> bool:
        return self._writing is not None and self._writing.is_alive()

    def close(self) -> None:
        """Let what is being written be written: a board that has half of it does nothing."""
        with self._begins:
            self._closing.set()
        if self._writing is not None:
            self._writing.join()


def _writes() -> str:
    return say("The sensor board's firmware is being written: it answers again in about half a minute.")
