"""The command line: every command reads its arguments, calls one room, and prints.

Owns words and exit statuses: 0, or 2 with one sentence on the error stream where the input is wrong. Must not hold
logic of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click
import msgspec

from controller.recording import BadRecording, parse, replay
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.options import parse as parse_options
from controller.rules.registry import NoSuchGame, game_named

F = TypeVar("F", bound=Callable[..., Any])


def refuse(sentence: str) -> NoReturn:
    """End with status 2 and one sentence."""
    click.echo(f"beaconboard: {sentence}", err=True)
    raise SystemExit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="beaconboard")
def cli() -> None:
    """A lit, sensing game board that knows the rules of what is played on it."""


# ---- rules ------------------------------------------------------------------------------------------------


def position_options(command: F) -> F:
    """Add what every command about a position takes: GAME, --after and --option."""
    option = click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of the game.")
    command = option(command)
    command = click.option("--after", default="", metavar="'PLY; PLY'", help="Plies made from the start.")(command)
    return click.argument("name", metavar="GAME")(command)


def position(name: str, after: str, options: tuple[str, ...]) -> tuple[AnyGame, Any]:
    """Return the game and the state after the plies ``after``; ends with status 2 where something is wrong."""
    try:
        game = game_named(name)
        state = game.start(parse_options(game.options, _pairs(options)), 0)
    except (NoSuchGame, BadOption) as wrong:
        refuse(str(wrong))
    for number, text in enumerate((t for t in after.split(";") if t.strip()), 1):
        try:
            state = game.play_text(state, text)
        except (Illegal, Unreadable) as wrong:
            refuse(f"ply {number}, '{text.strip()}': {wrong}")
    return game, state


def _pairs(options: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise BadOption(f"'{option}' is no option: write it as key=value")
        pairs[key.strip()] = value.strip()
    return pairs


@cli.command()
@position_options
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", is_flag=True, help="Also print the number for every ply.")
def perft(name: str, depth: int, after: str, options: tuple[str, ...], divide: bool) -> None:
    """Count the sequences of DEPTH plies; the number is the last line."""
    game, state = position(name, after, options)
    if divide and depth > 0:
        for ply in game.plies(state):
            click.echo(f"{game.text(state, ply)}: {game.perft(game.after(state, ply), depth - 1)}")
    click.echo(game.perft(state, depth))


@cli.command()
@position_options
def legal(name: str, after: str, options: tuple[str, ...]) -> None:
    """List the legal plies, sorted, one a line."""
    game, state = position(name, after, options)
    for ply in game.plies(state):
        click.echo(game.text(state, ply))


@cli.command()
@position_options
def result(name: str, after: str, options: tuple[str, ...]) -> None:
    """Print how the game stands, as one JSON object. Seats are numbered from 1."""
    game, state = position(name, after, options)
    now, to_move = game.result(state), game.seat(state)
    found = {
        "over": now.over,
        "winner": None if now.winner is None else now.winner + 1,
        "why": now.why or None,
        "scores": now.scores,
        "to_move": None if to_move is None else to_move + 1,
    }
    click.echo(msgspec.json.encode(found).decode())


# ---- recordings -------------------------------------------------------------------------------------------


@cli.command("replay")
@click.argument("file", type=click.File(encoding="utf-8"))
@click.option("--plies", is_flag=True, help="Print only the final list of plies, on one line.")
def replay_file(file: Any, plies: bool) -> None:
    """Run a recording in virtual time and print what the table said."""
    try:
        steps = list(replay(parse(file.read())))
    except (BadRecording, UnicodeDecodeError) as wrong:
        refuse(f"{file.name}: {wrong}")
    if plies:
        play = steps[-1][0].play
        click.echo("; ".join(play.session.plies if play else ()))
        return
    for _, said in steps:
        for note in said:
            click.echo(f"{note.t_us / 1e6:9.3f}  {note.sentence}")
