"""Somebody who answers in the helper's place: what it is asked is kept, and what it tells is what a test has set."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.appliance.asking import answer_one
from controller.appliance.network.questions import Look, NetworkState, Question, Used, WifiFound

HOME = WifiFound("Familie Müller".encode(), 80, "password")
IN_OWN = NetworkState(True, True, "hotspot", hotspot="Beaconboard ab3d", password="card4pass9", networks=(HOME,))


class StandIn:
    """A helper that only says what it is to say; ``asked`` are the questions that are more than a look."""

    def __init__(self, told: NetworkState = IN_OWN) -> None:
        self.told = told
        self.asked: list[Question] = []
        self.ended = threading.Event()

    def answer(self, question: Question) -> NetworkState:
        if not isinstance(question, Look | Used):
            self.asked.append(question)
        return self.told

    def run(self, door: socket.socket) -> None:
        while not self.ended.is_set():
            answer_one(door, Question, self.answer, 0.05)


@contextmanager
def answering(path: Path, told: NetworkState = IN_OWN) -> Iterator[StandIn]:
    """Let a stand-in answer at ``path``."""
    helper = StandIn(told)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()
        thread = threading.Thread(target=helper.run, args=(door,))
        thread.start()
        try:
            yield helper
        finally:
            helper.ended.set()
            thread.join()
