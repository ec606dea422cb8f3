"""`beaconboard relay`: the page for phones without a board, beside a broker.

Owns the lines to the broker, one for each room in which a page listens, and the order of starting and stopping.
"""

from __future__ import annotations

import logging
import queue
import signal
import threading
from collections.abc import Callable
from pathlib import Path

from controller.app.run import LOOK_S, Ended
from controller.app.supervisor import SILENT, Hanging, felt
from controller.broker import Broker, BrokerLine, Message
from controller.panel.history_backend import HistoryBackend
from web_panel.proxies import LocalProxy
from web_panel.relay import MOST_BYTES as MESSAGE_BYTES
from web_panel.relay import create_relay
from web_panel.serve import Server, listen

log = logging.getLogger(__name__)

MOST_PAGES = 64
MOST_BYTES = 8_000_000  # of one message of a board
NO_GAMES = Path("no-games.sqlite3")  # a relay keeps none: only the rules are read
EACH_ROOM = 8  # pages that listen in one room


class Ear:
    """One page that listens: a `web_panel.relay.Listening`."""

    def __init__(self, most: int, close: Callable[[Ear], None]) -> None:
        self.messages: queue.Queue[bytes | bool] = queue.Queue(most)
        self._close = close

    def hear(self, came: bytes | bool) -> None:
        """Take what came; a page that is too slow hears that it must begin anew."""
        try:
            self.messages.put_nowait(came)
        except queue.Full:
            while not self.messages.empty():
                self.messages.get_nowait()
            self.messages.put_nowait(b"")

    def close(self) -> None:
        """Listen no longer."""
        self._close(self)


class Room:
    """A room with its line to the broker, and the pages that listen in it."""

    def __init__(self, broker: Broker, name: str) -> None:
        self.name, self.up = name, False
        self.ears: list[Ear] = []
        self.line = BrokerLine(broker, "", (f"bb/{name}/down",), self._heard, self._stands, most_bytes=MOST_BYTES)

    def _heard(self, message: Message) -> None:
        if message.payload:
            for ear in tuple(self.ears):
                ear.hear(message.payload)

    def _stands(self, up: bool, _: str) -> None:
        self.up = up
        for ear in tuple(self.ears):
            ear.hear(up)


class MqttBridge:
    """A `web_panel.relay.Bridge` to ``broker``."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._lock = threading.Lock()
        self._rooms: dict[str, Room] = {}

    def listen(self, room: str, most: int) -> Ear | None:
        """Listen in ``room``; None where too many do already."""
        with self._lock:
            found = self._rooms.get(room)
            listening = sum(len(each.ears) for each in self._rooms.values())
            if listening >= MOST_PAGES or (found is not None and len(found.ears) >= EACH_ROOM):
                return None
            ear = Ear(most, lambda ear: self._leave(room, ear))
            if found is None:
                found = self._rooms[room] = Room(self._broker, room)
                found.ears.append(ear)
                found.line.start()
            else:
                found.ears.append(ear)
                ear.hear(found.up)
            return ear

    def send(self, room: str, message: bytes) -> bool:
        """Send ``message`` to the board of ``room``."""
        with self._lock:
            found = self._rooms.get(room)
        return found is not None and found.line.send(Message(f"bb/{room}/up", message))

    def close(self) -> None:
        """Hang up everywhere."""
        with self._lock:
            rooms, self._rooms = list(self._rooms.values()), {}
        for room in rooms:
            for ear in tuple(room.ears):
                ear.hear(b"")
            room.line.close()

    def _leave(self, room: str, ear: Ear) -> None:
        with self._lock:
            found = self._rooms.get(room)
            if found is None or ear not in found.ears:
                return
            found.ears.remove(ear)
            if found.ears:
                return
            del self._rooms[room]
        found.line.close()


def serve(bridge: MqttBridge, host: str, port: int) -> Server:
    """Return a relay that listens; raises `Ended` where it cannot."""
    try:
        app = create_relay(bridge, HistoryBackend(None, NO_GAMES))
        proxy = LocalProxy(homes=True)
        return listen(app, host, port, streams=MOST_PAGES, proxy=proxy, most_body_bytes=MESSAGE_BYTES)
    except OSError as error:
        raise Ended(f"the relay cannot listen on {host}:{port} ({error}): choose another --host or --port") from error


def run(broker: Broker, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` gets the address. Raises `Ended`, and `Hanging` where no page is
    answered any more.
    """
    bridge = MqttBridge(broker)
    server = serve(bridge, host, port)
    stopping = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stopping.set())
    serving = threading.Thread(target=server.run, name="relay")
    serving.start()
    ready(f"http://{'localhost' if host in ('0.0.0.0', '*') else host}:{server.port}/")
    pulse = felt(server.where, stopping)
    while pulse.answers and not stopping.wait(LOOK_S):
        pass
    bridge.close()
    if not pulse.answers and not stopping.is_set():
        raise Hanging(SILENT)
    server.close()
    serving.join()
