"""A whole game as one moving picture: plain data about each piece's way, for a drawing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import hypot

import msgspec

from controller.panel.diagrams import Cell
from controller.rules.game import Piece

MOST_MOVES = 600  # in one picture: some 200 kB
Shape = Mapping[str, Piece]


class Actor(msgspec.Struct, frozen=True):
    """A piece on its way: it stands on ``stops``, each a site and the number of moves after which it came there.

    It is seen until ``gone`` moves are made, None to the end.
    """

    piece: Piece
    stops: tuple[tuple[int, str], ...]
    gone: int | None = None


def film(cells: Sequence[Cell], shapes: Sequence[Shape]) -> tuple[Actor, ...]:
    """Return every piece that stands on ``cells`` in one of ``shapes``, the positions after 0, 1, … moves."""
    place = {cell.name: (cell.x, cell.y) for cell in cells}
    on = {site: Actor(piece, ((0, site),)) for site, piece in shapes[0].items() if site in place}
    done: list[Actor] = []
    for number, (before, after) in enumerate(pairwise(shapes), 1):
        left = [site for site in on if after.get(site) != before[site]]
        come = [site for site in after if site in place and before.get(site) != after[site]]
        lifted = {site: on.pop(site) for site in left}
        for site in come:
            piece = after[site]
            near = sorted(
                (hypot(place[start][0] - place[site][0], place[start][1] - place[site][1]), start)
                for start, actor in lifted.items() if actor.piece == piece
            )  # fmt: skip
            if near:
                actor = lifted.pop(near[0][1])
                on[site] = msgspec.structs.replace(actor, stops=(*actor.stops, (number, site)))
            else:
                on[site] = Actor(piece, ((number, site),))
        done += [msgspec.structs.replace(actor, gone=number) for actor in lifted.values()]
    return (*done, *on.values())
