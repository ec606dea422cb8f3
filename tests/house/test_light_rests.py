"""Many light commands in a row: the lights follow each, and the settings take down the last one once it rests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.broker import BrokerMessage
from controller.house.discovery import Topics
from controller.house.house import BoardForHouse, Visit
from controller.house.light import REST_S, Resting
from controller.service.preferences import Preferences
from controller.settings import Settings
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.test_matches import Evening


class House:
    """A visit of which a test hands over each message, at a time of its own; there is no broker."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now_s = 100.0
        self.shone: list[int] = []
        self.kept: list[int] = []
        around = BoardForHouse(
            views=self.views, shine=self.shone.append, keep=self.kept.append, id=lambda: "0" * 16, address=lambda: "",
            words=str, aloud=str, now_s=lambda: self.now_s,
        )  # fmt: skip
        self.visit = Visit(around, Settings(brightness=60))
        monkeypatch.setattr(self.visit, "_send", lambda message: True)
        self.visit._take(picture(Table(Evening().table.board), CALM, 0))

    def views(self) -> Iterator[tuple[str, Any] | None]:
        return iter(())

    def switch(self, percent: int, after_s: float = 0.01) -> None:
        self.wait(after_s)
        topic = Topics("0" * 16).set_light
        self.visit._take(BrokerMessage(topic, b'{"state": "ON", "brightness": %d}' % percent, False))

    def wait(self, s: float) -> None:
        self.now_s += s
        self.visit.keep(self.now_s)


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> House:
    return House(monkeypatch)


def test_many_in_a_row_are_written_once_they_rest(house: House) -> None:
    for percent in range(1, 100):
        house.switch(percent)
    assert house.shone == list(range(1, 100))
    assert house.kept == []
    house.wait(REST_S)
    house.wait(REST_S)
    assert house.kept == [99]


def test_what_is_the_setting_already_is_not_written(house: House) -> None:
    for percent in (20, 60, 60):
        house.switch(percent)
    house.wait(10)
    assert house.kept == []


def test_the_setting_chosen_on_the_panel_meanwhile_stays(house: House) -> None:
    house.switch(20)
    house.visit.brightness.settings_say(60)  # another setting was changed, not this one
    assert house.visit.brightness.usual == 20
    house.visit.brightness.settings_say(80)
    house.wait(10)
    assert (house.kept, house.visit.brightness.usual) == ([], 80)


def test_what_has_not_rested_is_kept_at_the_end(house: House) -> None:
    house.switch(20)
    house.visit.keep(math.inf)
    assert house.kept == [20]


def test_how_long_it_rests() -> None:
    resting = Resting(60)
    assert resting.wait_s(0) is None
    resting.choose(30, 5)
    assert (resting.wait_s(5), resting.wait_s(6), resting.wait_s(99)) == (REST_S, REST_S - 1, 0)
    assert (resting.rested(6), resting.rested(5 + REST_S), resting.rested(99)) == (None, 30, None)


def test_settings_that_change_nothing_are_not_written(tmp_path: Path) -> None:
    file = tmp_path / "games.settings.toml"
    preferences = Preferences(Settings(), file)
    preferences.choose({"brightness": 25})
    before = file.stat()
    preferences.choose({"brightness": 25})
    assert (file.stat().st_ino, file.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    preferences.choose({"brightness": 26})
    assert "26" in file.read_text(encoding="utf-8")
