"""A cost step by step: which nodes face each other, which of them differ, and how the fraction is reduced.

Owns the way to a cost as people follow it; the cost itself is `controller.rules.shells.cost`.
"""

from __future__ import annotations

import msgspec

from controller.rules.mesh import Mesh
from controller.rules.shells import Pair, ShellView, cost, costs, node_of, ring_of, shell_text


class Facing(msgspec.Struct, frozen=True):
    """Two cells A and B side by side, and how their cost comes about. What there is of both is A's first.

    ``pairs`` has a node of A, the one of B that faces it, and whether they differ, from the shared side on clockwise
    round A. Of them ``differ`` do and ``alike`` do not; both divided by ``divisor`` are ``pay`` and ``move``.
    ``prices`` are all costs that shells of so many nodes can have, by how many pairs differ.
    """

    shells: tuple[str, str]  # a digit a node, node 0 first
    sides: tuple[int, int]
    meet: tuple[int, int]  # the shared side, by its number in each
    mode: str
    pairs: tuple[tuple[int, int, bool], ...]
    differ: int
    alike: int
    divisor: int
    pay: int
    move: int
    cost: str
    prices: tuple[str, ...]
    names: tuple[str, str] = ("A", "B")


def facing(pair: Pair) -> Facing:
    """Return how the cost of ``pair`` comes about.

    >>> from controller.rules.shells import read_pair
    >>> found = facing(read_pair(("110000", "000000"), (1, 4), "reflect"))
    >>> found.differ, found.alike, found.divisor, found.cost
    (2, 4, 2, '1:2')
    >>> found.pairs[0], found.pairs[5]
    ((1, 4, True), (0, 5, True))
    """
    (a, b), (near, far), n = pair.shells, pair.nodes, pair.n
    step = -1 if pair.mode == "reflect" else 1
    pairs = [((near + i) % n, (far + step * i) % n) for i in range(n)]
    price = cost(a, b, near, far, n, pair.mode)
    differ = price.differing(n)
    return Facing(
        shells=(shell_text(a, n), shell_text(b, n)),
        sides=pair.sides,
        meet=pair.meet,
        mode=pair.mode,
        pairs=tuple((i, j, bool((a >> i ^ b >> j) & 1)) for i, j in pairs),
        differ=differ,
        alike=n - differ,
        divisor=n // (price.pay + price.move),
        pay=price.pay,
        move=price.move,
        cost=price.text,
        prices=tuple(each.text for each in costs(n)),
    )


def facing_cells(mesh: Mesh, shells: ShellView, one: str, other: str) -> Facing | None:
    """Return how the cost between two cells comes about, by their names; None where they are no neighbours."""
    if one not in shells.nodes or other not in shells.nodes:
        return None
    a, b, n = mesh.index(one), mesh.index(other), ring_of(mesh)
    if b not in mesh.neighbours[a]:
        return None
    meet = (side := mesh.neighbours[a].index(b), mesh.facing[a][side])
    sides = (len(mesh.neighbours[a]), len(mesh.neighbours[b]))
    nodes = (node_of(meet[0], sides[0], n), node_of(meet[1], sides[1], n))
    found = facing(Pair((shells.nodes[one], shells.nodes[other]), nodes, sides, meet, n, shells.mode))
    return msgspec.structs.replace(found, names=(one, other))
