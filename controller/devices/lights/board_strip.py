"""Pixels on the sensor board itself: frames leave over its link, so that the Pi needs no pin for them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Protocol, runtime_checkable

from controller.devices.interfaces import Colour
from controller.devices.lights.limiter import LightsFailed
from controller.sentences import say


@runtime_checkable
class PixelBoard(Protocol):
    """A sensor board that may have pixels."""

    def has_pixels(self) -> bool | None:
        """Return whether it has, None while it has not said so yet."""

    def shine(self, colours: bytes) -> None:
        """Show red, green and blue of each pixel, also after the board was gone; may be called from any thread."""


class BoardStrip:
    """A `controller.devices.lights.limiter.Strip` on a sensor board."""

    def __init__(self, board: PixelBoard) -> None:
        self._board = board

    def write(self, frame: Sequence[Colour]) -> None:
        """Send ``frame``, a colour a pixel, once the board is there; raises `LightsFailed` where it has no pixels."""
        if self._board.has_pixels() is False:
            raise LightsFailed(
                say("the sensor board has no pixels of its own: for a light strip on the Pi, set lights to neopixel")
            )
        self._board.shine(bytes(chain.from_iterable(frame)))

    def close(self) -> None:
        """Do nothing: the line is the sensors', and the board darkens its pixels when that is closed."""
