"""The house that the board belongs to, while that is switched on: what its broker is told, and what comes from there.

Nothing here holds up a game: the service hands out its views as to any watcher, and what fails ends in a sentence.
While it is switched off there is no thread and no MQTT client.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from queue import Empty, Full, Queue
from typing import Any

import msgspec

from controller.broker import BrokerLine, BrokerMessage, broker_at
from controller.house.boards import Boards
from controller.house.discovery import BIRTH, OFFLINE, ONLINE, OURS, Switched, Topics, device, light_state, switched
from controller.house.light import BoardLight, Glow, Resting
from controller.house.telling import happened, told_of
from controller.refused import Refused
from controller.sentences import ENGLISH, say
from controller.settings import Settings
from controller.table.views.types import PanelView

log = logging.getLogger(__name__)

AGAIN_S = 2.0  # between two times that a board says everything of itself, whoever makes it do so
MOST_WAITING = 1000  # messages and views; who floods the broker fills no memory of ours
encode = msgspec.json.Encoder(enc_hook=ENGLISH).encode


class BoardForHouse(msgspec.Struct, frozen=True):
    """What the house needs of the board. ``views`` are what a watcher sees, as `web_panel.backend.TableAccess.watch`
    yields them; ``shine`` sets the lights to percent and ``keep`` makes that the setting, both raise `Refused`; ``id``
    is the board's own, the same for ever.

    ``address`` is where other machines open the panel, "" where they cannot; ``words`` puts a sentence into the
    language of the board, ``aloud`` says the move with a number as a watcher may hear it. ``now_s`` never goes back.
    """

    views: Callable[[], Iterator[tuple[str, Any] | None]]
    shine: Callable[[int], None]
    keep: Callable[[int], None]
    id: Callable[[], str]
    address: Callable[[], str]
    words: Callable[[str], str]
    aloud: Callable[[int], str]
    version: str = ""
    now_s: Callable[[], float] = time.monotonic


class _Stands(msgspec.Struct, frozen=True):
    up: bool
    why: str


class House:
    """Make it, and `adjust` it whenever the settings may have changed; `close` it before the service ends."""

    def __init__(self, around: BoardForHouse) -> None:
        self._around = around
        self._lock = threading.Lock()
        self._with: Mapping[str, Any] = {}
        self._visit: Visit | None = None
        self._closed = False

    def adjust(self, settings: Settings) -> None:
        """Go on with ``settings``; returns soon. What was told of the board is taken back where it is switched off.

        Once closed it does nothing: a brightness that is kept at the end is a change of settings, too.
        """
        with self._lock:
            if self._closed:
                return
            wanted = _of_house(settings)
            visit = self._visit
            if visit is not None:
                visit.brightness.settings_say(settings.brightness)
            if wanted == self._with:
                return
            if visit is not None:
                stays = wanted.get("house_broker") == self._with.get("house_broker")
                self._visit = None
                visit.end(leave=not stays)
            self._with = wanted
            if wanted:
                self._visit = Visit(self._around, settings)
                self._visit.start()

    def close(self) -> None:
        """Say that the board is off, and end."""
        with self._lock:
            visit, self._visit, self._closed = self._visit, None, True
            if visit is not None:
                visit.end(leave=False)
        if visit is not None:
            visit.keep(math.inf)

    def report(self) -> dict[str, Any]:
        """Return ``{"on", "connected", "told", "boards"}``: how it stands in one sentence, and every board of the house
        as ``{"id", "name", "address", "game", "phase", "turn", "told", "on", "here"}``.
        """
        visit = self._visit
        if visit is None:
            return {"on": False, "connected": False, "told": say("This board is not connected to the house."),
                    "boards": []}  # fmt: skip
        boards = [
            {"id": board.id, **msgspec.structs.asdict(board.said), "on": board.on, "here": board.here}
            for board in visit.boards.all()
        ]
        return {"on": True, "connected": visit.connected, "told": visit.told, "boards": boards}

    def forget(self, id: str) -> None:
        """Let the house know nothing more of the board ``id``, which is gone; one that comes back says so itself.

        Raises `Refused`.
        """
        visit = self._visit
        if visit is None:
            raise Refused(say("This board is not connected to the house."))
        visit.forget(id)


def _of_house(settings: Settings) -> dict[str, Any]:
    """Return the settings on which the connection depends, nothing where it is switched off."""
    if not settings.house:
        return {}
    return {name: value for name, value in msgspec.structs.asdict(settings).items() if name.startswith("house")}


class Visit:
    """One connection to the house, from `start` to `end`."""

    def __init__(self, around: BoardForHouse, settings: Settings) -> None:
        self._around, self._settings = around, settings
        self.brightness = Resting(settings.brightness)
        self.connected = False
        self.told: str = say("Connecting to the MQTT broker.")
        self._topics = Topics(around.id())
        self.boards = Boards(self._topics.id)
        self._line: BrokerLine | None = None
        self._inbox: Queue[PanelView | BrokerMessage | _Stands | None] = Queue(MOST_WAITING)
        self._ending = threading.Event()
        self._view: PanelView | None = None
        self._light = BoardLight()
        self._last: dict[str, bytes] = {}  # what was last told, by its topic
        self._introduced_s = -AGAIN_S  # when everything was told last
        self._introduces = False  # whether it is to be told again
        self._thread = threading.Thread(target=self._run, name="house", daemon=True)

    # ---- from other threads

    def start(self) -> None:
        """Begin to connect, unless no broker is named."""
        given = self._settings
        if not given.house_broker:
            self.told = say("The house is switched on, but no MQTT broker is named: enter its address in the settings.")
            log.warning("%s", self.told)
            return
        topics = self._topics
        broker = broker_at(given.house_broker, given.house_user, given.house_password, given.house_authority)
        self._line = BrokerLine(
            broker, f"{OURS}-{topics.id}",
            (BIRTH, topics.set_light, f"{OURS}/+/state", f"{OURS}/+/status", topics.config, topics.light),
            self._put, lambda up, why: self._put(_Stands(up, why)), BrokerMessage(topics.status, OFFLINE, True),
        )  # fmt: skip
        self._thread.start()
        threading.Thread(target=self._watch, name="house-views", daemon=True).start()
        self._line.start()

    def end(self, leave: bool) -> None:
        """Say that the board is off, or let the house forget it where it is to ``leave``; returns when that is said."""
        self._ending.set()
        if self._line is None:
            return
        topics = self._topics
        last = [BrokerMessage(topic, b"", True) for topic in topics.retained] if leave else []
        self._line.close(last or [BrokerMessage(topics.status, OFFLINE, True)])
        with suppress(Full):  # then its thread has something to wake up for
            self._inbox.put_nowait(None)

    def forget(self, id: str) -> None:
        """Take from the broker what it keeps of a board that is off; raises `Refused`."""
        board = next((each for each in self.boards.all() if each.id == id), None)
        if board is None:
            raise Refused(say("There is no such board in the house any more."))
        if board.on or board.here:
            raise Refused(say("{name} is on: only a board that is off is forgotten.", name=board.said.name))
        line = self._line
        if line is None or not self.connected:
            raise Refused(self.told)
        for topic in Topics(id).retained:
            gone = BrokerMessage(topic, b"", True)
            if not line.send(gone):
                raise Refused(say("The MQTT broker was lost meanwhile: try again."))
            self.boards.hear(gone)

    def _put(self, item: PanelView | BrokerMessage | _Stands) -> None:
        """Hand ``item`` to our own thread. Messages that come faster than it can read them are left out."""
        while not self._ending.is_set():
            try:
                self._inbox.put(item, timeout=None if isinstance(item, BrokerMessage) else 1.0,
                                block=not isinstance(item, BrokerMessage))  # fmt: skip
                return
            except Full:
                if isinstance(item, BrokerMessage):
                    return

    def _watch(self) -> None:
        for each in self._around.views():
            if self._ending.is_set():
                return
            if each is not None and each[0] == "view":
                self._put(each[1])

    # ---- in its own thread

    def _run(self) -> None:
        while not self._ending.is_set():
            now_s = self._around.now_s()
            self.keep(now_s)
            with suppress(Empty):
                item = self._inbox.get(timeout=self._wait_s(now_s))
                if item is None:
                    break
                self._guarded(partial(self._take, item))
                self._inbox.task_done()
            if self._again_s(self._around.now_s()) == 0.0:
                self._guarded(self._introduce)
        self.keep(math.inf)

    def _wait_s(self, now_s: float) -> float | None:
        """Return how long nothing has to be done but what comes in; None where that is for ever."""
        waits = (self.brightness.wait_s(now_s), self._again_s(now_s))
        return min((wait_s for wait_s in waits if wait_s is not None), default=None)

    def _again_s(self, now_s: float) -> float | None:
        """Return how long it is until everything is to be told again; None where it is not."""
        return max(0.0, self._introduced_s + AGAIN_S - now_s) if self._introduces else None

    def _guarded(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception:  # whatever a view or a message brings about: play goes on, and so does this thread
            log.exception("the house cannot be told something")

    def keep(self, now_s: float) -> None:
        """Make a brightness the setting that has rested by ``now_s``."""
        percent = self.brightness.rested(now_s)
        if percent is None:
            return
        try:
            self._around.keep(percent)
        except Refused as refused:
            log.warning("%s", refused)

    def _take(self, item: PanelView | BrokerMessage | _Stands) -> None:
        if isinstance(item, PanelView):
            before, self._view = self._view, item
            self._look(before, item)
        elif isinstance(item, BrokerMessage):
            self._hear(item)
        else:
            self._stand(item)

    def _stand(self, now: _Stands) -> None:
        assert self._line is not None
        self.connected = now.up
        self.told = say("Connected to the MQTT broker.") if now.up else now.why
        if now.up:
            self.boards = Boards(self._topics.id)  # the broker tells of all that there are
            self._introduce()

    def _introduce(self) -> None:
        """Say all that is retained, from the start; Home Assistant or the broker may know nothing of us."""
        self._introduces, self._introduced_s = False, self._around.now_s()
        self._last.clear()
        described = device(self._topics.id, self._name, self._around.version, self._around.address())
        self._tell(self._topics.config, described)
        self._send(BrokerMessage(self._topics.status, ONLINE, True))
        if self._view is not None:
            self._say_state(self._view)

    @property
    def _name(self) -> str:
        return self._settings.house_name or self._around.words(say("Game board"))

    def _look(self, before: PanelView | None, now: PanelView) -> None:
        if (glow := self._light.look(now, self.brightness.usual)) is not None:
            self._shine(glow)
        self._say_state(now)  # first: who acts on an event finds the other entities as they are then
        for event in happened(before, now, self._around.words, self._around.aloud):
            self._send(BrokerMessage(self._topics.event, encode(event)))

    def _say_state(self, view: PanelView) -> None:
        around = self._around
        told = told_of(view, self._name, around.address(), around.words)
        self._tell(self._topics.state, told)
        self.boards.show_own(encode(told))
        self._tell(self._topics.light, light_state(self._light.percent(view)))

    def _hear(self, message: BrokerMessage) -> None:
        if message.topic == BIRTH:
            self._introduces |= message.payload == ONLINE and not message.retained
        elif message.topic == self._topics.set_light:
            command = None if message.retained else switched(message.payload)
            if command is not None and self._view is not None:
                self._switch(command, self._view)
        elif message.topic in self._topics.retained:
            self._introduces |= not message.retained  # somebody else has written or deleted what we say of ourselves
        else:
            self.boards.hear(message)

    def _switch(self, command: Switched, view: PanelView) -> None:
        self._shine(self._light.switch(command, view, self.brightness.usual))
        self._tell(self._topics.light, light_state(self._light.percent(view)))

    def _shine(self, glow: Glow) -> None:
        if glow.kept:
            self.brightness.choose(glow.percent, self._around.now_s())
        try:
            self._around.shine(glow.percent)
        except Refused as refused:
            log.warning("%s", refused)

    def _tell(self, topic: str, value: Any) -> None:
        """Let the broker keep ``value``, unless it has that already."""
        payload = encode(value)
        if self._last.get(topic) != payload and self._send(BrokerMessage(topic, payload, True)):
            self._last[topic] = payload

    def _send(self, message: BrokerMessage) -> bool:
        assert self._line is not None
        return self._line.send(message)
