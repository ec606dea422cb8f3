"""The cutting list: which strip goes where on a board, and between which of its cells it is cut."""

from __future__ import annotations

import click

from hardware.pcb.boards.strip import pieces
from hardware.profile import BadProfile, Profile, load


def cutting_list(profile: Profile) -> str:
    """Return a line a strip, in the order of the chain: its pieces, a bar at each cut."""
    found = pieces(profile)
    cuts = sum(len(register) - 1 for register in found)
    lines = [
        f"{profile.title}: {len(found)} strips at {profile.pitch_mm:g} mm, {cuts} cuts",
        "",
        "The first cell of a strip is the one with the register. | is a cut: join the holes on both sides by wires.",
        "",
    ]
    for number, register in enumerate(found, 1):
        lines.append(f"{number:3}  {'  |  '.join(' '.join(piece) for piece in register)}")
    return "\n".join(lines)


@click.command()
@click.argument("board")
def main(board: str) -> None:
    """Print the cutting list of BOARD: a name, or the path of a board file."""
    try:
        click.echo(cutting_list(load(board)))
    except BadProfile as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
