"""How deep everything lies below a magnet: piece, top, sensor, circuit board, underside, in one column.

"Deep" is in mm below the sheet that pieces stand on.
"""

from __future__ import annotations

from typing import Literal

from hardware.cannot_build import CannotBuild

Sensor = Literal["reed", "hall"]
Build = Literal["hand", "strip", "tile"]  # wired by hand, or on circuit boards

# ---- above the frame
SKIN_MM = 0.6  # of plastic below a magnet: three layers of 0.2 mm
TOP_MM = 2.0  # of the sheet that the pieces stand on, with what is glued on it
CLEARANCE_MM = 0.3  # between the sheet and the highest point of a sensor

# ---- sensors
REED_GLASS_MM = 7.0  # at most, 1.8 mm across: Standex/OKI ORD213, data sheet J2R0012
REED_OVERALL_MM = 35.8  # from end to end of its leads, 0.3 mm thick: the same
REED_BEND_MM = 3.5  # a lead may be bent 3 mm from the glass at the nearest; the bent lead itself beside it
REED_ASIDE_MM = 2.54  # from the glass's axis to the lead that is bent back along it
HALL_CHIP_MM = 1.5  # from the edge of its seat down to the chip, marked side up, at most: TI DRV5023, package LPG
HALL_SEAT_MM = 1.8  # deep, with the package 1.52 mm thick in it
HALL_LEGS_MM = 15.1  # long, at the least: the same package

# ---- a frame for wiring by hand
FRAME_MM = 20.0  # high: an upright reed with its bent lead, and light that spreads over a cell
FLOOR_MM = 1.6
PERFBOARD_MM = 1.6
FOAM_MM = 3.0  # of tape below a card, thicker than its joints
WIRES_MM = 5.5  # what hangs below the floor: a reed's lower lead with its joint

# ---- a frame for circuit boards
BOARD_DEEP_MM = 12.0  # the board's upper side
BOARD_MM = 1.6
WALL_LIFT_MM = 2.5  # what a frame's wall leaves free above the board: joints, wires across a saw cut
SHADE_LIFT_MM = 6.5  # and what a shade leaves free that passes above low parts
SOCKET_MM = 9.4  # a chip in its socket: 5.1 mm, and 4.3 mm of a DIP above its shoulders
TIPS_MM = 2.0  # of a plug that is soldered in from the other side
JOINTS_MM = 2.5  # of leads below a board
PLUG_MM = 22.5  # header 2.5 mm, its plug 14 mm, the bend of the wires 6 mm

# ---- the box of a board that comes assembled
UNDER_ASSEMBLED_MM = 3.0  # between the board's lower side and the tray's floor: the legs of its socket
UNDER_TILE_MM = 12.0  # the same below a tile: ribbons, which come down through it and bend
UNDER_HUB_MM = 4.0  # and below a hub: the legs of its headers

# ---- the underside
UNDER_HAND_MM = 34.0  # between the frame's floor and the base: a card with its plugs, and the wires above it
UNDER_BOARD_MM = 24.0  # between a circuit board's lower side and the base
BASE_MM = 3.0  # of hardboard or plywood

# ---- sideways
PIXEL_OFF_MM = 8.255  # from a sensor to its pixel: 13 lines of a circuit board's grid; clear of a strip 12 mm wide
PIXEL_SIDE_MM = 5.0

# How high parts stand above a circuit board, by the first word of the footprint. Plugs go on the underside: their
# pins come out at the same holes in the same order, and there is room for the cables.
ABOVE_MM = {
    "DIP": SOCKET_MM, "SIL": 6.2, "Disc": 6.0, "Axial": 3.0, "WS2812B": 1.6, "Links": TIPS_MM, "Pins": TIPS_MM,
    "Terminal": TIPS_MM, "Screw": 0.0, "Box": 9.2,
}  # fmt: skip
# The same of packages without legs, at most by their data sheets; of the socket alone legs go through the board.
SURFACE_MM = {
    "0603": 0.95, "0805": 1.45, "1812": 1.8, "SMA": 2.7, "LED": 0.8, "Button": 1.8, "SOT": 1.8, "Crystal": 0.9,
    "SO": 2.2, "TSSOP": 1.2, "QFN": 0.9, "USB": 3.4,
}  # fmt: skip


def part_mm(footprint: str) -> float:
    """Return how far a part of this footprint stands above its board; raises `CannotBuild`."""
    word = footprint.split("-")[0]
    known = ABOVE_MM | SURFACE_MM
    if word not in known:
        raise CannotBuild(
            f"how high {footprint} stands above a board is not known; add it to hardware/height_budget.py"
        )
    return known[word]


def below_mm(footprint: str) -> float:
    """Return how far a part of this footprint reaches below its board."""
    word = footprint.split("-")[0]
    if word in SURFACE_MM and word != "USB":
        return 0.0
    return PLUG_MM if word in {"Pins", "Terminal"} else JOINTS_MM


def stand_mm() -> float:
    """Return the height of what holds a sensor above a circuit board."""
    return BOARD_DEEP_MM - CLEARANCE_MM


def base_deep_mm(build: Build) -> float:
    """Return how deep the base lies."""
    return FRAME_MM + UNDER_HAND_MM if build == "hand" else BOARD_DEEP_MM + BOARD_MM + UNDER_BOARD_MM


def sensor_deep_mm(sensor: Sensor) -> float:
    """Return how deep the middle of a sensor lies below the sheet: the same in every build, towers and stands alike."""
    if sensor == "hall":
        return CLEARANCE_MM + HALL_CHIP_MM
    return CLEARANCE_MM + REED_BEND_MM + REED_GLASS_MM / 2


def magnet_to_sensor_mm(sensor: Sensor) -> float:
    """Return how far the middle of a sensor lies below the face of a magnet whose piece stands on its site."""
    return SKIN_MM + TOP_MM + sensor_deep_mm(sensor)


def reed_lead_mm() -> float:
    """Return the length of one lead of a reed, before it is bent."""
    return (REED_OVERALL_MM - REED_GLASS_MM) / 2


def bent_lead_deep_mm() -> float:
    """Return how deep the bent lead ends: too high to be soldered below, so it gets a pigtail."""
    return CLEARANCE_MM + reed_lead_mm() - REED_BEND_MM - REED_ASIDE_MM


def straight_lead_deep_mm() -> float:
    """Return how deep the straight lead ends."""
    return CLEARANCE_MM + REED_BEND_MM + REED_GLASS_MM + reed_lead_mm()
