"""An evening at the trial's machine: a sensor board on its USB, the hand over it, and a phone at the panel.

The sensor board is the real firmware in its emulator. Magnets stay where they are when its power goes.
"""

from __future__ import annotations

import base64
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from controller.devices.sensors.emulated_board import Emulator, EmulatorFiles
from tools.image.guest import NotAsItShould

GAME = "tides-of-war"
PLIES = (("d2", "d3"), ("d4", "c4"), ("c2", "d2"), ("b6", "b5"))
LIMIT_S = 300.0  # the emulated Pi is slow
ANSWER_S = 10.0  # for an answer where it is waited for a panel that comes back
TOUCH_S = 1.5  # how long a piece lies on the cell that lets a phone in
PART_BYTES = 2 << 20


class SensorBoard:
    """The board's sensors, on a cable to the guest."""

    def __init__(self, files: EmulatorFiles, line: Path) -> None:
        self.line = line
        self._files = files
        self._standing: set[str] = set()
        self._emulator: Emulator | None = None

    def plug(self) -> None:
        """Give it power, once the cable was out."""
        self.unplug()
        self._emulator = Emulator(self._files, self.line)
        for site in self._standing:
            self._emulator.set_sensor(site, True)

    def unplug(self) -> None:
        """Take its power away, and with it the serial line."""
        if self._emulator is not None:
            self._emulator.close()
            self._emulator = None
        self.line.unlink(missing_ok=True)

    def put(self, site: str) -> None:
        """Put a piece on ``site``."""
        self._set(site, True)

    def take(self, site: str) -> None:
        """Take the piece at ``site`` off."""
        self._set(site, False)

    def clear(self) -> None:
        """Take all pieces off; its cable is out."""
        self._standing.clear()

    def _set(self, site: str, on: bool) -> None:
        assert self._emulator is not None, "its cable is out"
        (self._standing.add if on else self._standing.discard)(site)
        self._emulator.set_sensor(site, on)


class Phone:
    """A phone in the board's network, whose browser has come to the panel."""

    def __init__(self) -> None:
        self.port = 0  # of the panel, as this machine reaches it; another one after each start
        self._cookie = ""

    def ask(self, path: str, **body: object) -> Any:
        """Return the answer to an order; raises `NotAsItShould` with the sentence of a refusal."""
        asked = self._request(path)
        asked.data = json.dumps(body).encode()
        asked.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(asked, timeout=LIMIT_S) as answer:
                self._cookie = (answer.headers.get("Set-Cookie") or self._cookie).split(";")[0]
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise NotAsItShould(f"the panel refuses {path}: {error.read().decode()}") from error
        except OSError as error:
            raise NotAsItShould(f"the panel does not answer {path}: {error}") from error

    def look(self, path: str, limit_s: float = LIMIT_S) -> Any:
        """Return what a page is told; raises OSError where nothing answers."""
        with urllib.request.urlopen(self._request(path), timeout=limit_s) as answer:
            return json.load(answer)

    def until(self, what: str, seen: Callable[[dict[str, Any]], bool], event: str = "view") -> dict[str, Any]:
        """Return the ``event`` of the panel's stream that is ``seen``; raises `NotAsItShould` where it never comes."""
        late, told = time.monotonic() + LIMIT_S, {}
        while time.monotonic() < late:
            try:
                for told in self._events(event):
                    if seen(told):
                        return told
                    if time.monotonic() > late:
                        break
            except OSError:
                time.sleep(1.0)  # the service starts anew
        raise NotAsItShould(f"the panel never tells that {what}; last: {str(told)[:300]}")

    def put_on(self, file: Path) -> None:
        """Bring an update, and let it be put on at once."""
        content = file.read_bytes()
        self.ask("updates/bring", name=file.name, bytes=len(content))
        for at in range(0, len(content), PART_BYTES):
            part = base64.b64encode(content[at : at + PART_BYTES]).decode()
            self.ask("updates/bring-part", at=at, data=part)
        self.look("updates/holds")
        self.ask("updates/put-on", when="now")

    def waits_for(self, doing: str, share: float, limit_s: float) -> None:
        """Wait until an update is so far; raises `NotAsItShould` where it ends before, or never comes so far."""
        late, told = time.monotonic() + limit_s, {}
        while time.monotonic() < late:
            told = self.look("updates")
            if told["doing"] == doing and told["share"] >= share:
                return
            if told["ended"] is not None:
                break
            time.sleep(0.5)
        raise NotAsItShould(f"the update never comes to '{doing}': {told}")

    def rests(self, limit_s: float) -> Any:
        """Return what the page of updates is told once none goes on; raises `NotAsItShould` where one never ends."""
        late, told = time.monotonic() + limit_s, {}
        while time.monotonic() < late:
            with suppress(OSError):  # while the service starts anew
                told = self.look("updates")
                if told["doing"] == "" and told["when"] == "":
                    return told
            time.sleep(1.0)
        raise NotAsItShould(f"the update does not end: {told}")

    def silent_s(self, version: str, limit_s: float) -> float:
        """Return how long the panel does not answer until another ``version`` does."""
        began = heard = time.monotonic()
        while time.monotonic() - began < limit_s:
            with suppress(OSError):
                told = self.look("updates", ANSWER_S)
                before, heard = heard, time.monotonic()
                if told["version"] == version:
                    return heard - before
            time.sleep(0.1)
        raise NotAsItShould(f"version {version} does not answer within {limit_s:.0f} s")

    def _events(self, event: str) -> Iterator[dict[str, Any]]:
        with closing(urllib.request.urlopen(self._request("watch"), timeout=LIMIT_S)) as answer:
            kind = ""
            for line in answer:
                name, _, text = line.decode().rstrip("\n").partition(": ")
                if name == "event":
                    kind = text
                elif name == "data" and kind == event:
                    yield json.loads(text)

    def _request(self, path: str) -> urllib.request.Request:
        return urllib.request.Request(f"http://127.0.0.1:{self.port}/api/{path}", headers={"Cookie": self._cookie})


