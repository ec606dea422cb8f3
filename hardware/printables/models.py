"""The parts of a board as short OpenSCAD files: each names its measures and calls a module of scad/."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from hardware import height_budget as h
from hardware.pieces import CHIPS, SEATS, bases, games, node_count
from hardware.printables import geometry as g
from hardware.printables import ring_springs as spring
from hardware.printables.board_frames import BoardSection, board_section, measures, stand_measures
from hardware.printables.board_places import laid
from hardware.printables.case import case_values
from hardware.printables.geometry import Parts, Section, parts, sections
from hardware.printables.tray import FLOOR_MM, SEAM_WALL_MM, grid_values, hub_values, tray_values
from hardware.printables.underside import FOOT_HOLE_MM, FOOT_MM, feet
from hardware.profile import Profile
from hardware.site_layout import Kind

SCAD = Path(__file__).parent / "scad"
BASE_MM = 6.0
INLAY_RIM_MM = 1.6
INLAY_DEPTH_MM = 0.6
PEG_HIGH_MM = 14.0
BEACON_MM = 32.0
CHIP_MM = 2.4
NEUTRAL_MARKS = 4
COVER_MM = 1.6  # thick: what keeps a ring down
COVER_OVER_MM = 1.5  # of the ring's inner edge
COVER_LAND_MM = 0.5  # by which it stands clear of ring and springs
GLUE_BAND_MM = 4.0  # of a guide, at its inner edge: the springs farther out must stay free


class PrintedPart(msgspec.Struct, frozen=True):
    """A part to print: ``text`` is an OpenSCAD file; ``wall_mm`` its thinnest wall by design, ``number`` how often."""

    name: str
    text: str
    number: int
    wall_mm: float
    what: str
    build: Literal["", "hand", "boards"] = ""  # only for boards wired by hand, or only for circuit boards


def models(profile: Profile) -> tuple[PrintedPart, ...]:
    """Return every part of a board; raises `hardware.profile.BadProfile` where it cannot be built."""
    sizes = parts(profile)
    if profile.has_fields:
        return (*_box(profile), *_pieces(profile, sizes))
    found = [*_frame(profile, sizes), *_board_frame(profile), *_shells(profile, sizes), *_pieces(profile, sizes)]
    found += _case(profile)
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
        "height": h.FRAME_MM, "wall": g.wall_mm(profile), "floor": h.FLOOR_MM, "top_gap": h.CLEARANCE_MM,
        "sensor": profile.sensor, "across": g.tower_mm(profile), "window_off": h.PIXEL_OFF_MM,
        "window_size": g.WINDOW_MM, "notch": g.POST_MM, "rim": g.POST_RIM_MM,
    }  # fmt: skip


def _frame(profile: Profile, sizes: Parts) -> Iterator[PrintedPart]:
    """Yield the sections for wiring by hand; those that are alike are printed several times."""
    alike: dict[str, list[str]] = {}
    standing = 0
    for section in sections(profile):
        move, turned = _mover(section)
        below = feet(section)
        standing += len(below)
        text = _scad(
            "frame.scad", "frame",
            cells=[move(cell) for cell in section.cells],
            sites=move((site.x_mm, site.y_mm) for site in section.sites),
            edges=turned(section.edges),
            notches=move(section.notches),
            shades=g.SHADE_MM if sizes.ring_mm is not None else 0,
            feet=move(below),
            **_common(profile),
        )  # fmt: skip
        alike.setdefault(text, []).append(section.name)
    thin = min(g.wall_mm(profile) / 2 - 0.1, 1.2 if profile.sensor == "reed" else 0.95)
    for text, names in alike.items():
        yield PrintedPart(f"frame-{names[0]}", text, len(names), thin, f"frame, section {' and '.join(names)}", "hand")
    foot = _scad("frame.scad", "foot", height=h.UNDER_HAND_MM, across=FOOT_MM, hole=FOOT_HOLE_MM)
    yield PrintedPart("foot", foot, standing, 4.0, "foot below the frame", "hand")
    vertices = sum(site.kind == "vertex" for site in profile.sites)
    if vertices:
        yield PrintedPart("post", _scad("frame.scad", "post", **_common(profile)), vertices, 1.2, "post of a vertex")


def _board_frame(profile: Profile) -> Iterator[PrintedPart]:
    """Yield what circuit boards need instead: sections without a floor, and a stand for each sensor on them."""
    boards = laid(profile)
    if not boards:
        return
    alike: dict[str, list[str]] = {}
    for section in sections(profile):
        text = _board_text(profile, section, board_section(profile, section, boards))
        alike.setdefault(text, []).append(section.name)
    for text, names in alike.items():
        what = f"frame for circuit boards, section {' and '.join(names)}"
        yield PrintedPart(f"board-frame-{names[0]}", text, len(names), g.wall_mm(profile) / 2 - 0.1, what, "boards")
    number = sum(len(board.stands) for board in boards)
    text = _scad("board_frame.scad", "stand", **stand_measures(profile))
    yield PrintedPart("stand", text, number, 1.0, "stand of a sensor on a circuit board", "boards")


def _box(profile: Profile) -> Iterator[PrintedPart]:
    """Yield the box of a board that comes assembled."""
    tray = _scad("tray.scad", "tray", **tray_values(profile))
    grid = _scad("tray.scad", "light_grid", **grid_values(profile))
    if profile.has_tiles:
        tiles = len(laid(profile))
        yield PrintedPart("tray", tray, tiles, FLOOR_MM, "tray below a tile")
        yield PrintedPart("grid", grid, tiles, SEAM_WALL_MM - 0.1, "grid of walls above a tile")
        yield PrintedPart("hub-tray", _scad("tray.scad", "tray", **hub_values()), 1, FLOOR_MM, "tray below the hub")
        return
    yield PrintedPart("tray", tray, 1, FLOOR_MM, "tray below the board")
    yield PrintedPart("grid", grid, 1, 1.9, "grid of walls above the board")


def _board_text(profile: Profile, section: Section, own: BoardSection) -> str:
    move, turned = _mover(section)
    return _scad(
        "board_frame.scad", "board_frame",
        cells=[move(cell) for cell in section.cells],
        edges=turned(section.edges),
        notches=move(section.notches),
        bosses=move(own.bosses),
        ribs=[move(rib) for rib in own.ribs],
        legs=turned(own.legs),
        rings=turned(own.rings),
        spokes=[move(spoke) for spoke in own.spokes],
        **measures(profile),
    )  # fmt: skip


def _mover(section: Section) -> tuple[Any, Any]:
    """Return what moves points to a print's own corner, and what moves places with further figures behind them."""
    left, low = corner(section)

    def move(points: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        return [(x - left, y - low) for x, y in points]

    def moved(places: Iterable[Sequence[float]]) -> list[tuple[float, ...]]:
        return [(place[0] - left, place[1] - low, *place[2:]) for place in places]

    return move, moved


def corner(section: Section) -> tuple[float, float]:
    """Return the lower left corner of a section, which is its print's own origin."""
    points = [point for cell in section.cells for point in cell]
    return min(x for x, _ in points), min(y for _, y in points)


def _shells(profile: Profile, sizes: Parts) -> Iterator[PrintedPart]:
    if sizes.ring_mm is None:
        return
    tiles = len(profile.mesh().cells)
    shape = {"nodes": sizes.nodes, "radius": sizes.ring_mm, "band": g.RING_BAND_MM}
    ring = _scad("ring.scad", "ring", **shape, height=spring.RING_MM, peg=g.PEG_MM, bump=spring.BUMP_MM)
    guide = _scad("ring.scad", "guide", **shape, height=spring.RING_MM, gap=g.RING_GAP_MM, width=g.SEAT_BAND_MM,
                  bump=spring.BUMP_MM, springs=springs(sizes.nodes), arm=spring.ARM_MM,
                  slit=spring.SLIT_MM)  # fmt: skip
    cover = _scad("ring.scad", "cover", radius=sizes.ring_mm, band=g.RING_BAND_MM, gap=g.RING_GAP_MM,
                  width=g.SEAT_BAND_MM, over=COVER_OVER_MM, thick=COVER_MM, land=COVER_LAND_MM,
                  land_wide=GLUE_BAND_MM)  # fmt: skip
    yield PrintedPart("ring", ring, tiles, 2.0, "turning shell, in clear plastic")
    yield PrintedPart("guide", guide, tiles, spring.ARM_MM, "guide inside a shell")
    yield PrintedPart("cover", cover, tiles, COVER_MM, "cover of a guide, which keeps the shell down")


def springs(nodes: int) -> int:
    """Return how many springs a guide has: as many as divide the nodes evenly."""
    return next(number for number in (3, 2, 5, 7, 1) if nodes % number == 0)


def _pieces(profile: Profile, sizes: Parts) -> Iterator[PrintedPart]:
    magnet = {"magnet": sizes.disc, "skin": h.SKIN_MM}
    most: dict[tuple[int | None, str], int] = {}
    for game in games(profile):
        for key, number in bases(game, node_count(profile)).items():
            most[key] = max(number, most.get(key, 0))
    for (seat, place), number in sorted(most.items(), key=lambda item: (item[0][1], str(item[0][0]))):
        if place not in sizes.tokens:
            continue  # it lies on the phones
        marks = NEUTRAL_MARKS if seat is None else seat
        who = "nobody" if seat is None else f"player {seat + 1}"
        if place == "node":
            text = _scad("tokens.scad", "peg", across=g.PEG_MM, height=PEG_HIGH_MM, **magnet)
            yield PrintedPart("peg", text, number, h.SKIN_MM, "shell node")
        elif place == "vertex":
            shape = {"across": sizes.tokens["vertex"], "height": BEACON_MM, "marks": marks}
            text = _scad("tokens.scad", "beacon", **shape, **magnet)
            yield PrintedPart(f"beacon-{marks}", text, number, h.SKIN_MM, f"beacon of {who}")
        else:
            text = _scad("tokens.scad", "base", across=sizes.tokens["cell"], height=BASE_MM, inlay=inlay_mm(sizes),
                         depth=INLAY_DEPTH_MM, marks=marks, **magnet)  # fmt: skip
            yield PrintedPart(f"base-{marks}", text, number, h.SKIN_MM, f"piece of {who}")
    chips = sum(CHIPS.get(game.facts.name, 0) for game in games(profile)) * SEATS
    if chips:
        text = _scad("tokens.scad", "chip", inlay=inlay_mm(sizes), height=CHIP_MM, depth=INLAY_DEPTH_MM - 0.1)
        yield PrintedPart("chip", text, chips, 1.0, "chip: one more unit")


def inlay_mm(sizes: Parts) -> float:
    """Return across what the paper token on a base measures."""
    return sizes.tokens["cell"] - 2 * INLAY_RIM_MM


def token_widths(sizes: Parts) -> Mapping[Kind, float]:
    """Return how wide a paper token is, by the kind of site that its piece stands on; on a peg or a beacon it covers
    the hole above the magnet.
    """
    return {"cell": inlay_mm(sizes), "node": g.PEG_MM - 2, "vertex": sizes.disc[0] + 3}


def _case(profile: Profile) -> Iterator[PrintedPart]:
    box, lid = case_values(profile)
    yield PrintedPart("case", _scad("case.scad", "box", **box), 1, 2.0, "case")
    yield PrintedPart("lid", _scad("case.scad", "lid", **lid), 1, 1.6, "lid of the case")
