"""Which board is wired: chosen on the page, kept beside the games, and counting from the next start."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.wired import Wired
from controller.refused import Refused
from controller.settings import Settings
from hardware.profile import names

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
    assert (after.settings.board, after.settings.sensors, after.settings.lights) == (board, "serial", "neopixel")
    assert (after.report()["board"], after.report()["changing"]) == (board, False)


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
