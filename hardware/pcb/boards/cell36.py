"""The circuit of the board that comes assembled: a linear hall sensor and a pixel a cell, read and lit by an RP2040.

Two grounds: GNDA has the sensors, the multiplexers and what filters their supply, GND all else. They join at one
resistor beside the RP2040, so that no current of the pixels flows past a sensor.
"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.pcb.assembled import (
    AHCT1G125,
    BUTTON,
    CAPACITOR_0603,
    CAPACITOR_0805,
    CRYSTAL,
    FERRITE,
    FLASH,
    FUSE_1812,
    HALL,
    HC4067,
    LAMP_0603,
    PEAKS_SMA,
    REGULATOR,
    RESISTOR_0603,
    RP2040,
    USB_C,
    USB_GUARD,
)
from hardware.pcb.devices import PIXEL
from hardware.pcb.netlist import Circuit, Part, part
from hardware.profile import MUX_INPUTS, MUXES, Profile

# GPIOs of the RP2040, as in firmware/port_rp2040.
ADDRESS = (2, 3, 4, 5)  # S0 to S3 of all multiplexers
ANALOG = (26, 27, 28)  # one a multiplexer
PIXELS = 16
LAMP = 25
SUPPLY = 29  # half of what the two CC pins have together: which supply is there
CELL_GROUND = "GNDA"


def circuit(profile: Profile) -> Circuit:
    """Return the circuit for a board of linear hall sensors; sensor and pixel of a site have its name after S and D."""
    parts = (*_supply(), *_usb(), *_chip(), *_start(), *_muxes(profile), *_sensors(profile), *_pixels(profile))
    supplies = ("V5", "V33", "VA", "V11", "GND", CELL_GROUND)
    return Circuit(profile.name, f"Assembled board {profile.name}", tuple(parts), supplies)


def _resistor(ref: str, value: str, one: str, other: str) -> Part:
    return part(ref, RESISTOR_0603, value, {"1": one, "2": other})


def _capacitor(ref: str, supply: str, value: str = "100n", ground: str = "GND") -> Part:
    return part(ref, CAPACITOR_0603, value, {"1": supply, "2": ground})


def _supply() -> Iterator[Part]:
    """Yield what stands between the socket and the chips: fuse, absorber, 3.3 V, and the filter of the sensors."""
    yield part("F1", FUSE_1812, "1.1A", {"1": "VBUS", "2": "V5"})
    yield part("D1", PEAKS_SMA, "SMAJ5.0A", {"K": "V5", "A": "GND"})
    yield part("U3", REGULATOR, "3.3V", {"IN": "V5", "GND": "GND", "OUT": "V33", "TAB": "V33"})
    yield _capacitor("C1", "V5", "4.7u")
    yield part("C2", CAPACITOR_0805, "22u", {"1": "V33", "2": "STEADY"})
    yield _resistor("R14", "1", "STEADY", "GND")
    yield part("L1", FERRITE, "120R", {"1": "V33", "2": "VA"})
    yield part("C3", CAPACITOR_0805, "22u", {"1": "VA", "2": CELL_GROUND})
    yield _resistor("R1", "0", "GND", CELL_GROUND)


def _usb() -> Iterator[Part]:
    """Yield the socket. The mean of CC1 and CC2, of which a cable joins one, tells what the supply offers."""
    joins = {"GND1": "GND", "GND2": "GND", "SHELL": "GND", "VBUS1": "VBUS", "VBUS2": "VBUS", "CC1": "CC1", "CC2": "CC2"}
    lines = {"DP1": "USB_P", "DP2": "USB_P", "DM1": "USB_M", "DM2": "USB_M"}
    yield part("J1", USB_C, "USB-C", joins | lines)
    guard = {"IO1": "USB_M", "IO1_OUT": "USB_M", "IO2": "USB_P", "IO2_OUT": "USB_P", "VBUS": "VBUS", "GND": "GND"}
    yield part("U5", USB_GUARD, "USBLC6-2SC6", guard)
    yield _resistor("R2", "5.1k", "CC1", "GND")
    yield _resistor("R3", "5.1k", "CC2", "GND")
    yield _resistor("R4", "100k", "CC1", "SUPPLY")
    yield _resistor("R5", "100k", "CC2", "SUPPLY")
    yield _capacitor("C4", "SUPPLY")
    yield _resistor("R6", "27", "USB_M", "DM")
    yield _resistor("R7", "27", "USB_P", "DP")


def _chip() -> Iterator[Part]:
    gpio = {f"GPIO{pin}": f"S{k}" for k, pin in enumerate(ADDRESS)}
    gpio |= {f"GPIO{pin}": f"Z{k}" for k, pin in enumerate(ANALOG, 1)}
    gpio |= {f"GPIO{PIXELS}": "PIXELS", f"GPIO{LAMP}": "LAMP", f"GPIO{SUPPLY}": "SUPPLY"}
    power = {f"IOVDD{k}": "V33" for k in range(1, 7)} | {"VREG_IN": "V33", "USB_VDD": "V33", "ADC_AVDD": "VA"}
    power |= {"VREG_OUT": "V11", "DVDD1": "V11", "DVDD2": "V11", "GND": "GND", "TESTEN": "GND"}
    flash = {name: name for name in ("SD0", "SD1", "SD2", "SD3", "SCLK", "SS")}
    rest = {"XIN": "XIN", "XOUT": "XOUT", "RUN": "RUN", "DM": "DM", "DP": "DP"}
    yield part("U1", RP2040, "RP2040", gpio | power | flash | rest)
    for ref, net in {"C5": "V33", "C6": "V33", "C7": "V33", "C8": "V33", "C9": "V33", "C10": "V33"}.items():
        yield _capacitor(ref, net)
    yield _capacitor("C11", "V11")
    yield _capacitor("C12", "V11")
    yield _capacitor("C13", "V33", "1u")
    yield _capacitor("C14", "V11", "1u")
    yield _capacitor("C15", "VA")
    yield _resistor("R8", "10k", "RUN", "V33")
    yield _resistor("R9", "1k", "LAMP", "LAMP_R")
    yield part("D2", LAMP_0603, "red", {"A": "LAMP_R", "K": "GND"})
    yield part(
        "U6", AHCT1G125, "74AHCT1G125", {"OE": "GND", "A": "PIXELS", "Y": "PIXELS_5V", "VCC": "V5", "GND": "GND"}
    )
    yield _capacitor("C16", "V5")
    yield _resistor("R10", "330", "PIXELS_5V", "P0")


def _start() -> Iterator[Part]:
    """Yield crystal and flash; with the button pressed the flash does not answer, and the chip shows its drive."""
    yield part("Y1", CRYSTAL, "12MHz", {"A": "XIN", "B": "XTAL", "LID1": "GND", "LID2": "GND"})
    yield _resistor("R11", "1k", "XOUT", "XTAL")
    yield _capacitor("C17", "XIN", "22p")
    yield _capacitor("C18", "XTAL", "22p")
    joins = {
        "CS": "SS",
        "IO0": "SD0",
        "IO1": "SD1",
        "IO2": "SD2",
        "IO3": "SD3",
        "CLK": "SCLK",
        "VCC": "V33",
        "GND": "GND",
    }
    yield part("U2", FLASH, "W25Q128", joins)
    yield _capacitor("C19", "V33")
    yield _resistor("R12", "10k", "SS", "V33")
    yield _resistor("R13", "1k", "SS", "BOOT")
    yield part("SW1", BUTTON, "BOOT", {"1": "BOOT", "2": "GND"})


def _muxes(profile: Profile) -> Iterator[Part]:
    bits = profile.by_bit()
    for mux in range(MUXES):
        inputs = bits[mux * MUX_INPUTS : (mux + 1) * MUX_INPUTS]
        ways = {f"Y{k}": f"H_{site}" if site else CELL_GROUND for k, site in enumerate(inputs)}
        address = {f"S{k}": f"S{k}" for k in range(len(ADDRESS))}
        rest = {"Z": f"Z{mux + 1}", "E": CELL_GROUND, "VCC": "VA", "GND": CELL_GROUND}
        yield part(f"U{11 + mux}", HC4067, "74HC4067", ways | address | rest)
        yield _capacitor(f"C{21 + mux}", "VA", ground=CELL_GROUND)


def _sensors(profile: Profile) -> Iterator[Part]:
    for site in profile.sites:
        yield part(f"S{site.name}", HALL, "DRV5055A3", {"VCC": "VA", "GND": CELL_GROUND, "OUT": f"H_{site.name}"})
        yield _capacitor(f"CS{site.name}", "VA", ground=CELL_GROUND)


def _pixels(profile: Profile) -> Iterator[Part]:
    """Yield the pixels in the order of their chain, of which the last one's output stays open."""
    last = profile.light_count - 1
    for number, name in enumerate(profile.by_light()):
        out = {} if number == last else {"DOUT": f"P{number + 1}"}
        yield part(f"D{name}", PIXEL, "WS2812B", {"VDD": "V5", "GND": "GND", "DIN": f"P{number}"} | out)
        yield _capacitor(f"CD{name}", "V5")
