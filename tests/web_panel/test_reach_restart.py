"""The whole program: phones are let in from the page, and who let them in is the owner still."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.afar.brokers import free_port
from tests.waiting import until
from tests.web_panel.test_join_restart import Phone

BRIGHTER = {"do": "brightness", "percent": 30}


@contextmanager
def program(folder: Path, port: int) -> Iterator[None]:
    """Run the program as a family starts it, until it can be asked."""
    command = [sys.executable, "-m", "controller", "play", "--port", str(port)]
    command += ["--journal", str(folder / "games.sqlite3")]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment) as process:
        try:
            until(lambda: reached(port), "the panel never opens")
            yield
        finally:
            process.kill()


def reached(port: int) -> dict[str, bool]:
    """Return what the panel tells of who can open it, once it has started again; {} until then."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/reach", timeout=5) as answer:
            told = json.load(answer)
    except (OSError, ValueError):
        return {}
    return {} if told["changing"] else told


def page(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/join", timeout=20) as answer:
        return str(answer.read().decode())


@pytest.mark.realtime
def test_phones_are_let_in_from_the_page_once_the_port_is_free_and_the_owner_stays(tmp_path: Path) -> None:
    port = free_port()
    owner, other = Phone(port), Phone(port)
    with program(tmp_path, port):
        assert other.post("order", BRIGHTER) == 200  # everybody at this computer is the owner so far
        assert owner.post("seat", {"seat": 1}) == 200
        with socket.create_server(("127.0.0.2", port)):  # in the network the port is taken
            assert owner.post("reach", {"open": True}) == 200
            assert until(lambda: reached(port))["open"] is False
            assert "Phones could not be let in" in page(port)
        assert owner.post("reach", {"open": True}) == 200
        assert until(lambda: reached(port))["open"] is True
        assert "http://" in page(port)
        assert other.post("order", BRIGHTER) == 403
        assert owner.post("order", BRIGHTER) == 200
        assert owner.post("seat", {"seat": 1, "take": False}) == 200
        assert owner.post("settings", {"values": {"sounds": True}}) == 200
    with program(tmp_path, port):
        assert reached(port)["open"] is True  # it is kept
        assert owner.post("reach", {"open": False}) == 200
        assert until(lambda: reached(port))["open"] is False
        assert owner.post("settings", {"values": {"sounds": False}}) == 200
        assert other.post("order", BRIGHTER) == 200
