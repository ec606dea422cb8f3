"""The command line of looking at finished games."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from controller.app.refusal import refuse
from controller.engine import analysing
from controller.engine.analysing import Played
from controller.engine.cannot_think import CannotThink
from controller.engine.turning_points import calm_in_words, proves, turn_in_words
from controller.journal.recording import BadRecording
from controller.orders import NewGame
from controller.panel.import_worker import brought

UNREADABLE = (BadRecording, *analysing.REFUSED)


@click.command()
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--nodes", type=click.IntRange(min=1), help="Positions judged for each move (default: by its length).")
@click.option("--lines", is_flag=True, help="For the service: games and answers as lines of JSON (docs/analysis.md).")
@click.option("--memory", default=200, show_default=True, type=click.IntRange(min=64), help="With --lines: megabytes.")
def analyse(file: Path | None, nodes: int | None, lines: bool, memory: int) -> None:
    """Print who stood better after each move of the game in FILE, and its turning points.

    FILE is a game as text, or a recording.
    """
    if lines:
        analysing.serve(sys.stdout.buffer, memory)
        return
    if file is None:
        raise click.UsageError("name the file of a game")
    try:
        order, _ = brought(file.read_text(encoding="utf-8"))
        _print(order, nodes)
    except UnicodeDecodeError:
        refuse(f"{file} is not a text")
    except UNREADABLE as wrong:
        refuse(wrong)


def _print(order: NewGame, nodes: int | None) -> None:
    if order.lesson:
        raise CannotThink("a lesson is not analysed: it is no game")
    played = Played(order.game, order.options, order.seed or 0, order.plies, nodes)
    game, states, _, seats = analysing.opened(played)
    names = game.facts.seats[:seats]
    analysis = analysing.look_at(played)
    for line in analysing.curve(analysis, names):
        click.echo(line)
    for turn in analysis.turns:
        before = states[turn.number - 1]
        made, better = (game.words_of(before, text) for text in (order.plies[turn.number - 1], turn.better))
        click.echo(turn_in_words(turn, names[turn.seat], made, better, proves(game, seats)))
    if not analysis.turns:
        click.echo(calm_in_words(analysis.chances, names, [game.result(state) for state in states]))
