"""Copper between pads: tracks and plated holes."""

from __future__ import annotations

import math

import msgspec

from hardware.pcb.shapes import Point


class Track(msgspec.Struct, frozen=True):
    """A straight track; layer 0 is the front, 1 the back."""

    net: str
    layer: int
    start: Point
    end: Point
    width: float

    def gap(self, x: float, y: float) -> float:
        """Return how far a point is from the track's edge; below 0 within it."""
        (ax, ay), (bx, by) = self.start, self.end
        along = (bx - ax) ** 2 + (by - ay) ** 2
        share = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / along)) if along else 0.0
        return math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay)) - self.width / 2


class Via(msgspec.Struct, frozen=True):
    """A plated hole that joins both layers."""

    net: str
    x: float
    y: float


class Port(msgspec.Struct, frozen=True):
    """Where tracks reach a pad that is finer than their grid; at a ``through`` one on both layers."""

    x: float
    y: float
    through: bool = False
