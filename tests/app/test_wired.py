"""Which board is wired: chosen on the page, kept beside the games, and counting from the next start."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from controller.app.wired import Wired, unlit
from controller.refused import Refused
from controller.settings import Settings
from hardware.profile import load, names

ON_A_PI = Settings(board="square144", sensors="serial", lights="neopixel", serial_port="auto")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3.wired.json"


@pytest.mark.parametrize("board", names())
def test_a_board_is_chosen_and_counts_from_the_next_start(path: Path, board: str) -> None:
    wired = Wired(ON_A_PI, path)
    assert (wired.settings, wired.report()["board"]) == (ON_A_PI, "square144")
    wired.choose(board)
    assert (wired.settings, wired.report()["changing"], wired.again) == (ON_A_PI, True, False)
    wired.start_again()
    assert wired.again
    after = Wired(ON_A_PI, path)
    lights = "sensor_board" if load(board).has_fields else "neopixel"
    assert (after.settings.board, after.settings.sensors, after.settings.lights) == (board, "serial", lights)
    assert (after.report()["board"], after.report()["changing"]) == (board, False)


def test_a_board_whose_chip_has_the_lights_is_exchanged_for_one_that_is_wired(path: Path) -> None:
    assembled = Settings(board="cell36", sensors="serial", lights="sensor_board", serial_port="auto")
    Wired(assembled, path).choose("first36")
    assert Wired(assembled, path).settings.lights == "neopixel"
    Wired(assembled, path).choose("cell36")
    assert Wired(assembled, path).settings == assembled
    by_pins = Settings(board="square144", sensors="gpio", lights="neopixel", serial_port="auto")
    assert Wired(by_pins, path).settings == assembled


def test_without_a_board_it_is_played_on_the_screen(path: Path) -> None:
    Wired(ON_A_PI, path).choose("screen")
    after = Wired(ON_A_PI, path)
    assert after.settings.becomes_any
    assert (after.report()["board"], after.changeable) == ("screen", True)
    after.choose("first36")
    assert Wired(ON_A_PI, path).settings.board == "first36"


def test_a_board_that_the_settings_simulate_stays(path: Path) -> None:
    Wired(ON_A_PI, path).choose("first36")
    simulated = Wired(Settings(), path)
    assert (simulated.changeable, simulated.settings) == (False, Settings())


@pytest.mark.parametrize("board", ["", "any", "../../etc/passwd", "first36.toml", "/tmp/board.toml"])
def test_no_other_file_is_named(path: Path, board: str) -> None:
    with pytest.raises(Refused, match="There is no board of that name: look at the list again"):
        Wired(ON_A_PI, path).choose(board)
    assert not path.exists()


def test_what_was_chosen_by_a_later_version_or_is_damaged(path: Path) -> None:
    path.write_text('{"board": "cell36000"}')
    assert Wired(ON_A_PI, path).settings == ON_A_PI
    path.write_text("{")
    damaged = Wired(ON_A_PI, path)
    assert damaged.settings == ON_A_PI
    assert "cannot be read" in damaged.unread


def test_a_full_card(path: Path) -> None:
    with pytest.raises(Refused, match=r"What you chose cannot be saved in games\.sqlite3\.wired\.json: No such file"):
        Wired(ON_A_PI, path.parent / "gone" / path.name).choose("first36")


@pytest.mark.parametrize("lights", ["simulated", "neopixel"])
def test_a_board_that_would_stay_dark_is_told(lights: Literal["simulated", "neopixel"]) -> None:
    dark = Settings(board="cell36", sensors="serial", serial_port="auto", lights=lights)
    assert unlit(dark, load("cell36")) == (
        f"The lights of cell36 hang on its sensor board, and the settings have them elsewhere ({lights}): choose the "
        "board in Settings, Which board, or set lights to sensor_board."
    )


@pytest.mark.parametrize(
    "well",
    [
        Settings(board="cell36", sensors="serial", lights="sensor_board"),
        Settings(board="cell36"),  # on the screen
        Settings(board="square144", sensors="serial", lights="neopixel"),
        Settings(board="square144", sensors="serial"),  # sensors alone
    ],
)
def test_of_every_other_board_nothing_is_said(well: Settings) -> None:
    assert unlit(well, load(well.board)) == ""
