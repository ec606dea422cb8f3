"""The command line that measures the speed on this machine."""

from __future__ import annotations

from pathlib import Path

import click

from controller.app.refusal import refuse
from controller.benchmarks import latency_live, latency_simulated
from controller.benchmarks.perft import busiest_lines, perft_lines
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.settings import Settings
from hardware.profile import BadProfile
from hardware.profile import load as load_profile


@click.group("bench")
def measure() -> None:
    """Measure the speed on this machine."""


@measure.command()
@click.option("--board", default=Settings().one_board, show_default=True, help="Board to measure.")
@click.option("--touches", default=200, show_default=True, type=click.IntRange(min=1), help="Touches to measure.")
@click.option("--emulator-folder", default=Settings().emulator_folder, show_default=True,
              type=click.Path(path_type=Path),
              help="Where make has built the firmware and its emulator.")  # fmt: skip
def latency(board: str, touches: int, emulator_folder: Path) -> None:
    """Time every stage from a sensor to the lights and to the ply."""
    try:
        profile = load_profile(board)
    except BadProfile as wrong:
        refuse(str(wrong))
    for stage in latency_live.stages(emulator_folder, profile, touches):
        try:
            for line in latency_simulated.lines(stage):
                click.echo(line)
        except EmulatorFault as wrong:
            click.echo(f"not measured: {wrong}")


@measure.command("perft")
@click.option("--games", default=20, show_default=True, type=click.IntRange(min=1), help="Random games per game.")
def perft_speed(games: int) -> None:
    """Time perft of every game beside python-chess's, and find the busiest positions of random games."""
    for line in perft_lines():
        click.echo(line)
    for line in busiest_lines(games):
        click.echo(line)
