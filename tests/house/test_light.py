"""The board as a light of the house, and what *off* leaves to a game that is on."""

from __future__ import annotations

import pytest

from controller.house.discovery import switched
from tests.house.conftest import Settle
from tests.house.home_assistant import HomeAssistant
from tests.house.test_house import play
from tests.waiting import until
from tests.web_panel.real_table import RealTable

pytestmark = pytest.mark.realtime  # a broker is another process


def settled(table: RealTable, home: HomeAssistant) -> None:
    home.until(lambda home: home.available and home.states.get("light") == 60)
    assert shines(table) == 60


def shines(table: RealTable) -> int:
    return int(table.lights._brightness)


def test_a_brightness_is_the_setting_from_then_on(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    settled(table, home)
    home.switch(state="ON", brightness=25)
    home.until(lambda home: home.states["light"] == 25)
    until(lambda: shines(table) == 25)
    until(lambda: table.preferences.now.brightness == 25)
    table.backend.choose({"brightness": 80})
    home.until(lambda home: home.states["light"] == 80)


def test_off_is_dark_while_nobody_plays_and_a_game_turns_it_on(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    settled(table, home)
    home.switch(state="OFF")
    home.until(lambda home: home.states["light"] == 0)
    until(lambda: table.table.brightness == 0)
    assert table.preferences.now.brightness == 60
    table.new_game("tides-of-war")
    home.until(lambda home: home.states["light"] == 60)
    until(lambda: shines(table) == 60)


def test_off_dims_a_game_that_is_on_and_never_darkens_it(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    settled(table, home)
    table.new_game("tides-of-war")
    home.until(lambda home: home.states["playing"] == "ON")
    home.switch(state="OFF")
    home.until(lambda home: home.states["light"] == 0)
    until(lambda: shines(table) == 12)
    play(table, "c3-d3")
    home.until(lambda home: home.states["turn"] == "Black")
    assert (home.states["light"], shines(table)) == (0, 12)
    home.switch(state="ON")
    home.until(lambda home: home.states["light"] == 60)
    until(lambda: shines(table) == 60)


def test_who_makes_the_dimmed_board_brighter_on_the_panel_has_turned_it_on(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    settled(table, home)
    home.switch(state="OFF")
    home.until(lambda home: home.states["light"] == 0)
    until(lambda: table.table.brightness == 0)
    table.backend.choose({"brightness": 30})
    home.until(lambda home: home.states["light"] == 30)


def test_a_board_set_dark_is_turned_on_with_the_usual_brightness(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    table.backend.choose({"brightness": 0})
    home.until(lambda home: home.states.get("light") == 0)
    home.switch(state="ON")
    home.until(lambda home: home.states["light"] == 60)


@pytest.mark.parametrize(
    "payload",
    ["", "{}", "[]", "null", "ON", '{"state": "on"}', '{"state": 1}', '{"state": "ON", "brightness": "bright"}',
     '{"state": "ON", "brightness": NaN}', "\ud800".encode("utf-8", "surrogatepass"), "x" * 15_000, "[" * 5_000],
)  # fmt: skip
def test_what_is_no_command_changes_nothing(settle: Settle, home: HomeAssistant, payload: str | bytes) -> None:
    table = settle()
    settled(table, home)
    assert switched(payload.encode() if isinstance(payload, str) else payload) is None
    topic = home.entities["light"]["command_topic"]
    home._client.publish(topic, payload, 1).wait_for_publish(5)
    home._client.publish(topic, '{"state": "OFF"}', 1, retain=True).wait_for_publish(5)  # of which a new one hears
    home.until(lambda home: home.states["light"] == 0)
    home._client.publish(topic, b"", 1, retain=True).wait_for_publish(5)
    home.switch(state="ON", brightness=1000)
    home.until(lambda home: home.states["light"] == 100)


def test_a_command_that_the_broker_kept_is_an_old_one(settle: Settle, home: HomeAssistant) -> None:
    table = settle()
    settled(table, home)
    topic = home.entities["light"]["command_topic"]
    table.preferences.choose({"house": False})
    home.say(topic, '{"state": "OFF"}', retained=True)
    table.preferences.choose({"house": True})
    home.until(lambda home: home.available and home.states.get("light") == 60)
    table.new_game("tides-of-war")
    home.until(lambda home: home.states["turn"] == "White")
    assert home.states["light"] == 60
