"""A line of a bill. Must not know what is bought."""

from __future__ import annotations

import msgspec


class Line(msgspec.Struct, frozen=True):
    """A line of the bill: ``number`` of ``unit`` at ``each_eur``, a planning price for small numbers."""

    what: str
    number: int
    unit: str
    each_eur: float

    @property
    def eur(self) -> float:
        """Return what the line costs."""
        return self.number * self.each_eur
