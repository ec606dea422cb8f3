"""How long `beaconboard play` takes to show its panel, and what it costs while nobody plays. Linux only.

    python -m tools.benchmarks.idle [SECONDS]

Figures only: start to first byte, processor time and memory of an idle service, without and with a game and a watcher.
"""

from __future__ import annotations

import http.client
import os
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.e2e.running import Panel, playing

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def cpu_s(pid: int) -> float:
    """Return the processor time of a process so far, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def memory_mb(pid: int) -> float:
    """Return the resident memory of a process."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES / 1e6


def first_byte_s(port: int, begun_s: float) -> float:
    """Return when, after ``begun_s``, the panel's page began to arrive."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    line.request("GET", "/")
    line.getresponse().read(1)
    line.close()
    return time.monotonic() - begun_s


def idle(pid: int, seconds: float, what: str) -> None:
    """Print what the process costs while nothing happens."""
    before, begun_s = cpu_s(pid), time.monotonic()
    time.sleep(seconds)
    share = (cpu_s(pid) - before) / (time.monotonic() - begun_s)
    print(f"idle for {seconds:.0f} s, {what}: {share * 100:.2f} % of a processor, {memory_mb(pid):.0f} MB")


def watch(panel: Panel) -> None:
    """Follow the panel until it ends."""
    for _ in panel.views():
        pass


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 20.0
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "games.sqlite3"
        for start in ("first start", "second start"):
            begun_s = time.monotonic()
            with playing(journal, port=port) as running:
                print(f"{start}: panel after {first_byte_s(port, begun_s):.2f} s")
        with playing(journal, port=port) as running:
            pid = running.process.pid
            idle(pid, seconds, "no game, nobody watches")
            running.panel.post("order", do="new_game", game="tides-of-war", options={})
            running.panel.post("set_up")
            threading.Thread(target=watch, args=(running.panel,), daemon=True).start()
            idle(pid, seconds, "a game set up, one browser watches")


if __name__ == "__main__":
    main()
