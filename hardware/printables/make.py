"""Makes and checks the printed parts of boards: ``python -m hardware.printables.make FOLDER BOARD…``.

Frames are held to the circuit boards that go into them. Needs OpenSCAD and the extra 'hardware'.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import click
import trimesh

from hardware.cannot_build import CannotBuild
from hardware.printables import fit
from hardware.printables.check import MeasuredMesh, measured
from hardware.printables.models import SCAD, PrintedPart, models
from hardware.printables.volumes import Volumes, fingerprint, record
from hardware.profile import BadProfile, load, names


def make(folder: Path, board: str) -> Volumes:
    """Make every part of ``board`` below ``folder`` and return their volumes; raises `CannotBuild`, `BadProfile`."""
    profile = load(board)
    found, volumes = models(profile), {}
    (folder / profile.name).mkdir(parents=True, exist_ok=True)
    faults: list[str] = []
    with ThreadPoolExecutor(os.cpu_count()) as hands:  # each waits for an OpenSCAD of its own
        results = list(hands.map(lambda part: _made(folder / profile.name / f"{part.name}.stl", part), found))
    for part, result in zip(found, results, strict=True):
        volumes[part.name] = round(result.volume)
        width, depth, height = result.size
        click.echo(
            f"{profile.name:12} {part.name:12} {part.number:4} ×  {width:6.1f} × {depth:6.1f} × {height:5.1f} mm  "
            f"{result.volume / 1000:7.1f} cm³  walls from {result.thinnest:.2f} mm, bridges to {result.bridge:.1f} mm"
        )
        faults += [f"{profile.name}, {part.name}: {fault}" for fault in result.faults]
    frames = [part.name for part in found if "frame-" in part.name or part.name in ("tray", "grid", "hub-tray")]
    meshes = {name: trimesh.load_mesh(folder / profile.name / f"{name}.stl") for name in frames}
    faults += [f"{profile.name}: {fault}" for fault in fit.faults(profile, meshes)]
    if faults:
        raise CannotBuild("\n".join(faults))
    return Volumes(fingerprint(found), volumes)


def _made(path: Path, part: PrintedPart) -> MeasuredMesh:
    """Run OpenSCAD unless the part was made before of the same text."""
    source, stamp = path.with_suffix(".scad"), path.with_suffix(".made")
    text = part.text.encode() + b"".join(file.read_bytes() for file in sorted(SCAD.glob("*.scad")))
    now = sha256(text).hexdigest()
    if not (path.exists() and stamp.exists() and stamp.read_text() == now):
        source.write_text(part.text, encoding="utf-8")
        _openscad(["-o", str(path), str(source)])
        stamp.write_text(now)
    return measured(path, part.wall_mm)


def _openscad(arguments: Sequence[str]) -> None:
    try:
        done = subprocess.run(["openscad", *arguments], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotBuild("OpenSCAD is missing: apt install openscad") from None
    if done.returncode or "WARNING" in done.stderr:
        raise CannotBuild(f"openscad {' '.join(arguments)}: {done.stderr.strip()}")


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.argument("boards", nargs=-1, required=True)
@click.option("--keep", is_flag=True, help="Keep the volumes of shipped boards for the pages under docs/build/.")
def main(folder: Path, boards: tuple[str, ...], keep: bool) -> None:
    """Make the printed parts of BOARDS as STL files below FOLDER, and check each."""
    try:
        volumes = {load(board).name: make(folder, board) for board in boards}
    except (BadProfile, CannotBuild) as error:
        raise click.ClickException(str(error)) from error
    if keep:
        record({board: found for board, found in volumes.items() if board in names()})


if __name__ == "__main__":
    main()
