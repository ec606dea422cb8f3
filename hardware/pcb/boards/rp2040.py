"""The RP2040 of boards that come assembled, with all that it wants around it: 3.3 V, crystal, flash, button, USB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.pcb.assembled import (
    AHCT1G125,
    BUTTON,
    CAPACITOR_0805,
    CRYSTAL,
    FERRITE,
    FLASH,
    FUSE_1812,
    LAMP_0603,
    PEAKS_SMA,
    REGULATOR,
    RP2040,
    USB_C,
    USB_GUARD,
)
from hardware.pcb.boards.shared import capacitor_0603, resistor_0603
from hardware.pcb.netlist import Part, part

# GPIOs of the RP2040, as in firmware/port_rp2040.
ADDRESS = (2, 3, 4, 5)  # S0 to S3 of all multiplexers
ANALOG = (26, 27, 28)  # one a multiplexer that is read at once
PIXELS = 16
LAMP = 25
SUPPLY = 29  # half of what the two CC pins have together: which supply is there
SUPPLIES = ("V5", "V33", "VA", "V11", "GND")


def supply(fuse: str, analog_ground: str) -> Iterator[Part]:
    """Yield what stands between a socket and the chips: fuse, absorber, 3.3 V, and the filter of what the ADC sees."""
    yield part("F1", FUSE_1812, fuse, {"1": "VBUS", "2": "V5"})
    yield part("D1", PEAKS_SMA, "SMAJ5.0A", {"K": "V5", "A": "GND"})
    yield part("U3", REGULATOR, "3.3V", {"IN": "V5", "GND": "GND", "OUT": "V33", "TAB": "V33"})
    yield capacitor_0603("C1", "V5", "4.7u")
    yield part("C2", CAPACITOR_0805, "22u", {"1": "V33", "2": "STEADY"})
    yield resistor_0603("R14", "1", "STEADY", "GND")
    yield part("L1", FERRITE, "120R", {"1": "V33", "2": "VA"})
    yield part("C3", CAPACITOR_0805, "22u", {"1": "VA", "2": analog_ground})


def socket(ref: str, bus: str, cc: tuple[str, str], lines: tuple[str, str] | None) -> Part:
    """Return a USB-C socket: ``bus`` is its 5 V, ``cc`` its two CC pins, ``lines`` D+ and D-; None: they stay open."""
    joins = {"GND1": "GND", "GND2": "GND", "SHELL": "GND", "VBUS1": bus, "VBUS2": bus, "CC1": cc[0], "CC2": cc[1]}
    if lines:
        joins |= {"DP1": lines[0], "DP2": lines[0], "DM1": lines[1], "DM2": lines[1]}
    return part(ref, USB_C, "USB-C", joins)


def data_socket(bus: str, cc: tuple[str, str]) -> Iterator[Part]:
    """Yield the socket whose data lines go to the chip, and their guard."""
    yield socket("J1", bus, cc, ("USB_P", "USB_M"))
    guard = {"IO1": "USB_M", "IO1_OUT": "USB_M", "IO2": "USB_P", "IO2_OUT": "USB_P", "VBUS": bus, "GND": "GND"}
    yield part("U5", USB_GUARD, "USBLC6-2SC6", guard)


def asking(first: str, second: str, cc: tuple[str, str]) -> Iterator[Part]:
    """Yield the two resistors by which a socket asks for 5 V."""
    yield resistor_0603(first, "5.1k", cc[0], "GND")
    yield resistor_0603(second, "5.1k", cc[1], "GND")


def offered(cc: tuple[str, str]) -> Iterator[Part]:
    """Yield what tells the chip what the supply offers: the mean of the CC pins, of which a cable joins one."""
    yield resistor_0603("R4", "100k", cc[0], "SUPPLY")
    yield resistor_0603("R5", "100k", cc[1], "SUPPLY")
    yield capacitor_0603("C4", "SUPPLY")


def data_lines() -> Iterator[Part]:
    """Yield the resistors between the chip and the guard."""
    yield resistor_0603("R6", "27", "USB_M", "DM")
    yield resistor_0603("R7", "27", "USB_P", "DP")


def chip(gpio: Mapping[int, str], first_pixel: str) -> Iterator[Part]:
    """Yield the chip, whose ``gpio`` lead to these nets beside those of all boards, up to the first pixel's net."""
    pins = {f"GPIO{pin}": f"S{k}" for k, pin in enumerate(ADDRESS)}
    pins |= {f"GPIO{pin}": net for pin, net in gpio.items()}
    pins |= {f"GPIO{PIXELS}": "PIXELS", f"GPIO{LAMP}": "LAMP", f"GPIO{SUPPLY}": "SUPPLY"}
    power = {f"IOVDD{k}": "V33" for k in range(1, 7)} | {"VREG_IN": "V33", "USB_VDD": "V33", "ADC_AVDD": "VA"}
    power |= {"VREG_OUT": "V11", "DVDD1": "V11", "DVDD2": "V11", "GND": "GND", "TESTEN": "GND"}
    flash = {name: name for name in ("SD0", "SD1", "SD2", "SD3", "SCLK", "SS")}
    rest = {"XIN": "XIN", "XOUT": "XOUT", "RUN": "RUN", "DM": "DM", "DP": "DP"}
    yield part("U1", RP2040, "RP2040", pins | power | flash | rest)
    for ref in ("C5", "C6", "C7", "C8", "C9", "C10"):
        yield capacitor_0603(ref, "V33")
    yield capacitor_0603("C11", "V11")
    yield capacitor_0603("C12", "V11")
    yield capacitor_0603("C13", "V33", "1u")
    yield capacitor_0603("C14", "V11", "1u")
    yield capacitor_0603("C15", "VA")
    yield resistor_0603("R8", "10k", "RUN", "V33")
    yield resistor_0603("R9", "1k", "LAMP", "LAMP_R")
    yield part("D2", LAMP_0603, "red", {"A": "LAMP_R", "K": "GND"})
    shifter = {"OE": "GND", "A": "PIXELS", "Y": "PIXELS_5V", "VCC": "V5", "GND": "GND"}
    yield part("U6", AHCT1G125, "74AHCT1G125", shifter)
    yield capacitor_0603("C16", "V5")
    yield resistor_0603("R10", "330", "PIXELS_5V", first_pixel)


def start() -> Iterator[Part]:
    """Yield crystal and flash; with the button pressed the flash does not answer, and the chip shows its drive."""
    yield part("Y1", CRYSTAL, "12MHz", {"A": "XIN", "B": "XTAL", "LID1": "GND", "LID2": "GND"})
    yield resistor_0603("R11", "1k", "XOUT", "XTAL")
    yield capacitor_0603("C17", "XIN", "22p")
    yield capacitor_0603("C18", "XTAL", "22p")
    data = {"CS": "SS", "IO0": "SD0", "IO1": "SD1", "IO2": "SD2", "IO3": "SD3", "CLK": "SCLK"}
    yield part("U2", FLASH, "W25Q128", data | {"VCC": "V33", "GND": "GND"})
    yield capacitor_0603("C19", "V33")
    yield resistor_0603("R12", "10k", "SS", "V33")
    yield resistor_0603("R13", "1k", "SS", "BOOT")
    yield part("SW1", BUTTON, "BOOT", {"1": "BOOT", "2": "GND"})
