"""A relay on the open internet: strangers take no place of those who were invited, and fill neither broker nor log."""

from __future__ import annotations

import base64
import http.client
import queue
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from controller.app import relay as relay_service
from controller.app.relay import EACH_ADDRESS, EACH_ROOM, MOST_PAGES, MOST_WAITING_BYTES, MqttBridge, PageEar
from controller.broker import Broker, BrokerLine, BrokerMessage
from controller.panel.history_backend import HistoryBackend
from tests.afar.relays import relay_at
from web_panel.relay import MOST_BYTES, create_relay
from web_panel.serving import counting

INVITED = "ab" * 16


class Wire:
    """A line to the broker that only notes: a `controller.broker.BrokerLine`."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        topics: tuple[str, ...],
        heard: Callable[[BrokerMessage], None],
        stands: Any,
        **_: Any,
    ) -> None:
        self.topic, self.heard, self.stands = topics[0], heard, stands
        self.open, self.sent = False, list[BrokerMessage]()

    def start(self) -> None:
        self.open = True

    def close(self) -> None:
        self.open = False

    def send(self, message: BrokerMessage) -> bool:
        self.sent.append(message)
        return True

    def board_speaks(self) -> None:
        self.heard(BrokerMessage(self.topic, b"sealed"))


@pytest.fixture
def wires() -> list[Wire]:
    return []


@pytest.fixture
def bridge(monkeypatch: pytest.MonkeyPatch, wires: list[Wire]) -> MqttBridge:
    def wire(*words: Any, **more: Any) -> Wire:
        wires.append(Wire(*words, **more))
        return wires[-1]

    monkeypatch.setattr(relay_service, "BrokerLine", wire)
    return MqttBridge(Broker("127.0.0.1", 1))


def strange(number: int) -> str:
    return f"{number:032x}"


def heard(ear: PageEar) -> list[bytes | bool]:
    return [ear.messages.get_nowait() for _ in range(ear.messages.qsize())]


def test_sixty_four_strangers_leave_room_for_an_invited_phone(bridge: MqttBridge, wires: list[Wire]) -> None:
    strangers = [bridge.listen(strange(n), f"203.0.113.{n % 8}", 9) for n in range(MOST_PAGES)]
    assert None not in strangers
    invited = bridge.listen(INVITED, "198.51.100.5", 9)
    assert invited is not None
    wires[-1].board_speaks()
    assert heard(invited) == [b"sealed"]
    for n in range(200):
        assert bridge.listen(strange(1000 + n), f"203.0.113.{n % 8}", 9) is not None
    assert heard(invited) == []  # nobody sent it away
    assert sum(wire.open for wire in wires) == MOST_PAGES


def test_one_stranger_has_few_pages_and_loses_only_the_own(bridge: MqttBridge, wires: list[Wire]) -> None:
    other = bridge.listen(strange(0), "203.0.113.5", 9)
    pages = [bridge.listen(strange(1 + n), "203.0.113.66", 9) for n in range(EACH_ADDRESS + 2)]
    assert [heard(page) for page in pages if page][:3] == [[b""], [b""], []]
    assert other is not None
    assert heard(other) == []
    assert sum(wire.open for wire in wires) == 1 + EACH_ADDRESS


def test_pages_whose_boards_have_spoken_give_way_to_nobody(bridge: MqttBridge, wires: list[Wire]) -> None:
    for n in range(MOST_PAGES):
        assert bridge.listen(strange(n), f"198.51.100.{n % 8}", 9) is not None
        wires[-1].board_speaks()
    assert bridge.listen(INVITED, "203.0.113.66", 9) is None


def test_each_page_hears_first_how_the_line_to_its_board_stands_and_then_when_that_changes(
    bridge: MqttBridge, wires: list[Wire]
) -> None:
    pages = [bridge.listen(INVITED, "198.51.100.5", 9) for _ in range(2)]
    assert [heard(page) for page in pages if page] == [[], [False]]
    wires[0].stands(True, "")
    third = bridge.listen(INVITED, "198.51.100.5", 9)
    assert [heard(page) for page in (*pages, third) if page] == [[True]] * 3
    bridge.close()
    assert [heard(page) for page in (*pages, third) if page] == [[b""]] * 3
    assert [wire.open for wire in wires] == [False]


def test_the_line_to_a_board_is_hung_up_when_the_last_page_has_left(bridge: MqttBridge, wires: list[Wire]) -> None:
    first, second = (bridge.listen(INVITED, "198.51.100.5", 9) for _ in range(2))
    assert first is not None
    assert second is not None
    first.close()
    first.close()  # its stream ends, and so does its phone
    assert wires[0].open
    second.close()
    assert not wires[0].open
    assert not bridge.send(INVITED, b"x")


def test_a_page_that_gave_way_may_leave_again_and_its_room_is_gone(bridge: MqttBridge, wires: list[Wire]) -> None:
    first = bridge.listen(strange(1), "203.0.113.66", 9)
    assert first is not None
    for n in range(EACH_ADDRESS):
        bridge.listen(strange(2 + n), "203.0.113.66", 9)
    assert not wires[0].open
    first.close()
    assert not bridge.send(strange(1), b"x")
    assert bridge.send(strange(2), b"x")


def test_a_board_that_sends_much_to_a_page_that_does_not_read_lets_it_begin_anew(
    bridge: MqttBridge, wires: list[Wire]
) -> None:
    page = bridge.listen(INVITED, "198.51.100.5", 1000)
    assert page is not None
    for _ in range(500):
        wires[0].heard(BrokerMessage("bb/x/down", b"x" * (MOST_WAITING_BYTES // 10)))
        assert page.waiting_bytes <= MOST_WAITING_BYTES
    assert heard(page)[0] == b""


def test_a_room_has_few_pages(bridge: MqttBridge) -> None:
    pages = [bridge.listen(INVITED, f"198.51.100.{n}", 9) for n in range(EACH_ROOM + 1)]
    assert [page is None for page in pages] == [False] * EACH_ROOM + [True]


# ---- what a page may send ----


def phone(bridge: MqttBridge, address: str) -> FlaskClient:
    app = create_relay(bridge, HistoryBackend(None, Path("no-games.sqlite3")))
    client = app.test_client()
    client.environ_base["REMOTE_ADDR"] = address
    return client


def said(client: FlaskClient, message: bytes, address: str) -> int:
    return client.post(
        f"/line?room={INVITED}", data=message, content_type="application/octet-stream",
        environ_overrides={"REMOTE_ADDR": address},
    ).status_code  # fmt: skip


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(counting, "monotonic", lambda: now[0])
    monkeypatch.setattr(counting, "time", lambda: now[0])
    return now


@pytest.mark.parametrize("path", ["/", "/nowhere"])
def test_a_page_of_the_relay_loads_and_tells_nothing_elsewhere(bridge: MqttBridge, path: str) -> None:
    headers = phone(bridge, "203.0.113.66").get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert (headers["X-Frame-Options"], headers["Referrer-Policy"]) == ("DENY", "no-referrer")


def test_who_sends_megabytes_is_stopped_and_nobody_else(
    bridge: MqttBridge, wires: list[Wire], clock: list[float]
) -> None:
    """6,387 messages of 250 kB went on to the broker in twelve seconds."""
    bridge.listen(INVITED, "198.51.100.5", 9)
    client = phone(bridge, "203.0.113.66")
    answers = [said(client, b"x" * (MOST_BYTES - 1), "203.0.113.66") for _ in range(40)]
    assert answers == [200] * 16 + [429] * 24
    assert said(client, b"a move", "198.51.100.5") == 200
    assert sum(len(message.payload) for message in wires[0].sent) < 4 * 1024 * 1024 + 10
    clock[0] += 60
    assert said(client, b"a move", "203.0.113.66") == 200


@pytest.mark.slow
def test_who_sends_without_end_is_stopped_and_nobody_else(
    bridge: MqttBridge, wires: list[Wire], clock: list[float]
) -> None:
    bridge.listen(INVITED, "198.51.100.5", 9)
    client = phone(bridge, "203.0.113.66")
    for _ in range(30):
        clock[0] += 1
        answers = [said(client, b"x", "203.0.113.66") for _ in range(50)]
    assert set(answers) == {429}
    assert said(client, b"a move", "198.51.100.5") == 200
    assert len(wires[0].sent) == 900 + 1


def test_a_page_that_opens_and_a_busy_evening_are_not_stopped(bridge: MqttBridge, clock: list[float]) -> None:
    bridge.listen(INVITED, "198.51.100.5", 9)
    client = phone(bridge, "198.51.100.5")
    assert [said(client, b"x" * 2000, "198.51.100.5") for _ in range(30)] == [200] * 30
    for _ in range(200):
        clock[0] += 1
        assert [said(client, b"x" * 2000, "198.51.100.5") for _ in range(6)] == [200] * 6


# ---- a real relay at a real broker ----


def page(relay: str, room: str, address: str) -> http.client.HTTPResponse:
    """Listen in a room, as the proxy in front of a relay hands it on."""
    line = http.client.HTTPConnection(urlsplit(relay).netloc, timeout=20)
    line.request("GET", f"/line?room={room}", headers={"X-Forwarded-For": address})
    return line.getresponse()


def next_message(answer: http.client.HTTPResponse) -> bytes:
    told = next(line for line in answer if line.startswith(b"data: ") and line[6:11] not in (b"true\n", b"false"))
    return base64.b64decode(told[6:])


@pytest.mark.realtime
def test_an_invited_phone_gets_in_beside_sixty_four_strangers_and_stays(port: int) -> None:
    came: queue.Queue[BrokerMessage] = queue.Queue()
    stands = threading.Event()
    board = BrokerLine(
        Broker("127.0.0.1", port), "", (f"bb/{INVITED}/up",), came.put, lambda up, _: stands.set() if up else None
    )
    board.start()
    assert stands.wait(20)
    with relay_at(port) as relay, ExitStack() as held:
        for n in range(MOST_PAGES):
            assert held.enter_context(page(relay, strange(n), f"203.0.113.{n % 8}")).status == 200
        invited = held.enter_context(page(relay, INVITED, "198.51.100.5"))
        assert invited.status == 200
        next(line for line in invited if line == b"data: true\n")
        line = http.client.HTTPConnection(urlsplit(relay).netloc, timeout=20)
        line.request("POST", f"/line?room={INVITED}", b"sealed", {"Content-Type": "application/octet-stream"})
        assert line.getresponse().status == 200
        assert came.get(timeout=20).payload == b"sealed"
        board.send(BrokerMessage(f"bb/{INVITED}/down", b"an answer"))
        assert next_message(invited) == b"an answer"
        for n in range(MOST_PAGES):
            assert held.enter_context(page(relay, strange(1000 + n), f"203.0.113.{n % 8}")).status == 200
        board.send(BrokerMessage(f"bb/{INVITED}/down", b"another"))
        assert next_message(invited) == b"another"
    board.close()
