"""Preferences: what the panel has set weighs more than the file, survives, and reaches devices and lights."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from controller.app.assembly import build
from controller.devices.link.conversation import Debounce
from controller.journal.database import Journal
from controller.service.preferences import Preferences, live_settings_of, theme_of
from controller.settings import BadSetting, Settings, load
from controller.table.gestures.timing import Timing
from controller.table.views.lights import CALM, themes
from hardware.profile import load as load_profile


def test_what_was_chosen_weighs_more_than_the_file_until_it_is_set_back(tmp_path: Path) -> None:
    file = tmp_path / "chosen.toml"
    preferences = Preferences(Settings(settle_ms=500, theme="contrast"), file)
    preferences.choose({"settle_ms": 700, "blink": False})
    assert Preferences(Settings(settle_ms=500, theme="contrast"), file).now == Settings(
        settle_ms=700, theme="contrast", blink=False
    )
    assert preferences.choose({"settle_ms": None, "blink": None}) == Settings(settle_ms=500, theme="contrast")
    assert Preferences(Settings(), file).now == Settings()


def test_the_file_is_toml_that_a_person_can_read_and_the_settings_file_may_be_made_of(tmp_path: Path) -> None:
    file = tmp_path / "chosen.toml"
    chosen = {"own_colours": "may_go=#00ff00 last=#101010", "brightness": 30, "sounds": True}
    Preferences(Settings(), file).choose(chosen)
    assert file.read_text().splitlines()[1:] == [
        'own_colours = "may_go=#00ff00 last=#101010"', "brightness = 30", "sounds = true",
    ]  # fmt: skip
    assert load(file).brightness == 30


@pytest.mark.parametrize("text", ["brightness = 200", "colour = 1", "brightness = ", 'own_colours = "none=#000000"'])
def test_of_a_damaged_file_the_rest_counts_and_it_is_kept_and_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "chosen.toml"
    file.write_text(f"settle_ms = 700\n{text}")
    aside = tmp_path / "chosen.toml.damaged-1"
    found = Preferences(Settings(), file)
    assert aside.name in found.told
    assert aside.read_text() == f"settle_ms = 700\n{text}"
    assert found.now == (Settings() if text == "brightness = " else Settings(settle_ms=700))
    again = Preferences(Settings(), file)
    assert (again.now, again.told) == (found.now, "")


@pytest.mark.parametrize("damage", ["noise", "nothing", "a folder"])
def test_the_last_good_settings_stand_in_for_a_file_that_cannot_be_read(tmp_path: Path, damage: str) -> None:
    file = tmp_path / "chosen.toml"
    Preferences(Settings(), file).choose({"settle_ms": 700})
    file.unlink()
    if damage == "a folder":
        file.mkdir()
    else:
        file.write_bytes(b"\xff\x00\xfe" if damage == "noise" else b"")
    found = Preferences(Settings(), file)
    if damage == "nothing":  # an empty file is a good one, in which nothing is set
        assert (found.now, found.told) == (Settings(), "")
    else:
        assert found.now.settle_ms == 700
        assert found.told.endswith("the last good one is used instead.")
    found.choose({"settle_ms": 800})
    assert Preferences(Settings(), file).now.settle_ms == 800


def test_what_is_not_the_panels_to_choose_is_refused_with_what_is() -> None:
    preferences = Preferences(Settings(), None)
    with pytest.raises(BadSetting, match=r"'board' cannot be set here; these can: .*brightness"):
        preferences.choose({"brightness": 50, "board": "hex91"})
    assert preferences.now == Settings()


def test_what_in_the_file_is_not_the_panels_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "chosen.toml"
    file.write_text('host = "0.0.0.0"\nbrightness = 30\n')
    assert Preferences(Settings(), file).now == Settings(brightness=30)


def test_a_file_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    preferences = Preferences(Settings(), tmp_path / "no folder" / "chosen.toml")
    with pytest.raises(BadSetting, match="cannot be saved"):
        preferences.choose({"brightness": 30})
    assert preferences.now == Settings()


def test_every_theme_has_every_meaning() -> None:
    for theme in themes().values():
        assert theme.keys() == CALM.keys()


def test_own_colours_lie_over_the_calm_ones_and_without_blinking_all_is_steady() -> None:
    theme = theme_of(Settings(theme="own", own_colours="choice=#010203", blink=False))
    assert theme["choice"].colour == (1, 2, 3)
    assert theme["missing"].colour == CALM["missing"].colour
    assert not any(look.blink for look in theme.values())
    assert theme_of(Settings(own_colours="choice=#010203")) == CALM


def test_a_manner_has_the_boards_own_limit_where_none_is_set() -> None:
    board = load_profile("square144")
    assert board.most_milliamps(0) == 4000
    assert board.most_milliamps(900) == 900
    assert board.most_milliamps(4500, strong=True) == 4500
    assert live_settings_of(Settings(), 4000).max_milliamps == 4000
    slow = Settings(steady_ms=9, flicker_ms=40, settle_ms=350, hold_ms=600)
    assert live_settings_of(slow, 1).timing == Timing(9, 40, 350, 600)


@pytest.mark.parametrize(("own", "weak", "strong"), [(0, 250, 600), (200, 200, 200), (400, 250, 400), (900, 250, 600)])
def test_no_setting_draws_more_than_a_supply_offers_that_the_board_can_read(own: int, weak: int, strong: int) -> None:
    board = load_profile("cell36")
    assert board.most_milliamps(own) == weak
    assert board.most_milliamps(own, strong=True) == strong


def test_the_debounce_is_told_to_the_sensor_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings(sensors="serial", serial_port=str(tmp_path / "nothing"))
    with ExitStack() as held:
        rig = build(load_profile("square144"), settings, Journal(tmp_path / "games.sqlite3"), held)
        told: list[Debounce] = []
        monkeypatch.setattr(rig.sensors, "set_debounce", told.append)
        rig.start()
        rig.adjust(Settings(press_ms=9, release_ms=3))
        assert told == [Debounce(9, 3)]
        assert rig.service.running
        rig.stop()


# ---- the broker of the house, and the password that it alone is told

AT_HOME: dict[str, Any] = {
    "house": True,
    "house_broker": "home.local",
    "house_user": "me",
    "house_password": 'a "b" \\ §',
}


def test_what_is_chosen_for_the_house_survives_in_a_file_that_others_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "chosen.toml"
    Preferences(Settings(), file).choose({**AT_HOME, "house_name": "لعبة <b>小林</b>"})
    assert Preferences(Settings(), file).now == Settings(**AT_HOME, house_name="لعبة <b>小林</b>")
    assert load(file).house_password == AT_HOME["house_password"]
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


def test_a_password_is_shown_to_nobody() -> None:
    preferences = Preferences(Settings(house_password="of the file"))
    assert [field["given"] for field in preferences.fields() if field["name"] == "house_password"] == [True]
    preferences.choose({"house_password": "hush"})
    told = f"{preferences.values()} {preferences.fields()}"
    assert "hush" not in told
    assert "of the file" not in told
    with pytest.raises(BadSetting) as refused:
        preferences.choose({"house_password": "hush\n"})
    assert "hush" not in str(refused.value)


def test_a_password_is_forgotten_where_another_broker_would_be_told_it() -> None:
    preferences = Preferences(Settings(house_broker="home.local", house_password="of the file"))
    assert preferences.choose({"house_broker": "other.example"}).house_password == ""
    assert preferences.choose({"house_password": "new"}).house_password == "new"
    assert preferences.choose({"house_broker": "other.example"}).house_password == "new"  # which it knows
    assert preferences.choose({"house_broker": "third.example"}).house_password == ""
    assert preferences.choose({"house_broker": "fourth.example", "house_password": "its"}).house_password == "its"
    assert preferences.choose({"house_broker": None}).house_password == "of the file"


@pytest.mark.parametrize(
    "address",
    [
        "",
        "home.local",
        "HOME",
        "10.0.0.2:1884",
        "mqtt://home.local",
        "mqtts://home.local:8883/",
        "[fe80::1]:1883",
        "a_b",
    ],
)
def test_an_address_of_a_broker_is_taken(address: str) -> None:
    assert Preferences(Settings()).choose({"house_broker": address}).house_broker == address


@pytest.mark.parametrize(
    "address",
    [
        "http://home.local", "home.local:0", "home.local:65536", "home.local:", "home local", "user:pass@home.local",
        "home.local/topic", "home..local", "x" * 64, "-home", "home.local\n", "größe.local", "mqtt://", "[::1", "#",
    ],
)  # fmt: skip
def test_an_address_that_is_none_is_refused_with_one_that_would_do(address: str) -> None:
    with pytest.raises(BadSetting, match="it must be an address such as homeassistant"):
        Preferences(Settings()).choose({"house_broker": address})


@pytest.mark.parametrize("name", ["x" * 41, "a\nb", "\x7f"])
def test_a_name_for_the_house_is_one_line_of_forty_letters(name: str) -> None:
    with pytest.raises(BadSetting, match="it must be text of one line, at most 40 letters"):
        Preferences(Settings()).choose({"house_name": name})


def test_who_follows_the_settings_is_told_of_each_change() -> None:
    followed: list[Settings] = []
    preferences = Preferences(Settings())
    preferences.followers.append(followed.append)
    preferences.choose({"house": True})
    assert followed == [Settings(house=True)]


def test_what_is_chosen_already_is_not_written_again(tmp_path: Path) -> None:
    file = tmp_path / "chosen.toml"
    preferences = Preferences(Settings(), file)
    preferences.choose({"house": True})
    file.unlink()
    preferences.choose({"house": True})
    assert not file.exists()
