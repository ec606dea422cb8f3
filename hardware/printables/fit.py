"""Holds the printed frames to what goes into them, by their meshes: circuit boards, pixels, sensors.

Owns how a mesh is asked what is in a place: along vertical lines through it. Needs the extra 'hardware'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import trimesh

from controller.rules.mesh import Point, sides_of
from hardware import height_budget as h
from hardware.printables.board_frames import board_section
from hardware.printables.board_places import Body, Laid, hand_pixel, hub, laid
from hardware.printables.geometry import Section, sections
from hardware.printables.models import corner
from hardware.printables.tray import screw_bites_mm
from hardware.printables.underside import on_section
from hardware.profile import Profile

SQUARE_MM = 4.0
STEP_MM = 1.0
BOARD_STEP_MM = 2.5  # over the whole of a circuit board
SHRINK_MM = 0.1  # of every part, on all sides: what touches does not overlap
DEEPEST_MM = 100.0  # below all that is printed
UNDERSIDE_MM = h.BOARD_DEEP_MM + h.BOARD_MM  # of a circuit board: there the posts of a tray without walls end
SEAT_MM = 0.05  # by which the highest point of a tower may be off
Span = tuple[float, float]


class Column:
    """A mesh that is asked along vertical lines. ``flipped``: printed upside down, so that z is a depth.

    ``above_mm`` is how far it reaches above the lower side of the sheet.
    """

    def __init__(self, mesh: trimesh.Trimesh, at: Point, flipped: bool, above_mm: float = 0.0) -> None:
        self._corners = np.asarray(mesh.triangles)
        flat = self._corners[:, :, :2]
        self._low, self._high = flat.min(axis=1), flat.max(axis=1)
        self._squares = _by_square(self._low, self._high)
        self._at, self._flipped = at, flipped
        self._top = float(mesh.bounds[1][2]) - above_mm

    def spans(self, point: Point) -> list[Span]:
        """Return where there is plastic under a place of the board, as depths from the sheet down."""
        x, y = point[0] - self._at[0], point[1] - self._at[1]
        here = np.array((x + 1e-5, (-y if self._flipped else y) + 1.7e-5))  # off the edges of faces
        square = (int(here[0] // SQUARE_MM), int(here[1] // SQUARE_MM))
        near = self._squares.get(square, np.empty(0, dtype=int))
        near = near[((self._low[near] <= here) & (self._high[near] >= here)).all(axis=1)]
        heights = sorted(_crossings(self._corners[near], here))
        depths = heights if self._flipped else sorted(self._top - z for z in heights)
        return [(a, b) for a, b in zip(depths[::2], depths[1::2], strict=False) if b - a > 1e-6]

    def free(self, point: Point, top: float, foot: float) -> bool:
        """Tell whether there is no plastic between two depths under a place."""
        return all(min(b, foot) - max(a, top) <= 1e-3 for a, b in self.spans(point))


def _by_square(low: np.ndarray, high: np.ndarray) -> dict[tuple[int, int], np.ndarray]:
    """Return which triangles reach into each square of `SQUARE_MM` as seen from above: few are asked for a place."""
    found: dict[tuple[int, int], list[int]] = {}
    firsts, lasts = (np.floor(each / SQUARE_MM).astype(int).tolist() for each in (low, high))
    for number, ((x0, y0), (x1, y1)) in enumerate(zip(firsts, lasts, strict=True)):
        for x in range(x0, x1 + 1):
            for y in range(y0, y1 + 1):
                found.setdefault((x, y), []).append(number)
    return {square: np.array(numbers) for square, numbers in found.items()}


def _crossings(corners: np.ndarray, here: np.ndarray) -> Iterator[float]:
    """Yield the heights at which a vertical line through ``here`` meets the triangles."""
    if not len(corners):
        return
    a, b, c = (corners[:, k, :2] for k in range(3))
    ab, ac, ap = b - a, c - a, here - a
    det = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    safe = np.where(np.abs(det) < 1e-12, np.inf, det)
    u = (ap[:, 0] * ac[:, 1] - ap[:, 1] * ac[:, 0]) / safe
    v = (ab[:, 0] * ap[:, 1] - ab[:, 1] * ap[:, 0]) / safe
    met = (np.abs(det) >= 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1)
    z = corners[:, :, 2]
    yield from (z[:, 0] + u * (z[:, 1] - z[:, 0]) + v * (z[:, 2] - z[:, 0]))[met].tolist()


def grid(corners: Iterable[Point], step: float) -> Iterator[Point]:
    """Yield points of the box round the corners, its rim included."""
    xs, ys = zip(*corners, strict=True)
    for x in _steps(min(xs) + SHRINK_MM, max(xs) - SHRINK_MM, step):
        for y in _steps(min(ys) + SHRINK_MM, max(ys) - SHRINK_MM, step):
            yield x, y


def _steps(low: float, high: float, step: float) -> list[float]:
    return [float(value) for value in np.linspace(low, high, max(2, int((high - low) / step) + 2))]


def faults(profile: Profile, meshes: Mapping[str, trimesh.Trimesh]) -> list[str]:
    """Return a sentence for everything that does not fit, of the frames among ``meshes`` by the names of their parts.

    Sections that are printed several times have one mesh, under the name of the first.
    """
    boards = laid(profile)
    if profile.has_fields:
        found = list(_box_faults(profile, boards[0], meshes["tray"], meshes["grid"]))
        if profile.has_tiles:
            found += board_faults(hub(), Column(meshes["hub-tray"], (0.0, 0.0), False, -UNDERSIDE_MM), "hub-tray")
        return found
    found = []
    for section in sections(profile):
        at = corner(section)
        if f"frame-{section.name}" in meshes:
            found += _hand_faults(profile, section, Column(meshes[f"frame-{section.name}"], at, False))
        if f"board-frame-{section.name}" in meshes:
            column = Column(meshes[f"board-frame-{section.name}"], at, True)
            for board in boards:
                if on_section(board, section):
                    found += board_faults(board, column, section.name)
            found += _boss_faults(profile, section, boards, column)
    return found


def _box_faults(profile: Profile, board: Laid, tray: trimesh.Trimesh, grid: trimesh.Trimesh) -> Iterator[str]:
    """Yield what does not fit of a board that comes assembled, in its tray and below its grid."""
    tray_above_mm = -UNDERSIDE_MM if profile.has_tiles else h.TOP_MM
    below, above = Column(tray, (0.0, 0.0), False, tray_above_mm), Column(grid, (0.0, 0.0), True)
    yield from board_faults(board, below, "tray")
    yield from board_faults(board, above, "grid")
    for x, y in board.screws:
        around = [(x + 2, y), (x - 2, y), (x, y + 2), (x, y - 2)]
        if any(abs(max((b for _, b in above.spans(at)), default=0.0) - h.BOARD_DEEP_MM) > SEAT_MM for at in around):
            yield f"grid: no boss over the screw at {x:.1f}, {y:.1f}"
        if not above.free((x, y), h.BOARD_DEEP_MM - screw_bites_mm(profile), h.BOARD_DEEP_MM):
            yield f"grid: the hole at {x:.1f}, {y:.1f} is too short for its screw"
        if not below.free((x, y), 0.0, DEEPEST_MM):
            yield f"tray: no hole for the screw at {x:.1f}, {y:.1f}"


def _hand_faults(profile: Profile, section: Section, column: Column) -> Iterator[str]:
    for site in section.sites:
        x, y = hand_pixel(site)
        half = h.PIXEL_SIDE_MM / 2
        if not all(column.free(at, 0.0, h.FRAME_MM) for at in grid(((x - half, y - half), (x + half, y + half)), 1.0)):
            yield f"section {section.name}: the window of {site.name} is not over its pixel"
        # a reed's glass and lead stand 1 mm to each side of the middle; beside them is the tower
        bore = ((-1.0, 0.0), (1.0, 0.0)) if profile.sensor == "reed" else ((0.0, 2.1),)
        if not all(column.free((site.x_mm + dx, site.y_mm + dy), 0.0, h.FRAME_MM) for dx, dy in bore):
            yield f"section {section.name}: the tower of {site.name} has no bore for its sensor"
        rim = column.spans((site.x_mm, site.y_mm - 2.4))
        if not rim or abs(rim[0][0] - h.CLEARANCE_MM) > SEAT_MM:
            yield f"section {section.name}: the tower of {site.name} does not end {h.CLEARANCE_MM:g} mm below the top"


def board_faults(board: Laid, column: Column, section: str) -> Iterator[str]:
    """Yield what of a circuit board and the parts on it meets the plastic of a section."""
    where = f"section {section}, {board.name}"
    plate = Body("the board", "", board.edge, h.BOARD_DEEP_MM + SHRINK_MM, h.BOARD_DEEP_MM + h.BOARD_MM)
    for body in (*_plates(plate, board), *board.bodies, *board.stands):
        step = BOARD_STEP_MM if body.name == plate.name else STEP_MM
        foot = min(body.foot_mm, h.BOARD_DEEP_MM) if body.footprint == "stand" else body.foot_mm
        if not all(column.free(at, body.top_mm, foot) for at in grid(body.corners, step)):
            yield f"{where}: {body.name} and the frame want the same room"
    for site, (x, y) in board.pixels.items():
        half = h.PIXEL_SIDE_MM / 2
        if not all(column.free(at, 0.0, foot) for at in grid(((x - half, y - half), (x + half, y + half)), 1.0)):
            yield f"{where}: plastic between the pixel of {site} and the top"


def _plates(plate: Body, board: Laid) -> Iterator[Body]:
    """Yield a board as boxes: itself where it is one, else level slices of its outline."""
    if len(board.edge) == 4 and {round(x, 3) for x, _ in board.edge} == {round(x, 3) for x, _ in board.edge[::2]}:
        yield plate
        return
    low, high = min(y for _, y in board.edge), max(y for _, y in board.edge)
    for y in _steps(low + 0.2, high - 0.2, BOARD_STEP_MM):
        xs = list(_cuts(board.edge, y))
        if len(xs) == 2 and max(xs) - min(xs) > 1.0:
            edge = ((min(xs), y - 0.15), (max(xs), y + 0.15))
            yield Body(plate.name, "", edge, plate.top_mm, plate.foot_mm)


def _cuts(edge: tuple[Point, ...], y: float) -> Iterator[float]:
    for (ax, ay), (bx, by) in sides_of(edge):
        if (ay - y) * (by - y) < 0:
            yield ax + (bx - ax) * (y - ay) / (by - ay)


def _boss_faults(profile: Profile, section: Section, boards: tuple[Laid, ...], column: Column) -> Iterator[str]:
    """Yield the screws of boards under which there is no boss that ends on the board, or no hole in it."""
    for x, y in board_section(profile, section, boards).bosses:
        around = [(x + 2, y), (x - 2, y), (x, y + 2), (x, y - 2)]
        ends = [max((b for _, b in column.spans(at)), default=0.0) for at in around]
        if any(abs(end - h.BOARD_DEEP_MM) > SEAT_MM for end in ends):
            yield f"section {section.name}: no boss over the screw at {x:.1f}, {y:.1f}"
        if not column.free((x, y), h.BOARD_DEEP_MM - 6, h.BOARD_DEEP_MM):
            yield f"section {section.name}: no hole in the boss at {x:.1f}, {y:.1f}"
