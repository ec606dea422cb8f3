"""The command line of ladders: all levels and anchors of a game against each other."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec

from controller.app.engine_commands import REFUSED, given_options, stops_after
from controller.app.refusal import refuse
from controller.app.variant_commands import with_variant
from controller.engine import ladder as climbing
from controller.engine import matches
from controller.engine.cannot_think import CannotThink
from controller.rules.registry import game_named
from controller.sentences import say


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--games", default=20, show_default=True, type=click.IntRange(min=1), help="Games of each pair.")
@click.option("--seconds", type=click.IntRange(min=1), help="Begin no game after so many seconds.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="What the games are drawn from.")
@click.option("--nodes", type=click.IntRange(min=1), help="Positions judged for a ply at most, instead of the level's.")
@click.option("--ms", type=click.IntRange(min=1), help="Milliseconds for a ply at most.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
@with_variant
@click.option("--file", "file", type=click.Path(path_type=Path, dir_okay=False),
              help="Keep each game there, and go on with those that it has.")  # fmt: skip
def ladder(
    name: str, games: int, seconds: int | None, seed: int, nodes: int | None, ms: int | None, options: tuple[str, ...],
    variant: str,
    file: Path | None,
) -> None:  # fmt: skip
    """Let all levels and the anchors of GAME play each other, and print the Elo of each with its error."""
    end = None if seconds is None else time.monotonic() + seconds
    try:
        climbing.fitter()
        game = game_named(name)
        given, seats = given_options(game, options, variant)
        if seats != 2:
            raise CannotThink(say("a ladder is played by two: choose options for two seats"))
        terms = climbing.Terms(name, msgspec.to_builtins(given), seed, nodes, ms)
        met = climbing.gone_on(file, terms) if file else []
        clock = stops_after(ms)
        for each in climbing.play(
            game, given, lambda player: matches.chooser(player, game, seats, nodes, clock, given), seed, games, met
        ):
            met.append(each)
            if file:
                climbing.keep(file, each)
            if end is not None and time.monotonic() >= end:
                break
        for line in climbing.table(climbing.fitted(met)):
            click.echo(line)
    except REFUSED as wrong:
        refuse(wrong)
    except OSError as error:
        refuse(say("{file}: {why}", file=str(file), why=str(error.strerror)))
