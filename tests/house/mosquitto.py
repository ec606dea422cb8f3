"""A real broker of the tests' own: mosquitto on loopback, on a port that was free, started and stopped at will."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import msgspec
import pytest

PATIENCE_S = 10.0
WHERE = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"


def program(name: str) -> str:
    """Return the path of a program of Debian's packages mosquitto and openssl; a test that lacks it fails."""
    found = shutil.which(name, path=WHERE)
    if found is None:
        pytest.fail(f"{name} is not installed: sudo apt install mosquitto openssl")
    return found


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Write into ``folder`` a certificate that vouches for itself and no other address than 127.0.0.1; and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
               "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out",
               str(certificate)]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)
    return certificate, key


class Mosquitto:
    """A broker. It keeps nothing over a restart, so that whoever wants to be known has to say it again."""

    def __init__(self, folder: Path, users: dict[str, str] | None = None, secure: bool = False) -> None:
        """Only ``users`` are let in, each with a password; None lets everybody in. A ``secure`` one speaks TLS, with
        the certificate ``authority``, which vouches for itself and for no other address than 127.0.0.1.
        """
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._running: subprocess.Popen[bytes] | None = None
        self._file = folder / f"mosquitto-{self.port}.conf"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", f"user {getpass.getuser()}"]
        if users is None:
            lines.append("allow_anonymous true")
        else:
            passwords = folder / "passwords"
            passwords.touch(0o600)
            for name, password in users.items():
                subprocess.run([program("mosquitto_passwd"), "-b", str(passwords), name, password], check=True)
            lines += ["allow_anonymous false", f"password_file {passwords}"]
        self.authority = folder / "certificate.pem"
        if secure:
            self.authority, key = self_signed(folder)
            lines += [f"certfile {self.authority}", f"keyfile {key}"]
        self._file.write_text("\n".join(lines) + "\n")

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> Mosquitto:
        self._running = subprocess.Popen(
            [program("mosquitto"), "-c", str(self._file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self._running.poll() is None, "mosquitto has ended"
                time.sleep(0.02)
        pytest.fail("mosquitto does not listen")

    def stop(self) -> None:
        if self._running is not None:
            self._running.kill()  # as a broken computer does: nobody is told
            self._running.wait()
            self._running = None


class Heard(msgspec.Struct, frozen=True):
    """A message as a client of the broker got it."""

    topic: str
    payload: str
    retained: bool
