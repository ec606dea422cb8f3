"""What a footprint is: pads, and what is printed around them."""

from __future__ import annotations

from typing import Literal

import msgspec

Shape = Literal["circle", "rect", "oval"]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Pad(msgspec.Struct, frozen=True):
    """A pad; ``drill`` 0: on the surface only, ``number`` "": a bare hole without copper.

    ``slot`` is how long a hole is that is milled, along y; ``drill`` is its width then.
    """

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float
    shape: Shape = "circle"
    slot: float = 0.0


class Footprint(msgspec.Struct, frozen=True):
    """A package. ``body`` is its outline seen from above; ``label`` where its reference is printed, None: nowhere.

    ``boxed``: whether the outline is printed, which has no room where it would lie on pads.
    ``mark`` is a printed dot beside pin 1 where its square pad is hidden by the part or all pads are square.
    """

    name: str
    pads: tuple[Pad, ...]
    body: Box
    label: Point | None
    mark: Point | None = None
    plus: Point | None = None  # where a plus sign for pin 1 is printed
    band: float | None = None  # where a line across the body is printed, as on the cathode of a diode
    chamfer: Point | None = None  # the corner of the body that is cut off on the part
    boxed: bool = True

    def court(self) -> Box:
        """Return the box that no other part may enter: body and pads with a quarter of a millimetre around them."""
        xs = [p.x + s * p.width / 2 for p in self.pads for s in (-1, 1)] + [self.body[0], self.body[2]]
        ys = [p.y + s * p.height / 2 for p in self.pads for s in (-1, 1)] + [self.body[1], self.body[3]]
        return min(xs) - 0.25, min(ys) - 0.25, max(xs) + 0.25, max(ys) + 0.25
