"""The board file of a panel for KiCad, and the library of its footprints.

The frame around the boards, which are written as they are alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from hardware.pcb.kicad.layout_file import bare, board_file, contents, outline
from hardware.pcb.panel import BITTEN, TOOLING, Panel, moved
from hardware.pcb.placement import Placement, Spot
from hardware.pcb.route import Routes
from hardware.pcb.shapes import Footprint
from hardware.pcb.surface import FIDUCIAL

FRAME_SHAPES: tuple[Footprint, ...] = (BITTEN, FIDUCIAL, TOOLING)


def panel_file(panel: Panel, boards: Mapping[str, tuple[Placement, Routes]]) -> str:
    """Return the text of the panel's board file; ``boards`` has each of its boards with its tracks."""
    there = [moved(piece, *boards[piece.board]) for piece in panel.pieces]
    names = chain.from_iterable(board.circuit.nets() for board, _ in there)
    nets = {net: k for k, net in enumerate(names, 1)}
    inside = list(outline(f"{panel.name} edge", panel.edge))
    for k, slot in enumerate(panel.slots):
        inside += outline(f"{panel.name} slot {k}", slot)
    for k, each in enumerate(panel.bare):
        inside.append(bare(panel.name, f"F{k}", each.shape.name, Spot(*each.at, each.turn), each.shape))
    for board, routes in there:
        inside += contents(board, routes, nets, printed=False)
    return board_file(panel.name, (0.0, panel.height), nets, inside)
