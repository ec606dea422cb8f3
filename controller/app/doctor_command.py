"""The command line of the doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from controller.app.refusal import refuse
from controller.devices.lights.limiter import LightsFailed
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.devices.sensors.gpio_board import NoGpio
from controller.diagnostics.doctor import EXAMINED
from controller.diagnostics.doctor import doctor as run_doctor
from controller.diagnostics.planted_faults import FAULTS
from controller.settings import BadSetting
from controller.settings import load as load_settings
from hardware.profile import BadProfile
from hardware.profile import load as load_profile


@click.command()
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
@click.option("--board", help="Board profile, or the path of a board file.")
@click.option("--port", "serial_port", help="Port of the sensor board, e.g. /dev/ttyUSB0.")
@click.option("--emulated", "--bench", "emulated", is_flag=True,
              help="Examine the emulated sensor board; a simulated hand touches it.")  # fmt: skip
@click.option("--plant", "faults", multiple=True, metavar="FAULT",
              help=f"With --emulated: solder something wrong first: {'; '.join(FAULTS)}.")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path), help="Learned profile to write (default learned/BOARD.toml).")
def doctor(file: Path | None, emulated: bool, faults: tuple[str, ...], copy: Path | None, **given: str | None) -> None:
    """Examine a built board: every sensor, every light, the supply, and any wiring faults."""
    chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if emulated or given["serial_port"]:
        chosen["sensors"] = "emulated" if emulated else "serial"
    try:
        settings = msgspec.structs.replace(load_settings(file), **chosen)
        if settings.sensors not in EXAMINED:
            refuse("say which board: --port /dev/ttyUSB0, or --emulated for the emulated one")
        if faults and not emulated:
            refuse("--plant is for the emulated board: add --emulated")
        copy = copy or Path("learned") / f"{load_profile(settings.one_board).name}.toml"
        well = run_doctor(settings, faults, copy, click.echo, input)
    except (BadSetting, BadProfile, EmulatorFault, NoGpio, LightsFailed) as wrong:
        refuse(str(wrong))
    raise SystemExit(0 if well else 1)
