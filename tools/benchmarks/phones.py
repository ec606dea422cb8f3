"""What watching phones cost: processor time and memory of the service, and how late each sees a touch. Linux only.

    python -m tools.benchmarks.phones [SECONDS] [PHONES ...]

For each number of phones the service plays on, a stone lifted and put back twice a second; every phone follows the
event stream as a browser does. Figures only.
"""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.e2e.running import playing
from tools.benchmarks.idle import cpu_s, free_port, memory_mb


class StreamPhone(threading.Thread):
    """Follows the stream; ``late_ms`` is how long after each touch its light arrived."""

    def __init__(self, number: int, port: int, touched: dict[bool, float]) -> None:
        super().__init__(daemon=True)
        address = f"127.0.0.{2 + number // 8}"  # one address has a part of the streams alone
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(address, 0))
        self._touched = touched
        self.late_ms: list[float] = []
        self.bytes = 0
        self.ended = False

    def run(self) -> None:
        self._line.request("GET", "/api/watch")
        answer = self._line.getresponse()
        up: bool | None = None
        while not self.ended and (line := answer.readline()):
            self.bytes += len(line)
            if line.startswith(b"data: ") and b'"phase"' in line[:200]:
                now = b'"on":true' not in line.split(b'"c3":{', 1)[1].split(b"}", 1)[0] if b'"c3":{' in line else None
                if now is not None and now != up and now in self._touched:
                    self.late_ms.append((time.monotonic() - self._touched[now]) * 1000)
                up = now


def measure(count: int, seconds: float) -> None:
    """Print the figures for ``count`` phones."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder) / "games.sqlite3", port=port) as running:
        panel, pid = running.panel, running.process.pid
        panel.post("order", do="new_game", game="tides-of-war")
        panel.post("set_up")
        touched: dict[bool, float] = {}
        phones = [StreamPhone(number, port, touched) for number in range(count)]
        for phone in phones:
            phone.start()
        time.sleep(2)
        before, began, memory = cpu_s(pid), time.monotonic(), memory_mb(pid)
        while time.monotonic() - began < seconds:
            touched[True] = time.monotonic()
            piece = panel.post("lift", site="c3")["id"]
            time.sleep(0.5)
            touched[False] = time.monotonic()
            panel.post("place", piece=piece, site="c3")
            time.sleep(0.5)
        share = (cpu_s(pid) - before) / (time.monotonic() - began)
        report: dict[str, object] = {"phones": count, "cpu_percent": round(share * 100, 2)}
        report["memory_mb"] = [round(memory), round(memory_mb(pid))]
        late = sorted(ms for phone in phones for ms in phone.late_ms)
        if late:
            cut = statistics.quantiles(late, n=100)
            report["touches_seen"] = len(late)
            report["late_ms_p50_p95_max"] = [round(ms, 1) for ms in (cut[49], cut[94], late[-1])]
        print(json.dumps(report), flush=True)
        for phone in phones:
            phone.ended = True


if __name__ == "__main__":
    for number in [int(word) for word in sys.argv[2:]] or [0, 6, 50]:
        measure(number, float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)
