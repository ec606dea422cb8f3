"""What is handed to somebody who has a board's circuit boards made: ``python -m hardware.kit BOARD BUILD``.

Owns where in that folder everything lies. What goes in was made before; `make kit` does all of it.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from hardware.cannot_build import CannotBuild
from hardware.pcb.boards.catalogue import circuits_of
from hardware.profile import BadProfile, Profile, load

GERBERS = "gerbers.zip"  # as a house wants them: in a file of their own, beside the lists
HOW_MANY = "how-many.txt"


def needed(board: Profile) -> Mapping[str, int]:
    """Return how many of which circuit boards are ordered for ``board``. Raises `CannotBuild` where there are none."""
    circuits = circuits_of(board)
    if not circuits:
        raise CannotBuild(f"{board.name} has no circuit boards: docs/build/README.md says how it is built")
    return circuits


def sources(build: Path, board: Profile) -> dict[str, tuple[Path, ...]]:
    """Return what lies in ``build`` for each folder of the kit, "" being its top.

    Raises `CannotBuild` for a board without circuit boards, and where a part of the kit was not made.
    """
    lists, prints, tops = (build / "pcb", build / "hardware/print", build / "hardware/tops")
    firmware = "sensor.uf2" if board.has_fields else "sensor.hex"
    found = {
        **{_order(board, name): _ordered(lists / name, assembled=board.has_fields) for name in needed(board)},
        "print": tuple(sorted((prints / board.name).glob("*.stl"))),
        "sheets": tuple(sorted((tops / board.name).glob("*.pdf"))),
        "": tuple((build / "firmware" / board.name).glob(firmware)),
    }
    missing = [folder or firmware for folder, files in found.items() if not files]
    if missing:
        raise CannotBuild(
            f"{build} has nothing for {' and '.join(missing)}: make kit BOARD={board.name} makes all of it"
        )
    return found


def _order(board: Profile, circuit: str) -> str:
    """Return the folder for what is ordered: one, or one for each circuit board where there are several."""
    return f"order/{circuit}" if _several(board) else "order"


def _several(board: Profile) -> bool:
    return len(needed(board)) > 1


def _ordered(circuit: Path, *, assembled: bool) -> tuple[Path, ...]:
    """Return the lists for a circuit board; who solders it has one of what to buy, too."""
    return (*sorted((circuit / "assembly").glob("*.csv")), *(() if assembled else circuit.glob("bom.csv")))


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
    for circuit in needed(board):
        gerbers = build / "pcb" / circuit / "gerbers"
        _zipped(kit / _order(board, circuit) / GERBERS, gerbers, gerbers.iterdir())
    if _several(board):
        many = "".join(f"{count} {circuit}\n" for circuit, count in needed(board).items())
        (kit / "order" / HOW_MANY).write_text(many, encoding="utf-8")
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
@click.option("--needs", is_flag=True, help="Name the circuit boards alone, which are made first.")
def main(board: str, build: Path, needs: bool) -> None:
    """Pack for BOARD what lies in the folder BUILD."""
    try:
        click.echo(" ".join(needed(load(board))) if needs else pack(build, load(board)))
    except (BadProfile, CannotBuild) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
