"""The hand and the phone of `make try-image`, at a service of this machine: what the trial of an image relies on."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.devices.sensors.emulated_board import built
from tests.e2e.running import playing
from tools.image.evening import Evening, SensorBoard
from tools.image.guest import NotAsItShould


def test_an_evening_begins_with_a_touch_and_goes_on_where_the_power_was_cut_in_a_move(
    tmp_path: Path, firmware_folder: Path, port: int
) -> None:
    board = SensorBoard(built(firmware_folder, "square144"), tmp_path / "line")
    evening = Evening(board)
    evening.phone.port = port
    settings = tmp_path / "settings.toml"
    settings.write_text(f'board = "square144"\nsensors = "serial"\nserial_port = "{board.line}"\n')
    journal = tmp_path / "games.sqlite3"
    try:
        board.plug()
        with playing(journal, "--settings", str(settings), port=port) as running:
            evening.begin()
            evening.move()
            evening.lift()
            running.kill()
        board.plug()
        with playing(journal, "--settings", str(settings), port=port):
            evening.goes_on()
            evening.move()
            assert evening.plies == ["d2-d3", "d4-c4"]
            evening.pause()
            evening.plies.append("c2-d2")
            evening.phone.ask("order", do="pause", on=False)
            with pytest.raises(NotAsItShould, match="and now has"):
                evening.goes_on()
            with pytest.raises(NotAsItShould, match="the panel refuses order"):
                evening.phone.ask("order", do="dance")
    finally:
        board.unplug()
    assert not board.line.exists()
