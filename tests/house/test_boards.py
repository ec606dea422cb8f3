"""Several boards of one house: each knows of all, and believes little of what it is told."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from controller.broker import BrokerMessage
from controller.house.boards import MOST_BOARDS, Boards
from controller.refused import Refused
from tests.house.conftest import Settle
from tests.house.home_assistant import HomeAssistant
from tests.house.mosquitto import Mosquitto
from tests.house.test_house import play
from tests.waiting import until
from tests.web_panel.axe import complaints
from tests.web_panel.conftest import pages
from tests.web_panel.real_table import Pages, RealTable, join

pytestmark = pytest.mark.realtime  # a broker is another process

NASTY = "<img src=x onerror=alert(1)>لعبة小林ξ&amp;"  # as long as a name may be
GOOD = {"name": "A", "address": "http://10.0.0.2:8000", "game": "", "phase": "idle", "turn": None, "told": ""}
__all__ = ["pages"]


def announced(id: str, **more: Any) -> BrokerMessage:
    return BrokerMessage(f"beaconboard/{id}/state", json.dumps({**GOOD, **more}).encode(), True)


def test_each_board_lists_all_of_them(settle: Settle) -> None:
    hall, attic = settle("Hall"), settle("Attic", board="hex91")
    attic.new_game("cyvasse")
    hall.new_game("tides-of-war")
    play(hall, "c3-d3")
    for table in (hall, attic):
        until(lambda table=table: [b["turn"] for b in table.house.report()["boards"]][1:] == ["Black"])  # type: ignore[misc]
        boards = table.house.report()["boards"]
        assert [(board["name"], board["game"], board["on"]) for board in boards] == [
            ("Attic", "Cyvasse", True), ("Hall", "Tides of War", True),
        ]  # fmt: skip
        assert [board["here"] for board in boards] == [table is attic, table is hall]
        assert [board["address"] for board in boards] == [attic.url.rstrip("/"), hall.url.rstrip("/")]
    hall.close()
    until(lambda: [(b["name"], b["on"]) for b in attic.house.report()["boards"]][1:] == [("Hall", False)])


def test_a_board_that_left_the_house_is_listed_no_longer(settle: Settle, home: HomeAssistant) -> None:
    hall, attic = settle("Hall"), settle("Attic")
    until(lambda: len(attic.house.report()["boards"]) == 2)
    hall.preferences.choose({"house": False})
    until(lambda: [board["name"] for board in attic.house.report()["boards"]] == ["Attic"])
    assert hall.house.report()["boards"] == []


def test_a_board_that_is_gone_is_forgotten_by_the_whole_house_until_it_comes_back(
    settle: Settle, broker: Mosquitto, tmp_path: Path
) -> None:
    hall, attic, cellar = settle("Hall"), settle("Attic"), settle("Cellar")
    until(lambda: len(attic.house.report()["boards"]) == 3)
    ids = {board["name"]: board["id"] for board in attic.house.report()["boards"]}
    for name, why in (("Hall", "Hall is on"), ("Attic", "Attic is on")):
        with pytest.raises(Refused, match=why):
            attic.house.forget(ids[name])
    with pytest.raises(Refused, match="no such board"):
        attic.house.forget("00000000")
    hall.close()
    until(lambda: [b["on"] for b in attic.house.report()["boards"]] == [True, True, False])
    attic.house.forget(ids["Hall"])
    for table in (attic, cellar):
        until(lambda table=table: len(table.house.report()["boards"]) == 2)  # type: ignore[misc]
    late = HomeAssistant(broker.port)  # what starts now hears of the others alone
    late.until(lambda late: len({got.topic for got in late.heard if got.topic.endswith("/config")}) == 2)
    assert not [got for got in late.heard if ids["Hall"] in got.topic]
    late.close()
    back = RealTable(tmp_path / "table0", "first36")
    back.preferences.choose({"house": True, "house_name": "Hall", "house_broker": broker.address})
    until(lambda: ("Hall", ids["Hall"]) in [(b["name"], b["id"]) for b in attic.house.report()["boards"]])
    back.close()


def test_nobody_at_the_broker_changes_what_a_board_shows_of_itself(
    settle: Settle, home: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    table = settle("Hall")
    home.until(lambda home: home.available and len(home.states) == 4)
    (before,) = table.house.report()["boards"]
    id = before["id"]
    lie = announced(id, name="Cellar", address="http://evil.example", told="Type your code here", moves=0, care="",
                    playing=False).payload.decode()  # fmt: skip
    for payload in (lie, "", "nonsense"):
        home.say(f"beaconboard/{id}/state", payload, retained=True)
        home.say(f"beaconboard/{id}/status", "offline", retained=True)
    home.say("beaconboard/00000001/state", announced("00000001", name="Attic").payload.decode(), retained=True)
    until(lambda: len(table.house.report()["boards"]) == 2)  # by then it has heard the others, too
    (now,) = (board for board in table.house.report()["boards"] if board["here"])
    assert now == before
    assert [board["id"] for board in table.house.report()["boards"] if board["name"] == "Hall"] == [id]
    assert not [record for record in caplog.records if record.exc_info]
    home.wrong.clear()


@pytest.mark.parametrize("topic", ["homeassistant/device/beaconboard_{}/config", "beaconboard/{}/status",
                                   "beaconboard/{}/state", "beaconboard/{}/light"])  # fmt: skip
@pytest.mark.parametrize("payload", ["", "nonsense"])
def test_what_somebody_else_has_written_in_a_boards_name_is_told_again(
    settle: Settle, home: HomeAssistant, topic: str, payload: str
) -> None:
    table = settle("Hall")
    home.until(lambda home: home.available and len(home.states) == 4)
    (board,) = table.house.report()["boards"]
    topic = topic.format(board["id"])

    def heard() -> list[str]:
        return [got.payload for got in home.heard if got.topic == topic]

    before = heard()
    home.say(topic, payload, retained=True)
    home.until(lambda home: heard()[len(before) :] == [payload, before[-1]])
    home.wrong.clear()


def test_nobody_forgets_a_board_without_a_line_to_the_broker(settle: Settle, broker: Mosquitto) -> None:
    hall, attic = settle("Hall"), settle("Attic")
    until(lambda: len(attic.house.report()["boards"]) == 2)
    (id,) = (board["id"] for board in attic.house.report()["boards"] if board["name"] == "Hall")
    hall.close()
    until(lambda: not all(board["on"] for board in attic.house.report()["boards"]))
    broker.stop()
    until(lambda: not attic.house.report()["connected"])
    with pytest.raises(Refused, match="MQTT broker"):
        attic.house.forget(id)
    assert len(attic.house.report()["boards"]) == 2
    attic.preferences.choose({"house": False})
    with pytest.raises(Refused, match="not connected to the house"):
        attic.house.forget(id)


def test_boards_forgotten_by_a_broker_that_broke_down_come_back(settle: Settle, broker: Mosquitto) -> None:
    hall, attic = settle("Hall"), settle("Attic")
    for _ in range(2):
        for table in (hall, attic):
            until(lambda table=table: len([b for b in table.house.report()["boards"] if b["on"]]) == 2)  # type: ignore[misc]
        broker.stop()
        until(lambda: not hall.house.report()["connected"] and not attic.house.report()["connected"])
        broker.start()


@pytest.mark.parametrize(
    "more",
    [
        {"address": "javascript:alert(1)"},
        {"address": "http://10.0.0.2/?x"},
        {"address": "http://x\n.example"},
        {"address": "//10.0.0.2"},
        {"address": "http://" + "x" * 300},
        {"name": "x" * 200},
        {"name": None},
        {"phase": "burning"},
        {"turn": 3},
    ],
)
def test_what_no_board_says_is_not_believed(more: dict[str, Any], caplog: pytest.LogCaptureFixture) -> None:
    boards = Boards()
    boards.hear(announced("00000001"))
    for _ in range(3):
        boards.hear(announced("00000002", **more))
    assert [board.id for board in boards.all()] == ["00000001"]
    assert len([said for said in caplog.records if said.levelno >= logging.WARNING]) == 1


def test_messages_that_are_none_of_a_board_change_nothing() -> None:
    boards = Boards()
    for topic in (
        "beaconboard/1/state",
        "beaconboard/ZZZZZZZZ/state",
        "beaconboard/00000001/state/x",
        "",
        "x/00000001/state",
    ):
        boards.hear(BrokerMessage(topic, announced("00000001").payload))
    for payload in (b"\xff", b"{", b"[" * 100_000, b"7", b"null"):
        boards.hear(BrokerMessage("beaconboard/00000001/state", payload))
    assert boards.all() == []


def test_a_house_has_so_many_boards_and_no_more() -> None:
    boards = Boards()
    for number in range(2 * MOST_BOARDS):
        boards.hear(announced(f"{number:08x}"))
        boards.hear(BrokerMessage(f"beaconboard/{number:08x}/status", b"online"))
    assert len(boards.all()) == MOST_BOARDS


def test_the_page_shows_the_boards_and_names_are_only_names(settle: Settle, pages: Pages) -> None:
    assert len(NASTY) == 40
    hall, attic = settle("Hall"), settle(NASTY, board="hex91")
    attic.new_game("cyvasse")
    page: Page = pages()
    page.goto(f"{hall.url}house")
    cards = page.locator("#boards li")
    expect(cards).to_have_count(2)
    expect(page.locator("#stands")).to_have_text("Connected to the MQTT broker.")
    other = cards.filter(has_text="Cyvasse")
    expect(other.get_by_role("link", name=NASTY)).to_have_attribute("href", attic.url.rstrip("/"))
    expect(page.locator("#boards img")).to_have_count(0)
    expect(cards.filter(has_text="this board")).to_contain_text("No game")
    hall.new_game("tides-of-war")
    expect(cards.filter(has_text="this board")).to_contain_text("White to move.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert complaints(page) == []
    attic.close()
    expect(page.locator("#boards li.off")).to_contain_text(f"{NASTY}Off")
    expect(page.get_by_role("button")).to_have_count(0)  # who only looks forgets nothing


def test_an_owner_forgets_a_board_on_the_page(settle: Settle, pages: Pages) -> None:
    hall, attic = settle("Hall"), settle(NASTY, board="hex91")
    page: Page = pages()
    join(page, hall.url)
    page.goto(f"{hall.url}house")
    expect(page.locator("#boards li")).to_have_count(2)
    expect(page.get_by_role("button", name="Forget this board")).to_have_count(0)
    attic.close()
    page.get_by_role("button", name="Forget this board").click()
    expect(page.locator("dialog")).to_contain_text(f"Forget {NASTY}?")
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    expect(page.locator("#boards li")).to_have_count(2)
    page.get_by_role("button", name="Forget this board").click()
    page.locator("dialog").get_by_role("button", name="Forget this board").click()
    expect(page.locator("#boards li")).to_have_count(1)
    assert complaints(page) == []


def test_the_settings_and_board_care_say_how_the_connection_stands(
    settle: Settle, pages: Pages, broker: Mosquitto
) -> None:
    table = settle("Hall", house=False)
    page: Page = pages()
    join(page, table.url)
    page.goto(f"{table.url}settings")
    page.get_by_text("For experts").click()
    told = page.locator("#house-told")
    expect(page.locator("#set-house_broker")).to_have_value(broker.address)
    expect(told).to_be_hidden()
    page.locator("#set-house").check()
    expect(told).to_contain_text("Connected to the MQTT broker.")
    expect(told.get_by_role("link", name="The boards of the house")).to_be_visible()
    page.locator("#set-house_broker").fill("127.0.0.1:1")
    page.locator("#set-house_broker").blur()
    expect(told).to_contain_text("The MQTT broker 127.0.0.1:1 cannot be reached (Connection refused).")
    page.locator("#set-house_broker").fill("no address")
    page.locator("#set-house_broker").blur()
    expect(page.locator("#toast")).to_contain_text("it must be an address such as homeassistant.local")
    page.goto(f"{table.url}care")
    expect(page.locator("#house-told")).to_contain_text("cannot be reached (Connection refused).")


def test_a_password_is_written_and_never_shown(settle: Settle, pages: Pages) -> None:
    table = settle("Hall", house=False)
    page: Page = pages()
    join(page, table.url)
    page.goto(f"{table.url}settings")
    page.get_by_text("For experts").click()
    field = page.locator("#set-house_password")
    field.fill("open sesame")
    with page.expect_response("**/api/settings") as answer:
        field.blur()
    assert "sesame" not in answer.value.text()
    expect(field).to_have_value("")
    expect(field).to_have_attribute("placeholder", "••••••••")
    assert table.preferences.now.house_password == "open sesame"
    page.get_by_role("button", name="Reset Password at the broker").click()
    expect(field).to_have_attribute("placeholder", "")
    assert table.preferences.now.house_password == ""
