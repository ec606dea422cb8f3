"""The command line for whoever wants to check what was chosen in secret in a game between boards."""

from __future__ import annotations

from pathlib import Path

import click

from controller.app.refusal import refuse
from controller.journal.choices_checked import Checked, checked
from controller.journal.recording import BadRecording, parse


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(files: tuple[Path, ...]) -> None:
    """Check that nobody has changed a secret choice (a bid, an array) after it was sealed.

    FILES are recordings (`beaconboard record`) of one game between boards or with phones far away, of one board or
    of several.
    """
    seen: dict[str, str] = {}
    opened = set[str]()
    sound = True
    for file in files:
        try:
            choices = checked(parse(file.read_text(encoding="utf-8")))
        except (BadRecording, UnicodeDecodeError) as wrong:
            refuse(f"{file}: {wrong}")
        except OSError as error:
            refuse(f"{file}: {error.strerror}")
        click.echo(f"{file}:" if len(files) > 1 else "", nl=len(files) > 1)
        if not choices:
            click.echo("Nothing was sealed in this game.")
        for one in choices:
            click.echo(_in_words(one))
            place = f"{one.name} {one.what.made}"
            if one.shown_us is not None:
                opened.add(place)
            if seen.setdefault(place, one.what.commit) != one.what.commit:
                click.echo(f"{one.name}: the recordings differ in what was sealed.")
                sound = False
        sound = sound and not any(one.wrong for one in choices)
    click.echo(_verdict(len(seen), len(opened), sound))
    raise SystemExit(0 if sound and opened else 1)


def _verdict(sealed: int, opened: int, sound: bool) -> str:
    """Return what the recordings show of all choices together."""
    if not sound:
        return "Something is wrong."
    if not opened:
        return "Nothing was opened: whether what was played is what was chosen in secret cannot be checked."
    never = f" Never opened: {sealed - opened} of {sealed}." if opened < sealed else ""
    return f"Everything that was opened is what was sealed.{never}"


def _in_words(one: Checked) -> str:
    sealed = f"{one.name}: sealed at {one.bound_us / 1e6:.1f} s as {one.what.commit}"
    if one.shown_us is None:
        return f"{sealed}, never opened."
    plies = "; ".join(one.what.plies)
    verdict = f"WRONG: {one.wrong}" if one.wrong else "as sealed"
    return f"{sealed}, opened at {one.shown_us / 1e6:.1f} s ({verdict}): {plies}"
