"""The top and the base of a board as lines: what a laser cuts, what it engraves, the tint of each printed cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from controller.rules.mesh import Point, sides_of
from hardware.height_budget import Build
from hardware.pieces import Marked
from hardware.printables.geometry import PEG_MM, RING_BAND_MM, RING_GAP_MM, SEAT_BAND_MM, Parts, parts
from hardware.printables.models import GLUE_BAND_MM
from hardware.printables.underside import base_holes
from hardware.profile import Profile, Site, inner_mm
from hardware.site_layout import coordinates

Layer = Literal["CUT", "ENGRAVE"]
TINTS = (1.0, 0.86, 0.93)  # grey of a printed cell
NAME_MM = 3.2
SIGN = 0.42  # of a cell's inner radius: as on screens
PALE = 0.45  # of a colour, the rest is white
BASE_HOLE_MM = 3.4  # for a screw of 3 mm


class Path(msgspec.Struct, frozen=True):
    """A line through points, in mm from the lower left corner, y up. ``closed`` joins the last to the first."""

    layer: Layer
    points: tuple[Point, ...]
    closed: bool = False


class Round(msgspec.Struct, frozen=True):
    """A circle."""

    layer: Layer
    at: Point
    radius: float


class Name(msgspec.Struct, frozen=True):
    """A word whose foot is centred on ``at``."""

    at: Point
    words: str
    size: float = NAME_MM


class Tint(msgspec.Struct, frozen=True):
    """A cell that is printed in a grey."""

    points: tuple[Point, ...]
    grey: float
    colour: str = ""  # or this one, as "#rrggbb"


class Top(msgspec.Struct, frozen=True):
    """A board's top of ``width`` by ``height`` mm."""

    width: float
    height: float
    paths: tuple[Path, ...]
    rounds: tuple[Round, ...]
    names: tuple[Name, ...]
    tints: tuple[Tint, ...]


def top(profile: Profile) -> Top:
    """Return the top of a board; raises `hardware.profile.BadProfile` where it cannot be built."""
    sizes = parts(profile)
    corners = [point for site in profile.sites if site.kind == "cell" for point in site.outline]
    return Top(
        width=max(x for x, _ in corners),
        height=max(y for _, y in corners),
        paths=tuple(_sides(profile)),
        rounds=tuple(_rounds(profile, sizes)),
        names=tuple(_names(profile, sizes)),
        tints=tuple(Tint(s.outline, _grey(s)) for s in profile.sites if s.kind == "cell"),
    )


def top_of_game(profile: Profile, cells: Sequence[Marked]) -> Top:
    """Return the top of a board with ``cells`` of a game tinted in print, and their signs engraved."""
    plain, by_name = top(profile), {each.cell: each for each in cells}
    sites = [site for site in profile.sites if site.kind == "cell"]
    tints = tuple(
        replace(tint, colour=_pale(by_name[site.name].ground)) if site.name in by_name else tint
        for tint, site in zip(plain.tints, sites, strict=True)
    )
    signs = tuple(path for site in sites if site.name in by_name for path in _sign(site, by_name[site.name]))
    return replace(plain, tints=tints, paths=plain.paths + signs)


def _sign(site: Site, marked: Marked) -> Iterator[Path]:
    scale = SIGN * inner_mm(site) / 100
    for shape in marked.sign:
        points = tuple((site.x_mm + scale * x, site.y_mm - scale * y) for x, y in shape)
        yield Path("ENGRAVE", points, closed=True)


def _pale(colour: str) -> str:
    """Return a tint of ``colour`` on which the name of a cell can be read."""
    parts = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return "#" + "".join(f"{round(255 - PALE * (255 - part)):02x}" for part in parts)


def base(profile: Profile, build: Build) -> Top:
    """Return the sheet that closes a board below, as large as its top, with a hole for each foot or leg."""
    above = top(profile)
    rim = tuple(path for path in above.paths if path.layer == "CUT")
    holes = tuple(Round("CUT", at, BASE_HOLE_MM / 2) for at in base_holes(profile, build))
    return Top(above.width, above.height, rim, holes, (), ())


def _sides(profile: Profile) -> Iterator[Path]:
    """Yield every side once: those of one cell alone are the rim and are cut."""
    found: dict[Point, list[tuple[Point, Point]]] = {}
    for site in profile.sites:
        if site.kind == "cell":
            for a, b in sides_of(site.outline):
                key = round((a[0] + b[0]) / 2, 1), round((a[1] + b[1]) / 2, 1)
                found.setdefault(key, []).append((a, b))
    yield Path("CUT", tuple(_chain([sides[0] for sides in found.values() if len(sides) == 1])), closed=True)
    for sides in found.values():
        if len(sides) > 1:
            yield Path("ENGRAVE", sides[0])


def _chain(sides: list[tuple[Point, Point]]) -> Iterator[Point]:
    """Yield the corners of the rim, in order: each side begins where the one before ended."""

    def key(point: Point) -> tuple[int, int]:
        return round(point[0] * 10), round(point[1] * 10)

    begins = {key(a): (a, b) for a, b in sides}
    point, end = sides[0]
    for _ in sides:
        yield point
        point, end = begins[key(end)]


def _rounds(profile: Profile, sizes: Parts) -> Iterator[Round]:
    for site in profile.sites:
        if site.kind == "cell" and sizes.ring_mm is None:
            yield Round("ENGRAVE", (site.x_mm, site.y_mm), 1.0)
        elif site.kind == "cell" and sizes.ring_mm is not None:
            inner = sizes.ring_mm - RING_BAND_MM / 2 - RING_GAP_MM
            seat = inner - SEAT_BAND_MM  # and how far out from it the guide may be glued
            for radius in (seat, seat + GLUE_BAND_MM, inner, sizes.ring_mm + RING_BAND_MM / 2):
                yield Round("ENGRAVE", (site.x_mm, site.y_mm), radius)
        else:
            across = PEG_MM if site.kind == "node" else sizes.tokens["vertex"]
            yield Round("ENGRAVE", (site.x_mm, site.y_mm), across / 2)


def _names(profile: Profile, sizes: Parts) -> Iterator[Name]:
    for site in profile.sites:
        if site.kind == "cell":
            low = min(y for _, y in site.outline)
            foot = low + (site.y_mm - low) * 0.12 if sizes.ring_mm is None else site.y_mm - sizes.tokens["cell"] / 2
            yield Name((site.x_mm, foot + (1.0 if sizes.ring_mm is None else -NAME_MM - 1)), site.name)


def _grey(site: Site) -> float:
    letter, number = coordinates(site.name)
    sides = len(site.outline)
    return TINTS[(letter - number) % 3] if sides == 6 else (TINTS[0], TINTS[1])[(letter + number) % 2]
