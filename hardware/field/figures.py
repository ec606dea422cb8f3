"""All that the page about field, depth and light tells, reckoned once and kept in ``figures.json``."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from controller.typed import ready
from hardware.field.cylinder import Disc, field_mt
from hardware.field.draws import CHUNK, PITCH_MM, Tolerances, gap_mm
from hardware.field.judge import ANY, DISCS, SENSITIVE, JudgedDisc, judged
from hardware.field.kinds import AFTER_A_WALK, SETS, KindBorders, told
from hardware.field.light import Cell, Lit, lit, open_spot_mm, seen
from hardware.field.limits import DEPTH_MM
from hardware.printables.geometry import WALL_MM

FIGURES = Path(__file__).parent / "figures.json"
DEPTHS_MM = (4.0, 6.0, 8.0, 10.0, 12.0, 14.0)
DRAWS = 1_000_000
FEWER_DRAWS = 200_000
RAYS = 1_000_000
PIXEL_BESIDE_MM = 5.0  # from the middle of a cell, where its hall sensor sits
LIGHT_DEPTHS_MM = (*DEPTHS_MM, 16.0, 20.0)
SEEN_DEPTHS_MM = (4.0, 8.0, 12.0, 20.0)
PATCHES = 15
CELL = Cell(PITCH_MM - WALL_MM)
BESIDE = msgspec.structs.replace(CELL, off_mm=PIXEL_BESIDE_MM)
ON_AXIS_AND_OFF_MM = (0.0, 3.2, 5.0)


class DepthLight(msgspec.Struct, frozen=True):
    """The light at a depth: without walls, and in a cell with the pixel in its middle and beside it."""

    open_spot_mm: float
    middle: Lit
    beside: Lit


class FieldFigures(msgspec.Struct, frozen=True):
    """Of every disc and depth: with any sensor, with a sensitive one, and the first chunk of those at `DEPTH_MM`.

    ``sets`` has the discs of each set of kinds among pieces of all of them, with a sensitive sensor.
    """

    any_sensor: tuple[JudgedDisc, ...]
    sensitive: tuple[JudgedDisc, ...]
    first_chunk: tuple[JudgedDisc, ...]
    sets: tuple[tuple[JudgedDisc, ...], ...]
    kinds: tuple[KindBorders, ...]
    kinds_by_depth: tuple[KindBorders, ...]
    lights: tuple[DepthLight, ...]
    cells: tuple[tuple[tuple[int, ...], ...], ...]


def reckoned() -> FieldFigures:
    """Return all figures; takes a quarter of an hour of one core."""
    pairs = [(disc, depth) for depth in DEPTHS_MM for disc in DISCS]
    return FieldFigures(
        tuple(judged(disc, depth, ANY, DRAWS) for disc, depth in pairs),
        tuple(judged(disc, depth, SENSITIVE, DRAWS) for disc, depth in pairs),
        tuple(first_chunk(disc, off) for off in (ANY, SENSITIVE) for disc in DISCS),
        tuple(tuple(judged(disc, DEPTH_MM, SENSITIVE, DRAWS, discs) for disc in discs) for discs in SETS),
        tuple(told(discs, DEPTH_MM, AFTER_A_WALK, DRAWS) for discs in SETS),
        tuple(told(SETS[k], depth, AFTER_A_WALK, FEWER_DRAWS) for k in (0, -1) for depth in DEPTHS_MM),
        tuple(light(depth, RAYS) for depth in LIGHT_DEPTHS_MM),
        tuple(seen(depth, BESIDE, RAYS, PATCHES) for depth in SEEN_DEPTHS_MM),
    )


def first_chunk(disc: Disc, off: Tolerances) -> JudgedDisc:
    """Return what the first draws make of a disc at `DEPTH_MM`: quick, and telling whether the code is the same."""
    return judged(disc, DEPTH_MM, off, CHUNK)


def light(depth_mm: float, rays: int) -> DepthLight:
    """Return the light at a depth."""
    return DepthLight(open_spot_mm(depth_mm, CELL, rays), lit(depth_mm, CELL, rays), lit(depth_mm, BESIDE, rays))


def axial_mt(disc: Disc, depth_mm: float) -> tuple[float, ...]:
    """Return the field of an upright disc at the chip, in mT, on its axis and off it by `ON_AXIS_AND_OFF_MM`."""
    out_mm = np.array(ON_AXIS_AND_OFF_MM) + 1e-6
    axial, _ = field_mt(disc, ANY.remanence_t, out_mm, np.full(3, gap_mm(depth_mm)))
    return tuple(float(mt) for mt in axial)


def kept() -> FieldFigures:
    """Return the figures as they were reckoned last."""
    return msgspec.json.decode(FIGURES.read_bytes(), type=ready(FieldFigures))


def keep(figures: FieldFigures) -> None:
    """Keep figures for the page, a line for each of them."""
    fields = msgspec.to_builtins(figures)
    rows = [f' "{name}": [\n  {_rows(found)}\n ]' for name, found in fields.items()]
    FIGURES.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def _rows(found: list[object]) -> str:
    return ",\n  ".join(msgspec.json.encode(each).decode() for each in found)
