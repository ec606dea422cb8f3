"""The parts of boards that come assembled: pins from the data sheets, and packages that a machine places.

Where makers differ in which pin is which, `HALL_PINS` says so, and the tests hold every part that may be bought to it.
"""

from __future__ import annotations

from hardware.pcb.devices import numbered, row
from hardware.pcb.netlist import Device, Pin
from hardware.wiring import MUX_PINS

# What linear hall sensors in SOT-23 have at pins 1, 2 and 3. Those of another order would short every output.
#   DRV5055            Texas Instruments SBAS640, DBZ package, Pin Configuration and Functions
#   SS49E class        as a public comparison of keyboards' sensors lists it: OH49E-S, GH39FKSW, SLSS49E, ES49E
#   HX6659ISO-B        the same comparison: output and ground exchanged, so it must not be bought
HALL_PINS = {
    "DRV5055A3QDBZR": ("VCC", "OUT", "GND"),
    "DRV5055Z3QDBZR": ("VCC", "OUT", "GND"),
    "OH49E-S": ("VCC", "OUT", "GND"),
    "HX6659ISO-B": ("VCC", "GND", "OUT"),
}

# How far they rest from half of 3.3 V at most, in mV. A Z3 is an A3 that leaves a magnet's warmth to itself. The 49E
# class has up to 250 of 5 V (Honeywell SS49E, Output voltage): without a magnet it may read as much as a piece gives.
HALL_RESTS_MV = {"DRV5055A3QDBZR": 60, "DRV5055Z3QDBZR": 60, "OH49E-S": 165}

# Texas Instruments DRV5055A3, SOT-23: half the supply at rest, and 15 mV/mT at 3.3 V, by which the firmware reckons.
HALL = Device("Linear hall sensor", "S", numbered("power_in", "1=VCC 3=GND") + numbered("output", "2=OUT"), "SOT-23")

# Nexperia 74HC4067PW, TSSOP-24: Z goes to one of Y0 to Y15 by S0 to S3; E active low.
HC4067 = Device(
    "74HC4067",
    "U",
    numbered("passive", "1=Z")
    + tuple(Pin(str(number), f"Y{k}", "passive") for k, number in enumerate(MUX_PINS))
    + numbered("input", "10=S0 11=S1 14=S2 13=S3 15=E")
    + numbered("power_in", "12=GND 24=VCC"),
    "TSSOP-24",
)

# Raspberry Pi RP2040, QFN-56: RP2040 Datasheet, 1.4 Pinout Reference. GPIO26 to 29 reach the ADC.
RP2040 = Device(
    "RP2040",
    "U",
    tuple(
        Pin(str(number), f"GPIO{k}", "passive")
        for k, number in enumerate(
            (
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                11,
                12,
                13,
                14,
                15,
                16,
                17,
                18,
                27,
                28,
                29,
                30,
                31,
                32,
                34,
                35,
                36,
                37,
                38,
                39,
                40,
                41,
            )
        )
    )
    + tuple(Pin(str(number), f"IOVDD{k}", "power_in") for k, number in enumerate((1, 10, 22, 33, 42, 49), 1))
    + numbered("power_in", "23=DVDD1 50=DVDD2 43=ADC_AVDD 44=VREG_IN 48=USB_VDD 57=GND")
    + numbered("passive", "45=VREG_OUT 46=DM 47=DP 21=XOUT 24=SWCLK 25=SWD")
    + numbered("input", "19=TESTEN 20=XIN 26=RUN")
    + numbered("passive", "51=SD3 52=SCLK 53=SD0 54=SD2 55=SD1 56=SS"),
    "QFN-56",
)

# Winbond W25Q128JV, SOIC-8 of 208 mil.
FLASH = Device(
    "Flash",
    "U",
    numbered("passive", "1=CS 2=IO1 3=IO2 5=IO0 6=CLK 7=IO3") + numbered("power_in", "4=GND 8=VCC"),
    "SO-8",
)

