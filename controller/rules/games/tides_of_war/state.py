"""Tides of War: its state and its plies as values. A set of squares is an integer with one bit a square."""

from __future__ import annotations

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Tides of War has no options."""


class State(msgspec.Struct, frozen=True):
    """``stones`` are White's and Black's; ``seen`` the positions since the last capture, this one included.

    ``why`` and ``winner`` are set by the ply that ends the game, except for *stuck*, which `result` finds.
    """

    stones: tuple[int, int]
    turn: int
    seen: tuple[int, ...]
    why: str = ""
    winner: int | None = None


class Ply(msgspec.Struct, frozen=True):
    """A whole path. ``moved``: its first and last square (none for a round trip); ``takes``: the jumped ones."""

    path: tuple[int, ...]
    jumps: bool
    moved: int
    takes: int


# One of the 8 directions: how far a bit shifts, the squares from where one step is on the board, from where two are;
# then by the bit of the square that is left the ply of a step, and the ply of a jump with the bits of the square that
# is jumped over and of that behind it.
Ray = tuple[int, int, int, dict[int, Ply], dict[int, tuple[Ply, int, int]]]

Landing = tuple[int, int, int]  # of a jump: the bits of the square jumped over and of that behind it, and its number
