"""What another reader finds in the gerbers of a board is held to the board: an edge, a hole, a slot, a pad too few.

`make hardware-boards` has gerbonara read what KiCad wrote; here stands what it would find, made of the board itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hardware.pcb import second_eyes
from hardware.pcb.boards.catalogue import boards
from hardware.pcb.footprints import footprints
from hardware.pcb.placement import Placement, corner, lands, placed, size_mm
from hardware.pcb.route import VIA_DRILL
from hardware.pcb.second_eyes import SLOT, differences


@dataclasses.dataclass(frozen=True)
class Tool:
    diameter: float


@dataclasses.dataclass(frozen=True)
class Hole:
    x: float
    y: float
    tool: Tool


@dataclasses.dataclass(frozen=True)
class Slot:
    x1: float
    y1: float
    x2: float
    y2: float
    tool: Tool


@dataclasses.dataclass(frozen=True)
class Flash:
    x: float
    y: float


@dataclasses.dataclass
class Layer:
    objects: list[Any]
    box: tuple[tuple[float, float], tuple[float, float]] = ((0, 0), (0, 0))

    def bounding_box(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return self.box

    def drills(self) -> list[Any]:
        return [each for each in self.objects if isinstance(each, Hole)]

    def slots(self) -> list[Any]:
        return [each for each in self.objects if isinstance(each, Slot)]


@dataclasses.dataclass
class Layers:
    graphic_layers: dict[tuple[str, str], Layer]
    drill_layers: list[Layer]


def read(board: Placement) -> Layers:
    """Return what a reader finds in files that are right."""
    left, low = corner(board)
    width, height = size_mm(board)
    layers = {(side, what): Layer([]) for side in ("top", "bottom") for what in ("copper", "mask")}
    layers["mechanical", "outline"] = Layer([], ((-0.05, -0.05), (width + 0.05, height + 0.05)))
    drills: list[Any] = [Hole(5.0, 5.0, Tool(VIA_DRILL))]
    screws = len(lands(board)) - sum(len(footprints()[part.device.footprint].pads) for part in board.circuit.parts)
    for land in lands(board)[-screws:]:
        drills += [Hole(land.x - left, low - land.y, Tool(land.drill))] if land.drill else []
    for part in board.circuit.parts:
        for pad in footprints()[part.device.footprint].pads:
            x, y = placed(pad, board.spots[part.ref])
            x, y = x - left, low - y
            if pad.number:
                for side in ("top", "bottom") if pad.drill else ("top",):
                    layers[side, "copper"].objects.append(Flash(x, y))
                    layers[side, "mask"].objects.append(Flash(x, y))
            if pad.slot:
                half = (pad.slot - pad.drill) / 2
                drills.append(Slot(x, y - half, x, y + half, Tool(pad.drill)))
            elif pad.drill:
                drills.append(Hole(x, y, Tool(pad.drill)))
    return Layers(layers, [Layer(drills)])


def told(monkeypatch: pytest.MonkeyPatch, board: Placement, spoil: Callable[[Layers], object]) -> list[str]:
    layers = read(board)
    spoil(layers)
    monkeypatch.setattr(second_eyes, "opened", lambda gerbers: layers)
    return list(differences(board, Path("gerbers")))


@pytest.mark.parametrize("name", ["tile16", "hub9", "hat"])
def test_files_that_are_as_the_board_are_without_a_word(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    assert told(monkeypatch, boards()[name](), lambda layers: None) == []


def _narrower(layers: Layers) -> None:
    layers.graphic_layers["mechanical", "outline"].box = ((-0.05, -0.05), (132.0, 132.85))


def _without(kind: type, layers: Layers) -> None:
    (drills,) = layers.drill_layers
    drills.objects.remove(next(each for each in drills.objects[1:] if isinstance(each, kind)))


SPOILT: list[tuple[Callable[[Layers], object], str]] = [
    (_narrower, "its edge goes from 0.00, 0.00 to 131.95"),
    (lambda layers: _without(Hole, layers), "the hole of "),
    (lambda layers: _without(Slot, layers), "slots, by length and width: [], not [(13.0, 6.0)]"),
    (lambda layers: layers.drill_layers[0].objects.append(Hole(9.0, 9.0, Tool(2.0))), "holes that are nothing's: "),
    (lambda layers: layers.graphic_layers["top", "mask"].objects.pop(), "top mask has nothing at pad "),
    (lambda layers: layers.graphic_layers["bottom", "copper"].objects.clear(), "bottom copper has nothing at pad 1"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "words"), SPOILT)
def test_what_is_missing_or_too_much_is_named(
    monkeypatch: pytest.MonkeyPatch, spoil: Callable[[Layers], object], words: str
) -> None:
    said = told(monkeypatch, boards()["tile16"](), spoil)
    assert said
    assert all(each.startswith(words) for each in said[:1])


def test_a_slot_is_said_in_the_words_that_the_other_reader_knows() -> None:
    drills = "T4\nX73.075Y25.2G85X60.075Y25.2\nX1.0Y2.0\nM30\n"
    said = SLOT.sub(second_eyes.MILLED, drills)
    assert said == "T4\nG00X73.075Y25.2\nM15\nG01X60.075Y25.2\nM16\nG05\nX1.0Y2.0\nM30\n"
