"""What a new version is asked before it plays: ``python -m controller.app.self_check``. Each later one knows it, too.

Changes nothing: the journal that is opened is a copy. What is wrong comes as one sentence, and the exit status is 1.
"""

from __future__ import annotations

import resource
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

import click
import msgspec

from controller.app.version import installed_version
from controller.journal import schema
from controller.journal.database import Journal
from controller.rules.conformance.quick import broken_promise
from controller.rules.registry import all_games, broken_games
from controller.settings import BadSetting, load

MOST_MEMORY_MB = 256  # with everything imported, and each game played a little


class CheckFailed(click.ClickException):
    """This version fails; the sentence says why."""


@click.command()
@click.option("--about", is_flag=True, help="Print what this version is, and check nothing.")
@click.option("--settings", type=click.Path(path_type=Path), help="The settings that it would run with.")
@click.option("--journal", type=click.Path(path_type=Path), help="The games that it would go on with.")
def main(about: bool, settings: Path | None, journal: Path | None) -> None:
    """Check this version, and print what it is."""
    if not about:
        _check_program()
        _check_rules()
        _check_settings(settings)
        _check_journal(journal)
        _check_memory()
    click.echo(msgspec.json.encode({"version": installed_version(), "journal": schema.VERSION}).decode())


def _check_program() -> None:
    try:
        # All that the service needs, which no other check here does.
        import controller.app.run  # noqa: F401
    except (ImportError, SyntaxError, RuntimeError) as error:
        raise CheckFailed(f"It cannot be loaded: {error}.") from error


def _check_rules() -> None:
    wrong = broken_games() | {name: found for name, game in all_games().items() if (found := broken_promise(game))}
    for name, found in wrong.items():
        raise CheckFailed(f"The rules of {name} do not keep what they promise: {found}.")


def _check_settings(path: Path | None) -> None:
    if path is not None and path.exists():
        try:
            load(path)
        except BadSetting as error:
            raise CheckFailed(f"It does not take the settings of this board: {error}.") from error


def _check_journal(path: Path | None) -> None:
    if path is None or not path.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "games.sqlite3"
        try:
            with closing(schema.reading(path)) as here, closing(sqlite3.connect(copy)) as taken:
                here.backup(taken)
            before = copy.stat().st_size
            with closing(Journal(copy)) as journal:
                whole = journal.path == copy and copy.stat().st_size >= before
        except (OSError, sqlite3.Error) as error:
            raise CheckFailed(f"It cannot open a copy of the games: {error}.") from error
    if not whole:
        raise CheckFailed("It does not read the games of this board.")


def _check_memory() -> None:
    used_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    if used_mb > MOST_MEMORY_MB:
        raise CheckFailed(f"It needs {used_mb} MB of memory, and {MOST_MEMORY_MB} are the most.")


if __name__ == "__main__":
    main()
