"""Whether phones that come and go leave anything behind in the service. Linux only.

    python -m tools.benchmarks.reconnect [MINUTES] [PHONES]

Each phone opens the panel's page and the stream, reads what there is, and vanishes: now it closes its line, now it is
gone without a word. A board whose phones reconnect every ten seconds sees 360 such visits of each an hour. Every ten
seconds a line: visits so far, memory, open files and threads of the service. Figures only; memory has to be level.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import socket
import struct
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.e2e.running import playing
from tools.benchmarks.idle import free_port, memory_mb

EVERY_S = 10.0
PAUSE_S = 0.3  # between the visits of a phone


class ReturningPhone(threading.Thread):
    """Comes and goes until it is ``ended``."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(daemon=True)
        self._port, self._address = port, f"127.0.0.{2 + number}"
        self._dice = random.Random(number)
        self.visits = self.refused = 0
        self.ended = False

    def run(self) -> None:
        while not self.ended:
            time.sleep(PAUSE_S)
            try:
                self._visit()
            except OSError:
                self.refused += 1

    def _visit(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=(self._address, 0))
        line.request("GET", "/")
        line.getresponse().read()
        line.request("GET", "/api/watch")
        answer = line.getresponse()
        while answer.status == 200 and not answer.readline().startswith(b"event: view"):
            pass
        self.visits += answer.status == 200
        self.refused += answer.status != 200
        if self._dice.random() < 0.5 and line.sock is not None:  # gone without a word: the next byte finds nobody
            line.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        answer.close()
        line.close()


def main(minutes: float, count: int) -> None:
    """Print the figures."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder) / "games.sqlite3", port=port) as running:
        pid = running.process.pid
        running.panel.post("order", do="new_game", game="tides-of-war")
        phones = [ReturningPhone(port, number) for number in range(count)]
        for phone in phones:
            phone.start()
        until_s = time.monotonic() + 60 * minutes
        while time.monotonic() < until_s:
            time.sleep(EVERY_S)
            report = {
                "visits": sum(phone.visits for phone in phones),
                "refused": sum(phone.refused for phone in phones),
                "memory_mb": round(memory_mb(pid), 1),
                "files": len(os.listdir(f"/proc/{pid}/fd")),
                "threads": len(os.listdir(f"/proc/{pid}/task")),
            }
            print(json.dumps(report), flush=True)
        for phone in phones:
            phone.ended = True


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 5.0, int(sys.argv[2]) if len(sys.argv) > 2 else 8)
