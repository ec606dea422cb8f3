"""Chess of Tam Ruat: its state and its plies as values, and what is known of each square."""

from __future__ import annotations

import msgspec

from controller.rules.mesh import NONE
from controller.sentences import say

SEATS = (say("White"), say("Black"))
GHOSTS = 2


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chess of Tam Ruat has no options."""


class State(msgspec.Struct, frozen=True):
    """One position, and what is left of its history.

    ``passed`` is the square that a Warrior or Barbarian has just passed and ``runner`` where it stands, else NONE.
    ``lost`` are by seat the kinds that can be brought back, sorted. ``quiet`` counts plies since the last
    capture or Warrior or Barbarian move. ``seen`` are the positions (board, White's squares, turn, passed square where
    taking on it is legal) since the last ply that can never be undone, this one included. A ghost that was captured can
    come back, so such a capture is none of these plies.
    ``why`` and ``winner`` are set by the ply that ends the game, except for *checkmate* and *stalemate*.
    """

    board: str
    sets: tuple[int, int]
    royals: tuple[int, int]
    turn: int
    seen: tuple[tuple[str, int, int, int], ...]
    spare: tuple[int, int] = (GHOSTS, GHOSTS)
    lost: tuple[str, str] = ("", "")
    passed: int = NONE
    runner: int = NONE
    quiet: int = 0
    why: str = ""
    winner: int | None = None


class Ply(msgspec.Struct, frozen=True):
    """From ``begin`` to ``end``; ``becomes`` is the kind brought back by promotion, else ""."""

    begin: int
    end: int
    captures: bool
    becomes: str = ""


Step = tuple[int, Ply, Ply]  # bit of the square, the ply that moves there, the ply that captures
Line = tuple[Step, ...]  # nearest first


class Reach(msgspec.Struct, frozen=True):
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
