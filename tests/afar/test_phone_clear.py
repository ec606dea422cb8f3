"""Of a game with a phone far away the broker, the relay and the way between them hold nothing in clear."""

from __future__ import annotations

import base64
import logging
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Request

from controller.broker import Broker, BrokerLine, BrokerMessage
from tests.afar.relays import far_page, home_and_relay, sees
from tests.waiting import until
from tests.web_panel.real_backend import made, write

NEEDLES = [
    b'"c3"', b'"e3"', b"c3-d3", b"e3xc3", b"White", b"Black", b"Ada ", b'"Ada', b"stone", b"tides", b"Tides", b'"view',
    b'"ply"', b"/api/", b'"seat', b"order", b"phase", b"watch", b"hello",
]  # fmt: skip


def test_nothing_of_a_game_is_in_clear_on_the_way(
    browser: Browser, tmp_path: Path, port: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    messages, posted, stands = list[BrokerMessage](), list[Request](), list[bool]()
    at = Broker("127.0.0.1", port)
    ear = BrokerLine(at, "", ("#",), messages.append, lambda up, _: stands.append(up), most_bytes=1 << 24)
    ear.start()
    until(lambda: stands == [True])
    (tmp_path / "home").mkdir()
    with home_and_relay(browser, tmp_path / "home", "square144", port) as home:
        home.new_game("tides-of-war")
        link = home.invite(1)
        far = far_page(browser, link)
        far.on("request", lambda request: posted.append(request))
        sees(far, "Tides of War")
        home.order(do="ply", text="c3-d3")
        made(far, 1)
        write(far, "e3xc3xa1")
        made(far, 2)
        far.context.close()
        relay = home.relay
    ear.close()
    ups, downs = ([m for m in messages if m.topic.endswith(way)] for way in ("/up", "/down"))
    assert len(ups) > 3
    assert sum(len(message.payload) for message in downs) > 20_000
    key = link.partition("#k=")[2]
    raw = [b for request in posted if request.url.startswith(f"{relay}line") for b in [request.post_data_buffer] if b]
    assert len(raw) > 3
    ours = ("web_panel.relay", "controller.app.relay", "controller.broker", "controller.service.afar.phones")
    told = [record.getMessage().encode() for record in caplog.records if record.name in ours]
    assert told
    log = (tmp_path / "broker" / "mosquitto.log").read_bytes()
    crossed = b"\n".join([*(m.topic.encode() + b"\n" + m.payload for m in messages), *raw, log])
    assert [needle for needle in NEEDLES if needle in crossed] == []
    wholes = [base64.b64encode(needle)[:-4] for needle in NEEDLES if len(needle) > 7]
    assert [each for each in wholes if each in crossed] == []
    assert [line for line in told if any(needle in line for needle in NEEDLES)] == []
    assert not any(key.encode() in place for place in (crossed, *told, *(each.url.encode() for each in posted)))
