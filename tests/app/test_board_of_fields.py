"""The board with linear hall sensors in the service: what it plays, and who cannot read it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest

from controller.app.assembly import build
from controller.devices.sensors.emulated_board import EmulatorFault, built
from controller.from_profile import best_profile, table_board
from controller.journal.database import Journal
from controller.settings import Settings
from hardware.profile import load


def test_it_plays_tides_of_war_and_tells_no_poles() -> None:
    """Its firmware takes either pole for a piece and sends none, so the stones of both players look alike to it."""
    board = table_board(load("cell36"))
    assert "tides-of-war" in board.placements
    assert not board.poles
    assert board.mask(["a1", "f6"]) == board.bit("a1") | board.bit("f6", -1)


def test_where_no_board_is_named_the_older_one_of_its_size_stays() -> None:
    assert best_profile("tides-of-war", {}).name == "first36"


def test_the_pis_own_pins_cannot_read_it_and_that_is_said(tmp_path: Path) -> None:
    with ExitStack() as held:
        rig = build(load("cell36"), Settings(sensors="gpio"), Journal(tmp_path / "games.sqlite3"), held)
        rig.start()
        told = next(seen.table.link for seen in rig.service.watch() if seen is not None and "chain" in seen.table.link)
        rig.stop()
    assert told == "cell36 has no chain that the Pi's own pins could read: set sensors to serial."


def test_the_emulator_of_its_chip_is_not_for_playing(tmp_path: Path) -> None:
    (tmp_path / "cell36").mkdir()
    (tmp_path / "cell36" / "sensor.uf2").touch()
    with pytest.raises(EmulatorFault, match="play on the simulated board"):
        built(tmp_path, "cell36")
