"""A piece's way over the board in words: from where, where it lands, what it takes; and how sites are called."""

from __future__ import annotations

from collections.abc import Sequence

from controller.sentences import all_of, say


def way_told(path: Sequence[str], takes: Sequence[str] = (), captures: bool = False) -> str:
    """Return a ply in words: ``c5 to c3, then to a1, takes c4 and b2``; it ``captures`` what stands on the last cell.

    Only a chain is told landing by landing: of a slide, the cells on the way say nothing.

    >>> print(way_told(("c3", "c4", "c5"), captures=True))
    c3 captures c5
    >>> print(way_told(("c5", "c3", "a1"), ("c4", "b2")))
    c5 to c3, then to a1, takes c4 and b2
    """
    begin, *landings = path if len(takes) > 1 else (path[0], path[-1])
    told: str
    if captures:
        told = say("{begin} captures {end}", begin=begin, end=landings[-1])
    else:
        told = say("{begin} to {end}", begin=begin, end=landings[0])
        for landing in landings[1:]:
            told = say("{way}, then to {end}", way=told, end=landing)
    return say("{way}, takes {others}", way=told, others=all_of(takes)) if takes else told


def then_to(told: str, landings: Sequence[str]) -> str:
    """Return the way that was ``told`` so far with the ``landings`` after it."""
    for landing in landings:
        told = say("{move}, then to {cell}", move=told, cell=landing)
    return told


def site_called(name: str) -> str:
    """Return how the site ``name`` of a game is called: ``e2``, ``node 0 of e2``, ``the corner of e2 and e3``."""
    cell, _, node = name.partition(":")
    if node:
        return say("node {node} of {cell}", node=node, cell=cell)
    around = name.partition("#")[0].split(".")
    return say("the corner of {cells}", cells=all_of(around)) if len(around) > 1 else name
