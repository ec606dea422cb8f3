"""The command line of the tracker."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from controller.app.refusal import refuse
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.settings import Settings
from controller.tracker import measure as tracker_measure
from hardware.profile import BadProfile
from hardware.profile import load as load_profile
from hardware.tracker_circuit import NoCircuit


@click.command()
@click.argument("tiles", nargs=-1)
@click.option("--board", default="shell19", show_default=True, help="Board profile, or the path of a board file.")
@click.option("--emulated", "--bench", "emulated", is_flag=True, help="Read the emulated sensor board.")
@click.option("--magnet", "magnets", multiple=True, metavar="SITE", help="Magnet on the emulated board, e.g. a3:0.")
@click.option("--port", default=Settings().serial_port, show_default=True, help="Port of the sensor board.")
@click.option("--emulator-folder", default=Settings().emulator_folder, show_default=True,
              type=click.Path(path_type=Path),
              help="Where make has built the firmware and its emulator.")  # fmt: skip
def tracker(tiles: tuple[str, ...], board: str, **how: Any) -> None:
    """Measure the cost between two TILES through the tracker, e.g. a3 b3; without TILES, between all neighbours."""
    with ExitStack() as held:
        try:
            wrong = tracker_measure.run(load_profile(board), tiles, held, click.echo, **how)
        except (BadProfile, EmulatorFault, NoCircuit, tracker_measure.NoReading) as refused:
            refuse(str(refused))
    if wrong:
        refuse(f"{wrong} of these readings do not match any cost")
