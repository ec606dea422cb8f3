"""The command line of play between two boards."""

from __future__ import annotations

import os
from pathlib import Path

import click

from controller.afar import keys
from controller.afar.keys import BadLink
from controller.panel.afar_backend import JOIN, folder_of
from controller.settings import BadSetting
from controller.settings import load as load_settings


@click.command()
@click.argument("link")
@click.option("--journal", type=click.Path(path_type=Path), help="File in which this board's games are kept.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
def join(link: str, journal: Path | None, file: Path | None) -> None:
    """Play the game of another board, to which LINK leads, on the board that runs here or is started next."""
    try:
        keys.read(link)
        folder = folder_of(journal or load_settings(file).journal_path)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = folder / f"{JOIN}.new"
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as handed:
            handed.write(link)
        fresh.replace(folder / JOIN)
    except (BadLink, BadSetting) as wrong:
        click.echo(f"beaconboard: {wrong}", err=True)
        raise SystemExit(2) from wrong
    except OSError as error:
        click.echo(f"beaconboard: the link cannot be handed over: {error.strerror}", err=True)
        raise SystemExit(2) from error
    click.echo("The link is handed over: the board joins the game in a moment, or when it is started.")
