"""`beaconboard relay`: the page for phones without a board, beside a broker."""

from __future__ import annotations

import logging
import queue
import signal
import threading
from collections import Counter
from collections.abc import Callable
from itertools import count
from pathlib import Path

from controller.app.run import LOOK_S, CannotServe
from controller.app.supervisor import SILENT, StartAgain, felt
from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.panel.history_backend import HistoryBackend
from web_panel.relay import MOST_BYTES as MESSAGE_BYTES
from web_panel.relay import create_relay
from web_panel.serve import Server, listen
from web_panel.serving.proxies import LocalProxy
from web_panel.stream import slots_each

log = logging.getLogger(__name__)

MOST_PAGES = 64
MOST_BYTES = 8_000_000  # of one message of a board
MOST_WAITING_BYTES = MOST_BYTES  # of all that wait for a page
NO_GAMES = Path("no-games.sqlite3")  # a relay keeps none: only the rules are read
EACH_ROOM = 8  # pages that listen in one room
EACH_ADDRESS = slots_each(MOST_PAGES)


class PageEar:
    """A page at ``address`` listening in ``room``: a `web_panel.relay.Listening`. Later ones have higher numbers."""

    def __init__(self, room: str, address: str, number: int, most: int, close: Callable[[PageEar], None]) -> None:
        self.messages: queue.Queue[bytes | bool] = queue.Queue(most)
        self.room, self.address, self.number = room, address, number
        self._close = close

    def hear(self, came: bytes | bool) -> None:
        """Take what came; a page that is too slow hears that it must begin again."""
        try:
            if self.waiting_bytes + (len(came) if isinstance(came, bytes) else 0) > MOST_WAITING_BYTES:
                raise queue.Full
            self.messages.put_nowait(came)
        except queue.Full:
            while not self.messages.empty():
                self.messages.get_nowait()
            self.messages.put_nowait(b"")

    @property
    def waiting_bytes(self) -> int:
        """How much waits for the page."""
        with self.messages.mutex:
            return sum(len(each) for each in self.messages.queue if isinstance(each, bytes))

    def close(self) -> None:
        """Listen no longer."""
        self._close(self)


class Room:
    """A room with its line to the broker, and the pages that listen in it. Once its board ``spoke`` they are known to
    be invited: a stranger can make up the name of a room, and no board answers there.
    """

    def __init__(self, broker: Broker, name: str) -> None:
        self.name, self.up, self.spoke = name, False, False
        self.ears: list[PageEar] = []
        self.line = BrokerLine(broker, "", (f"bb/{name}/down",), self._heard, self._stands, most_bytes=MOST_BYTES)

    def _heard(self, message: BrokerMessage) -> None:
        if message.payload:
            self.spoke = True
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
        self._numbers = count()

    def listen(self, room: str, address: str, most: int) -> PageEar | None:
        """Listen in ``room`` from ``address``; None where too many do already whose boards have spoken."""
        with self._lock:
            found = self._rooms.get(room)
            if found is not None and len(found.ears) >= EACH_ROOM:
                return None
            listening = [(ear, each) for each in self._rooms.values() for ear in each.ears]
            own = [(ear, each) for ear, each in listening if ear.address == address]
            left: Room | None = None
            if len(own) >= EACH_ADDRESS or len(listening) >= MOST_PAGES:
                given_way = _gives_way(own if len(own) >= EACH_ADDRESS else listening)
                if given_way is None:
                    return None
                given_way.hear(b"")
                left = self._without(given_way)
            entered = self._enter(room, address, most)
        if left is not None:
            left.line.close()
        return entered

    def _enter(self, name: str, address: str, most: int) -> PageEar:
        ear = PageEar(name, address, next(self._numbers), most, self._leave)
        room = self._rooms.get(name)
        if room is None:
            room = self._rooms[name] = Room(self._broker, name)
            room.ears.append(ear)
            room.line.start()
        else:
            room.ears.append(ear)
            ear.hear(room.up)
        return ear

    def send(self, room: str, message: bytes) -> bool:
        """Send ``message`` to the board of ``room``."""
        with self._lock:
            found = self._rooms.get(room)
        return found is not None and found.line.send(BrokerMessage(f"bb/{room}/up", message))

    def close(self) -> None:
        """Hang up everywhere."""
        with self._lock:
            rooms, self._rooms = list(self._rooms.values()), {}
        for room in rooms:
            for ear in tuple(room.ears):
                ear.hear(b"")
            room.line.close()

    def _leave(self, ear: PageEar) -> None:
        with self._lock:
            left = self._without(ear)
        if left is not None:
            left.line.close()

    def _without(self, ear: PageEar) -> Room | None:
        """Take ``ear`` out of its room; returns the room where that leaves it empty, for its line to be closed."""
        room = self._rooms.get(ear.room)
        if room is None or ear not in room.ears:
            return None
        room.ears.remove(ear)
        return self._rooms.pop(ear.room) if not room.ears else None


def _gives_way(listening: list[tuple[PageEar, Room]]) -> PageEar | None:
    """Return the page that has listened longest of the address that has most, in rooms where no board ever spoke."""
    strange = [ear for ear, room in listening if not room.spoke]
    many = Counter(ear.address for ear in strange)
    return max(strange, key=lambda ear: (many[ear.address], -ear.number), default=None)


def serve(bridge: MqttBridge, host: str, port: int) -> Server:
    """Return a relay that listens; raises `CannotServe` where it cannot."""
    try:
        app = create_relay(bridge, HistoryBackend(None, NO_GAMES))
        proxy = LocalProxy(homes=True)
        return listen(app, host, port, streams=MOST_PAGES, proxy=proxy, most_body_bytes=MESSAGE_BYTES)
    except OSError as error:
        raise CannotServe(
            f"the relay cannot listen on {host}:{port} ({error}): choose another --host or --port"
        ) from error


def run(
    broker: Broker, host: str, port: int, ready: Callable[[str], None], why_again: Callable[[], str] = lambda: ""
) -> None:
    """Serve until SIGINT or SIGTERM; ``ready`` gets the address. Raises `CannotServe`, and `StartAgain` where no page
    is answered any more, or ``why_again`` says a sentence.
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
    why = ""
    while pulse.answers and not why and not stopping.wait(LOOK_S):
        why = why_again()
    bridge.close()
    if not stopping.is_set():
        raise StartAgain(why or SILENT)
    server.close()
    serving.join()