def there(view: dict[str, Any]) -> bool:
    """Whether the board's sensors are read. Of its lights it says that they are missing: the guest has no pins."""
    return "sensor board" not in view["link"]


class Evening:
    """One game at one board, over all starts of a trial."""

    def __init__(self, board: SensorBoard) -> None:
        self.board, self.phone = board, Phone()
        self.plies: list[str] = []  # those of which the panel has told

    def begin(self) -> None:
        """Join as the first phone does, by a touch; begin a game, and put up its pieces by the lights."""
        self.phone.until("the sensor board is there", there)
        site = self.phone.ask("pair")["site"]
        self.board.put(site)
        time.sleep(TOUCH_S)
        self.board.take(site)
        self.phone.until("the phone is in", lambda you: you["role"] == "owner", "you")
        self.phone.ask("order", do="new_game", game=GAME, options={})
        shown = self.phone.until("pieces are missing", lambda view: view["phase"] == "setup")
        for name in [name for name, site in shown["sites"].items() if site.get("meaning") == "missing"]:
            self.board.put(name)
        self.phone.until("the game begins", lambda view: view["phase"] == "play")

    def move(self) -> None:
        """Make the next ply by hand, and wait until the panel tells it."""
        start, end = PLIES[len(self.plies)]
        self.board.take(start)
        self.phone.until("the piece is lifted", lambda view: bool(view["sites"][end].get("meaning")))
        self.board.put(end)
        shown = self.phone.until("the ply is made", lambda view: len(view["plies"]) > len(self.plies))
        self.plies = [ply["text"] for ply in shown["plies"]]

    def lift(self) -> None:
        """Begin the next ply, and no more: `move` ends it."""
        self.board.take(PLIES[len(self.plies)][0])

    def pause(self) -> None:
        """Stop the clocks: during a game no update is put on."""
        self.phone.ask("order", do="pause", on=True)
        self.phone.until("the game pauses", lambda view: view["phase"] == "pause")

    def goes_on(self) -> None:
        """Wait until the game goes on after a start; raises `NotAsItShould` where a ply is lost."""
        shown = self.phone.until("the game goes on", lambda view: there(view) and view["phase"] == "play")
        plies = [ply["text"] for ply in shown["plies"]]
        if plies != self.plies:
            raise NotAsItShould(f"the game had the plies {self.plies}, and now has {plies}")
