"""A WS2812 strip on the Pi, through Adafruit's NeoPixel library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed, Strip, unanswered
from controller.devices.lights.spi_strip import PIN, only_by_spi, open_spi_strip


class NeopixelStrip:
    """A `controller.devices.lights.Strip` around a ``neopixel.NeoPixel`` made with ``auto_write=False``."""

    def __init__(self, pixels: Any) -> None:
        self._pixels = pixels

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame``, a colour a pixel; raises `LightsFailed`."""
        try:
            self._pixels[:] = frame
            self._pixels.show()
        except (RuntimeError, OSError) as error:
            raise unanswered(error) from error

    def close(self) -> None:
        """Make the strip dark and let go of the pin."""
        self._pixels.deinit()


def open_neopixels(pin: str, count: int) -> Strip:
    """Return the strip of ``count`` pixels on Blinka's pin of that name (``D18``, ``D10``); raises `LightsFailed`.

    Off a Pi Blinka needs BLINKA_OS_AGNOSTIC=1 in the environment, and has the pin ``NEOPIXEL``.
    """
    if pin == PIN and only_by_spi():
        return open_spi_strip(count)
    try:
        import board
        import neopixel
    except (ImportError, NotImplementedError, RuntimeError) as error:
        raise LightsFailed(
            f"the NeoPixel library cannot be used here ({error}): install the service with its extra 'pi5' on "
            "a Pi 5, with its extra 'pi4' on an older one, or choose simulated lights"
        ) from error
    if not hasattr(board, pin):
        raise LightsFailed(f"this machine has no pin '{pin}' for the lights: on a Pi it is D18 or D10")
    try:
        return NeopixelStrip(neopixel.NeoPixel(getattr(board, pin), count, auto_write=False, pixel_order=neopixel.GRB))
    except (RuntimeError, OSError, ValueError) as error:
        raise LightsFailed(f"the lights on pin {pin} cannot be used: {error}") from error
