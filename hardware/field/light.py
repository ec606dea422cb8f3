"""The light of one pixel on the sheet above it: rays by dice from the pixel through a cell of the grid.

The cell is a square box. The board lies below, the sheet above, and walls round it that end some way above the board.
All that is lit gives light back evenly to all sides: print of white plastic, solder mask, a sheet of opal.
"""

from __future__ import annotations

import math

import msgspec
import numpy as np

from hardware.field.cylinder import Array
from hardware.height_budget import ABOVE_MM, TOP_MM, WALL_LIFT_MM

PIXEL_MM = ABOVE_MM["WS2812B"]  # from the board to where its light comes out
SEED = 2
LEAST_WEIGHT = 0.003  # of a ray, below which it is let go
REFRACTION = 1.49  # of acrylic
PATCH_MM = 3.0  # the least that an eye takes for a spot of its own across a table


class Cell(msgspec.Struct, frozen=True):
    """A cell for light: what part of it walls, board and sheet give back, and how thick a sheet spreads it.

    ``off_mm`` is how far the pixel stands beside the middle. Without ``walls`` the sheet goes on without end.
    """

    inside_mm: float
    off_mm: float = 0.0
    walls: bool = True
    wall_back: float = 0.8  # white plastic, printed
    board_back: float = 0.7  # white solder mask
    sheet_back: float = 0.45  # opal acrylic of 2 mm
    sheet_mm: float = TOP_MM


class Lit(msgspec.Struct, frozen=True):
    """What a cell looks like. ``spot_mm``: a disc as large as what is at least half as bright as the brightest.

    ``evenness``: the darkest patch of the cell against the mean. ``beside``: the share of light that leaves the cell
    below its walls.
    """

    depth_mm: float
    spot_mm: float
    evenness: float
    beside: float


def direct_spot_mm(depth_mm: float) -> float:
    """Return the diameter in which direct light is at least half as bright as in the middle, in closed form.

    A pixel that gives light as the cosine lights a sheet d above it by d⁴ / (d² + r²)²: half of it at r = 0.644 d.
    """
    return 2 * (depth_mm - PIXEL_MM) * math.sqrt(math.sqrt(2) - 1)


def lit(depth_mm: float, cell: Cell, rays: int) -> Lit:
    """Return what a cell with walls looks like from above, its board ``depth_mm`` below the sheet."""
    places, weights, beside = followed(depth_mm, cell, rays)
    coarse = _map(places, weights, cell, round(cell.inside_mm / PATCH_MM))
    fine = _smooth(_map(places, weights, cell, round(2 * cell.inside_mm)))
    brighter = float(np.mean(fine >= fine.max() / 2)) * cell.inside_mm**2
    even = float(coarse.min() / coarse.mean())
    return Lit(depth_mm, round(2 * math.sqrt(brighter / math.pi), 1), round(even, 3), round(beside / rays, 3))


def seen(depth_mm: float, cell: Cell, rays: int, patches: int) -> tuple[tuple[int, ...], ...]:
    """Return how bright each patch of a cell is, row by row, in per cent of the brightest."""
    places, weights, _ = followed(depth_mm, cell, rays)
    bright = _map(places, weights, cell, patches)
    return tuple(tuple(int(each) for each in row) for row in np.rint(100 * bright / bright.max()))


def _map(places: Array, weights: Array, cell: Cell, patches: int) -> Array:
    half = cell.inside_mm / 2
    bright, _, _ = np.histogram2d(
        places[:, 0], places[:, 1], bins=patches, range=[[-half, half], [-half, half]], weights=weights
    )
    return np.asarray(bright, dtype=np.float64)


