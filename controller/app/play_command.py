"""The command line of the service with its panel."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from controller.app.bounded_log import write_log
from controller.app.refusal import refuse
from controller.app.run import CannotServe, run
from controller.app.supervisor import StartAgain, start_again
from controller.devices.lights.limiter import LightsFailed
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.devices.sensors.gpio_board import NoGpio
from controller.journal.database import JournalFailed
from controller.settings import BadSetting
from controller.settings import load as load_settings
from hardware.profile import BadProfile


@click.command()
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
@click.option("--board", help="Board profile, or the path of a board file.")
@click.option("--emulated", "--bench", "emulated", is_flag=True, help="Play on the emulated sensor board.")
@click.option("--host", help="Address that the panel listens on.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port of the panel.")
@click.option("--journal", type=click.Path(), help="File in which games are kept.")
def play(file: Path | None, emulated: bool, **given: Any) -> None:
    """Run the service and its panel."""
    chosen = {key: value for key, value in given.items() if value is not None}
    if emulated:
        chosen["sensors"] = "emulated"
    write_log()
    again = False
    with ExitStack() as held:
        try:
            run(msgspec.structs.replace(load_settings(file), **chosen), held, announce, "host" in chosen)
        except StartAgain as why:
            click.echo(f"beaconboard: {why}", err=True)
            again = True
        except (CannotServe, BadSetting, BadProfile, EmulatorFault, JournalFailed, NoGpio, LightsFailed) as wrong:
            refuse(str(wrong))
    if again:
        start_again()


def announce(lines: list[str]) -> None:
    """Print where the panel is and how to join."""
    for line in lines:
        click.echo(line)
