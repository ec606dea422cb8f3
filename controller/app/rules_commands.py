"""The command line of rules: plies, positions, costs, and a new game to begin with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from controller.app.new_game import make as make_game
from controller.app.refusal import refuse
from controller.app.variant_commands import options_of, with_variant
from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.options import BadOption
from controller.rules.options import parse as parse_options
from controller.rules.registry import NoSuchGame, game_named
from controller.rules.shells import BadShell, cost_text
from controller.rules.variants import BadVariant

F = TypeVar("F", bound=Callable[..., Any])


def position_options(command: F) -> F:
    """Add the arguments of every command about a position: GAME, --after, --option and --variant."""
    option = click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
    command = with_variant(option(command))
    command = click.option("--after", default="", metavar="'PLY; PLY'", help="Plies played from the start.")(command)
    return click.argument("name", metavar="GAME")(command)


def position(name: str, after: str, options: tuple[str, ...], variant: str) -> tuple[AnyGame, Any]:
    """Return the game and the state after the plies ``after``; ends with status 2 where something is wrong."""
    try:
        game = game_named(name)
        state = game.start(parse_options(game.options, {**options_of(game, variant), **_pairs(options)}), 0)
    except (NoSuchGame, BadOption, BadVariant) as wrong:
        refuse(str(wrong))
    for number, text in enumerate((t for t in after.split(";") if t.strip()), 1):
        try:
            state = game.play_text(state, text)
        except (Illegal, Unreadable) as wrong:
            refuse(f"move {number}, '{text.strip()}': {wrong}")
    return game, state


def _pairs(options: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for option in options:
        key, equals, value = option.partition("=")
        if not equals:
            raise BadOption(f"'{option}' is not a valid option: write it as key=value")
        pairs[key.strip()] = value.strip()
    return pairs


@click.command()
@position_options
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--divide", is_flag=True, help="Also print the count for each ply.")
def perft(name: str, depth: int, after: str, options: tuple[str, ...], variant: str, divide: bool) -> None:
    """Count the sequences of DEPTH plies; the number is the last line."""
    game, state = position(name, after, options, variant)
    if divide and depth > 0:
        for ply in game.plies(state):
            click.echo(f"{game.text(state, ply)}: {game.perft(game.after(state, ply), depth - 1)}")
    click.echo(game.perft(state, depth))


@click.command()
@position_options
def legal(name: str, after: str, options: tuple[str, ...], variant: str) -> None:
    """List the legal plies, sorted, one a line."""
    game, state = position(name, after, options, variant)
    for ply in game.plies(state):
        click.echo(game.text(state, ply))


@click.command()
@position_options
def result(name: str, after: str, options: tuple[str, ...], variant: str) -> None:
    """Print the state of the game as one JSON object. Seats are numbered from 1."""
    game, state = position(name, after, options, variant)
    now, to_move = game.result(state), game.seat(state)
    found = {
        "over": now.over,
        "winner": None if now.winner is None else now.winner + 1,
        "why": now.why or None,
        "scores": now.scores,
        "to_move": None if to_move is None else to_move + 1,
    }
    click.echo(msgspec.json.encode(found).decode())


@click.command()
@click.option("--shell-a", required=True, help="Nodes of cell A from node 0 clockwise: 1 occupied, 0 empty.")
@click.option("--shell-b", required=True, help="Nodes of cell B.")
@click.option("--side-a", required=True, type=int, help="The side of A that meets B.")
@click.option("--side-b", required=True, type=int, help="The side of B that meets A.")
@click.option("--sides-a", type=int, help="How many sides A has, where that is less than its shell has nodes.")
@click.option("--sides-b", type=int, help="How many sides B has, the same.")
@click.option("--mode", default="reflect", type=click.Choice(["reflect", "rotate"]), show_default=True)
def cost(mode: str, **pair: Any) -> None:
    """Print what a move between two cells of Beacons costs: H p m.

    Side s of a cell lies on node s · n / k, where its shell has n nodes and the cell k sides.
    """
    try:
        click.echo(cost_text(mode=mode, **pair))
    except BadShell as wrong:
        refuse(str(wrong))


@click.command("new-game")
@click.argument("name")
@click.option("--into", "within", default=".", type=click.Path(path_type=Path), help="Folder for the new package.")
def new_game(name: str, within: Path) -> None:
    """Write a package with a small game called NAME, to be made into another one."""
    folder = make_game(name, within)
    click.echo(f"{folder} has a game that can be played. Next: pip install -e {folder}, then edit its game.py")
