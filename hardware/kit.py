"""What is handed to somebody who has a board made that comes assembled: ``python -m hardware.kit BOARD BUILD``.

Owns where in that folder everything lies. What goes in was made before; `make kit` does all of it.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import click

from hardware.cannot_build import CannotBuild
from hardware.profile import BadProfile, Profile, load

GERBERS = "gerbers.zip"  # as a house wants them: in a file of their own, beside the lists


def sources(build: Path, board: Profile) -> dict[str, tuple[Path, ...]]:
    """Return what lies in ``build`` for each folder of the kit, "" being its top.

    Raises `CannotBuild` for a board that does not come assembled, and where a part of the kit was not made.
    """
    if not board.has_fields:
        raise CannotBuild(f"{board.name} does not come assembled: docs/build/README.md says how it is built")
    lists, prints, tops = (build / "pcb", build / "hardware/print", build / "hardware/tops")
    found = {
        "order": tuple(sorted((lists / board.name / "assembly").glob("*.csv"))),
        "print": tuple(sorted((prints / board.name).glob("*.stl"))),
        "sheets": tuple(sorted((tops / board.name).glob("*.pdf"))),
        "": tuple((build / "firmware" / board.name).glob("sensor.uf2")),
    }
    missing = [folder or "sensor.uf2" for folder, files in found.items() if not files]
    if missing:
        raise CannotBuild(
            f"{build} has nothing for {' and '.join(missing)}: make kit BOARD={board.name} makes all of it"
        )
    return found


def pack(build: Path, board: Profile) -> Path:
    """Write the kit of ``board`` from what lies in ``build``, as a folder and as one zip; return the zip.

    Raises `CannotBuild` as `sources` does.
    """
    found = sources(build, board)
    kit = build / "kit" / board.name
    shutil.rmtree(kit, ignore_errors=True)
    for folder, files in found.items():
        (kit / folder).mkdir(parents=True, exist_ok=True)
        for file in files:
            shutil.copy(file, kit / folder / file.name)
    gerbers = build / "pcb" / board.name / "gerbers"
    _zipped(kit / "order" / GERBERS, gerbers, gerbers.iterdir())
    packed = kit.with_suffix(".zip")
    _zipped(packed, kit.parent, kit.rglob("*"))
    return packed


def _zipped(target: Path, top: Path, files: Iterable[Path]) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as into:
        for file in sorted(files):
            if file.is_file():
                into.write(file, file.relative_to(top))


@click.command()
@click.argument("board")
@click.argument("build", type=click.Path(path_type=Path, file_okay=False))
def main(board: str, build: Path) -> None:
    """Pack for BOARD what lies in the folder BUILD."""
    try:
        click.echo(pack(build, load(board)))
    except (BadProfile, CannotBuild) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
