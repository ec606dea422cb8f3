"""The whole program: what of it is reached, before https is switched on and after, and that it comes back with it."""

from __future__ import annotations

import http.cookiejar
import json
import re
import socket
import ssl
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.running import Running, playing
from tests.install.reached import reached

pytestmark = pytest.mark.realtime


def free_port() -> int:
    with closing(socket.create_server(("0.0.0.0", 0))) as taken:
        return int(taken.getsockname()[1])


def code_of(running: Running) -> str:
    assert running.process.stdout is not None
    for line in running.process.stdout:
        if found := re.match(r"Code for joining .*: (\d{4}) (\d{4})$", line):
            return found[1] + found[2]
    raise AssertionError("it shows no code")


class Owner:
    """An owner's phone."""

    def __init__(self, running: Running) -> None:
        self._address = running.panel.address.rstrip("/")
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(jar)
        self.post("pair/code", {"code": code_of(running)})

    def post(self, path: str, body: object) -> None:
        sent = urllib.request.Request(
            f"{self._address}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with self._opener.open(sent, timeout=30) as answer:
            assert answer.status == 200


def ports(running: Running) -> list[str]:
    return [each for each in reached(running.process.pid) if not each.startswith("file ")]


def answers(running: Running, port: int) -> bool:
    """Whether a phone that trusts the authority is answered at ``port`` by the board's name."""
    with urllib.request.urlopen(f"{running.panel.address.rstrip('/')}/secure/beaconboard.crt", timeout=20) as answer:
        authority = answer.read()
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(cadata=authority)
    name = f"{socket.gethostname().split('.')[0].lower()}.local"
    with (
        socket.create_connection(("127.0.0.1", port), 20) as line,
        trusting.wrap_socket(line, server_hostname=name) as said,
    ):
        said.sendall(f"GET /api/board HTTP/1.1\r\nHost: {name}:{port}\r\n\r\n".encode())
        return said.recv(12) == b"HTTP/1.1 200"


def test_one_port_more_is_reached_once_an_owner_has_asked_for_it(tmp_path: Path) -> None:
    port, https_port = free_port(), free_port()
    settings = tmp_path / "settings.toml"
    settings.write_text(f"https_port = {https_port}\n")
    also = ("--settings", str(settings), "--host", "0.0.0.0")
    plain, both = f"tcp 0.0.0.0:{port}", f"tcp 0.0.0.0:{https_port}"
    journal = tmp_path / "games.sqlite3"
    with playing(journal, *also, port=port) as running:
        assert ports(running) == [plain]
        owner = Owner(running)
        owner.post("secure/on", {})
        assert ports(running) == sorted([plain, both])
        assert answers(running, https_port)
        written = [each for each in reached(running.process.pid) if ".https/" in each]
        assert written == []  # no key is held open
    with playing(journal, *also, port=port) as running:  # it was ended in order with a line by https
        assert code_of(running)
        while both not in ports(running):
            assert running.process.poll() is None
        assert answers(running, https_port)
        log = journal.with_suffix(".log").read_text()
        assert "PRIVATE" not in log
        assert "Traceback" not in log
