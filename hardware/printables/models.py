"""The parts of a board as short OpenSCAD files: each names its measures and calls a module of scad/.

Owns which parts there are, how often each is printed, and in what. Must not know how OpenSCAD is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from hardware.pieces import CHIPS, SEATS, bases, games, node_count
from hardware.printables import geometry as g
from hardware.printables.geometry import Parts, parts, sections
from hardware.printables.magnets import CLEARANCE_MM
from hardware.profile import Profile
from hardware.site_layout import Kind

SCAD = Path(__file__).parent / "scad"
BASE_MM = 6.0
INLAY_RIM_MM = 1.6
INLAY_DEPTH_MM = 0.6
PEG_HIGH_MM = 14.0
BEACON_MM = 32.0
CHIP_MM = 2.4
RING_MM = 5.0
BUMP_MM = 0.9
ARM_MM = 1.4
SPRINGS = 3
NEUTRAL_MARKS = 4
CASE_MM = (150.0, 106.0, 40.0)
CASE_WALL_MM = 2.4


class Part(msgspec.Struct, frozen=True):
    """A part to print: ``text`` is an OpenSCAD file; ``wall_mm`` its thinnest wall by design, ``number`` how often."""

    name: str
    text: str
    number: int
    wall_mm: float
    what: str


def models(profile: Profile) -> tuple[Part, ...]:
    """Return every part of a board; raises `hardware.profile.BadProfile` where it cannot be built."""
    sizes = parts(profile)
    found = [*_frame(profile, sizes), *_shells(profile, sizes), *_pieces(profile, sizes), *_case()]
    return tuple(found)


def _scad(source: str, module: str, **values: Any) -> str:
    """Return a file that calls a module with these values, a line a value."""
    lines = ",\n  ".join(f"{name} = {_literal(value)}" for name, value in values.items())
    return f"// Made from the board's profile; do not edit.\nuse <{SCAD / source}>\n{module}(\n  {lines}\n);\n"


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, bool | int | float):
        return f"{round(value, 3):g}"
    return "[" + ", ".join(_literal(part) for part in value) + "]"


def _common(profile: Profile) -> Mapping[str, Any]:
    return {
        "height": g.FRAME_MM, "wall": g.WALL_MM, "floor": g.FLOOR_MM, "top_gap": CLEARANCE_MM,
        "sensor": profile.sensor, "across": g.TOWER_MM, "window_off": g.WINDOW_OFF_MM, "window_size": g.WINDOW_MM,
        "notch": g.POST_MM,
    }  # fmt: skip


def _frame(profile: Profile, sizes: Parts) -> Iterator[Part]:
    """Yield the sections; those that are alike are printed several times."""
    alike: dict[str, list[str]] = {}
    for section in sections(profile):
        left = min(x for cell in section.cells for x, _ in cell)
        low = min(y for cell in section.cells for _, y in cell)
        move = _mover(left, low)
        text = _scad(
            "frame.scad", "frame",
            cells=[move(cell) for cell in section.cells],
            sites=move((site.x_mm, site.y_mm) for site in section.sites),
            edges=[(x - left, y - low, turn) for x, y, turn in section.edges],
            notches=move(section.notches),
            shades=g.SHADE_MM if sizes.ring_mm is not None else 0,
            **_common(profile),
        )  # fmt: skip
        alike.setdefault(text, []).append(section.name)
    for text, names in alike.items():
        thin = min(g.WALL_MM / 2 - 0.1, (g.TOWER_MM - 4.6) / 2)
        yield Part(f"frame-{names[0]}", text, len(names), thin, f"frame, section {' and '.join(names)}")
    vertices = sum(site.kind == "vertex" for site in profile.sites)
    if vertices:
        yield Part("post", _scad("frame.scad", "post", **_common(profile)), vertices, g.WALL_MM / 2, "post of a vertex")


def _mover(left: float, low: float) -> Any:
    def move(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x - left, y - low) for x, y in points]

    return move


def _shells(profile: Profile, sizes: Parts) -> Iterator[Part]:
    if sizes.ring_mm is None:
        return
    tiles = len(profile.mesh().cells)
    shape = {"nodes": sizes.nodes, "radius": sizes.ring_mm, "band": g.RING_BAND_MM}
    ring = _scad("ring.scad", "ring", **shape, height=RING_MM, peg=g.PEG_MM, bump=BUMP_MM)
    guide = _scad("ring.scad", "guide", **shape, height=RING_MM, gap=g.RING_GAP_MM, width=g.SEAT_BAND_MM, bump=BUMP_MM,
                  springs=_springs(sizes.nodes), arm=ARM_MM)  # fmt: skip
    yield Part("ring", ring, tiles, 2.0, "turning shell, in clear plastic")
    yield Part("guide", guide, tiles, ARM_MM, "guide inside a shell")


def _springs(nodes: int) -> int:
    """Return how many springs a guide has: as many as divide the nodes evenly."""
    return next(number for number in (3, 2, 5, 7, 1) if nodes % number == 0)


def _pieces(profile: Profile, sizes: Parts) -> Iterator[Part]:
    magnet = {"magnet": sizes.disc, "skin": g.SKIN_MM}
    most: dict[tuple[int | None, str], int] = {}
    for game in games(profile):
        for key, number in bases(game, node_count(profile)).items():
            most[key] = max(number, most.get(key, 0))
    for (seat, place), number in sorted(most.items(), key=lambda item: (item[0][1], str(item[0][0]))):
        marks = NEUTRAL_MARKS if seat is None else seat
        who = "nobody" if seat is None else f"player {seat + 1}"
        if place == "node":
            text = _scad("tokens.scad", "peg", across=g.PEG_MM, height=PEG_HIGH_MM, **magnet)
            yield Part("peg", text, number, g.SKIN_MM, "shell node")
        elif place == "vertex":
            shape = {"across": sizes.tokens["vertex"], "height": BEACON_MM, "marks": marks}
            text = _scad("tokens.scad", "beacon", **shape, **magnet)
            yield Part(f"beacon-{marks}", text, number, g.SKIN_MM, f"beacon of {who}")
        else:
            text = _scad("tokens.scad", "base", across=sizes.tokens["cell"], height=BASE_MM, inlay=inlay_mm(sizes),
                         depth=INLAY_DEPTH_MM, marks=marks, **magnet)  # fmt: skip
            yield Part(f"base-{marks}", text, number, g.SKIN_MM, f"piece of {who}")
    chips = sum(CHIPS.get(game.facts.name, 0) for game in games(profile)) * SEATS
    if chips:
        text = _scad("tokens.scad", "chip", inlay=inlay_mm(sizes), height=CHIP_MM, depth=INLAY_DEPTH_MM - 0.1)
        yield Part("chip", text, chips, 1.0, "chip: one more unit")


def inlay_mm(sizes: Parts) -> float:
    """Return across what the paper token on a base measures."""
    return sizes.tokens["cell"] - 2 * INLAY_RIM_MM


def token_widths(sizes: Parts) -> Mapping[Kind, float]:
    """Return how wide a paper token is, by the kind of site that its piece stands on; on a peg or a beacon it covers
    the hole above the magnet.
    """
    return {"cell": inlay_mm(sizes), "node": g.PEG_MM - 2, "vertex": sizes.disc[0] + 3}


def _case() -> Iterator[Part]:
    shape = {"inside": CASE_MM, "wall": CASE_WALL_MM, "floor": 2.0}
    pi_at = (CASE_WALL_MM + CASE_MM[0] - 85, CASE_WALL_MM + 1)
    box = _scad("case.scad", "box", **shape, pi_at=pi_at, nano_at=(CASE_WALL_MM + 2.2, 75))
    yield Part("case", box, 1, 2.0, "case")
    yield Part("lid", _scad("case.scad", "lid", **shape), 1, 1.6, "lid of the case")
