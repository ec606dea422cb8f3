"""The user the service runs as on a Pi: ``python -m controller.app.rights SETTINGS KIND`` informs the installer."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import click

from controller.settings import BadSetting, Settings, load

Kind = Literal["pi4", "pi5"]
SPI_PIN = "D10"  # the strip's bits leave by SPI, whose device belongs to a group


def needs_root(settings: Settings, kind: Kind) -> bool:
    """Return whether only root can drive the lights: by DMA and PWM through /dev/mem, which the Pi 5 does without."""
    return settings.lights == "neopixel" and kind == "pi4" and settings.lights_pin != SPI_PIN


@click.command()
@click.argument("settings", type=click.Path(path_type=Path))
@click.argument("kind", type=click.Choice(get_args(Kind)))
def main(settings: Path, kind: Kind) -> None:
    """Print ``root`` or ``beaconboard``, the user that SETTINGS need on a Pi of that KIND."""
    try:
        click.echo("root" if needs_root(load(settings), kind) else "beaconboard")
    except BadSetting as wrong:
        raise click.ClickException(str(wrong)) from wrong


if __name__ == "__main__":
    main()
