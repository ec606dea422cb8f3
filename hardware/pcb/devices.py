"""The parts that the boards are made of: pins from the data sheets, and footprints for hand soldering.

All logic is in DIP packages and sits in sockets.
"""

from __future__ import annotations

from hardware.pcb.netlist import Device, Electrical, Pin
from hardware.wiring import INPUT_PINS


def numbered(kind: Electrical, names: str) -> tuple[Pin, ...]:
    """Return pins from ``NUMBER=NAME`` words."""
    return tuple(Pin(number, name, kind) for number, name in (word.split("=") for word in names.split()))


def row(count: int) -> tuple[Pin, ...]:
    """Return ``count`` passive pins whose names are their numbers."""
    return tuple(Pin(str(k), str(k), "passive") for k in range(1, count + 1))


# Nexperia 74HC165, Texas Instruments SN74HC165. PL, CE: active low.
HC165 = Device(
    "74HC165",
    "U",
    numbered("input", "1=PL 2=CP 10=DS 15=CE")
    + tuple(Pin(str(number), f"D{k}", "input") for k, number in enumerate(INPUT_PINS))
    + numbered("output", "7=Q7N 9=Q7")
    + numbered("power_in", "8=GND 16=VCC"),
    "DIP-16",
)

# Nexperia 74HC595. MR, OE: active low. Q0 has the newest bit, Q7 the oldest.
HC595 = Device(
    "74HC595",
    "U",
    numbered("input", "10=MR 11=SHCP 12=STCP 13=OE 14=DS")
    + numbered("output", "15=Q0 1=Q1 2=Q2 3=Q3 4=Q4 5=Q5 6=Q6 7=Q7 9=Q7S")
    + numbered("power_in", "8=GND 16=VCC"),
    "DIP-16",
)

# Nexperia 74HC86: four XOR gates, Y = A xor B.
HC86 = Device(
    "74HC86",
    "U",
    numbered("input", "1=1A 2=1B 4=2A 5=2B 9=3A 10=3B 12=4A 13=4B")
    + numbered("output", "3=1Y 6=2Y 8=3Y 11=4Y")
    + numbered("power_in", "7=GND 14=VCC"),
    "DIP-14",
)

# Texas Instruments SN74AHCT125: four buffers that take 3.3 V for high at 5 V; OE active low. Its inputs have no diode
# to the supply, so what drives them never feeds it. Gates of one chip may share a load.
AHCT125 = Device(
    "74AHCT125",
    "U",
    numbered("input", "1=1OE 2=1A 4=2OE 5=2A 10=3OE 9=3A 13=4OE 12=4A")
    + numbered("tri_state", "3=1Y 6=2Y 8=3Y 11=4Y")
    + numbered("power_in", "7=GND 14=VCC"),
    "DIP-14",
)

# A digital hall switch in TO-92 with its legs spread, or a reed that stands upright in the holes of GND and OUT.
SENSOR = Device("Sensor", "S", numbered("power_in", "1=VCC 2=GND") + numbered("open_collector", "3=OUT"), "Sensor")
# Worldsemi WS2812B, 5 × 5 mm.
PIXEL = Device(
    "WS2812B",
    "D",
    numbered("power_in", "1=VDD 3=GND") + numbered("output", "2=DOUT") + numbered("input", "4=DIN"),
    "WS2812B",
)
RESISTOR = Device("Resistor", "R", row(2), "Axial")
PULL_UPS = Device(
    "Resistor network",
    "RN",
    (Pin("1", "COM", "passive"), *(Pin(str(k + 1), f"R{k}", "passive") for k in range(1, 10))),
    "SIL-10",
)
CAPACITOR = Device("Capacitor", "C", row(2), "Disc")
ELECTROLYTIC = Device("Electrolytic", "C", numbered("passive", "1=+ 2=-"), "Electrolytic")
# Littelfuse SA5.0A, DO-15, its band at the cathode: takes up peaks above 6.4 V.
PEAKS = Device("Peak absorber", "D", numbered("passive", "1=K 2=A"), "DO-15")
# 1N5822, DO-201, band at the cathode: with the supply the wrong way round it takes the current, and the fuse ends it.
CROWBAR = Device("Schottky diode", "D", numbered("passive", "1=K 2=A"), "DO-201")
LAMP = Device("LED", "D", numbered("passive", "1=K 2=A"), "LED")
FUSE = Device("Fuse", "F", row(2), "Fuse")
TERMINAL = Device("Screw terminal", "J", row(2), "Terminal")
SELECTOR = Device("Jumper of three", "JP", row(3), "Pins-1x3")


def header(pins: int) -> Device:
    """Return a connector of ``pins`` pins in one row."""
    return Device(f"Connector 1x{pins}", "J", row(pins), f"Pins-1x{pins}")


def box(pins: int) -> Device:
    """Return a connector of ``pins`` pins in two rows, odd numbers in one: for ribbon cable."""
    return Device(f"Connector 2x{pins // 2}", "J", row(pins), f"Pins-2x{pins // 2}")


def links(count: int) -> Device:
    """Return a column of holes for wires, by which a strip that was cut is joined again."""
    return Device(f"Links {count}", "H", row(count), f"Links-{count}")


# The wires of the chain at every board. Clock and latch have ground beside them in the ribbon; a cap over the last two
# pins ties DATA to ground, which ends the chain.
CHAIN = ("VCC", "CLOCK", "GND", "LATCH", "GND", "DATA")
CHAIN_PLUG = header(len(CHAIN))
# To the tracker: the chain's clock and data again, a latch a tile, and an analogue level an axis.
TRACKER = ("VCC", "GND", "CLOCK", "GND", "DATA", "LATCH_A", "LATCH_B", "AXIS_0", "AXIS_1", "AXIS_2")
TRACKER_PLUG = box(len(TRACKER))

# Arduino Nano, seen from above with its USB socket at the bottom: pin 1 is D1, top left; numbers run as on a DIP.
_LEFT = "D1 D0 RST_1 GND_1 D2 D3 D4 D5 D6 D7 D8 D9 D10 D11 D12"
_RIGHT = "D13 3V3 AREF A0 A1 A2 A3 A4 A5 A6 A7 5V RST_2 GND_2 VIN"
NANO_PINS = tuple(f"{_LEFT} {_RIGHT}".split(" "))
NANO = Device("Arduino Nano", "U", tuple(Pin(str(k), name, "passive") for k, name in enumerate(NANO_PINS, 1)), "Nano")

# BCM numbers of the 40-pin header in the order of its pins, from the Pi's pin-out; - is a supply or ground.
_BCM = "- - 2 - 3 - 4 14 - 15 17 18 27 - 22 23 - 24 10 - 9 25 11 8 - 7 0 1 5 - 6 12 13 - 19 16 26 20 - 21"
PI_PINS = {int(name): pin for pin, name in enumerate(_BCM.split(" "), 1) if name != "-"}  # by BCM number
PI_GROUND = (6, 9, 14, 20, 25, 30, 34, 39)
PI_PLUG = Device("Connector 2x20", "J", row(40), "Pi-2x20")
