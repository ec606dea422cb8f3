"""A real service and its real panel under a clock that the test moves, and everything that anybody can get out of it.

Whoever looks calls every address that the panel has, found in its own map of addresses; what the console and the lights
show is kept too. So two evenings can be compared in which only a secret differs.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from flask.testing import FlaskClient

from controller.devices.lights.limiter import LimitedLights
from controller.devices.sensors.simulated_board import SimulatedBoard
from controller.devices.sensors.virtual_hand import VirtualHand
from controller.diagnostics.sensor_health import LastLines, SensorHealth
from controller.fault_report import discreet
from controller.from_profile import table_board
from controller.journal.database import Journal
from controller.panel.diagnostics_backend import DiagnosticsBackend
from controller.panel.history_backend import HistoryBackend
from controller.panel.pieces_needed import expected
from controller.panel.table_backend import TableBackend
from controller.service.loop import Service
from controller.service.running_board import RunningBoard
from controller.table.state import Table
from hardware.profile import load
from web_panel.app import create_app
from web_panel.people.joining import COOKIE, WaysIn
from web_panel.people.phones import Phones
from web_panel.people.presence import Presence

CODE = "12345678"
PEOPLE = {"Dan": None, "Ann": 0, "Bob": 1, "Cem": 2}  # with the seat that each takes; Dan is the owner
SITES_ASKED = 12  # of the sites every so many are asked for their plies
# What is there to be filled into an address: a new kind of place has to be thought of here.
PLACES: dict[str, Sequence[object]] = {"game_id": (1, 2), "filename": ("panel.css", "missing.js"), "game": ("circle",),
          "number": ("none",)}  # fmt: skip
# These tell nothing of the table, and some take long to draw: it is enough that a guest calls them each time.
STILL = ("/rules", "/puzzles", "/pictures", "/static", "/panel.js", "/api/openapi.json", "/api/games", "/api/board")
UNLIKE = re.compile(
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|\d\d:\d\d:\d\d|\b[0-9a-f]{12}\b|beaconboard=[\w-]+|\w{3}, \d\d \w+ \d{4}"
)  # times, ids of phones and their cookies


class Got(msgspec.Struct, frozen=True):
    """What one viewer got at one moment; of two evenings it is `like` another, but for times and ids of phones."""

    moment: str
    viewer: str
    address: str
    answer: str

    def like(self, other: Got) -> bool:
        return self.answer == other.answer or UNLIKE.sub("~", self.answer) == UNLIKE.sub("~", other.answer)


class Pen(logging.Handler):
    """Keeps what the console shows."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines
        self.addFilter(discreet)
        self.setFormatter(logging.Formatter("%(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


class Frames:
    """A strip that keeps every frame that is not as the last."""

    def __init__(self) -> None:
        self.frames: list[tuple[Any, ...]] = []
        self._last: tuple[Any, ...] = ()

    def write(self, frame: Sequence[Any]) -> None:
        if tuple(frame) != self._last:
            self._last = tuple(frame)
            self.frames.append(self._last)

    def close(self) -> None:
        pass


class WatchedTable:
    """``phones`` are those of `PEOPLE`, a guest's and, under its own name, one that asks to join."""

    def __init__(self, folder: Path, board: str) -> None:
        self.folder, self.board = folder, load(board)
        self.now_us = 5_000_000_000
        self.strip, self.lines, self.got = Frames(), list[str](), list[Got]()
        self.secrets: dict[str, str] = {}
        self.phones = Phones(folder / "phones.json", Random(3))
        self.start()
        for name in PEOPLE:
            self.secrets[name] = f"cookie-of-{name}"
            self.phones.admit(self.phones.ask(self.secrets[name], name))

    # ---- running

    def start(self) -> None:
        names = [site.name for site in self.board.sites]
        self.journal = Journal(self.folder / "games.sqlite3")
        lights = LimitedLights(self.strip, self.board.light_count, 4000)
        table = Table(table_board(self.board), link="the sensor board has not answered yet")
        self.service = Service(table, self.journal, lights, self.board.by_light(), self.clock)
        self.sensors = SimulatedBoard(names, self.clock)
        running = RunningBoard(self.board, self.service, self.sensors, VirtualHand(self.sensors))
        health, log = SensorHealth(names, self.clock), LastLines()
        self.handlers = (log, Pen(self.lines))
        root = logging.getLogger()
        root.setLevel(logging.INFO)
        for handler in self.handlers:
            root.addHandler(handler)
        history = HistoryBackend(self.board, self.folder / "games.sqlite3")
        diagnostics = DiagnosticsBackend(self.board, self.board.name, health, log, history, self.service, self.folder)
        self.hand = running.hand
        entry = WaysIn(self.phones, CODE)
        entry.presence = Presence(lambda: self.now_us / 1e6)
        self.app = create_app(TableBackend(running), entry=entry, history=history, diagnostics=diagnostics)
        for limiter in self.app.extensions["limiter"]:
            limiter.enabled = False
        running.start(health.counting(self.service.emit))
        self.running = running

    def stop(self) -> None:
        self.running.stop()
        self.journal.close()
        for handler in self.handlers:
            logging.getLogger().removeHandler(handler)

    def restart(self) -> None:
        """End the service and start it again, with the same phones and journal."""
        self.stop()
        self.phones = Phones(self.folder / "phones.json", Random(4))
        self.start()

    def clock(self) -> int:
        return self.now_us

    def wait(self, ms: int = 500) -> None:
        """Let time pass, and the service deal with all that was handed in, and with what became due meanwhile.

        So it never depends on the machine's speed whether the board lit up once more before what comes next.
        """
        self.now_us += ms * 1000
        self.service.watched("nobody", False)  # the last in the queue: what is due is shown

    # ---- what people do

    def client(self, name: str) -> FlaskClient:
        client = self.app.test_client()
        client.environ_base["REMOTE_ADDR"] = f"192.168.1.{10 + list(PEOPLE).index(name) if name in PEOPLE else 99}"
        if name in self.secrets:
            client.set_cookie(COOKIE, self.secrets[name])
        return client

    def post(self, name: str, path: str, body: Any) -> int:
        """Send something as ``name`` and keep what is answered."""
        answer = self.client(name).post(path, json=body)
        self.keep("", name, f"{path} {body}", answer.status_code, answer.get_data(as_text=True))
        return answer.status_code

    def order(self, name: str, body: Any) -> int:
        """Give an order; its text is not kept with the answer, since it may be the secret itself."""
        self.wait(100)
        answer = self.client(name).post("/api/order", json=body)
        self.keep("", name, f"/api/order {body['do']}", answer.status_code, answer.get_data(as_text=True))
        return answer.status_code

    def done(self, name: str, *bodies: Any) -> None:
        for body in bodies:
            assert self.order(name, body) == 200, (body, self.got[-1].answer)

    def sit(self, seats: int) -> None:
        for name, seat in PEOPLE.items():
            if seat is not None and seat < seats:
                assert self.post(name, "/api/seat", {"seat": seat}) == 200

    def touch(self, site: str, on: bool) -> None:
        self.wait(200)
        self.sensors.set_sensor(site, on)
        self.wait()

    def stand(self) -> None:
        """Make the board stand as the table expects it."""
        table = self.service.look().table
        assert self.hand is not None
        self.hand.set_up(expected(table))
        self.wait()

    # ---- what anybody gets

    def keep(self, moment: str, viewer: str, address: str, status: int, text: str) -> None:
        self.got.append(Got(moment, viewer, address, f"{status} {text}"))

    def look(self, moment: str, viewers: Sequence[str]) -> None:
        """Let each of ``viewers`` call every address there is; keep what the console and the lights have shown."""
        self.wait()
        for viewer in viewers:
            client = self.client(viewer)
            for address in self.addresses():
                if viewer != "guest" and address.startswith(STILL):
                    continue
                with client.get(address) as answer:
                    streams = answer.mimetype == "text/event-stream"
                    told = self._stream(answer) if streams else answer.get_data(as_text=True)
                    headers = sorted(f"{k}: {v}" for k, v in answer.headers if k not in ("Date", "Last-Modified"))
                    self.keep(moment, viewer, address, answer.status_code, "\n".join((*headers, told)))
            for rule in self.app.url_map.iter_rules():
                if "POST" in (rule.methods or ()):
                    self.post(viewer, rule.rule, {"nonsense": 1})
        self.keep(moment, "console", "log", 0, "\n".join(self.lines))
        self.got.append(Got(moment, "board", "lights", repr(self.strip.frames)))
        self.lines.clear()  # each is kept once, with the first look after it
        self.strip.frames.clear()

    def asks_to_join(self) -> None:
        """Let somebody ask to join: the cell that is named depends on what is free."""
        self.wait(100)
        stranger = self.client("stranger")
        answer = stranger.post("/api/pair", json={})
        self.keep("", "stranger", "/api/pair", answer.status_code, answer.get_data(as_text=True))
        stranger.post("/api/pair/stop", json={})

    @staticmethod
    def _stream(answer: Any) -> str:
        told = ""
        for chunk in answer.response:
            told += chunk.decode()
            if "event: view\n" in told:
                return told
        return told

    def addresses(self) -> Iterator[str]:
        """Yield every address that is read, with all that can be filled in."""
        made = len(self.plies)
        shown = range(made + 2)  # every position, and one that is not there
        sites = [f"?site={site.name}" for site in self.board.sites[::SITES_ASKED]]
        queries = {
            "/api/plies": ["", *sites, "?seat=0", "?seat=1"],
            "/api/aloud": ["", *sites, "?seat=0", *(f"?move={n}" for n in shown)],
            "/api/watch": ["", "?seat=0", "?seat=1", "?nobody=true"],
            "/api/position": [f"?ply={n}" for n in shown],
            "/api/history": ["", "?before=2"],
            "/api/history/<int:game_id>": ["", *(f"?ply={n}" for n in shown)],
            "/history/<int:game_id>/position.svg": ["", *(f"?ply={n}" for n in shown)],
            "/api/history/<int:game_id>/order": ["", *(f"?ply={n}" for n in shown)],
        }
        for rule in self.app.url_map.iter_rules():
            if "GET" not in (rule.methods or ()):
                continue
            for filled in self._filled(rule.rule):
                yield from (f"{filled}{query}" for query in queries.get(rule.rule, [""]))

    def _filled(self, rule: str) -> Iterator[str]:
        place = re.search(r"<(?:\w+:)?(\w+)>", rule)
        if place is None:
            yield rule
            return
        known = {**PLACES, "name": (self.service.look().table.play.session.name,)}
        assert place[1] in known, f"{rule}: say in PLACES what can stand for <{place[1]}>"
        for value in known[place[1]]:
            yield from self._filled(rule.replace(place[0], str(value)))

    @property
    def cell(self) -> str:
        """The first cell of the board."""
        return next(site.name for site in self.board.sites if site.name.isalnum())

    @property
    def plies(self) -> tuple[str, ...]:
        play = self.service.look().table.play
        return play.session.plies if play else ()
