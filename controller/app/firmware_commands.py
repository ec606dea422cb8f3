"""The command line of the sensor board's firmware."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from controller.app import flashing
from controller.app.refusal import refuse
from controller.settings import Settings
from hardware.firmware_images import CannotFlash, image_for, images
from hardware.profile import BadProfile
from hardware.profile import load as load_profile


@click.command()
@click.argument("board", required=False)
def firmware(board: str | None) -> None:
    """List the firmware images that came with the installation; with BOARD, the one for it and how to write it."""
    try:
        if board is None:
            for image in images().values():
                click.echo(f"{image.board:16} {image.flash_bytes:6} bytes of flash, table {image.table_hash:08x}")
            return
        file = image_for(load_profile(board))
    except (BadProfile, CannotFlash) as wrong:
        refuse(str(wrong))
    click.echo(file)
    if flashing.by_drive(file):
        click.echo(f"write it with: beaconboard flash {board}")
        click.echo("or by hand:    hold the board's button BOOT while you plug it in, and drag the file onto its drive")
        return
    click.echo(f"write it with: beaconboard flash {board} --port {Settings().serial_port}")
    click.echo(f"or by hand:    {shlex.join(flashing.command(file, Settings().serial_port))}")
    if not flashing.installed():
        click.echo("avrdude, which both need, is missing: apt install avrdude")


@click.command()
@click.argument("board")
@click.option("--port", default=Settings().serial_port, show_default=True, help="Port of the sensor board.")
@click.option("--baud", default=flashing.BAUD, show_default=True, help="Of its bootloader; the old one has 57600.")
@click.option("--drive", type=click.Path(path_type=Path), help="Of a board with an RP2040: where its drive is.")
def flash(board: str, port: str, baud: int, drive: Path | None) -> None:
    """Write the firmware for BOARD to the sensor board, with avrdude or onto its drive."""
    try:
        image = image_for(load_profile(board))
        if flashing.by_drive(image):
            click.echo(f"written to {flashing.to_drive(image, drive)}")
        else:
            flashing.flash(image, port, baud)
    except (BadProfile, CannotFlash) as wrong:
        refuse(str(wrong))
