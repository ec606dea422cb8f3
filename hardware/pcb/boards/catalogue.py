"""The boards that are made, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from hardware.pcb.boards.carrier import carrier
from hardware.pcb.boards.cell36_layout import cell36
from hardware.pcb.boards.hat import hat
from hardware.pcb.boards.hub9 import TILES as TILES_OF_HUB
from hardware.pcb.boards.hub9 import hub9
from hardware.pcb.boards.strip import strip
from hardware.pcb.boards.tile import tile
from hardware.pcb.boards.tile16 import tile16
from hardware.pcb.boards.tracker import tracker
from hardware.pcb.placement import Placement
from hardware.profile import REGISTER_BITS, Profile, load

STRIPS = ("square144", "hex91")
TILES = {"shell19": 6, "shellsquare16": 4}  # and the nodes of their rings
TILE_REGISTERS = 2
ASSEMBLED = ("cell36",)
TILED = ("field144",)  # of assembled tiles and their hub


def boards() -> Mapping[str, Callable[[], Placement]]:
    """Return, by name, what makes each board."""
    made: dict[str, Callable[[], Placement]] = {}
    made |= {f"tile-{name}": partial(_tile, name) for name in TILES}
    made |= {f"strip-{name}": partial(_strip, name) for name in STRIPS}
    made |= {f"tracker-{shape}": partial(tracker, ring) for shape, ring in (("hex", 6), ("square", 4))}
    return made | {"carrier": carrier, "hat": hat, "cell36": _cell36, "tile16": tile16, "hub9": hub9}


def circuits_of(profile: Profile) -> Mapping[str, int]:
    """Return how many of which boards a profile is made of, by name; nothing where all of it is wired by hand.

    The hat can take the carrier's place on a Pi.
    """
    name, registers = profile.name, profile.chain_length // REGISTER_BITS
    if name in ASSEMBLED:
        return {name: 1}
    if name in TILED:
        return {"tile16": TILES_OF_HUB, "hub9": 1}
    if name in STRIPS:
        return {f"strip-{name}": registers, "carrier": 1}
    if name in TILES:
        shape = {6: "hex", 4: "square"}[TILES[name]]
        return {f"tile-{name}": registers // TILE_REGISTERS, f"tracker-{shape}": 1, "carrier": 1}
    return {}


def _strip(name: str) -> Placement:
    return strip(load(name))


def _cell36() -> Placement:
    return cell36(load("cell36"))


def _tile(name: str) -> Placement:
    return tile(load(name))
