"""Draws printed parts as pictures for the pages: ``python -m hardware.printables.picture OUT STL…``.

Needs OpenSCAD and a display, as xvfb-run gives one.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from PIL import Image, ImageChops

SIZE = "1400,900"
EDGE = 12
CAMERA = "0,0,0,52,0,28,500"


def picture(out: Path, meshes: Sequence[Path], apart_mm: float) -> None:
    """Write a PNG of the meshes in a row, each ``apart_mm`` from the one before."""
    placed = [f'translate([{k * apart_mm}, 0, 0]) import("{mesh.resolve()}");' for k, mesh in enumerate(meshes)]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "scene.scad"
        source.write_text("\n".join(placed), encoding="utf-8")
        view = ["--viewall", "--autocenter", f"--imgsize={SIZE}", f"--camera={CAMERA}", "--colorscheme=Tomorrow"]
        subprocess.run(["openscad", "-q", "-o", str(out), *view, str(source)], check=True)
    with Image.open(out) as drawn:
        image = drawn.convert("RGB")
    paper = Image.new("RGB", image.size, image.getpixel((0, 0)))
    left, top, right, low = ImageChops.difference(image, paper).getbbox() or (0, 0, *image.size)
    image.crop((left - EDGE, top - EDGE, right + EDGE, low + EDGE)).resize(
        ((right - left + 2 * EDGE) * 3 // 4, (low - top + 2 * EDGE) * 3 // 4)
    ).quantize(64).save(out, optimize=True)


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.argument("meshes", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True))
@click.option("--apart", type=float, default=0.0, help="Millimetres from one to the next.")
def main(out: Path, meshes: tuple[Path, ...], apart: float) -> None:
    """Write a picture of MESHES to OUT."""
    picture(out, meshes, apart)


if __name__ == "__main__":
    main()
