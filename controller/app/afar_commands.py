"""The command line of play from afar."""

from __future__ import annotations

import os
from pathlib import Path

import click

from controller.afar import keys
from controller.afar.keys import BadLink
from controller.app import relay as relay_service
from controller.app.addresses import address
from controller.app.bounded_log import write_log
from controller.app.own_broker import PORT, SECURE_PORT, BrokerPlace, board_lines, is_own, own_broker
from controller.app.refusal import refuse
from controller.app.run import CannotServe
from controller.app.supervisor import StartAgain, start_again
from controller.broker import Broker, broker_at
from controller.panel.afar_backend import JOIN, folder_of
from controller.settings import BadSetting, Settings
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
@click.option("--broker", help="The MQTT broker that the boards use, such as mqtts://broker.example. "
              "Without one, and none in the settings, the relay runs its own.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; 0.0.0.0 means all.")
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port to listen on.")
@click.option("--broker-port", type=click.IntRange(1, 65535),
              help=f"Port of its own broker.  [default: {PORT}, with a certificate {SECURE_PORT}]")  # fmt: skip
@click.option("--broker-certificate", type=click.Path(path_type=Path),
              help="File with the certificate of its own broker, which then listens on every network.")  # fmt: skip
@click.option("--broker-key", type=click.Path(path_type=Path), help="File with the key of that certificate.")
@click.option("--name", help="Name under which others find this machine, such as relay.example.")
@click.option("--settings", "file", type=click.Path(path_type=Path),
              help="Settings file, for afar_broker, afar_user, afar_password and afar_authority.")  # fmt: skip
def relay(
    broker: str | None, host: str, port: int, broker_port: int | None, broker_certificate: Path | None,
    broker_key: Path | None, name: str | None, file: Path | None,
) -> None:  # fmt: skip
    """Serve the page by which phones without a board play, and carry what they say to the broker. It has no keys."""
    write_log()
    try:
        at = _named(broker, load_settings(file))
        place = _place(host, broker_port, broker_certificate, broker_key)
        if at is None or (broker is None and is_own(at, place)):
            found = address(host, port)
            with own_broker(place) as own:
                told = board_lines(place, found, name)
                relay_service.run(own.inner, host, port, lambda where: _say(where, *told), own.why_again)
        else:
            relay_service.run(at, host, port, _say)
    except StartAgain as why:
        click.echo(f"beaconboard: {why}", err=True)
        start_again()
    except (BadSetting, CannotServe) as wrong:
        refuse(wrong)


def _say(where: str, *more: str) -> None:
    for line in (f"The relay is at {where}", *more):
        click.echo(line)


def _named(broker: str | None, settings: Settings) -> Broker | None:
    """Return the broker that is named, None where none is."""
    named = broker or settings.afar_broker
    try:
        return broker_at(named, settings.afar_user, settings.afar_password, settings.afar_authority) if named else None
    except ValueError as wrong:
        raise BadSetting(f"'{named}' is no address of a broker") from wrong


def _place(host: str, port: int | None, certificate: Path | None, key: Path | None) -> BrokerPlace:
    if (certificate is None) != (key is None):
        raise BadSetting("a certificate needs its key: give --broker-certificate and --broker-key, or neither")
    if certificate is not None:  # it is for others; the relay itself may stand behind a proxy
        return BrokerPlace("0.0.0.0", port or SECURE_PORT, certificate, key)
    return BrokerPlace(host, port or PORT)
