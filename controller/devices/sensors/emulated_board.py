"""The emulator: the real firmware in an emulated microcontroller, with switches and faults to plant."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

RP2040 = Path(__file__).parents[3] / "firmware" / "emulator_rp2040" / "emulator.js"
PATIENCE_S = 30.0  # for a reply; a long run in lock-step takes real time too
CC_OF_3_A_MV = 1680  # at the CC pin (USB Type-C)


class EmulatorFault(Exception):
    """The emulator cannot be started, or stopped by itself; the text says why, or what to install or to run."""


class EmulatorFiles(msgspec.Struct, frozen=True):
    """What the emulator needs: its program, the firmware and the list of sites, all made by ``make``."""

    program: Path
    firmware: Path
    sites: Path

    @property
    def in_lock_step(self) -> bool:
        """Whether its program knows no other time than `Emulator.run` lets pass."""
        return self.program == RP2040


def built(folder: Path, board: str, *, rp2040: bool = False) -> EmulatorFiles:
    """Return the files for ``board`` in the firmware's build folder. Raises `EmulatorFault` where one is missing."""
    if rp2040:
        return _built_rp2040(folder, board)
    files = EmulatorFiles(folder / "emulator", folder / board / "sensor.elf", folder / board / "sites.txt")
    missing = next((path for path in (files.program, files.firmware, files.sites) if not path.exists()), None)
    if missing is not None:
        raise EmulatorFault(
            f"{missing} is not built: apt install gcc-avr avr-libc libsimavr-dev libelf-dev, "
            f"then make -C firmware emulator firmware BOARD={board}"
        )
    return files


def _built_rp2040(folder: Path, board: str) -> EmulatorFiles:
    files = EmulatorFiles(RP2040, folder / board / "sensor.uf2", folder / board / "sites.txt")
    missing = next((path for path in (files.program, files.firmware, files.sites) if not path.exists()), None)
    if missing is not None:
        raise EmulatorFault(f"{missing} is not built: make emulator BOARD={board}, in a copy of the repository")
    if shutil.which("node") is None:
        raise EmulatorFault(f"the emulated RP2040 of {board} needs node: apt install nodejs npm")
    return files


class Emulator:
    """A running emulator. With ``line`` real time passes and the serial line is a terminal of that name; without, time
    passes only by `run` and the line's bytes go through `run` and `send`. The emulator ends when this side is gone.

    It is a `controller.devices.interfaces.SensorSwitch`. All methods raise `EmulatorFault`.
    """

    def __init__(self, files: EmulatorFiles, line: Path | None = None) -> None:
        """Power the board on. Raises `EmulatorFault` where the program cannot be run."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [str(files.program), str(files.firmware), str(files.sites), str(theirs.fileno())]
            try:
                self._process = subprocess.Popen(
                    [*command, *([str(line)] if line else [])], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
                )
            except OSError as error:
                ours.close()
                advice = "run make -C firmware emulator"
                raise EmulatorFault(f"{files.program} cannot be run ({error.strerror}); {advice}") from error
        ours.settimeout(PATIENCE_S)
        self._socket = ours
        self._replies = ours.makefile("r", encoding="ascii")
        self.line = line
        self.now_us = 0  # of the board's world, as the last `run` left it
        self._reply("start")
        self._sites = _sites(files.sites)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the emulator. May be called twice."""
        self._replies.close()
        self._socket.close()
        self._process.wait(PATIENCE_S)

    # ---- switches and faults

    def set_sensor(self, site: str, on: bool, pole: int = 0) -> None:
        """Put a magnet over ``site``, or take it away; these sensors do not sense poles. Raises KeyError."""
        self.ask(f"set {self._known(site)} {_word(on)}")

    def bounce(self, site: str, on: bool, count: int, period_us: int) -> None:
        """Like `set_sensor`, but the contact opens and closes ``count`` times first, each half ``period_us`` long."""
        self.ask(f"bounce {self._known(site)} {_word(on)} {count} {period_us}")

    def stick(self, site: str, on: bool | None) -> None:
        """Make a sensor stick, whatever is over it; None frees it."""
        self.ask(f"stick {self._known(site)} {'free' if on is None else _word(on)}")

    def cut(self, after_register: int | None, high: bool = True) -> None:
        """Cut the chain's data after so many registers; what lies beyond reads as that level. None mends it."""
        self.ask("cut free" if after_register is None else f"cut {after_register} {'high' if high else 'low'}")

    def plug_tile(self, number: int, on: bool) -> None:
        """Pull out the cable of a tile, counted from 0, or plug it in."""
        self.ask(f"tile {number} {_word(on)}")

    def feed_tiles(self) -> None:
        """Have the supply of tiles offer 3 A, as they want it."""
        self.ask(f"cc {CC_OF_3_A_MV}")

    def restart(self) -> None:
        """Pull the reset pin."""
        self.ask("restart")

    def hang(self) -> None:
        """Make the firmware wait for ever for its SPI, as a fault in silicon would; only a reset ends it."""
        self.ask("hang")

    def unplug(self) -> None:
        """Take the power away, and with it the serial line."""
        self.ask("unplug")

    def plug(self) -> None:
        """Give the power back."""
        self.ask("plug")

    def stats(self) -> dict[str, int]:
        """Return ``now_us``, ``untouched_ram`` (bytes never written since the power came on), ``overruns`` (bytes that
        came faster than the firmware took them) and ``lamp`` (1 while it shines).
        """
        return {name: int(value) for name, _, value in (part.partition("=") for part in self.ask("stats").split())}

    # ---- lock-step

    def run(self, us: int) -> bytes:
        """Let ``us`` microseconds pass; return the bytes that the board finished sending in them."""
        now_us, _, sent = self.ask(f"run {us}").partition(" ")
        self.now_us = int(now_us)
        return bytes.fromhex(sent)

    def send(self, data: bytes) -> None:
        """Give bytes to the board's serial line; they arrive one after the other from now on."""
        if data:
            self.ask(f"uart {data.hex()}")

    def ask(self, command: str) -> str:
        """Send a command line; return what the reply says after ``ok``."""
        try:
            self._socket.sendall(f"{command}\n".encode("ascii"))
        except OSError as error:
            raise EmulatorFault(f"the emulator is gone ({error.strerror})") from error
        return self._reply(command)

    def _reply(self, command: str) -> str:
        try:
            reply = self._replies.readline()
        except OSError as error:
            raise EmulatorFault(f"the emulator does not answer '{command}' ({error})") from error
        word, _, rest = reply.rstrip("\n").partition(" ")
        if word != "ok":
            raise EmulatorFault(f"emulator, '{command}': {rest or 'it ended'}")
        return rest

    def _known(self, site: str) -> str:
        if site not in self._sites:
            raise KeyError(site)
        return site


def _word(on: bool) -> str:
    return "on" if on else "off"


def _sites(path: Path) -> frozenset[str]:
    return frozenset(line.split()[0] for line in path.read_text(encoding="utf-8").splitlines()[1:])
