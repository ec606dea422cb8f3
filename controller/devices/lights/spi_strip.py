"""A WS2812 strip on the Pi's SPI (GPIO 10), through the kernel alone: for kernels that let no program at registers.

Debian's own is such a kernel; Adafruit's library maps registers for SPI, too, and fails there. A bit of the strip is
three of SPI, of which the first is high and the last low: 417 ns high are a zero, 833 ns a one.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Sequence
from pathlib import Path

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed, unanswered

PIN = "D10"  # as Blinka names it
DEVICE = "spidev0.0"
HZ = 2_400_000
MOST_BYTES = 4096  # that the kernel sends in one go; a pause in between would end the frame
DARK_BYTES = 90  # 300 µs without a pulse: the strip takes up what it has got after 280
SET_MODE, SET_WORD_BITS, SET_SPEED = 0x40016B01, 0x40016B03, 0x40046B04  # ioctls of <linux/spi/spidev.h>
PULSES = tuple(
    int("".join("110" if value >> (7 - bit) & 1 else "100" for bit in range(8)), 2).to_bytes(3) for value in range(256)
)


def only_by_spi(devices: Path = Path("/dev")) -> bool:
    """Whether this kernel has SPI, but no way to the registers of the pins, as those of Raspberry Pi OS have."""
    return (devices / DEVICE).exists() and not any(devices.glob("gpiomem*"))


def pulses(frame: Sequence[Colour]) -> bytes:
    """Return what SPI sends for ``frame``: green, red, blue of each pixel."""
    dark = bytes(DARK_BYTES)
    return dark + b"".join(PULSES[green] + PULSES[red] + PULSES[blue] for red, green, blue in frame) + dark


class SpiStrip:
    """A `controller.devices.lights.Strip` behind a device of SPI."""

    def __init__(self, file: int, count: int) -> None:
        self._file, self._count = file, count

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame``, a colour a pixel; raises `LightsFailed`."""
        try:
            os.write(self._file, pulses(frame))
        except OSError as error:
            raise unanswered(error) from error

    def close(self) -> None:
        """Make the strip dark and let go of the pin."""
        try:
            os.write(self._file, pulses([(0, 0, 0)] * self._count))
        finally:
            os.close(self._file)


def open_spi_strip(count: int, devices: Path = Path("/dev")) -> SpiStrip:
    """Return the strip of ``count`` pixels on the Pi's first SPI; raises `LightsFailed`."""
    if len(pulses([(0, 0, 0)] * count)) > MOST_BYTES:
        raise LightsFailed(f"{count} lights are too many for one message of SPI, which has room for {_most()}")
    try:
        file = os.open(devices / DEVICE, os.O_RDWR)
        fcntl.ioctl(file, SET_MODE, struct.pack("B", 0))
        fcntl.ioctl(file, SET_WORD_BITS, struct.pack("B", 8))
        fcntl.ioctl(file, SET_SPEED, struct.pack("I", HZ))
    except OSError as error:
        raise LightsFailed(f"the lights on pin {PIN} cannot be used: {error}") from error
    return SpiStrip(file, count)


def _most() -> int:
    return (MOST_BYTES - 2 * DARK_BYTES) // 9
