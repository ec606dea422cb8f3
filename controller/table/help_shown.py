"""What the board shows to somebody who asked for help, or whom it coaches: a frozen value."""

from __future__ import annotations

from typing import Literal

import msgspec

from controller.orders import Coached

WHOLE = 3  # the step at which the whole ply is told


class Help(msgspec.Struct, frozen=True):
    """Help until ``until_us``; while ``step`` is 0 it is looked for, or, if ``failed``, nothing was found.

    About a "move" each step tells more: 1 which piece, 2 where it goes, `WHOLE` all of it. A "threat" is what the next
    seat would do. Of the "coach" ``cost`` says what the last ply has lost, whose piece stands at ``lost``. All
    else is of the answer to fear, as ``words`` call it.

    ``touch`` is where the piece stands, ``go`` where it comes down and nobody stands, ``take`` what it takes:
    occupancies, 0 where there is none. Of a secret ply nothing is lit, and only its own seat is told of it
    (``private``).
    Who asks with a piece in the ``hand`` is helped with that one: it is the site from which it was lifted.
    """

    about: Literal["move", "threat", "coach"]
    until_us: int
    step: int = 0
    failed: bool = False
    ply: str = ""
    words: str = ""
    touch: int = 0
    go: int = 0
    take: int = 0
    lost: int = 0
    hand: int = 0
    private: bool = False
    cost: Coached | None = None

    @property
    def sought(self) -> bool:
        """Whether the board has still to find it."""
        return not (self.step or self.failed)
