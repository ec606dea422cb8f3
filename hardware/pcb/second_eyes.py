"""Opens what a house gets with another reader than KiCad, and holds it to the boards.

``python -m hardware.pcb.second_eyes FOLDER``. The reader is gerbonara. It does not know the command by which KiCad's
drill files have slots (G85), so they are said in its words before.
"""

from __future__ import annotations

import math
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from hardware.pcb.boards.catalogue import boards
from hardware.pcb.footprints import footprints
from hardware.pcb.panel import PANELS, panel
from hardware.pcb.placement import Placement, corner, lands, placed, size_mm
from hardware.pcb.route import VIA_DRILL
from hardware.pcb.shapes import Point

SLOT = re.compile(r"^(X[-\d.]+Y[-\d.]+)G85(X[-\d.]+Y[-\d.]+)$", re.MULTILINE)
MILLED = r"G00\1\nM15\nG01\2\nM16\nG05"
LINE_MM = 0.1  # of the edge, which is drawn
CLOSE_MM = 0.02
SIDES = ("top", "bottom")


def opened(gerbers: Path) -> Any:
    """Return the layers of a folder as gerbonara reads them."""
    from gerbonara import LayerStack

    with tempfile.TemporaryDirectory() as copy, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it finds uncommon
        there = Path(shutil.copytree(gerbers, Path(copy) / gerbers.parent.name))
        for drills in there.glob("*.drl"):
            text = drills.read_text(encoding="utf-8")
            drills.write_text(SLOT.sub(MILLED, text), encoding="utf-8")
        layers = LayerStack.open(there)
        for layer in (*layers.graphic_layers.values(), *layers.drill_layers):
            _ = layer.objects
        return layers


def differences(board: Placement, gerbers: Path) -> Iterator[str]:
    """Yield in words what a house would make otherwise than the board is meant."""
    layers = opened(gerbers)
    yield from _size(size_mm(board), layers)
    yield from _holes(board, layers)
    for side in SIDES:
        for what in ("copper", "mask"):
            yield from _pads(board, layers, side, what)


def _size(meant: Point, layers: Any) -> Iterator[str]:
    (left, low), (right, high) = layers.graphic_layers["mechanical", "outline"].bounding_box()
    found = left + LINE_MM / 2, low + LINE_MM / 2, right - LINE_MM / 2, high - LINE_MM / 2
    if max(abs(a - b) for a, b in zip(found, (0, 0, *meant), strict=True)) > CLOSE_MM:
        yield f"its edge goes from {found[0]:.2f}, {found[1]:.2f} to {found[2]:.2f}, {found[3]:.2f}"


def _holes(board: Placement, layers: Any) -> Iterator[str]:
    """Yield which holes of parts and screws are missing, and which others are no vias."""
    (drills,) = layers.drill_layers
    holes = [((hole.x, hole.y), _diameter(hole)) for hole in drills.drills()]
    for land in lands(board):
        if not land.drill or _slot(board, land.ref, land.number):
            continue
        at = _up(board, (land.x, land.y))
        there = [hole for hole in holes if math.dist(hole[0], at) < CLOSE_MM and hole[1] == round(land.drill, 2)]
        if there:
            holes.remove(there[0])
        else:
            yield f"the hole of {land.ref or 'a screw'} {land.number} is missing"
    strange = [hole for hole in holes if hole[1] != VIA_DRILL]
    if strange:
        yield f"holes that are nothing's: {strange}"
    milled = sorted((round(abs(s.x2 - s.x1) + abs(s.y2 - s.y1), 2), _diameter(s)) for s in drills.slots())
    meant = sorted((round(length - width, 2), width) for length, width in _slots(board))
    if milled != meant:
        yield f"slots, by length and width: {milled}, not {meant}"


def _diameter(hole: Any) -> float:
    return round(float(hole.tool.diameter), 2)


def _slot(board: Placement, ref: str, number: str) -> float:
    if not ref:
        return 0.0
    pads = footprints()[board.circuit.part(ref).device.footprint].pads
    return max(pad.slot for pad in pads if pad.number == number)


def _slots(board: Placement) -> Iterator[tuple[float, float]]:
    """Yield how long and how wide each hole is that is milled."""
    for part in board.circuit.parts:
        yield from ((pad.slot, pad.drill) for pad in footprints()[part.device.footprint].pads if pad.slot)


def _pads(board: Placement, layers: Any, side: str, what: str) -> Iterator[str]:
    """Yield the pads at which nothing is flashed on a layer."""
    objects = layers.graphic_layers[side, what].objects
    flashed = [(each.x, each.y) for each in objects if type(each).__name__ == "Flash"]
    for part in board.circuit.parts:
        for pad in footprints()[part.device.footprint].pads:
            if pad.number and (side == "top" or pad.drill):
                at = _up(board, placed(pad, board.spots[part.ref]))
                if not any(math.dist(at, each) < CLOSE_MM for each in flashed):
                    yield f"{side} {what} has nothing at pad {pad.number} of {part.ref}"


def _up(board: Placement, at: Point) -> Point:
    """Return a place as gerbers have it: from the lower left corner, y up."""
    left, low = corner(board)
    return at[0] - left, low - at[1]


@click.command()
@click.argument("out", type=click.Path(path_type=Path, exists=True))
def main(out: Path) -> None:
    """Look at every board and panel that lies in the folder OUT."""
    every = boards()
    made = [name for name in (*every, *PANELS) if (out / name / "gerbers").is_dir()]
    wrong = []
    for name in made:
        gerbers = out / name / "gerbers"
        if name in every:
            wrong += [f"{name}: {words}" for words in differences(every[name](), gerbers)]
        else:
            names = {board for row in PANELS[name] for board in row}
            frame = panel(name, {each: every[each]() for each in names})
            wrong += [f"{name}: {words}" for words in _size((frame.width, frame.height), opened(gerbers))]
    if wrong:
        raise click.ClickException("\n  ".join(wrong))
    click.echo(f"gerbonara reads {len(made)} boards and panels as they are meant")


if __name__ == "__main__":
    sys.exit(main())
