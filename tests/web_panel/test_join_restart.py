"""The whole program: joining by the console's code, and what a restart of the machine keeps."""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.afar.brokers import free_port
from web_panel.people.joining import COOKIE


@contextmanager
def program(folder: Path, port: int) -> Iterator[str]:
    """Run the program on every network; yields the code on its console. Leaving pulls the plug."""
    command = [sys.executable, "-m", "controller", "play", "--host", "0.0.0.0", "--port", str(port)]
    command += ["--journal", str(folder / "games.sqlite3")]
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            told = next(line for line in process.stdout if "Code for joining" in line)
            yield "".join(re.findall(r"\d{4}", told))
        finally:
            process.kill()


class Phone:
    """A browser without a screen."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/api/"
        self.jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))

    def post(self, path: str, body: dict[str, object]) -> int:
        data, headers = json.dumps(body).encode(), {"Content-Type": "application/json"}
        try:
            with self.opener.open(urllib.request.Request(self.url + path, data, headers), timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code


@pytest.mark.realtime
def test_a_phone_and_its_seat_outlive_the_power_and_the_old_code_does_not(tmp_path: Path) -> None:
    port = free_port()
    phone, other = Phone(port), Phone(port)
    with program(tmp_path, port) as code:
        assert phone.post("order", {"do": "brightness", "percent": 30}) == 403  # not by being on the same machine
        assert phone.post("pair/code", {"code": code}) == 200
        assert phone.post("order", {"do": "brightness", "percent": 30}) == 200
        assert phone.post("seat", {"seat": 1}) == 200
        assert phone.post("settings", {"values": {"theme": "contrast"}}) == 200
    with program(tmp_path, port) as new_code:
        assert phone.post("order", {"do": "brightness", "percent": 40}) == 200
        assert other.post("pair/code", {"code": code}) == 409
        assert other.post("pair/code", {"code": new_code}) == 200
        assert other.post("seat", {"seat": 1}) == 409
    kept = "".join(file.read_text() for file in tmp_path.glob("*.json"))
    secret = next(cookie.value for cookie in phone.jar if cookie.name == COOKIE)
    assert secret is not None
    assert secret not in kept
    assert 'theme = "contrast"' in (tmp_path / "games.sqlite3.settings.toml").read_text()
