"""What a thousand messages of 200 kB on a link leave in the memory of a whole service.

    python -m tools.benchmarks.link_memory [MESSAGES]

A service as people start it, a mosquitto of its own, and somebody who has the key of a link: once that of a phone, once
that of another board. Half of the messages are well sealed, each from an end of another name; the others are noise.
Then the service is asked as before. Figures only.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from controller.afar import keys
from controller.afar.keys import GameLink
from controller.afar.messages import MOST_BYTES, VERSION
from controller.afar.phone import PHONE_VERSION, phone_link
from controller.afar.sealing import NONCE_BYTES, Sealing
from controller.broker import Broker, BrokerLine, BrokerMessage
from tests.afar.brokers import free_port, mosquitto
from tools.benchmarks.memory import rss_mb

SIZE_BYTES = 200_000
START_S = 60.0


def answer_of(address: str, what: dict[str, Any] | None = None) -> Any:
    body = None if what is None else json.dumps(what).encode()
    request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


@contextmanager
def service(folder: Path, broker_port: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Run a service with a game on its table; yields it and its address."""
    port = free_port()
    file = folder / "settings.toml"
    file.write_text(f'afar_broker = "127.0.0.1:{broker_port}"\nafar_relay = "http://127.0.0.1:1"\n')
    words = ["play", "--settings", str(file), "--port", f"{port}", "--journal", str(folder / "games.sqlite3")]
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen([sys.executable, "-m", "controller", *words], stdout=said, stderr=said)
        address, end_s = f"http://127.0.0.1:{port}", time.monotonic() + START_S
        try:
            while time.monotonic() < end_s:
                with suppress(OSError):
                    answer_of(f"{address}/api/board")
                    break
            answer_of(f"{address}/api/order", {"do": "new_game", "game": "tides-of-war"})
            answer_of(f"{address}/api/set_up", {})
            yield process, address
        finally:
            process.terminate()
            process.wait(20)


class Stranger:
    """Has the key of a link."""

    def __init__(self, link: GameLink, version: int, port: int) -> None:
        self.sealing, self.version, self.name = Sealing(link, "up", os.urandom), version, ""
        self._met, self._up = threading.Event(), threading.Event()
        self._room, self._numbers = link.room, itertools.count(1)
        self.line = BrokerLine(
            Broker("127.0.0.1", port), "", (f"bb/{link.room}/down",), self._heard, lambda up, _: self._up.set(),
            most_bytes=MOST_BYTES,
        )  # fmt: skip
        self.line.start()
        assert self._up.wait(START_S)
        self.say({"type": "hello"})
        assert self._met.wait(START_S)

    def _heard(self, message: BrokerMessage) -> None:
        data, sealing = message.payload, self.sealing
        plain = sealing._decrypt(data[NONCE_BYTES:], sealing._about, data[:NONCE_BYTES], sealing._in)
        self.name = json.loads(plain)["from_"]
        self._met.set()

    def say(self, what: dict[str, Any]) -> None:
        """Send a message, as soon as the broker takes it."""
        envelope = {"v": self.version, "from_": os.urandom(8).hex(), "to": self.name, "n": 1, "what": what}
        nonce, sealing = os.urandom(NONCE_BYTES), self.sealing
        self.send(nonce + sealing._encrypt(json.dumps(envelope).encode(), sealing._about, nonce, sealing._out))

    def send(self, data: bytes) -> None:
        while not self.line.send(BrokerMessage(f"bb/{self._room}/up", data)):
            time.sleep(0.01)

    def flood(self, messages: int) -> None:
        filler = "x" * SIZE_BYTES
        for number in range(messages):
            if number % 2:
                self.send(os.urandom(SIZE_BYTES))
            else:
                self.say({"type": "hello", "n": number, "more": filler})


def measured(name: str, invite: str, what: dict[str, Any], messages: int) -> str:
    with tempfile.TemporaryDirectory() as folder, mosquitto(Path(folder) / "broker") as port:  # noqa: SIM117  the port
        with service(Path(folder), port) as (process, address):
            text = answer_of(f"{address}{invite}", what)["link"]
            phone = "#k=" in text and not text.startswith("beaconboard:")
            key = base64.urlsafe_b64decode(text.partition("#k=")[2] + "=")
            link = phone_link(key) if phone else keys.read(text)
            stranger = Stranger(link, PHONE_VERSION if phone else VERSION, port)
            stranger.flood(20)
            time.sleep(2.0)
            before_mb, begun_s = rss_mb(process.pid), time.monotonic()
            stranger.flood(messages)
            time.sleep(5.0)
            took_s, after_mb = time.monotonic() - begun_s, rss_mb(process.pid)
            answer_of(f"{address}/api/board")
            stranger.line.close()
            lines = (Path(folder) / "said").read_text().count("\n")
    told = f"{before_mb:.0f} MB before, {after_mb:.0f} MB after {messages} messages in {took_s:.0f} s"
    return f"{name}: {told}; {lines} lines of log"


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(measured("the link of a phone", "/api/afar/phone", {"seat": 1, "name": "Ada"}, count))
    print(measured("the link of a board", "/api/afar/invite", {"seat": 1}, count))
