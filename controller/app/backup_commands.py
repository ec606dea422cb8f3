"""The command line of backups."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from controller.app.refusal import refuse
from controller.app.version import installed_version
from controller.backups.backup_file import BadBackup, Manifest
from controller.backups.copies import copies, make
from controller.backups.putting_back import decide, finish, show, stage
from controller.backups.state import BoardState
from controller.journal.marker import InUse, JournalLock
from controller.settings import BadSetting, Settings
from controller.settings import load as load_settings


@click.group()
@click.option("--journal", type=click.Path(path_type=Path), help="File in which games are kept.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
@click.pass_context
def backup(context: click.Context, journal: Path | None, file: Path | None) -> None:
    """Copies of games, people, settings and variants."""
    try:
        settings = load_settings(file)
    except BadSetting as wrong:
        refuse(str(wrong))
    beside = (journal or settings.journal_path).absolute()
    context.obj = BoardState(Path(os.path.realpath(beside)), beside), settings


@backup.command("list")
@click.pass_obj
def list_copies(known: tuple[BoardState, Settings]) -> None:
    """List the copies on this board, the newest first."""
    for copy in copies(known[0].copies):
        click.echo(f"{copy.name}  {copy.bytes:>12,} bytes  {copy.wrong or _line(copy.manifest)}")


@backup.command("make")
@click.pass_obj
def make_copy(known: tuple[BoardState, Settings]) -> None:
    """Make one now, also while the service runs; prints its path."""
    try:
        click.echo(make(known[0], "asked", datetime.now().astimezone(), known[1].one_board, installed_version()))
    except BadBackup as wrong:
        refuse(str(wrong))


@backup.command("show")
@click.argument("file", type=click.Path(path_type=Path))
def show_file(file: Path) -> None:
    """Say what FILE holds, once all of it was found sound."""
    try:
        click.echo(_line(show(file)))
    except BadBackup as wrong:
        refuse(str(wrong))


@backup.command("put-back")
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_obj
def put_back(known: tuple[BoardState, Settings], file: Path) -> None:
    """Put FILE in place of what is here, of which a copy is made first; while no service runs."""
    state = known[0]
    try:
        _check_alone(state)
        stage(file, state)
        if state.journal.exists():
            click.echo(f"What was here: {make(state, 'before', datetime.now().astimezone(), known[1].one_board)}")
        decide(state)
    except BadBackup as wrong:
        refuse(str(wrong))
    if told := finish(state.beside):
        refuse(told)
    click.echo("It is put back.")


def _check_alone(state: BoardState) -> None:
    """End where a service has the journal: it would go on with what it knows."""
    try:
        state.journal.parent.mkdir(parents=True, exist_ok=True)
        JournalLock(state.journal).close()
    except InUse:
        refuse("the board is running: put the backup back on its page Backups, or stop the service first")
    except OSError as error:
        refuse(f"nothing can be written in {state.journal.parent}: {error.strerror}")


def _line(manifest: Manifest | None) -> str:
    if manifest is None:
        return ""
    return (
        f"{manifest.games} games, the last one on {manifest.last or '-'}, {manifest.people} people, "
        f"{manifest.variants} variants; made on {manifest.made} UTC by the board {manifest.board or '-'}"
    )
