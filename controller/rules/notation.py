"""Helpers that several games share: sets of cells as integers, and paths as text."""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache

from controller.rules.game import Unreadable
from controller.sentences import say

FEW = 6  # bits up to which they are looked for one by one
CELL = re.compile(r"[a-z][1-9][0-9]?")


def as_set(cells: Iterable[int]) -> int:
    """Return a set of cells as an integer with one bit a cell, in cell order."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def bits(cells: int) -> list[int]:
    """Return the numbers of the bits set in ``cells``, lowest first."""
    found = []
    if cells.bit_count() < FEW:
        while cells:
            low = cells & -cells
            found.append(low.bit_length() - 1)
            cells ^= low
        return found
    for place, byte in enumerate(cells.to_bytes((cells.bit_length() + 7) // 8, "little")):
        if byte:
            found += _in_bytes(place)[byte]
    return found


@cache
def _in_bytes(place: int) -> tuple[tuple[int, ...], ...]:
    """Return, for each byte at a ``place`` of a set, the numbers of its bits."""
    found: list[tuple[int, ...]] = [()]
    for bit in range(8 * place, 8 * place + 8):
        found += [(*lower, bit) for lower in found]  # the bytes whose highest bit is this one
    return tuple(found)


def split_path(written: str, cells: Collection[str]) -> tuple[tuple[str, ...], bool]:
    """Return the cells of a path and whether it captures: ``b2-c3`` has two cells, ``b2xd4xd6`` any number.

    Raises `Unreadable` where it is neither, or names a cell that is not among ``cells``.
    """
    captures = "x" in written
    names = tuple(written.split("x" if captures else "-"))
    if (not captures and len(names) != 2) or not all(CELL.fullmatch(name) for name in names):
        raise Unreadable(
            say(
                "'{written}' is not a valid move: write the cells joined by '-', or by 'x' where it captures",
                written=written,
            )
        )
    for name in names:
        if name not in cells:
            raise Unreadable(say("'{written}': there is no cell {name} on this board", written=written, name=name))
    return names, captures


def cells_named(option: str, written: str, cells: Sequence[str]) -> int:
    """Return the set of cells that ``option`` names, which is ``written`` as "a2 a3 b1".

    Raises ValueError with one sentence where it names none, one that is not among ``cells``, or one twice.
    """
    found = 0
    for name in written.split():
        if name not in cells:
            raise ValueError(
                f"option {option} has '{name}', which is no cell of this board: choose from {cells[0]} to {cells[-1]}"
            )
        bit = 1 << cells.index(name)
        if found & bit:
            raise ValueError(f"option {option} has {name} twice: name each cell once")
        found |= bit
    if not found:
        raise ValueError(f"option {option} names no cell: name at least one, or leave it empty")
    return found
