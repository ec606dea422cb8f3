"""From magnets over sites to changes that the sensor board reports: contacts, scans and debouncing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Edge(NamedTuple):
    """A magnet comes over a site (``by`` 1) or goes (-1)."""

    t_us: int
    site: str
    by: int
    pole: int


class Scan(NamedTuple):
    """How a sensor board looks: every ``every_us``, and how long a change must last."""

    every_us: int
    on_us: int
    off_us: int


CHIP = Scan(1_000, 4_000, 4_000)  # a microcontroller
PINS = Scan(10_000, 3_000, 5_000)  # the Pi's own pins; a change shows in two scans at least


class Change(NamedTuple):
    """What the board reports."""

    t_us: int
    site: str
    on: bool
    pole: int


def changes(before: Mapping[str, int], edges: Iterable[Edge], scan: Scan) -> list[Change]:
    """Return what is reported, in the order of times; ``before`` has how many magnets lie over each site.

    The last state of a site is always reported: after the last edge all rests.
    """
    by_site: dict[str, list[Edge]] = defaultdict(list)
    for edge in sorted(edges, key=lambda edge: edge.t_us):
        by_site[edge.site].append(edge)
    found: list[Change] = []
    for site, own in by_site.items():
        found += _believed(site, _scanned(before.get(site, 0), own, scan), before.get(site, 0) > 0, scan)
    return sorted(found)


def _scanned(count: int, edges: list[Edge], scan: Scan) -> list[tuple[int, bool, int]]:
    """Return the levels of one site as scans see them, each with the time of the first such scan and the pole."""
    seen: list[tuple[int, bool, int]] = []
    pole = 0
    for edge in edges:
        count += edge.by
        pole = edge.pole if edge.by > 0 else pole
        first = -(-edge.t_us // scan.every_us) * scan.every_us
        if seen and seen[-1][0] == first:
            seen.pop()
        seen.append((first, count > 0, pole))
    return seen


def _believed(site: str, levels: list[tuple[int, bool, int]], level: bool, scan: Scan) -> list[Change]:
    found: list[Change] = []
    doubted: tuple[int, int] | None = None
    for n, (t_us, on, pole) in enumerate(levels):
        if on == level:
            doubted = None
            continue
        doubted = doubted or (t_us, pole)
        until = levels[n + 1][0] if n + 1 < len(levels) else None
        hold = max(scan.on_us if on else scan.off_us, scan.every_us)
        if until is None or until - doubted[0] > hold:
            found.append(Change(doubted[0], site, on, doubted[1] if on else 0))
            level, doubted = on, None
    return found
