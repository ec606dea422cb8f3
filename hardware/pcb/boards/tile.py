"""The shell tile: two registers for one cell of a shell board, its ring of nodes, its store and its vertices.

Byte 0 has the shell's nodes and the store, byte 1 the vertices that the tile owns; those lie beyond the board and hang
on plugs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from hardware.cannot_build import CannotBuild
from hardware.height_budget import PIXEL_OFF_MM
from hardware.pcb.boards.shared import bypass, chain_plug, light_plug, pull_ups, register, sensor
from hardware.pcb.devices import PIXEL, header
from hardware.pcb.netlist import Circuit, Part, part
from hardware.pcb.placement import Placement, Point, Spot, Text, at
from hardware.profile import REGISTER_BITS, Profile, Site
from hardware.tracker_circuit import RINGS

TILE_BITS = 2 * REGISTER_BITS
MARGIN_MM = 6.0  # from the middle of a node to the edge of the board


class Tile(msgspec.Struct, frozen=True):
    """What all tiles of a shell board have alike.

    ``nodes`` has where the nodes of byte 0 lie from the middle of the cell, x right, y down; the store's bit comes
    after them. ``vertices`` is how many vertices a tile owns at most, in byte 1.
    """

    nodes: tuple[Point, ...]
    vertices: int


def tile_of(profile: Profile) -> Tile:
    """Return what all tiles of a board have alike; raises `CannotBuild`."""
    names = profile.by_bit()
    rows = [names[k : k + TILE_BITS] for k in range(0, profile.chain_length, TILE_BITS)]
    sites = {site.name: site for site in profile.sites}
    kinds = {name: site.kind for name, site in sites.items()}
    ring = sum(name is not None and kinds[name] == "node" for name in rows[0][:REGISTER_BITS])
    if ring not in RINGS:
        raise CannotBuild(
            f"{profile.name} has {ring} shell nodes on its first register; a tile has {RINGS[0]} or {RINGS[1]}"
        )
    found = set()
    for row in rows:
        cell = row[ring]
        if cell is None or [row[k] for k in range(ring)] != [f"{cell}:{k}" for k in range(ring)]:
            raise CannotBuild(
                f"{profile.name}: the chain's bytes at {row[0]} are not the nodes and the store of a tile"
            )
        own = [name for name in row[REGISTER_BITS:] if name is not None]
        if any(row[ring + 1 : REGISTER_BITS]) or row[REGISTER_BITS : REGISTER_BITS + len(own)] != tuple(own):
            raise CannotBuild(f"{profile.name}: tile {cell} has a site on an input that its board has no sensor for")
        found.add(tuple(_from(sites[cell], sites[f"{cell}:{k}"]) for k in range(ring)))
    if len(found) != 1:
        raise CannotBuild(f"{profile.name}: its tiles differ in where their nodes lie")
    vertices = max(sum(name is not None for name in row[REGISTER_BITS:]) for row in rows)
    return Tile(found.pop(), vertices)


def _from(middle: Site, site: Site) -> Point:
    """Return where a site lies from another, to a micrometre, y down."""
    return round(site.x_mm - middle.x_mm, 3), round(middle.y_mm - site.y_mm, 3)


def tile(profile: Profile) -> Placement:
    """Return the tile of a shell board; raises `CannotBuild`."""
    alike = tile_of(profile)
    ring = len(alike.nodes)
    shell = [f"N{k}" for k in range(ring)] + ["STORE"]
    first = shell + [f"FREE{k}" for k in range(len(shell), REGISTER_BITS)]
    second = [f"VERTEX{k}" for k in range(REGISTER_BITS)]
    parts = [
        chain_plug("J1", "to reader", {}),
        chain_plug("J2", "next", {"DATA": "NEXT"}),
        light_plug("J3", "light in", "P0"),
        light_plug("J4", "light out", f"P{ring + 1}"),
        register("U1", "DATA", "MIDDLE", first),
        register("U2", "MIDDLE", "NEXT", second),
        pull_ups("RN1", first, "MIDDLE"),
        pull_ups("RN2", second, "NEXT"),
        bypass("C1"),
        bypass("C2"),
        *(sensor(f"S{k}", net) for k, net in enumerate(shell)),
        *_pixels(ring),
        *(_vertex(k) for k in range(alike.vertices)),
    ]
    circuit = Circuit(f"tile-{profile.name}", f"Shell tile of {profile.name}", tuple(parts), ("V5", "VCC", "GND"))
    return _laid(circuit, alike)


def _pixels(ring: int) -> list[Part]:
    """Return the pixels in the order of the light strip: the store, then the nodes."""
    found = []
    for number, place in enumerate((ring, *range(ring))):
        joins = {"VDD": "V5", "GND": "GND", "DIN": f"P{number}", "DOUT": f"P{number + 1}"}
        found += [part(f"D{place}", PIXEL, "WS2812B", joins), bypass(f"C{place + 10}", "V5")]
    return found


def _vertex(number: int) -> Part:
    nets = {"1": "VCC", "2": "GND", "3": f"VERTEX{number}"}
    return part(f"J{number + 5}", header(3), f"vertex {number}", nets, f"vertex {number}")


# ---- where parts lie, from the middle of the tile ---------------------------------------------------------


def _edge(nodes: Sequence[Point]) -> tuple[Point, ...]:
    """Return the corners of the board, clockwise from the one after node 0; its sides lie before the nodes."""
    reach = math.hypot(*nodes[0]) + MARGIN_MM
    corner = reach / math.cos(math.pi / len(nodes))
    turns = [math.atan2(y, x) + math.pi / len(nodes) for x, y in nodes]
    return tuple((corner * math.cos(turn), corner * math.sin(turn)) for turn in turns)


def _laid(circuit: Circuit, alike: Tile) -> Placement:
    ring = len(alike.nodes)
    spots = {
        "U1": Spot(-15.24, -8.89),
        "U2": Spot(7.62, -8.89),
        "RN1": Spot(-19.05, -10.16, 270),
        "RN2": Spot(19.05, -10.16, 270),
        "C1": Spot(-6.35, -13.97, 180),
        "C2": Spot(6.35, -13.97),
        f"S{ring}": Spot(0, 0, 90),
        f"D{ring}": Spot(0, PIXEL_OFF_MM),
        f"C{ring + 10}": Spot(-2.54, 13.97),
    }
    for k, (x, y) in enumerate(alike.nodes):
        inner = 1 - PIXEL_OFF_MM / math.hypot(x, y)
        across = abs(x) > 1.2 * abs(y)
        spots[f"S{k}"] = Spot(x, y, 90 if across else 0)
        spots[f"D{k}"] = Spot(x * inner, y * inner)
        spots[f"C{k + 10}"] = _beside(x * inner, y * inner)
    spots |= _hex_plugs() if ring == 6 else _square_plugs()
    edge = _edge(alike.nodes)
    left, top = min(x for x, _ in edge), min(y for _, y in edge)
    used = {each.ref: spots[each.ref] for each in circuit.parts}
    moved = {ref: at(spot.x - left, spot.y - top, spot.turn) for ref, spot in used.items()}
    corners = tuple((x - left, y - top) for x, y in edge)
    words = Text(circuit.title, -left, 19.5 - top)
    screws = tuple((x - left, y - top) for x, y in _screws(edge))
    return Placement(circuit, moved, corners, screws, (words,), ("V5", "VCC"), ("V5", "GND"))


def _beside(x: float, y: float) -> Spot:
    """Return where the capacitor of a pixel lies: to its side that looks at the middle line of the board."""
    if abs(y) < 1:
        return Spot(x - 2.54, y - 5.08)
    return Spot(x - math.copysign(5.715, x or 1), y - 2.54, 270)


def _screws(edge: Sequence[Point]) -> list[Point]:
    """Return a screw hole within each corner at the left and right."""
    return [(x * 0.9, y * 0.9) for x, y in edge if abs(x) > 1]


def _hex_plugs() -> dict[str, Spot]:
    return {
        "J1": Spot(-6.35, -44.45),
        "J3": Spot(-2.54, -36.83),
        "J2": Spot(-6.35, 43.18),
        "J4": Spot(-2.54, 35.56),
        "J5": Spot(33.02, -20.32 + 2.54, 90),
        "J6": Spot(33.02, 20.32 + 2.54, 90),
        "J7": Spot(-33.02, 20.32 + 2.54, 90),
        "J8": Spot(-33.02, -20.32 + 2.54, 90),
    }


def _square_plugs() -> dict[str, Spot]:
    return {
        "J1": Spot(-28.0, -34.29),
        "J3": Spot(-25.4, -26.67),
        "J2": Spot(15.24, 34.29),
        "J4": Spot(15.24, 26.67),
        "J5": Spot(15.24, -34.29),
        "J6": Spot(15.24, -26.67),
        "J7": Spot(-25.4, 34.29),
        "J8": Spot(-25.4, 26.67),
    }
