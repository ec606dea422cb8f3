"""The helper for the network as systemd starts it: how often it looks, and what it does without its socket or card."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from controller.appliance.network import __main__ as started
from controller.appliance.network.hotspot_card import BadCard


class Evening:
    """A helper that notes when it looks, and a clock that goes on as it waits for questions."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s, self.looked_s, self.hurries = 1000.0, list[float](), False
        self.ends_s = 1010.0
        monkeypatch.setattr(started, "time", SimpleNamespace(monotonic=lambda: self.now_s))
        monkeypatch.setattr(started, "answer_one", self.waits)

    def look(self) -> None:
        self.looked_s.append(self.now_s)

    def answer(self, question: object) -> None:
        raise AssertionError

    def waits(self, door: object, question: object, answer: object, wait_s: float) -> bool:
        self.now_s += wait_s
        if self.now_s >= self.ends_s:
            raise InterruptedError
        return False

    def serves(self) -> None:
        helper: Any = self
        with socket.socket(socket.AF_UNIX) as door, pytest.raises(InterruptedError):
            started.serve(helper, door)


def test_the_network_is_looked_at_every_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(monkeypatch)
    evening.serves()
    assert evening.looked_s == [1000, 1002, 1004, 1006, 1008]


def test_and_twice_a_second_while_a_wifi_is_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(monkeypatch)
    evening.hurries, evening.ends_s = True, 1002.0
    evening.serves()
    assert evening.looked_s == [1000, 1000.5, 1001, 1001.5]


def test_who_asks_often_does_not_make_it_look_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening(monkeypatch)

    def asks(door: object, question: object, answer: object, wait_s: float) -> bool:
        return evening.waits(door, question, answer, 0.25)

    monkeypatch.setattr(started, "answer_one", asks)
    evening.serves()
    assert evening.looked_s == [1000, 1002, 1004, 1006, 1008]


def test_without_its_socket_it_says_what_starts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(started, "passed", list)
    with pytest.raises(SystemExit, match=r"This is started by beaconboard-network\.socket\."):
        started.main()


def test_a_card_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def read() -> None:
        raise BadCard("/etc/beaconboard/hotspot.toml cannot be read: Permission denied")

    with socket.socket(socket.AF_UNIX) as door:
        monkeypatch.setattr(started, "passed", lambda: [door])
        monkeypatch.setattr(started, "read", read)
        with pytest.raises(SystemExit, match=r"hotspot\.toml cannot be read: Permission denied"):
            started.main()
