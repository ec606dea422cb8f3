"""The helper for the network as systemd starts it: how often it looks, and what it does without its socket or card."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any

import pytest

from controller.appliance.network import __main__ as started
from controller.appliance.network.hotspot_card import BadCard, HotspotCard
from controller.appliance.network.questions import Join, Search, Used, WifiFound
from controller.appliance.network.watch import NetworkSeen


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


# ---- what it does with NetworkManager


class Manager:
    """A NetworkManager that sees what a test says, and notes what is asked of it."""

    def __init__(self) -> None:
        self.sees, self.did, self.opens = NetworkSeen(), list[str](), True

    def look(self) -> NetworkSeen:
        return self.sees

    def networks(self) -> tuple[WifiFound, ...]:
        return ()

    def ssid(self) -> bytes:
        return b""

    def search(self) -> None:
        self.did.append("search")

    def join(self, asked: Join) -> None:
        self.did.append("join")

    def settle(self) -> None:
        self.did.append("settle")

    def open_own(self, card: HotspotCard) -> bool:
        self.did.append("open")
        return self.opens

    def close_own(self) -> None:
        self.did.append("close")


class Helped:
    """A helper beside such a manager; its clock goes on as the test says."""

    def __init__(self) -> None:
        self.manager, self.now_s = Manager(), 100.0
        manager: Any = self.manager
        self.helper = started.NetworkHelper(
            HotspotCard("Beaconboard ab3d", "card4pass9"), lambda: manager, lambda: self.now_s
        )

    def looks(self, after_s: float, sees: NetworkSeen) -> list[str]:
        """Return what was done as that was seen after so many seconds."""
        self.now_s += after_s
        self.manager.sees, self.manager.did = sees, []
        self.helper.look()
        return self.manager.did


def test_a_search_that_somebody_asks_for_is_passed_on() -> None:
    at = Helped()
    assert at.helper.answer(Search()).state == "none"
    assert at.manager.did == ["search"]


def test_while_a_wifi_is_joined_it_hurries_and_settles_it_once_that_is_known() -> None:
    at = Helped()
    assert not at.helper.hurries
    at.manager.sees = NetworkSeen(joining="going")
    assert at.helper.answer(Join(b"home", "correct horse")).state == "joining"
    assert at.helper.hurries
    assert at.looks(1, NetworkSeen(joining="going")) == []
    assert at.looks(1, NetworkSeen(wifi=True, joining="done")) == ["settle"]
    assert not at.helper.hurries
    assert at.looks(1, NetworkSeen(wifi=True, knows=True)) == []


def test_its_own_wifi_is_closed_to_try_what_it_knows_unless_somebody_uses_it() -> None:
    at = Helped()
    assert at.looks(60, NetworkSeen(knows=True)) == ["open"]
    own = NetworkSeen(knows=True, hotspot=True)
    assert at.looks(299, own) == []
    at.helper.answer(Used())
    assert at.looks(299, own) == []
    assert at.looks(1, own) == ["close"]


def test_where_its_own_wifi_cannot_be_opened_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    at = Helped()
    at.manager.opens = False
    assert at.looks(60, NetworkSeen()) == ["open"]
    assert "NetworkManager does not open a Wi-Fi" in caplog.text


def test_before_anything_was_seen_it_says_that_it_knows_nothing() -> None:
    told = Helped().helper.answer(Used())
    assert (told.manager, told.radio, told.state, told.networks) == (False, False, "none", ())
    assert told.hotspot == "Beaconboard ab3d"
