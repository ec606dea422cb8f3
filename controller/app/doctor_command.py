"""The command line of the doctor."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from controller import compiled
from controller.app.refusal import refuse
from controller.app.version import installed_version
from controller.devices.lights.limiter import LightsFailed
from controller.devices.sensors.emulated_board import EmulatorFault
from controller.devices.sensors.gpio_board import NoGpio
from controller.diagnostics.bundle import without_a_board, zipped
from controller.diagnostics.doctor import EXAMINED
from controller.diagnostics.doctor import doctor as run_doctor
from controller.diagnostics.machine import look
from controller.diagnostics.planted_faults import FAULTS
from controller.settings import BadSetting, Settings
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
@click.option("--bundle", type=click.Path(path_type=Path), metavar="FILE",
              help="Examine nothing: write a support bundle, to report a fault with, into FILE.")  # fmt: skip
def doctor(
    file: Path | None, emulated: bool, faults: tuple[str, ...], copy: Path | None, bundle: Path | None,
    **given: str | None,
) -> None:  # fmt: skip
    """Examine a built board: every sensor, every light, the supply, and any wiring faults."""
    chosen: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
    if emulated or given["serial_port"]:
        chosen["sensors"] = "emulated" if emulated else "serial"
    try:
        settings = msgspec.structs.replace(load_settings(file), **chosen)
        if bundle is not None:
            write_bundle(settings, bundle)
            return
        if settings.sensors not in EXAMINED:
            refuse("say which board: --port /dev/ttyUSB0, or --emulated for the emulated one")
        if faults and not emulated:
            refuse("--plant is for the emulated board: add --emulated")
        copy = copy or Path("learned") / f"{load_profile(settings.one_board).name}.toml"
        well = run_doctor(settings, faults, copy, click.echo, input)
    except (BadSetting, BadProfile, EmulatorFault, NoGpio, LightsFailed) as wrong:
        refuse(str(wrong))
    raise SystemExit(0 if well else 1)


def write_bundle(settings: Settings, file: Path) -> None:
    """Write a support bundle into ``file``, and say what is in it."""
    texts = without_a_board(settings, installed_version(), compiled.used(), look(settings.journal_path.parent))
    try:
        file.write_bytes(zipped(texts, datetime.now()))
    except OSError as error:
        refuse(f"{file} cannot be written: {error.strerror}")
    for text in texts:
        click.echo(f"{len(text.text.encode()):8} bytes  {text.name}")
    click.echo(f"Read it before you send it: unzip -p {file} | less. What a running board knows is added on its panel.")
