"""The case beside the board: what stands in it, where, and where its walls are open.

The circuit boards' screws are their own.
"""

from __future__ import annotations

from typing import Any

from controller.rules.mesh import Point
from hardware.pcb.boards.carrier import carrier
from hardware.pcb.boards.tracker import tracker
from hardware.pcb.placement import Placement, size_mm
from hardware.profile import Profile

INSIDE_MM = (166.0, 155.0, 40.0)
WALL_MM = 2.4
FLOOR_MM = 2.0
LID_MM = 2.0
STANDOFF_MM = 5.0
EDGE_MM = 2.0  # between a board and a wall
PI_MM = (85.0, 56.0)
PI_HOLES = ((3.5, 3.5), (61.5, 3.5), (3.5, 52.5), (61.5, 52.5))  # Raspberry Pi's drawings; the hat sits on it
NANO_MM = (45.4, 18.5)
SCREW_MM = 2.2  # holes in which a screw of 2.5 mm cuts its thread


def boards_in(profile: Profile) -> dict[str, tuple[Placement, Point]]:
    """Return the circuit boards that stand in a profile's case, each with its lower left corner."""
    carried = carrier()
    found = {"carrier": (carried, (EDGE_MM, EDGE_MM))}
    nodes = sum(site.kind == "node" for site in profile.sites) // len(profile.mesh().cells)
    if profile.tracker == "circuit" and nodes in (4, 6):
        found["tracker"] = tracker(nodes), (EDGE_MM, INSIDE_MM[1] - EDGE_MM - size_mm(tracker(nodes))[1])
    return found


def posts(board: Placement, at: Point) -> list[Point]:
    """Return the middles of a board's posts; its own places run down from its upper edge."""
    left, top = min(x for x, _ in board.edge), min(y for _, y in board.edge)
    high = size_mm(board)[1]
    return [(at[0] + x - left, at[1] + high - (y - top)) for x, y in board.screws]


def pi_at() -> Point:
    """Return the lower left corner of the Pi: its sockets look out at the right and in front."""
    return INSIDE_MM[0] - PI_MM[0], 1.0


def nano_at() -> Point:
    """Return the lower left corner of the cradle for a Nano without a carrier: its USB looks out at the right."""
    return INSIDE_MM[0] - NANO_MM[0] - 2.2, 100.0


def usb_at(board: Placement, at: Point) -> float:
    """Return where across the front the Nano of the carrier has its USB socket."""
    label = next(text for text in board.texts if text.text == "USB")
    return at[0] + label.x - min(x for x, _ in board.edge)


def case_values(profile: Profile) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the measures of the box and of the lid, by the names in case.scad."""
    inside = boards_in(profile)
    screws = [post for board, at in inside.values() for post in posts(board, at)]
    carried, at = inside["carrier"]
    shape = {"inside": INSIDE_MM, "wall": WALL_MM}
    box = {
        **shape, "floor": FLOOR_MM, "pi_at": pi_at(), "pi_holes": PI_HOLES, "nano_at": nano_at(), "screws": screws,
        "usb": usb_at(carried, at), "standoff": STANDOFF_MM, "hole": SCREW_MM,
    }  # fmt: skip
    return box, {**shape, "floor": LID_MM}
