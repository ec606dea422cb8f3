"""The way from a supply to the Pi: what plug, fuse and lead lose, and what reaches the Pi at worst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

Pi = Literal["pi4", "pi5", "zero2w"]
PIS: tuple[Pi, ...] = get_args(Pi)

PI_LEAST_VOLTS = 4.63  # below it the Pi complains and slows down: Raspberry Pi documentation, "Power supply warnings"
RESERVE_VOLTS = 0.1  # above that, for screws that work loose and contacts that age


class KindOfPi(msgspec.Struct, frozen=True):
    """A kind of Pi. ``milliamps`` it draws at worst, with the sensor board on USB; ``own`` names its maker's supply.

    ``note`` is what has to be set where another supply feeds it.
    """

    name: str
    milliamps: int
    own: str
    own_ma: int
    own_eur: float
    note: str = ""


# Raspberry Pi's own table of supplies calls 0.35 A (Zero 2 W), 0.6 A (4 B) and 0.8 A (5) usual for a busy bare board
# and sells supplies of 2.5, 3 and 5 A. All cores busy, wireless on, the sensor board on USB: they stay below this.
KINDS: dict[Pi, KindOfPi] = {
    "pi4": KindOfPi("Raspberry Pi 4", 1500, "Raspberry Pi 15 W USB-C supply, 5.1 V 3 A", 3000, 9.0),
    "pi5": KindOfPi(
        "Raspberry Pi 5", 3000, "Raspberry Pi 27 W USB-C supply, 5.1 V 5 A", 5000, 13.0,
        "a supply that does not talk USB-C PD: `usb_max_current_enable=1` in `/boot/firmware/config.txt`, "
        "or USB gets 0.6 A together",
    ),
    "zero2w": KindOfPi(
        "Raspberry Pi Zero 2 W", 800, "Raspberry Pi 12.5 W micro-USB supply, 5.1 V 2.5 A", 2500, 9.0,
        "its one USB port takes the sensor board through an OTG adapter",
    ),
}  # fmt: skip


class Joint(msgspec.Struct, frozen=True):
    """Something that current passes there and back, ``milliohms`` on both ways together; ``amps`` it is made for."""

    what: str
    milliohms: float
    amps: float
    source: str


BARREL = Joint("plug 5.5 × 2.1 mm and socket with screws", 40, 5.0, "CUI PJ-102A: 5 A; 20 mΩ a contact when worn")
XT30 = Joint("XT30", 1.4, 15.0, "AMASS XT30: 15 A, 0.7 mΩ a contact")
FUSE = Joint("blade fuse and holder", 15, 15.0, "Littelfuse ATOF 7.5 A: 10.9 mΩ cold, and two springs")
PI_LEAD = Joint("lead of 300 mm AWG 22, USB-C plug with screws", 72, 3.0, "IEC 60028: 32 mΩ; USB Type-C: 40 mΩ")
BARREL_LOAD = 0.8  # of what a barrel is made for, for long: screw adapters of 5 A run hot at it


class Source(msgspec.Struct, frozen=True):
    """A supply that feeds Pi and board. ``least_volts`` and ``most_volts`` come out of it over load and years."""

    what: str
    least_volts: float
    most_volts: float
    joint: Joint


DESKTOP = Source("a desktop supply of 5 V", 4.75, 5.25, BARREL)  # Mean Well GST60A: 5 V ± 5 %
ADJUSTED = Source("a supply set to 5.1 V", 5.00, 5.20, XT30)  # Mean Well LRS-50-5: ± 2 %, 4.5 to 5.5 V by a trimmer
OWN_LEAST_VOLTS = 4.85  # Raspberry Pi's supplies, data sheets: 5.1 V ± 5 % at the end of their own lead


def volts_at_pi(source_volts: float, joint: Joint, all_ma: float, pi_ma: float) -> float:
    """Return what is left at the Pi where one supply feeds everything, ``all_ma`` together, ``pi_ma`` of it the Pi."""
    shared = (joint.milliohms + FUSE.milliohms) * all_ma
    return source_volts - (shared + PI_LEAD.milliohms * pi_ma) / 1e6


def joint_for(milliamps: float) -> Joint:
    """Return what joins the lights' supply to the board: its own plug while that stays cool, else XT30 instead."""
    return BARREL if milliamps <= BARREL_LOAD * BARREL.amps * 1000 else XT30


def lines(board_ma: float) -> Sequence[str]:
    """Return, as lines of Markdown, what reaches each kind of Pi beside a board that draws ``board_ma`` at worst."""
    table = ["| Pi | of its own supply | of one supply for all, 5 V, plug 5.5 × 2.1 mm | of one set to 5.1 V, XT30 |"]
    table.append("| --- | --- | --- | --- |")
    for kind in KINDS.values():
        ways = [_verdict(OWN_LEAST_VOLTS)]
        for source in (DESKTOP, ADJUSTED):
            volts = volts_at_pi(source.least_volts, source.joint, board_ma + kind.milliamps, kind.milliamps)
            ways.append(_verdict(volts))
        table.append(f"| {kind.name} | {' | '.join(ways)} |")
    return table


def _verdict(volts: float) -> str:
    if volts < PI_LEAST_VOLTS:
        return f"{volts:.2f} V: too low"
    return f"{volts:.2f} V: no reserve" if volts < PI_LEAST_VOLTS + RESERVE_VOLTS else f"**{volts:.2f} V**"
