"""A game over a real broker behind lines that delay and cut, while somebody repeats what was said before: one game."""

from __future__ import annotations

import queue
import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from controller import broker
from controller.afar.log import Log, LogEntry
from controller.service.afar.files import links
from tests.afar import boards
from tests.afar.boards import Families, Family
from tests.afar.brokers import Cable

pytestmark = pytest.mark.realtime  # a broker is a process of its own

TIDES = "tides-of-war"
PLIES = 50
SLOW_S = 0.02  # by which each bundle of bytes is late at most, in each direction
CUTS = 12  # at so many moves a line is cut; which ones, and which of the two lines, is drawn
CUT_S = 0.1  # so long after the move at most: while it is carried, or just before the next one
AGAIN_S = 0.1  # after which a board tries again; it is a second at other times
BEAT_S = 0.001  # of real time at each step of the hand
LATE_S = 1.0  # so late a message may be repeated


class BadCable(Cable):
    """A cable on which everything is late, and that is cut when the test says so: soon, not at once."""

    def __init__(self, port: int, seed: int) -> None:
        self.cuts, self._dice, self._mended = 0, random.Random(seed), threading.Event()
        self._due: queue.SimpleQueue[bool] = queue.SimpleQueue()
        super().__init__(port)
        self._cutter = threading.Thread(target=self._cut_again, name="bad cable", daemon=True)
        self._cutter.start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                self._mended.wait(self._dice.random() * SLOW_S)
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)

    def _cut_again(self) -> None:
        while self._due.get():
            self._mended.wait(self._dice.random() * CUT_S)
            self.cut()
            self.cuts += 1
            self.plug_in()

    def cut_soon(self) -> None:
        self._due.put(True)

    def mend(self) -> None:
        """Cut no more after what is due, and delay nothing."""
        self._due.put(False)
        self._mended.set()
        self._cutter.join()


class Echo:
    """Says some of what the boards say once more: at once, and once more later, when it is old."""

    def __init__(self, port: int, seed: int) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
        from paho.mqtt.subscribeoptions import SubscribeOptions

        self.repeated, self._dice, self._timers = 0, random.Random(seed), list[threading.Timer]()
        self._client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5)
        self._client.on_message = self._came
        self._client.connect("127.0.0.1", port)
        self._client.subscribe("bb/#", options=SubscribeOptions(qos=1, noLocal=True))
        self._client.loop_start()

    def _came(self, client: object, data: object, message: Any) -> None:
        if self._dice.random() < 0.5:
            self._say(message.topic, message.payload)
        if self._dice.random() < 0.5:
            timer = threading.Timer(self._dice.random() * LATE_S, self._say, (message.topic, message.payload))
            timer.daemon = True
            self._timers.append(timer)
            timer.start()

    def _say(self, topic: str, payload: bytes) -> None:
        self.repeated += 1
        self._client.publish(topic, payload, qos=1)

    def stop(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def echo(port: int) -> Iterator[Echo]:
    made = Echo(port, 7)
    try:
        yield made
    finally:
        made.stop()


def log_of(family: Family) -> Log:
    (file,) = links(family.path / "afar")
    found = file.log()
    assert found is not None
    return found


def stands(family: Family, plies: tuple[str, ...]) -> None:
    """Wait until the game at that board is there, and its pieces stand."""
    family.until(lambda: family.play.session.plies == plies and family.right())


def test_no_game_in_two_versions_nothing_lost_and_nothing_played_twice(
    tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "FIRST_AGAIN_S", AGAIN_S)
    monkeypatch.setattr(boards, "BEAT_S", BEAT_S)
    cables, dice = (BadCable(port, 1), BadCable(port, 2)), random.Random(3)
    cut_at = set(dice.sample(range(PLIES), CUTS))
    with echo(port) as again:
        two = Families(tmp_path, "square144", "square144", cables[0].port, far_port=cables[1].port)
        two.begin(TIDES)
        made: tuple[str, ...] = ()
        while len(made) < PLIES and not two.home.play.result.over:
            session = two.home.play.session
            mover = (two.home, two.far)[session.game.seat(session.state)]
            stands(mover, made)
            ply = two.dice.choice(list(session.game.plies(session.state)))
            if len(made) in cut_at:
                dice.choice(cables).cut_soon()
            mover.make(ply)
            made = (*made, session.game.text(session.state, ply))
            two.home.until(lambda: two.home.play.session.plies == made)  # noqa: B023  it is waited for here
        for cable in cables:
            cable.mend()
        for family in (two.home, two.far):
            stands(family, made)
    assert len(made) == PLIES
    assert sum(cable.cuts for cable in cables) == CUTS  # as many on a fast machine as on a slow one
    assert again.repeated >= PLIES
    logs = [log_of(family) for family in (two.home, two.far)]
    two.stop()
    for cable in cables:
        cable.close()
    assert logs[0].head() == logs[1].head()  # no forks
    assert logs[0].since(0) == tuple(LogEntry(ply=text) for text in made)  # nothing lost, nothing twice
