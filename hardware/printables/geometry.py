"""Sizes of a board's parts, from its profile: tokens, towers, windows, rings, and how the frame is cut into prints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from controller.rules.mesh import Point, sides_of
from hardware.height_budget import PIXEL_OFF_MM, magnet_to_sensor_mm
from hardware.printables.magnets import DISCS, RESERVE, Disc, MagnetField, seen
from hardware.profile import BadProfile, Profile, Site
from hardware.site_layout import Kind

BED_MM = 220.0
USABLE_MM = 214.0  # of the bed, with room for a brim
LEAST_WALL_MM = 0.8  # two lines of a 0.4 mm nozzle
WALL_MM = 2.4  # between two cells; half of it at the edge of a print
TILE_WALL_MM = 4.2  # between two tiles of a shell board, which stand free between their corners
TOWER_MM = 7.0  # across
HALL_TOWER_MM = 8.6  # with a slot for the legs
WINDOW_MM = 6.5  # of a 5 mm pixel
SHADE_MM = 11.0  # radius of what keeps the lights of one tile apart
POST_MM = 27.0  # across: what hangs under a vertex of a shell board, with its sensor and its light
POST_RIM_MM = 2.2  # by which it is wider at the top, where it hangs between the tiles
PEG_MM = 12.0  # a shell's node
RING_BAND_MM = 20.0
RING_GAP_MM = 0.4
SEAT_BAND_MM = 8.0  # of the guide that the ring turns round
TOKEN_SHARE = 0.82  # of the width of a cell
LEAST_RIM_MM = 2.0  # of a token, round its magnet
TOUCHING = 1.5  # times the distance of the nearest site
PEG_OFF_MM = 0.5
BEACON_OFF_MM = 4.0
FIELD_DISC = (8.0, 3.0)  # the weakest that a board with linear sensors reads without a fault: hardware/field/


class Parts(msgspec.Struct, frozen=True):
    """What a board's parts measure. ``tokens`` are the diameters by kind of site; ``ring_mm`` is the radius of the
    nodes round the middle of a tile, None without shells. ``seen`` has the hardest site of each kind; of boards with
    linear sensors it is empty, as `hardware.field` judges them.
    """

    disc: Disc
    tokens: Mapping[Kind, float]
    ring_mm: float | None
    nodes: int
    seen: Mapping[Kind, MagnetField]


class Section(msgspec.Struct, frozen=True):
    """A piece of the frame that is printed at once, in the board's millimetres.

    ``edges`` are the middles of the sides that meet another section, with the direction outwards in degrees;
    ``notches`` the vertices at which posts stand.
    """

    name: str
    cells: tuple[tuple[Point, ...], ...]
    sites: tuple[Site, ...]
    edges: tuple[tuple[float, float, float], ...]
    notches: tuple[Point, ...]

    @property
    def size(self) -> Point:
        """Return width and depth in mm."""
        return _size(self.cells)


def _size(outlines: Sequence[Sequence[Point]]) -> Point:
    xs, ys = zip(*(point for outline in outlines for point in outline), strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)


def wall_mm(profile: Profile) -> float:
    """Return how thick the wall between two prints or two cells is; half of it belongs to each."""
    return TILE_WALL_MM if any(site.kind == "node" for site in profile.sites) else WALL_MM


def tower_mm(profile: Profile) -> float:
    """Return how wide the tower of a sensor is."""
    return TOWER_MM if profile.sensor == "reed" else HALL_TOWER_MM


def middle(site: Site) -> Point:
    """Return where a site lies."""
    return site.x_mm, site.y_mm


def parts(profile: Profile) -> Parts:
    """Return the sizes for a board; raises `BadProfile` with the figure and the limit of what cannot be built."""
    if profile.sensor_count != len(profile.sites):
        raise BadProfile([f"{profile.name} has two sensors a site, and printed parts have room for one: make your own"])
    radii = _node_radii(profile)
    ring = radii[0] if radii else None
    inside = min(_inside(site) for site in profile.sites if site.kind == "cell")
    faults = list(_cramped(profile, radii, inside))
    if faults:
        raise BadProfile([f"{profile.name}: {fault}" for fault in faults])
    tokens: dict[Kind, float] = {"cell": float(math.floor(2 * inside * TOKEN_SHARE))}
    if ring is not None:
        tokens["cell"] = float(math.floor(2 * store_mm(ring) * TOKEN_SHARE))
        tokens["node"] = PEG_MM
    if any(site.kind == "vertex" for site in profile.sites):
        tokens["vertex"] = float(math.floor(0.18 * profile.pitch_mm))
    faults = list(_overlaps(profile, tokens))
    if faults:
        raise BadProfile([f"{profile.name}: {fault}" for fault in faults])
    slack: dict[Kind, float] = {"vertex": BEACON_OFF_MM, "node": PEG_OFF_MM}
    slack["cell"] = (2 * inside if ring is None else 2 * store_mm(ring)) / 2 - tokens["cell"] / 2
    disc, views = (FIELD_DISC, {}) if profile.has_fields else _disc(profile, tokens, slack)
    nodes = sum(site.kind == "node" for site in profile.sites) // len(profile.mesh().cells)
    return Parts(disc, tokens, ring, nodes, views)


def store_mm(ring_mm: float) -> float:
    """Return the radius of the room for a store inside a ring's guide."""
    return ring_mm - RING_BAND_MM / 2 - RING_GAP_MM - SEAT_BAND_MM


