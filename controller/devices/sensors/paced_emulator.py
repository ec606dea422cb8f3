"""The emulated RP2040 in real time: its emulator knows only lock-step, and Node no pseudo-terminals. Both are here."""

from __future__ import annotations

import logging
import os
import pty
import threading
import tty
from pathlib import Path

from controller.devices.interfaces import Clock
from controller.devices.sensors.emulated_board import Emulator, EmulatorFault, EmulatorFiles

STEP_S = 0.001  # between two looks at the line, which is what a frame of USB takes
RUN_MOST_US = 20_000  # at a time: a magnet or a byte waits no longer for its turn
LATE_MOST_US = 100_000  # what a computer that is too slow owes beyond this is forgiven: then the board's time is slower
LINE_BYTES = 4096
MAGNET_MT = 7.3  # a disc of 8 × 3 mm in its place (docs/build/field.md); above 0 a south pole faces down

log = logging.getLogger(__name__)


def on_line(files: EmulatorFiles, line: Path, clock: Clock) -> Emulator:
    """Return an emulator in the time of ``clock``, with its serial line named ``line``. Raises `EmulatorFault`."""
    return PacedEmulator(files, line, clock) if files.in_lock_step else Emulator(files, line)


class PacedEmulator(Emulator):
    """A running emulator that knows only lock-step, led by the clock. All methods may be called from any thread."""

    def __init__(self, files: EmulatorFiles, line: Path, clock: Clock) -> None:
        """Power the board on, with its serial line under the name ``line``. Raises `EmulatorFault`."""
        self._lock = threading.Lock()
        super().__init__(files)
        self.line = line
        self._master, theirs = pty.openpty()
        os.set_blocking(self._master, False)
        tty.setraw(theirs)
        line.symlink_to(os.ttyname(theirs))
        os.close(theirs)  # so that it is seen whether somebody else has it open
        self._is_open = True  # as the emulator takes it to be
        self._clock = clock
        self._began_us = clock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="paced-emulator", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the emulator, and take the line away. May be called twice."""
        if not self._ended.is_set():
            self._ended.set()
            self._thread.join()
            os.close(self._master)
            if self.line is not None:
                self.line.unlink(missing_ok=True)
        super().close()

    def ask(self, command: str) -> str:
        """Send a command line; return what the reply says after ``ok``."""
        with self._lock:
            return super().ask(command)

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Put a magnet over ``site``, south down where no pole is said, or take it away. Raises KeyError."""
        if on:
            self.ask(f"field {self._known(site)} {-MAGNET_MT if pole > 0 else MAGNET_MT}")
        super().set_sensor(site, on)

    # ---- the thread

    def _run(self) -> None:
        try:
            while not self._ended.wait(STEP_S):
                self._pass_time()
        except EmulatorFault as fault:  # whoever listens finds a board that says nothing any more
            log.error("the emulated board has stopped: %s", fault)

    def _pass_time(self) -> None:
        heard = self._heard()
        if (heard is not None) != self._is_open:
            self._is_open = heard is not None
            self.ask(f"line {'on' if self._is_open else 'off'}")
        self.send(heard or b"")
        late_us = self._clock() - self._began_us - self.now_us
        self._began_us += max(0, late_us - LATE_MOST_US)
        sent = self.run(min(late_us, RUN_MOST_US)) if late_us > 0 else b""
        if self._is_open and sent:
            os.write(self._master, sent)

    def _heard(self) -> bytes | None:
        """Return what came by the line, None while nobody has it open."""
        try:
            return os.read(self._master, LINE_BYTES)
        except BlockingIOError:
            return b""
        except OSError:  # what a terminal says whose other end is closed
            return None
