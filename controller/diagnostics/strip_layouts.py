"""The other ways in which a wire may be laid over a board: from another corner, and not to and fro."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from controller.diagnostics.miswiring import Group, Mistake, Order
from controller.sentences import say
from hardware.profile import Site

STEP_DEGREES = 30  # hexes turn by 60, squares by 90, and both may be mirrored

Turn = Mapping[str, str]  # by site, the one that lies where it would lie on the board turned


def turns(sites: Sequence[Site], *, mirrored: bool = True) -> tuple[Turn, ...]:
    """Return every way, beside the one it lies in, to turn the board so that sites meet sites, or to mirror it."""
    x_mm, y_mm = (sum(values) / len(sites) for values in zip(*((s.x_mm, s.y_mm) for s in sites), strict=True))
    at = {(math.floor(s.x_mm - x_mm), math.floor(s.y_mm - y_mm)): s for s in sites}
    found = []
    for side in (1, -1) if mirrored else (1,):
        for degrees in range(0, 360, STEP_DEGREES):
            c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
            there = [((p.x_mm - x_mm) * side, p.y_mm - y_mm) for p in sites]
            turn = _met(sites, at, [(x * c - y * s, x * s + y * c) for x, y in there])
            if turn is not None and any(a != b for a, b in turn.items()):
                found.append(turn)
    return tuple(found)


def _met(
    sites: Sequence[Site], at: Mapping[tuple[int, int], Site], points: Sequence[tuple[float, float]]
) -> Turn | None:
    turn: dict[str, str] = {}
    for site, (x, y) in zip(sites, points, strict=True):
        near = ((math.floor(x) + dx, math.floor(y) + dy) for dx in (0, -1, 1) for dy in (0, -1, 1))  # within 1 mm
        met = next((at[each] for each in near if each in at), None)
        if met is None or met.kind != site.kind:
            return None
        turn[site.name] = met.name
    return turn if len(set(turn.values())) == len(sites) else None


def ways(order: Order, rows: Sequence[Group], possible: Sequence[Turn]) -> Iterator[Mistake]:
    """Yield the ways to lay the wire of ``order`` otherwise: every second of its ``rows`` runs the other way, or it
    begins at another corner, or both.
    """
    runs = [order, *(_against(order, rows[first::2]) for first in (0, 1) if len(rows) > 1)]
    for other in runs[:0:-1]:  # mostly the first row is right
        yield Mistake("reversed", (say("every second row"),), other, "row")
    for turn in possible:
        for run in runs:
            yield Mistake("laid", (), tuple(site if site is None else turn[site] for site in run))


def laid_round(order: Order, tiles: Sequence[Group], possible: Sequence[Turn]) -> Iterator[Mistake]:
    """Yield the orders in which one of the ``tiles`` lies turned round; each of the ``possible`` turns is of one."""
    for tile in tiles:
        there = {order[slot] for slot in tile.slots}
        for turn in (turn for turn in possible if there <= turn.keys()):
            slots = set(tile.slots)
            new = (turn[site] if site is not None and k in slots else site for k, site in enumerate(order))
            yield Mistake("turned", (tile.name,), tuple(new), "tile")


def _against(order: Order, rows: Sequence[Group]) -> Order:
    new = list(order)
    for row in rows:
        for slot, source in zip(row.slots, row.slots[::-1], strict=True):
            new[slot] = order[source]
    return tuple(new)
