"""Hands, pieces and magnets: what people do, as magnets that come and go. Times are microseconds."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from random import Random

from tests.strangers.boards import Ground
from tests.strangers.sensors import Change, Edge, Scan, changes

MS = 1_000


class World:
    """The pieces on the board and all that their magnets did. ``on`` has the pole of the piece on a site."""

    def __init__(self, ground: Ground, on: dict[str, int], scan: Scan, rng: Random) -> None:
        self.ground, self.on, self.rng = ground, on, rng
        self._scan = scan
        self._counts = Counter(dict.fromkeys(on, 1))
        self._poles = dict(on)
        self._edges: list[Edge] = []
        self.outages: list[tuple[int, int]] = []  # when the sensor board was lost

    def edge(self, t_us: int, site: str, by: int, pole: int) -> None:
        """A magnet comes over a site, or goes."""
        self._edges.append(Edge(t_us, site, by, pole))

    def gone_for(self, site: str, t_us: int, ms: float, pole: int = 0) -> None:
        """The piece on ``site``, of that pole if it is not there yet, is not felt for a while: a loose contact."""
        pole = pole or self.on[site]
        self.edge(t_us, site, -1, pole)
        self.edge(t_us + int(ms * MS), site, 1, pole)

    def there_for(self, site: str, t_us: int, ms: float, pole: int = 1) -> None:
        """Something magnetic is over ``site`` for a while: a hand that passes low, a ring, a telephone."""
        self.edge(t_us, site, 1, pole)
        self.edge(t_us + int(ms * MS), site, -1, pole)

    def closes(self, site: str, t_us: int, pole: int) -> None:
        """A piece comes to stand on ``site``; a contact may chatter for 5 to 60 ms."""
        self.edge(t_us, site, 1, pole)
        if self.rng.random() < (0.1 if self.ground.hall else 0.5):
            end = t_us + int(self.rng.uniform(5, 60) * MS)
            t_us += int(self.rng.uniform(0.5, 4) * MS)
            while t_us < end:
                ms = self.rng.uniform(0.5, 12)
                self.gone_for(site, t_us, ms, pole)
                t_us += int((ms + self.rng.uniform(0.5, 12)) * MS)

    def opens(self, site: str, t_us: int, pole: int) -> None:
        """A piece leaves ``site``; a contact may chatter for some 5 to 20 ms."""
        self.edge(t_us, site, -1, pole)
        if self.rng.random() < (0.05 if self.ground.hall else 0.3):
            self.there_for(site, t_us + int(self.rng.uniform(1, 8) * MS), self.rng.uniform(0.5, 12), pole)

    def last_us(self) -> int:
        """When the last magnet moved."""
        return max((edge.t_us for edge in self._edges), default=0)

    def reported(self) -> list[Change]:
        """Return what the sensors told since the last call."""
        edges, self._edges = sorted(self._edges, key=lambda edge: edge.t_us), []
        told = changes(self._counts, edges, self._scan)
        for edge in edges:
            self._meet(edge)
        return told

    def felt_at(self, t_us: int) -> dict[str, int]:
        """Return where a magnet is felt at that time, of the time since the last report, and its pole."""
        counts, poles = Counter(self._counts), dict(self._poles)
        for edge in sorted(self._edges, key=lambda edge: edge.t_us):
            if edge.t_us <= t_us:
                counts[edge.site] += edge.by
                poles[edge.site] = edge.pole if edge.by > 0 else poles.get(edge.site, 1)
        return {site: poles[site] for site, count in counts.items() if count > 0}

    def _meet(self, edge: Edge) -> None:
        self._counts[edge.site] += edge.by
        if edge.by > 0:
            self._poles[edge.site] = edge.pole


class StrangersHand:
    """A hand with its own clock ``t``. What it holds, it holds by the pole of its magnet, the last one on top."""

    def __init__(self, world: World, t_us: int) -> None:
        self.world, self.t, self.rng = world, t_us, world.rng
        self.held: list[int] = []

    def wait(self, low_ms: float, high_ms: float) -> StrangersHand:
        """Let time pass."""
        self.t += int(self.rng.uniform(low_ms, high_ms) * MS)
        return self

    def until(self, t_us: int) -> StrangersHand:
        """Wait until that time, if it is still to come."""
        self.t = max(self.t, t_us)
        return self

    def lift(self, site: str) -> StrangersHand:
        """Take the piece on ``site`` up."""
        pole = self.world.on.pop(site)
        self.world.opens(site, self.t, pole)
        self.held.append(pole)
        return self

    def put(self, site: str) -> StrangersHand:
        """Put the piece that was lifted last down on ``site``."""
        assert site not in self.world.on, f"the story puts two pieces on {site}"
        pole = self.held.pop()
        self.world.closes(site, self.t, pole)
        self.world.on[site] = pole
        return self

    def from_box(self, pole: int) -> StrangersHand:
        """Take a piece from beside the board."""
        self.held.append(pole)
        return self

    def aside(self) -> StrangersHand:
        """Lay the piece that was lifted last beside the board."""
        self.held.pop()
        return self

    def straighten(self, site: str, low_ms: float, high_ms: float) -> StrangersHand:
        """Lift the piece on ``site`` and put it back."""
        return self.lift(site).wait(low_ms, high_ms).put(site)

    def carry(self, start: str, end: str, low: bool) -> StrangersHand:
        """Carry from above one site to another: if ``low``, each cell passed sees the magnet for 15 to 200 ms."""
        passed = self.world.ground.passed(start, end)
        if not low or not passed:
            return self.wait(250, 1_200)
        self.wait(60, 250)
        for site in passed:
            ms = self.rng.uniform(15, 200)
            self.world.there_for(site, self.t, ms, self.held[-1] if self.held else 1)
            self.t += int(ms * MS)
            self.wait(1, 40)
        return self.wait(60, 250)

    def slide(self, path: Sequence[str], low_ms: float = 35, high_ms: float = 200) -> StrangersHand:
        """Push the piece on ``path[0]`` along a path, so long on each cell."""
        self.wait(20, 60)
        pole = self.world.on.pop(path[0])
        for here, there in itertools.pairwise(path):
            gap = int(self.rng.uniform(-15, 40) * MS)
            self.world.edge(self.t, here, -1, pole)
            self.t += max(gap, 0)
            self.world.edge(self.t + min(gap, 0), there, 1, pole)
            if there != path[-1]:
                self.wait(low_ms, high_ms)
        self.world.on[path[-1]] = pole
        return self
