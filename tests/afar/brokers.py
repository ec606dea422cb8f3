"""A mosquitto of the tests' own, on loopback, and a line to it that can be cut."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

USER, PASSWORD = "family", "a hand's breadth"
START_S = 10.0


def found(name: str) -> str:
    """Return where a program of mosquitto's lies; without it nothing of this can be tested."""
    path = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin")
    assert path, f"{name} is missing: install the package mosquitto"
    return path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def mosquitto(
    folder: Path, port: int | None = None, passwords: bool = False, topics: tuple[str, ...] = ()
) -> Iterator[int]:
    """Run a broker that carries these ``topics``, without any all of them; yields its port."""
    folder.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    lines = [f"listener {port} 127.0.0.1", "persistence false", f"allow_anonymous {str(not passwords).lower()}"]
    if os.geteuid() == 0:  # it would become somebody who may not read the tests' folder
        lines.append("user root")
    if passwords:
        words = folder / "passwords"
        subprocess.run([found("mosquitto_passwd"), "-b", "-c", str(words), USER, PASSWORD], check=True)
        words.chmod(0o644)
        lines.append(f"password_file {words}")
    if topics:
        allowed = folder / "allowed"
        allowed.write_text("".join(f"topic readwrite {topic}\n" for topic in topics))
        allowed.chmod(0o600)
        lines.append(f"acl_file {allowed}")
    config = folder / "mosquitto.conf"
    config.write_text("\n".join(lines) + "\n")
    log = (folder / "mosquitto.log").open("ab")
    process = subprocess.Popen([found("mosquitto"), "-c", str(config)], stdout=log, stderr=log)
    try:
        _wait(port, process)
        yield port
    finally:
        process.kill()  # it overhears to be ended while it is beginning
        process.wait()
        log.close()


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end_s = time.monotonic() + START_S
    while time.monotonic() < end_s:
        assert process.poll() is None, "mosquitto has ended"
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.02)
    raise AssertionError("mosquitto does not listen")


class Cable:
    """A port that leads to another one, until it is cut."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._ends: list[socket.socket] = []
        self._lock = threading.Lock()
        self.plugged = True
        threading.Thread(target=self._serve, name="cable", daemon=True).start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self.plugged:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                with self._lock:
                    self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        """Pull the plug: what is on its way is lost."""
        self.plugged = False
        with self._lock:
            for end in self._ends:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
                end.close()
            self._ends = []

    def plug_in(self) -> None:
        self.plugged = True

    def close(self) -> None:
        self.cut()
        self._listener.close()
