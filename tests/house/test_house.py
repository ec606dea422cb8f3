"""The board as Home Assistant meets it, over a real broker: from the first message to the last."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from controller.orders import PlayPly, Resign, TakeBack
from controller.settings import Settings
from tests.house.conftest import Settle
from tests.house.home_assistant import HomeAssistant, NotAccepted, accepted
from tests.house.mosquitto import Mosquitto
from tests.waiting import until
from tests.web_panel.real_table import RealTable

pytestmark = pytest.mark.realtime  # a broker is another process

PLIES = ("c3-d3", "c6-b5")


def play(table: RealTable, *plies: str) -> None:
    for ply in plies:
        table.running.service.submit(PlayPly(text=ply))


def kinds(home: HomeAssistant) -> list[tuple[str, int | None]]:
    return [(event["event_type"], event.get("number")) for event in home.events]


def test_a_board_becomes_a_device_with_five_entities(settle: Settle, home: HomeAssistant) -> None:
    table = settle("Wohnzimmer")
    home.until(lambda home: len(home.states) == 4 and home.available)
    assert set(home.entities) == {"turn", "move", "playing", "care", "light"}
    assert home.device["name"] == "Wohnzimmer"
    assert home.device["configuration_url"] == table.url.rstrip("/")
    assert home.states == {"turn": None, "playing": "OFF", "care": "OFF", "light": 60}


def test_a_game_from_its_beginning_to_its_end(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    home.until(lambda home: home.available)
    table.new_game("tides-of-war")
    home.until(lambda home: home.states.get("turn") == "White" and home.states["playing"] == "ON")
    play(table, "c3-d3")
    home.until(lambda home: home.states["turn"] == "Black")
    assert home.attributes["turn"] == {
        "game": "Tides of War", "phase": home.attributes["turn"]["phase"], "told": "Black to move.", "moves": 1,
    }  # fmt: skip
    play(table, "c6-b5")
    home.until(lambda home: len(home.events) >= 3)
    table.running.service.submit(TakeBack())
    home.until(lambda home: home.states["turn"] == "Black")
    play(table, "c6-b5")
    home.until(lambda home: len(home.events) >= 5)
    table.running.service.submit(Resign(seat=0))
    home.until(lambda home: home.states["playing"] == "OFF")
    home.until(lambda home: len(home.events) >= 6)
    assert kinds(home) == [("begun", 0), ("ply", 1), ("ply", 2), ("taken_back", 1), ("ply", 2), ("over", None)]
    assert home.events[1] == {
        "event_type": "ply", "number": 1, "seat": "White", "text": "c3-d3", "said": "Stone from C three to D three.",
    }  # fmt: skip
    assert home.events[-1]["winner"] == "Black"
    assert home.states["turn"] is None
    assert not [got for got in home.heard if got.topic.endswith("/event") and got.retained]


def test_a_broker_that_breaks_down_in_the_middle_is_told_the_rest(
    settle: Settle, home: HomeAssistant, broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    table = settle()
    table.new_game("tides-of-war")
    play(table, "c3-d3")
    home.until(lambda home: home.states.get("turn") == "Black")
    home.states.clear()
    home.entities.clear()
    broker.stop()
    until(lambda: not table.house.report()["connected"])
    until(lambda: "cannot be reached" in table.house.report()["told"])
    play(table, "c6-b5")
    assert table.backend.standing().to_move == 0  # the game goes on
    assert any("was lost" in record.getMessage() for record in caplog.records)
    broker.start()
    home.until(lambda home: home.states.get("turn") == "White")
    assert table.house.report()["told"] == "Connected to the MQTT broker."


def test_a_wrong_password_is_told_until_the_right_one_is_given(
    tmp_path: Path, settle: Settle, caplog: pytest.LogCaptureFixture
) -> None:
    closed = Mosquitto(tmp_path, {"board": "right", "home": "assistant"}).start()
    home = HomeAssistant(closed.port, "home", "assistant")
    try:
        table = settle(house_broker=closed.address, house_user="board", house_password="wrong")
        told = f"The MQTT broker {closed.address} refuses the user name or the password."
        until(lambda: table.house.report()["told"] == told)
        assert not table.house.report()["connected"]
        assert [record.getMessage() for record in caplog.records].count(told) == 1
        table.new_game("tides-of-war")
        play(table, *PLIES)
        table.preferences.choose({"house_password": "right"})
        home.until(lambda home: home.states.get("turn") == "White")
        assert "wrong" not in caplog.text
        assert "right" not in caplog.text
    finally:
        home.close()
        closed.stop()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("127.0.0.1:1", "The MQTT broker 127.0.0.1:1 cannot be reached (Connection refused)."),
        ("nowhere.invalid", "The MQTT broker nowhere.invalid:1883 cannot be reached (Name or service not known)."),
        ("", "The house is switched on, but no MQTT broker is named: enter its address in the settings."),
    ],
)
def test_a_broker_that_is_not_there_is_told_in_a_sentence(
    settle: Settle, address: str, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = settle(house_broker=address)
    until(lambda: table.house.report()["told"] == told or "resolution" in table.house.report()["told"])
    assert table.house.report()["told"] in [record.getMessage() for record in caplog.records]


def test_a_broker_with_tls_is_spoken_to_once_its_certificate_is_trusted(tmp_path: Path, settle: Settle) -> None:
    secure = Mosquitto(tmp_path, secure=True).start()
    try:
        address = f"mqtts://{secure.address}"
        table = settle(house_broker=address)
        told = f"The certificate of the MQTT broker {secure.address} is not trusted (self-signed certificate)."
        until(lambda: table.house.report()["told"] == told)
        trusting = Settings(house=True, house_broker=address, house_authority=str(secure.authority))
        table.house.adjust(trusting)
        until(lambda: table.house.report()["connected"])
        table.house.adjust(msgspec.structs.replace(trusting, house_authority=str(tmp_path / "missing.pem")))
        until(lambda: "No such file" in table.house.report()["told"])
    finally:
        secure.stop()


def test_a_plain_broker_is_not_spoken_to_in_tls(settle: Settle, broker: Mosquitto) -> None:
    table = settle(house_broker=f"mqtts://{broker.address}")
    until(lambda: not table.house.report()["told"].startswith("Connecting"))
    assert broker.address in table.house.report()["told"]
    assert not table.house.report()["connected"]


def test_home_assistant_that_starts_later_is_told_everything_again(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    table.new_game("tides-of-war")
    home.until(lambda home: home.states.get("turn") == "White")
    home.states.clear()
    home.entities.clear()
    before = len(home.heard)
    home.born()
    home.until(lambda home: home.states.get("turn") == "White" and len(home.states) == 4)
    assert [got.topic.rpartition("/")[2] for got in home.heard[before + 1 :]] == ["config", "status", "state", "light"]


def test_a_board_that_breaks_down_is_off_by_its_last_will_and_one_that_ends_says_so(
    settle: Settle, home: HomeAssistant
) -> None:
    table = settle()
    home.until(lambda home: home.available)
    visit = table.house._visit
    assert visit is not None
    line = visit._line
    assert line is not None
    assert line._up is not None
    line._closing.set()
    line._up.socket().close()
    home.until(lambda home: not home.available)
    other = settle()
    home.until(lambda home: home.available)
    other.close()
    home.until(lambda home: not home.available)


def test_switched_off_it_leaves_nothing_behind(settle: Settle, home: HomeAssistant, broker: Mosquitto) -> None:
    table = settle()
    home.until(lambda home: home.available and home.states)
    table.preferences.choose({"house": False})
    home.until(lambda home: home.removed == 1)
    assert not table.house.report()["on"]
    later = HomeAssistant(broker.port)
    later.say("marker", "x")
    later.until(lambda later: later.heard)
    assert [got.topic for got in later.heard] == ["marker"]
    later.close()


def test_another_password_or_name_is_no_reason_to_leave(settle: Settle, home: HomeAssistant) -> None:
    table = settle("Old")
    home.until(lambda home: home.available)
    table.preferences.choose({"house_name": "New"})
    home.until(lambda home: home.device.get("name") == "New" and home.available)
    assert home.removed == 0


def test_needs_care_says_what_is_wrong(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    home.until(lambda home: home.states.get("care") == "OFF")
    table.running.service.report("lights", "The lights have a fault.")
    home.until(lambda home: home.states["care"] == "ON")
    assert home.attributes["care"]["reason"].endswith("The lights have a fault.")
    table.running.service.report("lights", "")
    home.until(lambda home: home.states["care"] == "OFF")


def test_a_board_in_german_speaks_german_to_the_house(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    table.preferences.choose({"language": "de"})
    table.new_game("tides-of-war")
    home.until(lambda home: home.states.get("turn") == "Weiß")


@pytest.mark.parametrize(
    ("address", "told"),
    [("http://10.0.0.2:8000", "http://10.0.0.2:8000"), ("", None)],
)
def test_the_device_is_one_that_home_assistant_accepts(address: str, told: str | None) -> None:
    from controller.house.discovery import Topics, device

    payload = device("0123abcd", "<b>Name</b>", "", address)
    found = accepted(Topics("0123abcd").config, json.dumps(payload))
    assert set(found) == {"turn", "move", "playing", "care", "light"}
    assert payload["device"].get("configuration_url") == told


@pytest.mark.parametrize(
    "break_it",
    [
        lambda payload: payload.pop("origin"),
        lambda payload: payload["origin"].pop("name"),
        lambda payload: payload["device"].pop("identifiers"),
        lambda payload: payload.update(name="x"),
        lambda payload: payload["components"]["turn"].pop("unique_id"),
        lambda payload: payload["components"]["turn"].pop("platform"),
        lambda payload: payload["components"]["turn"].pop("state_topic"),
        lambda payload: payload["components"]["move"].pop("event_types"),
        lambda payload: payload["components"]["care"].update(device_class="trouble"),
        lambda payload: payload["components"]["light"].update(command_topic="beaconboard/+/light"),
        lambda payload: payload["components"]["light"].update(supported_color_modes=["brightness", "onoff"]),
        lambda payload: payload["device"].update(configuration_url="beaconboard.local"),
    ],
)
def test_the_checks_of_the_device_would_see_a_fault(break_it: Callable[[dict[str, object]], object]) -> None:
    from controller.house.discovery import Topics, device

    payload = device("0123abcd", "Name", "1.0", "http://10.0.0.2:8000")
    break_it(payload)
    with pytest.raises(NotAccepted):
        accepted(Topics("0123abcd").config, json.dumps(payload))


def test_a_board_that_is_switched_off_loads_no_mqtt() -> None:
    code = "import sys, controller.app.run; sys.exit(any(name.startswith('paho') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_thread_is_left_of_a_board_that_left(settle: Settle, home: HomeAssistant) -> None:
    import threading

    table = settle()
    home.until(lambda home: home.available)
    table.preferences.choose({"house": False})
    table.running.service.poke()
    names = {"house", "house-views", "broker"}
    until(lambda: not names & {thread.name for thread in threading.enumerate()})


@pytest.fixture(autouse=True)
def _log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
