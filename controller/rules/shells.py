"""Shells and what it costs to move between two cells.

Owns the cost of an adjacency: which nodes of two shells face each other, how many differ, and the price that follows. A
shell is an integer: bit j is set when node j is occupied.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, get_args

import msgspec

from controller.rules.mesh import NONE, Mesh

Mode = Literal["reflect", "rotate"]
MOST_NODES = 16  # of a ring whose tables are made; 2ⁿ entries each


class BadShell(ValueError):
    """Shells, sides or a mode that cannot be compared; the sentence says what is wrong."""


class Cost(msgspec.Struct, frozen=True):
    """What it costs to move between two cells: ``pay`` units are paid, then up to ``move`` units move.

    0:1 is a free transfer of any number of units, 1:0 is blocked.

    >>> print(Cost(pay=1, move=2))
    1:2
    """

    pay: int
    move: int

    @property
    def free(self) -> bool:
        """Whether any number of units may move, and nothing is paid."""
        return self.pay == 0

    @property
    def closed(self) -> bool:
        """Whether nothing may move."""
        return self.move == 0

    def differing(self, nodes: int) -> int:
        """Return of how many pairs of ``nodes`` a side that differ the cost follows: H."""
        return nodes * self.pay // (self.pay + self.move)

    @property
    def text(self) -> str:
        """The cost as it is written: ``p:m``, 0:1 where it is free, 1:0 where it is closed."""
        return f"{self.pay}:{self.move}"

    def __str__(self) -> str:
        return self.text


class ShellView(msgspec.Struct, frozen=True):
    """The shells of a position as everybody sees them, by the names of cells: occupied nodes, and what moving costs.

    A shell is an integer as in this module. ``costs`` has each pair of neighbours once.
    """

    nodes: Mapping[str, int]
    costs: Mapping[tuple[str, str], Cost]
    mode: Mode


@lru_cache(maxsize=MOST_NODES + 1)
def costs(n: int) -> tuple[Cost, ...]:
    """Return the costs on rings of ``n`` nodes by the number of pairs that differ, 0 to ``n``.

    >>> " ".join(map(str, costs(6)))
    '0:1 1:5 1:2 1:1 2:1 5:1 1:0'
    """
    return tuple(Cost(h // math.gcd(h, n), (n - h) // math.gcd(h, n)) for h in range(n + 1))


def cost(shell_a: int, shell_b: int, node_a: int, node_b: int, n: int, mode: Mode) -> Cost:
    """Return the cost between two cells whose shared side is centred on ``node_a`` of one and ``node_b`` of the other.

    This is the definition; `Ring` gives the same from tables.

    >>> a, b = read_shell("110000"), read_shell("100000")
    >>> print(cost(a, b, 0, 0, 6, "reflect"), cost(a, a, 0, 0, 6, "rotate"), cost(a, a, 0, 0, 6, "reflect"))
    1:5 0:1 1:2
    """
    step = -1 if mode == "reflect" else 1
    pairs = (((node_a + i) % n, (node_b + step * i) % n) for i in range(n))
    return costs(n)[sum((shell_a >> i ^ shell_b >> j) & 1 for i, j in pairs)]


def node_of(side: int, sides: int, n: int) -> int:
    """Return the node on which ``side`` of a cell with ``sides`` sides is centred, on a ring of ``n``.

    >>> [node_of(side, 4, 8) for side in range(4)]  # a square among octagons
    [0, 2, 4, 6]
    """
    return side * n // sides


def ring_of(mesh: Mesh) -> int:
    """Return the number of nodes of every shell: the largest number of sides of any cell."""
    return max(len(row) for row in mesh.neighbours)


class Ring(msgspec.Struct, frozen=True):
    """Tables of all shells of ``n`` nodes, each laid out twice in a row so that a turn is a shift.

    Between shells a and b, with the shifts of a `Seam`, the pairs that differ are
    ``((near[a] >> turn_a ^ far[b] >> turn_b) & mask).bit_count()``.
    """

    mask: int
    near: tuple[int, ...]
    far: tuple[int, ...]  # as seen through the shared side: mirrored, or as it is with `rotate`
    costs: tuple[Cost, ...]


@lru_cache(maxsize=16)
def ring(n: int, mode: Mode) -> Ring:
    """Return the tables of shells of ``n`` nodes, at most `MOST_NODES`; made once."""
    near = tuple(shell | shell << n for shell in range(1 << n))
    if mode == "rotate":
        return Ring((1 << n) - 1, near, near, costs(n))
    mirrored = [0] * (1 << n)
    for node in range(n):
        # Node j of a mirrored shell is node -j of the shell.
        for shell in range(1 << node, 1 << (node + 1)):
            mirrored[shell] = mirrored[shell ^ 1 << node] | 1 << -node % n
    return Ring((1 << n) - 1, near, tuple(near[shell] for shell in mirrored), costs(n))


Seam = tuple[int, int, int]  # the cell beyond, the shift of the near shell, the shift of the far one


def seams(mesh: Mesh, mode: Mode) -> tuple[tuple[Seam, ...], ...]:
    """Return, by cell, the neighbours in the order of the sides with the shifts for `Ring`."""
    n = ring_of(mesh)
    sizes = [len(row) for row in mesh.neighbours]
    found = []
    for cell, row in enumerate(mesh.neighbours):
        here = []
        for side, other in enumerate(row):
            if other != NONE:
                far = node_of(mesh.facing[cell][side], sizes[other], n)
                here.append((other, node_of(side, sizes[cell], n), -far % n if mode == "reflect" else far))
        found.append(tuple(here))
    return tuple(found)


Adjacency = tuple[int, int, int, int]  # two cells, the lesser first, and the shifts


def adjacencies(mesh: Mesh, mode: Mode) -> tuple[Adjacency, ...]:
    """Return every adjacency once, by the first cell and then by its sides."""
    return tuple((a, b, i, j) for a, row in enumerate(seams(mesh, mode)) for b, i, j in row if a < b)


def cost_map(between: Sequence[Adjacency], shells: Sequence[int], n: int, mode: Mode) -> list[Cost]:
    """Return the cost of every adjacency of ``between``, in its order, for the shells by cell.

    >>> from controller.rules.mesh import squares
    >>> line = squares(3, 1)
    >>> [str(cost) for cost in cost_map(adjacencies(line, "rotate"), [0b0001, 0b0001, 0b1111], 4, "rotate")]
    ['1:1', '3:1']
    """
    tables = ring(n, mode)
    near, far, mask, by_pairs = tables.near, tables.far, tables.mask, tables.costs
    near_of = [near[shell] for shell in shells]
    far_of = [far[shell] for shell in shells]
    return [by_pairs[((near_of[a] >> i ^ far_of[b] >> j) & mask).bit_count()] for a, b, i, j in between]


# ---- as text ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def shell_text(shell: int, n: int) -> str:
    """Return the nodes of a shell, node 0 first: 1 is occupied, 0 is empty.

    >>> shell_text(0b000101, 6)
    '101000'
    """
    return "".join(str(shell >> node & 1) for node in range(n))


def read_shell(written: str) -> int:
    """Return the shell that `shell_text` wrote; raises `BadShell`."""
    if not re.fullmatch("[01]+", written):
        raise BadShell(f"shell '{written}' is not written with 0 and 1 alone, a digit a node, node 0 first")
    return int(written[::-1], 2)


class Pair(msgspec.Struct, frozen=True):
    """Two shells that face each other: `cost` gets the shells and nodes, ``sides`` and ``meet`` are for drawing.

    ``sides`` are how many sides each of the two cells has, ``meet`` the sides that they share, ``nodes`` those in the
    middle of these sides.
    """

    shells: tuple[int, int]
    nodes: tuple[int, int]
    sides: tuple[int, int]
    meet: tuple[int, int]
    n: int
    mode: Mode


def read_pair(
    shells: tuple[str, str], meet: tuple[int, int], mode: str, sides: tuple[int | None, int | None] = (None, None)
) -> Pair:
    """Return two shells written by `shell_text`, on cells that share the sides ``meet``.

    A cell has as many sides as its shell has nodes, or as ``sides`` say. Raises `BadShell` where the shells differ in
    length, a cell cannot have such a shell, a side is not its own, or the mode is unknown.
    """
    a, b, n = read_shell(shells[0]), read_shell(shells[1]), len(shells[0])
    if n != len(shells[1]):
        raise BadShell(f"shell a has {n} nodes and shell b {len(shells[1])}: give both the same number")
    found = (n if sides[0] is None else sides[0], n if sides[1] is None else sides[1])
    for name, side, count in zip("ab", meet, found, strict=True):
        if count < 1 or n % count:
            raise BadShell(f"cell {name} cannot have {count} sides: they have to share {n} nodes out evenly")
        if not 0 <= side < count:
            raise BadShell(f"side {side} of cell {name} does not exist: the sides are numbered 0 to {count - 1}")
    if mode not in get_args(Mode):
        raise BadShell(f"mode '{mode}' is unknown: use reflect or rotate")
    nodes = (node_of(meet[0], found[0], n), node_of(meet[1], found[1], n))
    return Pair((a, b), nodes, found, meet, n, "reflect" if mode == "reflect" else "rotate")


def cost_text(
    shell_a: str,
    shell_b: str,
    side_a: int,
    side_b: int,
    mode: str,
    sides_a: int | None = None,
    sides_b: int | None = None,
) -> str:
    """Return ``H p m`` for the pair that `read_pair` reads; raises `BadShell`.

    >>> cost_text("11000000", "00000001", 2, 3, "reflect", sides_b=4)  # an octagon beside a square
    '1 1 7'
    """
    pair = read_pair((shell_a, shell_b), (side_a, side_b), mode, (sides_a, sides_b))
    found = cost(*pair.shells, *pair.nodes, pair.n, pair.mode)
    return f"{found.differing(pair.n)} {found.pay} {found.move}"
