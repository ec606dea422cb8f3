"""The command line of players that are programs: thinking for the service, matches, training."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from controller.app.refusal import refuse
from controller.app.variant_commands import options_of, with_variant
from controller.engine import matches, training
from controller.engine import puzzles as finding
from controller.engine import think as answering
from controller.engine import turn_puzzles as turns
from controller.engine.anchors import ANCHORS
from controller.engine.cannot_think import CannotThink
from controller.engine.judgement import weights_of
from controller.engine.levels import LEVELS
from controller.rules.characters import BadCharacter
from controller.rules.game import AnyGame
from controller.rules.options import BadOption
from controller.rules.options import parse as parse_options
from controller.rules.registry import NoSuchGame, advice_of, files_of, game_named
from controller.rules.variants import BadVariant

PLAYERS = f"a level from 1 to {len(LEVELS)}, with a character as 5-raider; or {', '.join(ANCHORS)}"
FILE = "puzzles.toml"  # in a game's folder
REFUSED = (NoSuchGame, BadOption, BadVariant, CannotThink, BadCharacter)


def given_options(game: AnyGame, written: tuple[str, ...], variant: str = "") -> tuple[Any, int]:
    """Return the options of a ``variant`` with those written ``key=value``, and how many seats take part; raises
    `BadOption` and `BadVariant`.
    """
    given = parse_options(
        game.options, {**options_of(game, variant), **dict(option.partition("=")[::2] for option in written)}
    )
    return given, game.facts.players(msgspec.to_builtins(given))


def stops_after(ms: int | None) -> Callable[[], Callable[[], bool]]:
    """Return what makes a new `stop` that says so ``ms`` milliseconds later; never where that is None."""

    def begin() -> Callable[[], bool]:
        if ms is None:
            return lambda: False
        end = time.monotonic() + ms / 1000
        return lambda: time.monotonic() >= end

    return begin


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--a", required=True, help=f"The one player: {PLAYERS}.")
@click.option("--b", required=True, help="The other player, in all other seats.")
@click.option("--games", default=40, show_default=True, type=click.IntRange(min=1), help="Games to play.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="What the games are drawn from.")
@click.option("--nodes", type=click.IntRange(min=1), help="Positions judged for a ply at most, instead of the level's.")
@click.option("--ms", type=click.IntRange(min=1), help="Milliseconds for a ply at most.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
@with_variant
@click.option("--games-told", is_flag=True, help="Also print a line for each game.")
def match(
    name: str, a: str, b: str, games: int, seed: int, nodes: int | None, ms: int | None, options: tuple[str, ...],
    variant: str, games_told: bool,
) -> None:  # fmt: skip
    """Let two players play a match of GAME, and print the score of the first with its Elo."""
    try:
        game = game_named(name)
        given, seats = given_options(game, options, variant)
        players = [matches.chooser(each, game, seats, nodes, stops_after(ms), given) for each in (a, b)]
    except REFUSED as wrong:
        refuse(wrong)
    score = matches.Score(seats)
    for played in matches.match(game, given, players[0], players[1], games, seed, seats):
        score = score.and_also(played.points)
        if games_told:
            ending = played.result.why or "unfinished"
            click.echo(f"seed {played.seed}, seat {played.seat + 1}: {played.points:g}, {ending}, {played.plies} plies")
    click.echo(f"{a} against {b}: {score.line()}")


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--games", default=200, show_default=True, type=click.IntRange(min=1), help="Games of each round.")
@click.option("--rounds", default=2, show_default=True, type=click.IntRange(min=1), help="Rounds of play and fit.")
@click.option("--nodes", default=200, show_default=True, type=click.IntRange(min=1), help="Positions judged for a ply.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="What the games are drawn from.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
@click.option("--into", required=True, type=click.Path(path_type=Path), help="File for the weights.")
def train(name: str, games: int, rounds: int, nodes: int, seed: int, options: tuple[str, ...], into: Path) -> None:
    """Learn what the features of GAME are worth, by playing against itself."""
    try:
        game = game_named(name)
        given, seats = given_options(game, options)
        advice, weights = advice_of(name), weights_of(name)
        if advice is None:
            raise CannotThink(f"{name} has no advice.py, so there is nothing to weigh")
    except REFUSED as wrong:
        refuse(wrong)
    kept: list[training.WeighedPosition] = []
    for number in range(rounds):
        for each in training.games(game, given, seats, advice, weights, games, nodes, seed + number):
            kept += each
        before = training.loss(kept, advice.names, weights)
        weights = training.fit(kept, advice.names, weights, seed)
        after = training.loss(kept, advice.names, weights)
        click.echo(f"round {number + 1}: {len(kept)} positions, error {before:.4f}, then {after:.4f}")
        made_by = " ".join(["beaconboard train", name, f"--games {games} --rounds {rounds} --nodes {nodes}",
                            f"--seed {seed}", *(f"--option {option}" for option in options)])  # fmt: skip
        into.write_text(training.as_toml(weights, made_by), encoding="utf-8")


@click.command()
@click.argument("name", metavar="GAME")
@click.option("--games", default=100, show_default=True, type=click.IntRange(min=1), help="Games to look through.")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="What the games are drawn from.")
@click.option("--most", default=36, show_default=True, type=click.IntRange(min=1), help="Puzzles to keep at most.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="Game option (repeatable).")
@click.option("--into", type=click.Path(path_type=Path), help="File for them, instead of puzzles.toml of the game.")
def puzzles(name: str, games: int, seed: int, most: int, options: tuple[str, ...], into: Path | None) -> None:
    """Look for puzzles of GAME in games that the board plays against itself, and write them into its folder."""
    try:
        game = game_named(name)
        given, seats = given_options(game, options)
    except REFUSED as wrong:
        refuse(wrong)
    own, chosen = msgspec.to_builtins(game.options()), msgspec.to_builtins(given)
    others = {key: value for key, value in chosen.items() if value != own[key]}
    made_by = " ".join(["beaconboard puzzles", name, f"--games {games} --seed {seed}",
                        *(f"--option {option}" for option in options)])  # fmt: skip
    file = into or Path(str(files_of(name) / FILE))
    where = turns if game.goals else finding
    found: list[Any] = []
    kept: tuple[finding.FoundPuzzle, ...] = ()
    for puzzle in where.found(game, given, seats, games, seed):
        found.append(puzzle)
        kept = where.chosen(found, most)
        file.write_text(finding.as_toml(kept, others, made_by), encoding="utf-8")
        click.echo(f"{len(found)}: after {len(puzzle.plies)} moves {puzzle.best}, {puzzle.aim}, hard {puzzle.hard}")
    click.echo(f"{file}: {len(kept)} of {len(found)} puzzles")


@click.command()
@click.option("--memory", default=160, show_default=True, type=click.IntRange(min=64), help="Megabytes at most.")
def think(memory: int) -> None:
    """Answer questions for a ply, a line of JSON each, until the input ends (docs/engine.md)."""
    answering.think(sys.stdout.buffer, memory)