def open_spot_mm(depth_mm: float, cell: Cell, rays: int) -> float:
    """Return the half-light diameter on a sheet without walls, from rings round its middle."""
    places, weights, _ = followed(depth_mm, msgspec.structs.replace(cell, walls=False), rays)
    ring_mm = (depth_mm - PIXEL_MM) / 24
    edges = np.arange(0, 80) * ring_mm
    light, _ = np.histogram(np.hypot(places[:, 0] - cell.off_mm, places[:, 1]), bins=edges, weights=weights)
    bright = light / (edges[1:] ** 2 - edges[:-1] ** 2)
    near, wide = (float(light[:rings].sum() / edges[rings] ** 2) for rings in (3, 6))
    half = (4 * near - wide) / 3 / 2  # of the middle itself: brightness falls with the square of the way from it
    below = int(np.argmax(bright < half))
    rise = (bright[below - 1] - half) / (bright[below - 1] - bright[below])
    return round(float(2 * ring_mm * (below - 0.5 + rise)), 1)


def followed(depth_mm: float, cell: Cell, rays: int) -> tuple[Array, Array, float]:
    """Return where light leaves the sheet, as places and weights, and the weight that went below the walls."""
    dice = np.random.default_rng(SEED)
    at = np.zeros((rays, 3))
    at[:, 0], at[:, 2] = cell.off_mm, PIXEL_MM
    way, weight = _spread(rays, dice), np.ones(rays)
    out, out_weights, beside = [], [], 0.0
    while len(at):
        at, side, sign = _hit(at, way, cell.inside_mm / 2 if cell.walls else 1e9, depth_mm)
        sheet = (side == 2) & (sign > 0)
        under = (side < 2) & (at[:, 2] < WALL_LIFT_MM)
        beside += float(weight[under].sum())
        out.append(_through(at[sheet], cell, dice))
        out_weights.append(weight[sheet] * (1 - cell.sheet_back))
        back = np.select([sheet, under, side == 2], [cell.sheet_back, 0.0, cell.board_back], cell.wall_back)
        weight = weight * back
        kept = weight > LEAST_WEIGHT
        at, side, sign, weight = at[kept], side[kept], sign[kept], weight[kept]
        way = _turned(_spread(len(at), dice), side, sign)
    return np.concatenate(out), np.concatenate(out_weights), beside


def _spread(count: int, dice: np.random.Generator) -> Array:
    """Return directions round the third axis, as many as the cosine has."""
    sine, turn = np.sqrt(dice.random(count)), dice.uniform(0, 2 * math.pi, count)
    return np.column_stack([sine * np.cos(turn), sine * np.sin(turn), np.sqrt(1 - sine**2)])


def _turned(way: Array, side: Array, sign: Array) -> Array:
    """Return directions that lead away from the sides which were hit."""
    turned = np.empty_like(way)
    rows = np.arange(len(way))
    for k in range(3):
        turned[rows, (side + 1 + k) % 3] = way[:, k] if k < 2 else -sign * way[:, 2]
    return turned


def _hit(at: Array, way: Array, half_mm: float, depth_mm: float) -> tuple[Array, Array, Array]:
    """Return where rays end in the box, at which of the three pairs of sides, and on which of the two."""
    low, high = np.array([-half_mm, -half_mm, 0.0]), np.array([half_mm, half_mm, depth_mm])
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(way > 0, (high - at) / way, (low - at) / way)
    far = np.where(np.isfinite(far), far, np.inf)
    side = far.argmin(axis=1)
    rows = np.arange(len(at))
    ends = at + way * far[rows, side][:, None]
    sign = np.sign(way[rows, side])
    ends[rows, side] = np.where(sign > 0, high[side], low[side])
    return ends, side, sign


def _through(at: Array, cell: Cell, dice: np.random.Generator) -> Array:
    """Return where light comes out of the sheet: spread at its lower side, within the angle that lets it out again."""
    way = _spread(len(at), dice)
    sine = np.hypot(way[:, 0], way[:, 1]) / REFRACTION
    aside = cell.sheet_mm * sine / np.sqrt(1 - sine**2) / np.maximum(sine * REFRACTION, 1e-12)
    return np.column_stack([at[:, 0] + way[:, 0] * aside, at[:, 1] + way[:, 1] * aside])


def _smooth(bright: Array) -> Array:
    """Return the mean of each place and those round it, as far as there are any."""
    padded = np.pad(bright, 1, mode="edge")
    rows, columns = bright.shape
    shifted = [padded[i : i + rows, k : k + columns] for i in range(3) for k in range(3)]
    return np.asarray(np.mean(shifted, axis=0))