def _inside(site: Site) -> float:
    """Return the radius of the circle inside a cell's outline."""
    sides = sides_of(site.outline)
    return min(math.dist(middle(site), ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in sides)


def _node_radii(profile: Profile) -> list[float]:
    cells = {site.name: middle(site) for site in profile.sites if site.kind == "cell"}
    nodes = (site for site in profile.sites if site.kind == "node")
    return sorted({round(math.dist(middle(node), cells[node.name.split(":")[0]]), 2) for node in nodes})


# ---- what cannot be built ---------------------------------------------------------------------------------


def _cramped(profile: Profile, radii: Sequence[float], inside: float) -> Iterator[str]:
    needed = PIXEL_OFF_MM + WINDOW_MM / 2 + WALL_MM / 2
    if inside < needed:
        yield (
            f"sensor and light overlap the wall of a cell: they reach {needed:.1f} mm from its middle, the wall is "
            f"at {inside:.1f} mm; make pitch_mm {math.ceil(profile.pitch_mm * needed / inside)} or more"
        )
    widest = max(max(_size([site.outline])) for site in profile.sites if site.kind == "cell")
    if widest > USABLE_MM:
        yield f"a cell is {widest:.0f} mm wide, the printer's bed takes {USABLE_MM:.0f} mm; make pitch_mm smaller"
    if len(radii) > 1:
        yield f"a shell cannot turn: its nodes lie {radii[0]:g} to {radii[-1]:g} mm from the middle, not on a circle"
    if radii and store_mm(radii[0]) < TOWER_MM:
        least = TOWER_MM + RING_BAND_MM / 2 + RING_GAP_MM + SEAT_BAND_MM
        yield (
            f"a shell's nodes lie {radii[0]:.1f} mm from the middle; with {least:.1f} mm the store has no room; "
            f"make pitch_mm {math.ceil(profile.pitch_mm * least / radii[0])} or more"
        )


def _overlaps(profile: Profile, tokens: Mapping[Kind, float]) -> Iterator[str]:
    """Yield the first pair of sites whose tokens, or whose towers and windows, cover each other."""
    sites = profile.sites
    for k, a in enumerate(sites):
        for b in sites[k + 1 :]:
            gap = math.dist(middle(a), middle(b))
            needed = (tokens[a.kind] + tokens[b.kind]) / 2
            if gap < max(needed, TOWER_MM + 1):
                yield (
                    f"the pieces on {a.name} and {b.name} overlap: they lie {gap:.1f} mm apart and need "
                    f"{max(needed, TOWER_MM + 1):.1f} mm; make pitch_mm larger"
                )
                return


def _disc(
    profile: Profile, tokens: Mapping[Kind, float], slack: Mapping[Kind, float]
) -> tuple[Disc, Mapping[Kind, MagnetField]]:
    """Return the weakest disc that closes every sensor and leaves the others open, with what they see of it."""
    found: Mapping[Kind, MagnetField] = {}
    others = {kind: _others(profile, kind) for kind in tokens}
    depth = magnet_to_sensor_mm(profile.sensor)
    for disc in DISCS:
        if disc[0] + 2 * LEAST_RIM_MM > min(tokens.values()):
            break
        found = {kind: seen(profile.sensor, disc, depth, slack[kind], others[kind]) for kind in tokens}
        if all(view.closes for view in found.values()):
            break
    if not found:
        least = DISCS[0][0] + 2 * LEAST_RIM_MM
        narrow = f"a piece is {min(tokens.values()):g} mm wide and needs {least:g} mm for a magnet"
        raise BadProfile([f"{profile.name}: {narrow}"])
    for kind, view in found.items():
        if not view.closes:
            raise BadProfile([_unreachable(profile, kind, view)])
        if not view.alone:
            raise BadProfile([_crosstalk(profile, kind, view)])
    return next(iter(found.values())).disc, found


def _others(profile: Profile, kind: Kind) -> list[float]:
    """Return the distances of the sites that touch the most crowded site of ``kind``: the diagonal ones with them.

    Farther ones carry magnets of both colours, with opposite poles, and cancel more than they add.
    """

    def away(here: Site) -> list[float]:
        return [math.dist(middle(here), middle(site)) for site in profile.sites if site is not here]

    crowded = max((site for site in profile.sites if site.kind == kind), key=lambda s: sum(d**-3 for d in away(s)))
    nearest = sorted(away(crowded))
    return [out for out in nearest if out <= TOUCHING * nearest[0]]


def _unreachable(profile: Profile, kind: Kind, view: MagnetField) -> str:
    weakest = min(view.on_mt, view.off_mt)
    strays = view.on_mt >= RESERVE * view.closes_mt
    advice = "make pitch_mm smaller, so that a piece cannot stray so far" if strays else "take hall sensors"
    return (
        f"{profile.name}: no magnet that fits reaches the sensor of a {kind}: {view.disc[0]:g} × {view.disc[1]:g} mm "
        f"give {weakest:.1f} mT at {view.depth_mm:.1f} mm, off by {view.off_mm:.1f} mm, and "
        f"{RESERVE * view.closes_mt:.1f} mT are needed; {advice}"
    )


def _crosstalk(profile: Profile, kind: Kind, view: MagnetField) -> str:
    return (
        f"{profile.name}: the sensor of an empty {kind} sees {view.others_mt:.2f} mT of the magnets round it and may "
        f"see {view.opens_mt:.2f} mT; make pitch_mm larger"
    )


# ---- sections ---------------------------------------------------------------------------------------------


def sections(profile: Profile) -> tuple[Section, ...]:
    """Return the frame cut into as few pieces as the bed allows, each of whole cells, from the lower left."""
    cells = [site for site in profile.sites if site.kind == "cell"]
    width, depth = _size([site.outline for site in cells])
    down = right = 1
    while True:
        bins = _binned(cells, width / right, depth / down)
        sizes = [_size([site.outline for site in group]) for group in bins.values()]
        if all(max(size) <= USABLE_MM for size in sizes):
            return tuple(_section(profile, at, group) for at, group in sorted(bins.items()))
        right, down = (right + 1, down) if max(x for x, _ in sizes) > USABLE_MM else (right, down + 1)


def _binned(cells: Sequence[Site], width: float, depth: float) -> dict[tuple[int, int], list[Site]]:
    bins: dict[tuple[int, int], list[Site]] = {}
    for site in cells:  # rounded, as cells often lie right on a border
        bins.setdefault((int(round(site.y_mm / depth, 6)), int(round(site.x_mm / width, 6))), []).append(site)
    return bins


def _section(profile: Profile, at: tuple[int, int], cells: Sequence[Site]) -> Section:
    names = {site.name for site in cells}
    sites = (s for s in profile.sites if s.kind != "vertex" and s.name.split(":")[0] in names)
    corners = {_rounded(point) for site in cells for point in site.outline}
    notches = (middle(s) for s in profile.sites if s.kind == "vertex" and _rounded(middle(s)) in corners)
    return Section(
        name=f"{at[1] + 1}-{at[0] + 1}",
        cells=tuple(site.outline for site in cells),
        sites=tuple(sites),
        edges=tuple(_meeting(profile, names)),
        notches=tuple(notches),
    )


def _rounded(point: Point) -> Point:
    return round(point[0], 1), round(point[1], 1)


def _meeting(profile: Profile, names: set[str]) -> Iterator[tuple[float, float, float]]:
    """Yield the sides of these cells that other cells of the board share."""
    owners = _sides(profile)
    for site in profile.sites:
        if site.kind != "cell" or site.name not in names:
            continue
        for a, b in sides_of(site.outline):
            x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
            if owners[_rounded((x, y))] - names:
                yield x, y, math.degrees(math.atan2(y - site.y_mm, x - site.x_mm))


def _sides(profile: Profile) -> Mapping[Point, set[str]]:
    owners: dict[Point, set[str]] = {}
    for site in profile.sites:
        if site.kind == "cell":
            for a, b in sides_of(site.outline):
                owners.setdefault(_rounded(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)), set()).add(site.name)
    return owners
