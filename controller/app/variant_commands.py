"""The command line of variants: which there are, whether one can be played, and those that people have made."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from controller.app.refusal import refuse
from controller.own_variants import OwnVariants, folder_of, read_file
from controller.rules.game import AnyGame
from controller.rules.options_page import page
from controller.rules.registry import game_named
from controller.rules.variant_trial import tried
from controller.rules.variants import BadVariant, Variant, broken, shipped
from controller.sentences import capital
from controller.settings import BadSetting
from controller.settings import load as load_settings

TRIAL_S = 10.0

F = TypeVar("F", bound=Callable[..., Any])


def where(command: F) -> F:
    """Add the options that say which service's variants are meant."""
    command = click.option("--journal", type=click.Path(path_type=Path), help="File in which games are kept.")(command)
    return click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")(command)


def own_variants(file: Path | None = None, journal: Path | None = None) -> OwnVariants:
    """Return the variants of the service with that journal; ends with status 2 where the settings cannot be read."""
    try:
        return OwnVariants(folder_of(journal or load_settings(file).journal_path))
    except BadSetting as wrong:
        refuse(wrong)


def variant_called(written: str, own: OwnVariants) -> Variant:
    """Return the variant in the file ``written``, or else of that name; raises `BadVariant`."""
    path = Path(written)
    return read_file(path) if path.suffix or path.is_file() else own.named(written)


def with_variant(command: F) -> F:
    """Add the option that names the variant which is played."""
    told = "Play a variant: its name, or its file. What --option says is otherwise even there."
    return click.option("--variant", "variant", default="", metavar="NAME-or-FILE", help=told)(command)


def options_of(game: AnyGame, written: str) -> dict[str, Any]:
    """Return the options of the variant ``written``, none for ""; raises `BadVariant`, as for one of another game."""
    if not written:
        return {}
    found = variant_called(written, own_variants())
    if found.game != game.facts.name:
        raise BadVariant(f"{found.name} is a variant of {found.game}, and this is {game.facts.name}: name that game")
    return dict(found.options)


@click.group()
def variant() -> None:
    """Variants of the games: files that change the rules (docs/variants.md)."""


@variant.command("list")
@where
def list_all(file: Path | None, journal: Path | None) -> None:
    """List the variants that come along and your own, by name."""
    own, wrong = own_variants(file, journal).own()
    for each in (*shipped().values(), *own.values()):
        mark = "" if each.name in shipped() else " (your own)"
        click.echo(f"{each.name}: {game_named(each.game).facts.title}: {each.title}{mark}. {each.about}".rstrip())
    for sentence in (*broken().values(), *wrong.values()):
        click.echo(f"beaconboard: {sentence}", err=True)


@variant.command("options")
def all_options() -> None:
    """Print the reference of what can be changed in each game (docs/game-options.md is generated this way)."""
    click.echo(page(), nl=False)


@variant.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
def check(path: Path) -> None:
    """Read the variant in FILE and try it in games at random."""
    try:
        found = read_file(path)
    except BadVariant as wrong:
        refuse(wrong)
    well = _try(found)
    options = ", ".join(f"{name}={value}" for name, value in found.options.items())
    click.echo(f"{found.name}: {game_named(found.game).facts.title} with {options} can be played{well}")


@variant.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@where
def add(path: Path, file: Path | None, journal: Path | None) -> None:
    """Try the variant in FILE and keep it among your own."""
    own = own_variants(file, journal)
    try:
        found = read_file(path)
        well = _try(found)
        own.save(found)
    except BadVariant as wrong:
        refuse(wrong)
    click.echo(f"{found.name} can be chosen for a new game of {game_named(found.game).facts.title}{well}")


@variant.command()
@click.argument("name")
@where
def remove(name: str, file: Path | None, journal: Path | None) -> None:
    """Remove the variant NAME, one of your own; games that were played with it stay as they are."""
    try:
        own_variants(file, journal).remove(name)
    except BadVariant as wrong:
        refuse(wrong)


def _try(found: Variant) -> str:
    """Say what games at random find, and return what speaks for it, to follow upon that it can be played.

    Ends with status 2 where it cannot.
    """
    until = time.monotonic() + TRIAL_S
    trial = tried(found, lambda: time.monotonic() >= until)
    for refusal in trial.refusals:
        refuse(f"{found.name} cannot be played: {refusal}")
    for remark in trial.remarks:
        click.echo(f"{capital(remark)}.")
    return f": {trial.well}" if trial.well else ""
