"""What the service is put together from: what the house asks of it, who is certified, who watches the tracker."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.app import at_home, secure
from controller.app.assembly import build
from controller.app.at_home import house_of, in_words
from controller.appliance.network.questions import HOTSPOT_ADDRESS
from controller.devices.sensors.serial_board import SerialBoard
from controller.house.house import BoardForHouse
from controller.journal.database import Journal
from controller.orders import SetBrightness
from controller.refused import Refused
from controller.sentences import say
from controller.service.preferences import Preferences
from controller.settings import Settings
from hardware.profile import load

# ---- the house ----


class Home:
    """A board and what the house is given of it."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, **settings: Any) -> None:
        self.ordered: list[Any] = []
        table = SimpleNamespace(brightness=40)
        service: Any = SimpleNamespace(look=lambda: SimpleNamespace(table=table), submit=self.ordered.append)
        backend: Any = SimpleNamespace(watch=None, aloud=lambda language, number: f"{language or 'any'} {number}")
        self.folder, self.addresses = folder, tuple[str, ...]()
        self.preferences = Preferences(
            Settings(journal=str(folder / "games.sqlite3"), **settings), folder / "chosen.toml"
        )
        given: list[BoardForHouse] = []
        patch.setattr(at_home, "House", given.append)
        house_of(backend, service, self.preferences, lambda: self.addresses)
        (self.board,) = given


def test_lights_that_shine_so_already_are_given_no_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path, monkeypatch)
    home.board.shine(40)
    assert home.ordered == []
    home.board.shine(41)
    assert home.ordered == [SetBrightness(percent=41)]


def test_a_brightness_of_the_house_becomes_the_setting_or_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home(tmp_path, monkeypatch)
    home.board.keep(70)
    assert home.preferences.now.brightness == 70
    with pytest.raises(Refused, match="700 cannot be used here"):
        home.board.keep(700)
    assert home.preferences.now.brightness == 70


def test_the_board_is_known_by_one_name_and_found_at_its_surest_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, again = (Home(tmp_path, monkeypatch) for _ in range(2))
    assert first.board.id() == again.board.id() == first.board.id()
    assert (tmp_path / "games.sqlite3.house").exists()
    assert first.board.address() == ""
    first.addresses = ("http://192.168.1.20", "http://board.local")
    assert first.board.address() == "http://192.168.1.20"


def test_what_it_says_to_everybody_is_in_its_own_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """English where each phone has its own; what no translation knows stays as it is."""
    english = "This game does not use this cell."
    said = say(english)
    for language, stays in (("auto", True), ("en", True), ("de", False), ("fr", False)):
        home = Home(tmp_path / language, monkeypatch, language=language)
        assert (home.board.words(said) == english) == stays
        assert home.board.words("Nobody has translated this.") == "Nobody has translated this."
    assert in_words(said, "xx") == english
    assert home.board.aloud(3) == "any 3"


# ---- https ----


class Certified:
    """What the panel by https is told of this machine."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, settings: Settings, hotspot: bool = False) -> None:
        patch.setattr(socket, "gethostname", lambda: "Board.fritz.box")
        patch.setattr(secure, "own_address", lambda: "192.168.1.20")
        door = folder / "door"
        patch.setattr(secure, "DOOR", door)
        if hotspot:
            door.write_text("")
        self.told: list[tuple[str, str]] = []
        service: Any = SimpleNamespace(
            report=lambda *told: self.told.append(told), tell=lambda *told: self.told.append(told)
        )
        self.pages = secure.secure_pages_of(settings, service)
        self.place = self.pages._place


def settings_at(folder: Path, **more: Any) -> Settings:
    return Settings(journal=str(folder / "games.sqlite3"), **more)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "*", ""])
def test_a_panel_of_every_network_is_certified_for_its_name_and_what_leads_there_now(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    found = Certified(monkeypatch, tmp_path, settings_at(tmp_path, host=host), hotspot=True)
    assert found.place.names == ("board.local", "board")
    assert found.place.addresses() == ("192.168.1.20", HOTSPOT_ADDRESS)
    monkeypatch.setattr(secure, "own_address", lambda: "")
    (tmp_path / "door").unlink()  # no access point of its own, and no network
    assert found.place.addresses() == ()
    assert (found.place.host, found.place.hindrance) == (host or "0.0.0.0", "")


def test_a_panel_of_one_network_is_certified_for_its_address_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Certified(monkeypatch, tmp_path, settings_at(tmp_path, host="192.168.7.1"), hotspot=True)
    assert (found.place.names, found.place.addresses()) == ((), ("192.168.7.1",))
    assert (found.place.host, found.place.port, found.place.hindrance) == ("192.168.7.1", Settings().https_port, "")


def test_where_there_is_no_https_it_is_said_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = Certified(monkeypatch, tmp_path, settings_at(tmp_path))
    assert alone.place.hindrance.startswith("Only this computer can open the panel at the moment: let phones in first")
    proxied = settings_at(tmp_path, host="0.0.0.0", panel_address="https://board.example")
    assert Certified(monkeypatch, tmp_path, proxied).place.hindrance.startswith("The settings file names a proxy")


def test_what_is_wrong_with_certificates_is_among_the_boards_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "games.sqlite3.https"
    folder.mkdir()
    (folder / "chosen.json").write_text("half")
    found = Certified(monkeypatch, tmp_path, settings_at(tmp_path, host="0.0.0.0"))
    ((where, told),) = found.told
    assert (where, told) == ("https", found.pages.unread)
    assert told
    found.pages._tell("It ends soon.")
    assert found.told[1:] == [("https", "It ends soon.")]


# ---- the tracker ----


@pytest.mark.parametrize(
    ("board", "sensors", "watched"),
    [("shell19", "serial", True), ("shell19", "simulated", False), ("first36", "serial", False)],
)
def test_the_tracker_is_watched_where_the_board_has_one_and_a_sensor_board_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str, sensors: Any, watched: bool
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(SerialBoard, "track", lambda self, watch, take: asked.append(take))
    with ExitStack() as held:
        journal = Journal(tmp_path / "games.sqlite3")
        held.callback(journal.close)
        running = build(load(board), Settings(board=board, sensors=sensors, lights="simulated"), journal, held)
        assert (running.tracker is not None) == watched
        assert len(asked) == watched
