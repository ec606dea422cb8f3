"""How many solder joints a board takes, and how long that is: counted from the profile, wired by hand or on boards.

Owns what is counted as a joint: a pad that is soldered, and each end of a wire that is soldered by itself.
"""

from __future__ import annotations

import math

import msgspec

from hardware.manual.bill import strip_fits
from hardware.pcb.boards.strip import pieces, strip
from hardware.pcb.boards.tile import tile
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.power import light_rows
from hardware.printables.board_places import build_of
from hardware.profile import REGISTER_BITS, Profile

SOCKET_PINS, NETWORK_PINS, SENSOR_PINS, CHAIN_PINS, CAPACITOR_PINS = 16, 10, 8, 6, 2
CARD_WIRES = SENSOR_PINS + CHAIN_PINS  # at the chip; their other end is soldered together with the header's pin
CARD_BRIDGES = 3  # pin 15 to pin 8, the network's common pin to 5 V and its last one to DS: two ends each
CHAIN_WIRES = 5
SHIFTER_PINS = 14 + 2 + 8  # socket, capacitor, wires
POWER_JOINTS = 15  # socket, fuse, bus, the Pi's lead
FAST_S, SLOW_S = 30, 60  # a joint, with cutting and stripping: a skilled hand, a beginner's


class JointsRow(msgspec.Struct, frozen=True):
    """``number`` times ``each`` joints at one kind of thing."""

    what: str
    number: int
    each: int

    @property
    def joints(self) -> int:
        """Return how many joints these are together."""
        return self.number * self.each


def by_hand(profile: Profile) -> tuple[JointsRow, ...]:
    """Return the joints of a board that is wired by hand."""
    registers, sensors = profile.wired_length // REGISTER_BITS, profile.sensor_count
    card = SOCKET_PINS + NETWORK_PINS + SENSOR_PINS + CHAIN_PINS + CAPACITOR_PINS + CARD_WIRES + 2 * CARD_BRIDGES
    reed = profile.sensor == "reed"
    return (
        JointsRow("register on its card", registers, card),
        JointsRow("reed: pigtail, signal wire, ground wire" if reed else "hall switch: three leads, its capacitor",
                  sensors, 3 if reed else 5),
        JointsRow("sensor wire at its card", sensors, 1),
        JointsRow("chain: five wires from register to register and to the Nano", registers, 2 * CHAIN_WIRES),
        JointsRow("resistor in the data wire to the Nano", 1, 2),
        *_lights(profile),
        JointsRow("level shifter", 1, SHIFTER_PINS),
        JointsRow("supply", 1, POWER_JOINTS),
    )  # fmt: skip


def _lights(profile: Profile) -> tuple[JointsRow, ...]:
    rows = len(light_rows(profile))
    if strip_fits(profile):
        return (
            JointsRow("piece of strip: feed and data", rows, 6),
            JointsRow("first pixel: resistor and capacitor", 1, 4),
        )
    return (JointsRow("single pixel", profile.light_count, 6), JointsRow("feed of a row", rows, 2))


def on_boards(profile: Profile) -> tuple[JointsRow, ...]:
    """Return the joints of a board on circuit boards; empty where there are none for it."""
    build = build_of(profile)
    if build == "hand":
        return ()
    made = strip(profile) if build == "strip" else tile(profile)
    number = math.ceil(profile.chain_length / REGISTER_BITS / (1 if build == "strip" else 2))
    vertices = sum(site.kind == "vertex" for site in profile.sites)
    found = [JointsRow(f"{build}", number, pads(made.circuit))]
    if profile.sensor == "reed":
        found.append(JointsRow("pigtail of a reed", len(profile.sites), 1))
    if build == "strip":
        wires = sum(len(register) - 1 for register in pieces(profile))
        found.append(JointsRow("saw cut: up to 14 wires joined again", wires, 28))
    if vertices:
        found.append(JointsRow("post: reed, pixel, the plug's wires", vertices, 12))
    feeds = len(light_rows(profile)) if build == "strip" else number
    return (
        *found,
        JointsRow("feed of the lights", feeds, 4),
        JointsRow("carrier or hat, supply", 1, 80 + POWER_JOINTS),
    )


def pads(circuit: Circuit) -> int:
    """Return how many pads of a circuit are soldered: all but the holes for wires across a saw cut."""
    known = footprints()
    return sum(len(known[part.device.footprint].pads) for part in circuit.parts if part.device.prefix != "H")


def total(rows: tuple[JointsRow, ...]) -> int:
    """Return how many joints these rows have."""
    return sum(row.joints for row in rows)


def hours(joints: int) -> tuple[int, int]:
    """Return how many hours so many joints take a skilled hand, and a beginner's."""
    return math.ceil(joints * FAST_S / 3600), math.ceil(joints * SLOW_S / 3600)
