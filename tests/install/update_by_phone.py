"""A phone that puts on an update, through the panel's own addresses; and how long the board did not answer meanwhile.

``update_by_phone.py PORT FILE VERSION PLAYS``: puts FILE on, and succeeds if then VERSION runs and the last update
plays, or not, as PLAYS says. ``update_by_phone.py PORT back VERSION yes`` goes back. Needs nothing but Python,
since it runs inside a system that has just been installed.
"""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

PART_BYTES = 2 << 20
MOST_S = 240.0
COOKIE = Path("/root/phone.cookie")


class Phone:
    """An owner's phone."""

    def __init__(self, port: str) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.cookie = COOKIE.read_text(encoding="ascii") if COOKIE.exists() else ""

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the answer; raises SystemExit with the sentence of a refusal, and OSError where nobody answers."""
        asked = urllib.request.Request(f"{self.address}/api/{path}", headers={"Cookie": self.cookie})
        if body is not None:
            asked.data = json.dumps(body).encode()
            asked.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(asked, timeout=90) as answer:
                if (new := answer.headers.get("Set-Cookie")) and not self.cookie:
                    self.cookie = new.split(";")[0]
                    COOKIE.write_text(self.cookie, encoding="ascii")
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise SystemExit(f"{path}: {error.read().decode()}") from error

    def join(self) -> None:
        """Be let in as an owner, by the code in the service's log."""
        log = subprocess.run(
            ["journalctl", "-u", "beaconboard", "-o", "cat"], capture_output=True, text=True, check=True
        )
        code = re.findall(r"until the next start: (\d{4} \d{4})", log.stdout)[-1]
        self.ask("pair/code", {"code": code})

    def bring(self, file: Path) -> None:
        """Bring a file, look at what it changes, and let it be put on."""
        content = file.read_bytes()
        self.ask("updates/bring", {"name": file.name, "bytes": len(content)})
        for at in range(0, len(content), PART_BYTES):
            part = base64.b64encode(content[at : at + PART_BYTES]).decode()
            self.ask("updates/bring-part", {"at": at, "data": part})
        shown = self.ask("updates/holds")
        assert shown["changes"]["de"], shown
        self.ask("updates/put-on", {"when": "now"})


class Silence:
    """The longest time for which nobody answered."""

    def __init__(self, port: str) -> None:
        self.longest_s, self.over = 0.0, threading.Event()
        self._address = f"http://127.0.0.1:{port}/"
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        answered = time.monotonic()
        while not self.over.wait(0.05):
            try:
                with urllib.request.urlopen(self._address, timeout=5):
                    self.longest_s = max(self.longest_s, time.monotonic() - answered)
                    answered = time.monotonic()
            except OSError:
                continue

    def end(self) -> float:
        """Return how long it was, in seconds."""
        self.over.set()
        self._thread.join()
        return self.longest_s


def until(phone: Phone, done: Callable[[Any], bool]) -> Any:
    """Return what the page of updates is told as soon as that is ``done``."""
    ends = time.monotonic() + MOST_S
    seen: Any = None
    while time.monotonic() < ends:
        try:
            seen = phone.ask("updates")
        except OSError:
            seen = None
        if seen is not None and done(seen):
            return seen
        time.sleep(0.3)
    raise SystemExit(f"it never ends: {seen}")


def main(port: str, what: str, version: str, plays: str) -> None:
    """Put on or go back, and hold how it ended to what is expected."""
    phone = Phone(port)
    if not phone.cookie:
        phone.join()
    silence = Silence(port)
    began = time.monotonic()
    if what == "back":
        phone.ask("updates/go-back", {})
    else:
        phone.bring(Path(what))
    ended = until(phone, lambda page: page["doing"] == "" and page["ended"] is not None)
    took_s, silent_s = time.monotonic() - began, silence.end()
    sys.stdout.write(f"{silent_s:.1f} s without an answer, {took_s:.0f} s in all: {ended['ended']}\n")
    if (ended["version"], ended["ended"]["plays"]) != (version, plays == "yes"):
        raise SystemExit(f"not as it should be: {ended}")


if __name__ == "__main__":
    main(*sys.argv[1:])
