"""Two pictures of field and light over depth, as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hardware.field.figures import DEPTHS_MM, PATCHES, SEEN_DEPTHS_MM, FieldFigures
from hardware.field.judge import DISCS
from hardware.field.limits import DEPTH_MM, RELEASE_MT, THRESHOLD_MT
from hardware.svg import box, document, line, text

COLOURS = ("#999999", "#56b4e9", "#009e73", "#0072b2", "#e69f00", "#d55e00", "#8c2d9c")
LEFT_MM, TOP_MM, WIDE_MM, HIGH_MM = 16.0, 12.0, 110.0, 76.0
LEAST_MT, MOST_MT = 0.3, 100.0
PATCH_MM, APART_MM = 2.4, 6.0


def curves(found: FieldFigures) -> str:
    """Return the least field of a piece, and the most of its neighbours, over depth for each disc."""
    return document(LEFT_MM + WIDE_MM + 22, TOP_MM + HIGH_MM + 14, _curves(found))


def _curves(found: FieldFigures) -> Iterator[str]:
    yield box((0, 0), (LEFT_MM + WIDE_MM + 22, TOP_MM + HIGH_MM + 14), "#fff", "none")
    yield text(
        (LEFT_MM, 6), "mT at the sensor: least of a piece (full line), most of its neighbours (dashed)", 3.4, "start"
    )
    for mt in (0.5, 1, 2, 5, 10, 20, 50, 100):
        yield line([_at(DEPTHS_MM[0], mt), _at(DEPTHS_MM[-1], mt)], "#ddd", 0.2)
        yield text((LEFT_MM - 2, _at(4, mt)[1] + 1), f"{mt:g}", 3, "end")
    for depth in DEPTHS_MM:
        yield line([_at(depth, LEAST_MT), _at(depth, MOST_MT)], "#bbb" if depth == DEPTH_MM else "#eee", 0.3)
        yield text((_at(depth, 1)[0], TOP_MM + HIGH_MM + 5), f"{depth:g}", 3)
    yield text((LEFT_MM + WIDE_MM / 2, TOP_MM + HIGH_MM + 11), "board below the sheet, mm", 3.4)
    for mt, name in ((THRESHOLD_MT, "threshold"), (RELEASE_MT, "release")):
        yield line([_at(DEPTHS_MM[0], mt), _at(DEPTHS_MM[-1], mt)], "#c00", 0.4)
        yield text((LEFT_MM + WIDE_MM + 2, _at(4, mt)[1] + 1), f"{name}, {mt:g}", 3, "start", "#c00")
    for disc, colour in zip(DISCS, COLOURS, strict=True):
        rows = [each for each in found.any_sensor if each.disc == disc]
        yield line([_at(each.depth_mm, each.least_own_mt) for each in rows], colour, 0.6)
        yield line([_at(each.depth_mm, each.most_others_mt) for each in rows], colour, 0.5, "1.5 1")
    for k, (disc, colour) in enumerate(zip(DISCS, COLOURS, strict=True)):
        at = (LEFT_MM + WIDE_MM + 2, TOP_MM + 4 + 5 * k)
        yield text(at, f"{disc[0]:g} × {disc[1]:g}", 3.2, "start", colour, bold=True)


def _at(depth_mm: float, mt: float) -> tuple[float, float]:
    share = (depth_mm - DEPTHS_MM[0]) / (DEPTHS_MM[-1] - DEPTHS_MM[0])
    up = math.log(min(max(mt, LEAST_MT), MOST_MT) / LEAST_MT) / math.log(MOST_MT / LEAST_MT)
    return LEFT_MM + share * WIDE_MM, TOP_MM + (1 - up) * HIGH_MM


def cells(found: FieldFigures) -> str:
    """Return what cells look like from above with their boards at several depths, each as bright as its brightest."""
    size = PATCHES * PATCH_MM
    return document(len(SEEN_DEPTHS_MM) * (size + APART_MM) + APART_MM, size + 14, _cells(found, size))


def _cells(found: FieldFigures, size: float) -> Iterator[str]:
    yield box((0, 0), (len(SEEN_DEPTHS_MM) * (size + APART_MM) + APART_MM, size + 14), "#fff", "none")
    for number, (depth, rows) in enumerate(zip(SEEN_DEPTHS_MM, found.cells, strict=True)):
        left = APART_MM + number * (size + APART_MM)
        yield text((left + size / 2, 6), f"{depth:g} mm", 4)
        for k, row in enumerate(rows):
            for n, bright in enumerate(row):
                grey = f"{round(255 * (bright / 100) ** (1 / 2.2)):02x}"
                # A little larger than its place, so that no gap shows between patches.
                place = (left + k * PATCH_MM, 9 + n * PATCH_MM)
                yield box(place, (PATCH_MM + 0.05, PATCH_MM + 0.05), f"#{grey}{grey}{grey}", "none")
        yield box((left, 9), (size, size), "none", "#222", 0.6)
