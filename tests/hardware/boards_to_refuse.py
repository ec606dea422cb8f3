"""Small boards for tests: written out in full, and changed in one place."""

from __future__ import annotations

from hardware.profile import Profile, read


def squares_of(pitch_mm: float = 40, sensor: str = "reed", max_milliamps: int = 500, more: str = "") -> Profile:
    """Return a board of two by two squares."""
    text = f"""\
title = "Four squares"
tiling = "square 2 2"
pitch_mm = {pitch_mm}
sensor = "{sensor}"
facing = [1, 2]
max_milliamps = {max_milliamps}
chain = ["a1 b1 - -", "b2 a2 - -"]
lights = ["a1 b1", "b2 a2"]
{more}
"""
    return read("small", text.encode())
