"""The command line of recordings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from controller.app.refusal import refuse
from controller.journal.database import Archive, JournalFailed
from controller.journal.recording import BadRecording, parse, replay, write
from controller.settings import BadSetting
from controller.settings import load as load_settings


@click.command()
@click.argument("game_id", type=int)
@click.option("--journal", type=click.Path(path_type=Path), help="File in which games are kept.")
@click.option("--settings", "file", type=click.Path(path_type=Path), help="Settings file.")
def record(game_id: int, journal: Path | None, file: Path | None) -> None:
    """Write game GAME_ID of the journal as a recording."""
    try:
        archive = Archive(journal or load_settings(file).journal_path)
        header, lines = archive.recording(game_id)
        flaw = archive.saved(game_id).flaw
    except (BadSetting, JournalFailed) as wrong:
        refuse(str(wrong))
    for line in write(header, lines):
        click.echo(line)
    if flaw:
        click.echo(f"beaconboard: game {game_id}: {flaw}", err=True)
        raise SystemExit(1)


@click.command("replay")
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
