"""`beaconboard play` as a process, and a client of its panel's addresses. Waits on what it shows, never on time."""

from __future__ import annotations

import http.client
import json
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_S = 20.0


class Refused(Exception):
    """The panel said no; the text is its sentence."""


class Panel:
    """A browser without a screen."""

    def __init__(self, address: str) -> None:
        self.address = address
        self._host = address.removeprefix("http://").rstrip("/")

    def get(self, path: str) -> Any:
        return self._ask("GET", path, None)

    def post(self, path: str, **body: Any) -> Any:
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, path: str, body: str | None) -> Any:
        line = http.client.HTTPConnection(self._host, timeout=PATIENCE_S)
        line.request(method, f"/api/{path}", body, {"Content-Type": "application/json"})
        answer = line.getresponse()
        read = json.loads(answer.read())
        line.close()
        if answer.status != 200:
            raise Refused(read["error"])
        return read

    def views(self) -> Iterator[dict[str, Any]]:
        """Yield what the panel is told, newest last, from now on."""
        line = http.client.HTTPConnection(self._host, timeout=PATIENCE_S)
        line.request("GET", "/api/watch")
        answer = line.getresponse()
        kind = ""
        try:
            while text := answer.readline().decode():
                if text.startswith("event: "):
                    kind = text[7:].strip()
                elif text.startswith("data: ") and kind == "view":
                    yield json.loads(text[6:])
        finally:
            line.close()

    def until(self, seen: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Return the first view of which ``seen`` is true."""
        late = time.monotonic() + PATIENCE_S
        for view in self.views():
            if seen(view):
                return view
            assert time.monotonic() < late, f"the panel stays at: {view['sentence']} {view['advice']}"
        raise AssertionError("the panel's stream has ended")


class Running:
    """A started service. ``panel`` is where it is played."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.panel = Panel(address)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait(PATIENCE_S)


@contextmanager
def playing(journal: Path, *arguments: str, port: int) -> Iterator[Running]:
    """Start ``beaconboard play``; it is stopped at the end, if it still runs."""
    command = [sys.executable, "-c", "from controller.app.cli import cli; cli()", "play"]
    command += ["--journal", str(journal), "--port", str(port), *arguments]
    log = journal.with_suffix(".log")
    with log.open("a") as err:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=err, text=True)
    assert process.stdout is not None
    try:
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE_S)
        assert ready, "beaconboard play says nothing"
        said = process.stdout.readline()
        assert "http://" in said, log.read_text()
        yield Running(process, said.split(" at ")[1].split()[0])
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE_S)
        process.stdout.close()


def move(panel: Panel, start: str, *stops: str) -> None:
    """Lift the piece at ``start`` and put it down on each of ``stops``."""
    piece = panel.post("lift", site=start)
    for n, stop in enumerate(stops):
        if n:
            panel.post("lift", site=stops[n - 1])
        panel.post("place", piece=piece["id"], site=stop)


def texts(view: dict[str, Any]) -> list[str]:
    return [ply["text"] for ply in view["plies"]]
