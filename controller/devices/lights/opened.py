"""The strip that the setting ``lights`` names."""

from __future__ import annotations

from controller.devices.lights.board_strip import BoardStrip, PixelBoard
from controller.devices.lights.limiter import LightsFailed, SimulatedStrip, Strip
from controller.devices.lights.neopixel import open_neopixels
from controller.sentences import say


def open_strip(lights: str, pin: str, count: int, sensors: object) -> Strip:
    """Return the strip of ``count`` pixels that ``lights`` names, at that ``pin`` or on the board of the ``sensors``.

    Raises `LightsFailed` where it cannot be had.
    """
    if lights == "neopixel":
        return open_neopixels(pin, count)
    if lights != "sensor_board":
        return SimulatedStrip(keep=1)
    if isinstance(sensors, PixelBoard):
        return BoardStrip(sensors)
    raise LightsFailed(say("lights on the sensor board need a sensor board: set sensors to serial"))