# Texas Instruments SN74AHCT1G125, DBV: takes 3.3 V for high at 5 V; OE active low.
AHCT1G125 = Device(
    "74AHCT1G125",
    "U",
    numbered("input", "1=OE 2=A") + numbered("power_in", "3=GND 5=VCC") + numbered("output", "4=Y"),
    "SOT-23-5",
)

# AMS1117-3.3 and Texas Instruments LM1117-3.3, SOT-223: 3.3 V from up to 15 V, 0.8 A; the tab is the output. It wants
# 0.3 Ω or more in series with its capacitor.
REGULATOR = Device(
    "Regulator 3.3 V", "U", numbered("power_in", "1=GND 3=IN") + numbered("passive", "2=OUT 4=TAB"), "SOT-223"
)

# Diodes AP2112K-3.3, SOT-23-5: 3.3 V, 0.6 A, from 3.7 V on; works with any ceramic capacitor; EN high: on.
LOW_DROP = Device(
    "Low-drop regulator 3.3 V",
    "U",
    numbered("power_in", "1=IN 2=GND")
    + numbered("input", "3=EN")
    + numbered("no_connect", "4=NC")
    + numbered("passive", "5=OUT"),
    "SOT-23-5",
)

# STMicroelectronics USBLC6-2SC6: a line in at 1 and 3, out at 6 and 4.
USB_GUARD = Device("USB guard", "U", numbered("passive", "1=IO1 2=GND 3=IO2 4=IO2_OUT 5=VBUS 6=IO1_OUT"), "SOT-23-6")

# Korean Hroparts TYPE-C-31-M-12: USB 2.0; A1, A4, B1, B4 have their twins of the other row at the same pad.
USB_C = Device(
    "USB-C socket",
    "J",
    numbered(
        "passive", "A1=GND1 B1=GND2 A4=VBUS1 B4=VBUS2 A5=CC1 B5=CC2 A6=DP1 B6=DP2 A7=DM1 B7=DM2 A8=SBU1 B8=SBU2 S=SHELL"
    ),
    "USB-C",
)

# 12 MHz in 3.2 × 2.5 mm: 1 and 3 are the crystal, 2 and 4 its lid.
CRYSTAL = Device("Crystal", "Y", numbered("passive", "1=A 2=LID1 3=B 4=LID2"), "Crystal-3225")
RESISTOR_0603 = Device("Resistor 0603", "R", row(2), "0603")
CAPACITOR_0603 = Device("Capacitor 0603", "C", row(2), "0603")
CAPACITOR_0805 = Device("Capacitor 0805", "C", row(2), "0805")
FERRITE = Device("Ferrite", "L", row(2), "0603")
# Bourns MF-MSMF110/24X: holds 1.1 A, trips at 1.95 A.
# Bourns MF-MSMF260/16X, PTTC SMD1812P260TF/16: hold 2.6 A, trip at 5 A.
FUSE_1812 = Device("Resettable fuse", "F", row(2), "1812")
# Littelfuse SMAJ5.0A, its band at the cathode: conducts from 6.4 V on.
PEAKS_SMA = Device("Peak absorber SMA", "D", numbered("passive", "1=K 2=A"), "SMA")
LAMP_0603 = Device("LED 0603", "D", numbered("passive", "1=K 2=A"), "LED-0603")
BUTTON = Device("Button", "SW", row(2), "Button")

# The ways of the ribbon between a tile and its hub, from 1. The sensors return by way 3, the pixels by way 4: these
# grounds meet at the hub alone. Z is the sensor that is read, E picks the tile, DIN and DOUT are its pixels' data.
RIBBON = ("V5", "V5", "GNDA", "GND", "S0", "S1", "S2", "S3", "E", "Z", "DIN", "DOUT")


def ribbon_header(*, slot: bool) -> Device:
    """Return the box header of a ribbon, its mouth aside; with a ``slot`` the cable goes down through the board."""
    return Device("Box header 2x6", "J", row(len(RIBBON)), "Box-2x6-slot" if slot else "Box-2x6")
