"""The command line of play from afar."""

from __future__ import annotations

import os
from pathlib import Path

import click

from controller.afar import keys
from controller.afar.keys import BadLink
from controller.app import relay as relay_service
from controller.app.bounded_log import write_log
from controller.app.refusal import refuse
from controller.app.run import CannotServe
from controller.app.supervisor import StartAgain, start_again
from controller.broker import broker_at
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
        refuse(wrong)
    except OSError as error:
        refuse(f"the link cannot be handed over: {error.strerror}")
    click.echo("The link is handed over: the board joins the game in a moment, or when it is started.")


@click.command()
@click.option("--broker", help="The MQTT broker that the boards use, such as mqtts://broker.example.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port to listen on.")
@click.option("--settings", "file", type=click.Path(path_type=Path),
              help="Settings file, for afar_broker, afar_user, afar_password and afar_authority.")  # fmt: skip
def relay(broker: str | None, host: str, port: int, file: Path | None) -> None:
    """Serve the page by which phones without a board play, and carry what they say to the broker. It has no keys."""
    write_log()
    try:
        settings = load_settings(file)
        address = broker or settings.afar_broker
        if not address:
            raise BadSetting("say which broker: --broker, or afar_broker in the settings file")
        at = broker_at(address, settings.afar_user, settings.afar_password, settings.afar_authority)
        relay_service.run(at, host, port, lambda where: click.echo(f"The relay is at {where}"))
    except StartAgain as why:
        click.echo(f"beaconboard: {why}", err=True)
        start_again()
    except ValueError as wrong:
        refuse(wrong if isinstance(wrong, BadSetting) else f"'{broker}' is no address of a broker")
    except CannotServe as ended:
        refuse(ended)
