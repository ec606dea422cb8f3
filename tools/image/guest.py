"""The image's machine in QEMU: another board than a Pi, with the same processor, started from the card's own files.

Owns the process, the shell on its serial line and the way to the panel. The shell is systemd's own for finding faults;
the kernel's command line asks for it, so nothing of the card is changed.
"""

from __future__ import annotations

import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from tools.image.partitions import SECTOR_BYTES
from tools.image.running import NotMade, run

MEMORY_MB = 1024  # a Pi 3 has no more
WAIT_S = 900.0  # an emulated start is slow, and this machine may be busy
SHELL = (
    "console=ttyAMA0 loglevel=3 systemd.show_status=no systemd.debug_shell systemd.default_debug_tty=ttyAMA0"
    " systemd.mask=serial-getty@ttyAMA0.service"
)


class NotAsItShould(Exception):
    """Something about the image is wrong; the text says what."""


class StartFiles:
    """What the Pi's firmware would start: kernel, initial file system and command line, taken from the card itself."""

    def __init__(self, card: Path, folder: Path) -> None:
        start = int(run(["sfdisk", "--dump", str(card)]).partition("start=")[2].partition(",")[0]) * SECTOR_BYTES
        self._fat = f"{card}@@{start}"
        config = self._text("config.txt").splitlines()
        self.kernel = self._out(next(line.partition("=")[2] for line in config if line.startswith("kernel=")), folder)
        self.initrd = self._out(next(line.split()[1] for line in config if line.startswith("initramfs ")), folder)
        self.command_line = self._text("cmdline.txt").strip()

    def _text(self, name: str) -> str:
        return run(["mtype", "-i", self._fat, f"::{name}"])

    def _out(self, name: str, folder: Path) -> Path:
        run(["mcopy", "-n", "-i", self._fat, f"::{name}", str(folder / name)])
        return folder / name


class Guest:
    """The machine as it runs; `kill` is what a power cut is."""

    def __init__(self, card: Path, files: StartFiles, folder: Path, clock: str, usb: Path) -> None:
        """Begin its start with the ``card``, and what is on the line ``usb`` at its USB, at ``clock`` of its own."""
        self._line = folder / "serial"
        self._line.unlink(missing_ok=True)
        self.port = _free_port()
        self.began = time.monotonic()
        machine = f"-machine virt -cpu cortex-a72 -accel tcg,thread=multi -smp 2 -m {MEMORY_MB} -rtc base={clock}"
        drive = f"file={card},format=raw,if=virtio,cache=writeback"
        network = f"-netdev user,id=n,hostfwd=tcp:127.0.0.1:{self.port}-:80 -device virtio-net-pci,netdev=n,romfile="
        line = f"socket,id=s,path={self._line},server=on,wait=off,logfile={folder / 'serial.log'},logappend=on"
        command = ["qemu-system-aarch64", *machine.split(), "-drive", drive, *network.split(), "-no-reboot"]
        command += ["-display", "none", "-monitor", "none", "-chardev", line, "-serial", "chardev:s"]
        command += ["-device", "qemu-xhci", "-chardev", f"serial,id=u,path={usb}", "-device", "usb-serial,chardev=u"]
        command += ["-kernel", str(files.kernel), "-initrd", str(files.initrd)]
        command += ["-append", f"{files.command_line} {SHELL}"]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        self._shell: socket.socket | None = None
        self._said = 0

    def running_s(self) -> float:
        """Return how long it has been on."""
        return time.monotonic() - self.began

    def page(self) -> str:
        """Return the panel's page, once it answers."""
        return self._until("the panel answers", self._asked)

    def sh(self, command: str, limit_s: float = 240.0) -> str:
        """Return what ``command`` prints in the shell of the machine; raises `NotAsItShould` where it fails."""
        shell = self._shell_line()
        self._said += 1
        mark = f"{self._said:04d}"
        # In two parts, so that the line's own echo is not taken for it.
        shell.sendall(f"echo '<''{mark}'; {{ {command} ; }} 2>&1; echo \"$?>\"'{mark}'\n".encode())
        come = self._read(lambda text: f">{mark}" in text, limit_s, command)
        said, _, status = come.partition(f"<{mark}")[2].rpartition(f">{mark}")[0].rpartition("\n")
        if status.strip() != "0":
            raise NotAsItShould(f"'{command}' ended with {status.strip()}: {said.strip()}")
        return said.replace("\r", "").strip()

    def begin(self, command: str) -> None:
        """Have the shell run ``command`` without waiting; `heard` returns what it says."""
        self._shell_line().sendall(f"{command}\n".encode())

    def heard(self, word: str, limit_s: float = 120.0) -> str:
        """Return what the shell prints until ``word`` is in it."""
        return self._read(lambda text: word in text, limit_s, word)

    def stop(self) -> None:
        """Shut down in order."""
        self.begin("systemctl poweroff")
        try:
            self._process.wait(WAIT_S)
        except subprocess.TimeoutExpired as error:
            raise NotAsItShould("it does not shut down") from error
        finally:
            self.kill()

    def kill(self) -> None:
        """Take the power away."""
        self._process.kill()
        self._process.wait()
        if self._shell is not None:
            self._shell.close()
            self._shell = None

    def _shell_line(self) -> socket.socket:
        if self._shell is None:
            self._until("its serial line is there", lambda: "" if self._line.exists() else None)
            self._shell = socket.socket(socket.AF_UNIX)
            self._shell.connect(str(self._line))
            self._shell.settimeout(1.0)
            self._until("its shell answers", self._greeted)
        return self._shell

    def _greeted(self) -> str | None:
        """Have a plain shell without prompt and echo on the line, once the one that systemd starts answers a return.

        More, sent any sooner, would fill the line until somebody reads there.
        """
        assert self._shell is not None
        try:
            self._shell.sendall(b"\n")
            self._read(lambda text: "# " in text, 5.0, "a prompt")
            self._shell.sendall(b"exec sh\nstty -echo; PS1= PS2=; echo 'rea''dy'\n")
            return self._read(lambda text: "ready" in text, 120.0, "ready")
        except (NotAsItShould, TimeoutError):
            return None

    def _read(self, enough: Callable[[str], bool], limit_s: float, what: str) -> str:
        assert self._shell is not None
        until, come = time.monotonic() + limit_s, ""
        while not enough(come):
            if time.monotonic() > until:
                raise NotAsItShould(f"no answer to '{what}' in {limit_s:.0f} s: {come[-300:]}")
            try:
                come += self._shell.recv(65536).decode(errors="replace")
            except TimeoutError:
                continue
        return come

    def _asked(self) -> str | None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=30) as answer:
                return str(answer.read().decode())
        except (OSError, urllib.error.URLError):
            return None

    def _until(self, what: str, asked: Callable[[], str | None]) -> str:
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise NotAsItShould(f"the machine ended by itself before {what}")
            if (answer := asked()) is not None:
                return answer
            time.sleep(0.5)
        raise NotAsItShould(f"waited {WAIT_S:.0f} s, and still not: {what}")


def enlarged(image: Path, card: Path, size_bytes: int) -> None:
    """Write ``image`` to a card of ``size_bytes``: a copy, so that the image stays as it was made."""
    if not image.exists():
        raise NotMade(f"{image} is not there: run make image first")
    run(["cp", "--sparse=always", str(image), str(card)])
    with card.open("r+b") as file:
        file.truncate(size_bytes)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
