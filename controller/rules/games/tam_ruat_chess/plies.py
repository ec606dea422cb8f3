"""Chess of Tam Ruat: its plies as values, and what is known of each square."""

from __future__ import annotations

import msgspec


class Ply(msgspec.Struct, frozen=True):
    """From ``begin`` to ``end``; ``becomes`` is the kind brought back by promotion, else ""."""

    begin: int
    end: int
    captures: bool
    becomes: str = ""


Step = tuple[int, Ply, Ply]  # bit of the square, the ply that moves there, the ply that captures
Line = tuple[Step, ...]  # nearest first


class PieceReach(msgspec.Struct, frozen=True):
    """Where a kind goes from one square: along ``lines`` up to the first piece, which it may take.

    A leap is a line of one square. For those that take otherwise than they move ``lines`` only move and
    ``strikes`` only take. ``sight`` are all these squares. One of those ``near`` must be open, or the piece cannot
    move: the first square of each line and the strikes, for a Ghost all but the first.
    """

    sight: int
    near: int
    lines: tuple[Line, ...]
    strikes: Line = ()


class Ray(msgspec.Struct, frozen=True):
    """One of the 8 directions from a royal: its squares, and who gives check along it."""

    squares: int
    up: bool  # whether farther squares have higher bits
    first: int
    behind: int  # the neighbouring square on the other side of the royal; 0 if off the board
    sliders: str


class Danger(msgspec.Struct, frozen=True):
    """From where a royal on one square can be in check: by square the kinds that leap there, and the rays."""

    near: int
    leapers: dict[int, str]
    rays: tuple[Ray, ...]
    around: int
