"""Tracks: joins the pads of every net on two layers of a grid, by negotiation.

Every net takes its cheapest way, at first through others too; a place that two nets want grows dearer each round until
one of them goes around. The same board always gets the same tracks. The front prefers to run across and the back up and
down, which keeps ways through the board open.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import heapify, heappop, heappush

import msgspec

from hardware.cannot_build import CannotBuild
from hardware.pcb.copper import Track, Via
from hardware.pcb.placement import GRID, Land, Placement, Point, inside, lands

CLEARANCE = 0.2
TRACK = 0.25
WIDER = (2.0, 1.5, 1.0, 0.6)  # widths that power tracks try
VIA, VIA_DRILL = 0.6, 0.3
EDGE = 0.9  # from the middle of a track to the edge of the board
SCREW_HEAD = 1.6  # around a screw hole

# From a pad to a grid point that a track may pass: between two points a track may come nearer than at either.
TRACK_GAP = math.hypot(CLEARANCE + TRACK / 2, GRID / 2)
VIA_GAP = CLEARANCE + VIA / 2
OWN_VIA_GAP = 0.35  # beside a pad of the same net: solder must not flow into it

SQUARE = 5.0  # the side of those by which pads are looked up
FAR = SCREW_HEAD + WIDER[0] / 2 + GRID  # pads farther from the middle of a track never are in its way

ACROSS, ALONG, VIA_COST = 1.7, 1.0, 7.0  # against and with the layer's direction
ROUNDS = 80


class Routes(msgspec.Struct, frozen=True):
    """All copper of a board but its pads and pours. ``rounds``: how often nets had to give way."""

    tracks: tuple[Track, ...]
    vias: tuple[Via, ...]
    rounds: int


def route(board: Placement) -> Routes:
    """Return tracks that join every net of the board; raises `CannotBuild`."""
    return _Router(board).run()


FREE, BLOCKED = 0, -1


class _Way(msgspec.Struct):
    """The way of one net: grid points, and the columns in which it changes layers by a via."""

    points: set[int]
    vias: set[int]
    steps: list[tuple[int, int]]


class _Router:
    """Points are numbered layer by layer, row by row; a column of two points on both layers has the front's number."""

    def __init__(self, board: Placement) -> None:
        self.board = board
        self.left = min(x for x, _ in board.edge)
        self.top = min(y for _, y in board.edge)
        self.left, self.top = (math.floor(v / GRID) * GRID for v in (self.left, self.top))
        self.columns = math.ceil((max(x for x, _ in board.edge) - self.left) / GRID) + 1
        self.rows = math.ceil((max(y for _, y in board.edge) - self.top) / GRID) + 1
        self.layer = self.columns * self.rows
        points = range(2 * self.layer)
        self.row_of = [number % self.layer // self.columns for number in points]
        self.column_of = [number % self.columns for number in points]
        self.names = ["", *(net for net, ends in board.circuit.nets().items() if len(ends) > 1)]
        self.owner = [FREE] * (2 * self.layer)  # whose track may be here
        self.via_owner = [FREE] * self.layer
        self.through = [FREE] * self.layer  # whose plated pad is here
        self.used = [0] * (2 * self.layer)
        self.via_used = [0] * self.layer
        self.history = [0.0] * (2 * self.layer)
        self.pins: list[list[list[int]]] = [[] for _ in self.names]
        self.lands = lands(board)
        self._take_edge()
        self._take_laid()
        self._take_lands()

    # ---- what is in the way

    def point(self, number: int) -> Point:
        row, column = divmod(number % self.layer, self.columns)
        return round(self.left + column * GRID, 4), round(self.top + row * GRID, 4)

    def near(self, x: float, y: float, reach: float) -> Iterator[int]:
        """Yield the columns within a box of ``reach`` around a point."""
        first, last = (math.floor((x + s * reach - self.left) / GRID) for s in (-1, 1))
        top, bottom = (math.floor((y + s * reach - self.top) / GRID) for s in (-1, 1))
        for row in range(max(top, 0), min(bottom + 1, self.rows - 1) + 1):
            for column in range(max(first, 0), min(last + 1, self.columns - 1) + 1):
                yield row * self.columns + column

    def _take_edge(self) -> None:
        for number in range(self.layer):
            if not inside(self.board.edge, *self.point(number), EDGE):
                self.owner[number] = self.owner[number + self.layer] = self.via_owner[number] = BLOCKED

    def _take_lands(self) -> None:
        ids = {name: k for k, name in enumerate(self.names)}
        for land in self.lands:
            net = ids.get(land.net or "", BLOCKED) or BLOCKED
            layers = (0, self.layer) if land.drill else (0,)
            track_gap, via_gap = (TRACK_GAP, VIA_GAP) if land.ref else (SCREW_HEAD, SCREW_HEAD)
            for number in self.near(land.x, land.y, max(land.width, land.height) / 2 + SCREW_HEAD):
                gap = land.gap(*self.point(number))
                if gap < track_gap:
                    for layer in layers:
                        self._claim(self.owner, number + layer, net)
                if gap < OWN_VIA_GAP:
                    self.via_owner[number] = BLOCKED
                elif gap < via_gap:
                    self._claim(self.via_owner, number, net)
            if net != BLOCKED:
                self._take_pin(land, net, layers)

    def _take_laid(self) -> None:
        """Keep others off what was put down by hand; along a fine track nobody goes, but from its end."""
        ids = {name: k for k, name in enumerate(self.names)}
        for track in self.board.tracks:
            (ax, ay), (bx, by) = track.start, track.end
            reach = math.dist(track.start, track.end) / 2 + track.width + SCREW_HEAD
            for number in self.near((ax + bx) / 2, (ay + by) / 2, reach):
                gap = track.gap(*self.point(number))
                if gap < TRACK_GAP:
                    net = BLOCKED if track.width < TRACK else ids[track.net]
                    self._claim(self.owner, number + track.layer * self.layer, net)
                if gap < VIA_GAP:
                    self._claim(self.via_owner, number, ids[track.net])
        for via in self.board.vias:
            for number in self.near(via.x, via.y, VIA + SCREW_HEAD):
                gap = math.dist(self.point(number), (via.x, via.y)) - VIA / 2
                for layer in (0, self.layer) if gap < TRACK_GAP else ():
                    self._claim(self.owner, number + layer, ids[via.net])
                if gap < VIA_GAP:
                    self.via_owner[number] = BLOCKED

    @staticmethod
    def _claim(owner: list[int], number: int, net: int) -> None:
        owner[number] = net if owner[number] in (FREE, net) else BLOCKED

    def _take_pin(self, land: Land, net: int, layers: Sequence[int]) -> None:
        port, (x, y) = self.board.ports.get((land.ref, land.number)), (land.x, land.y)
        if port is not None:
            (x, y), layers = (port.x, port.y), (0, self.layer) if port.through else (0,)
        around = list(self.near(x, y, GRID))
        if not around:
            raise CannotBuild(f"{self.board.circuit.name}: pad {land.number} of {land.ref} lies beside the board")
        middle = min(around, key=lambda n: math.dist(self.point(n), (x, y)))
        if len(layers) == 2:
            self.through[middle] = net
        if port is not None:
            self.owner[middle] = net
        self.pins[net].append([middle + layer for layer in layers])

    # ---- one net

    def way(self, net: int, crowd: float) -> _Way:
        """Return the cheapest way that joins the pins of a net, a pin at a time, the nearest first."""
        pins = self.pins[net]
        way = _Way(set(pins[0]), set(), [])
        joined, left = [pins[0]], pins[1:]
        while left:
            pin = min(left, key=lambda p: min(self.apart(p[0], j[0]) for j in joined))
            left.remove(pin)
            joined.append(pin)
            if not way.points.isdisjoint(pin):
                way.points.update(pin)
                continue
            self._join(net, way, pin, crowd)
        return way

    def apart(self, a: int, b: int) -> int:
        return abs(self.row_of[a] - self.row_of[b]) + abs(self.column_of[a] - self.column_of[b])

    def _join(self, net: int, way: _Way, pin: list[int], crowd: float) -> None:
        came = self._search(net, way.points, set(pin), crowd)
        if came is None:
            x, y = self.point(pin[0])
            raise CannotBuild(f"{self.board.circuit.name}: net {self.names[net]} cannot reach its pad at {x}, {y} mm")
        at, before = came
        way.points.update(pin)
        while before[at] != at:
            last = before[at]
            way.points.add(at)
            way.steps.append((last, at))
            column = at % self.layer
            if column == last % self.layer and self.through[column] != net:
                way.vias.add(column)
            at = last

    def _search(self, net: int, sources: set[int], goals: set[int], crowd: float) -> tuple[int, dict[int, int]] | None:
        """Return the goal that is reached and the point before each; A*, led by the steps that are left at least."""
        rows, columns, used, history, owner = self.row_of, self.column_of, self.used, self.history, self.owner
        layer, down = self.layer, self.columns
        goal = next(iter(goals))
        goal_row, goal_column = rows[goal], columns[goal]
        best = dict.fromkeys(sorted(sources), 0.0)
        before = {number: number for number in best}
        heap = [(float(abs(rows[n] - goal_row) + abs(columns[n] - goal_column)), n) for n in best]
        heapify(heap)
        done = set()
        while heap:
            _, number = heappop(heap)
            if number in goals:
                return number, before
            if number in done:
                continue
            done.add(number)
            so_far, back = best[number], number >= layer
            wide, tall = (ACROSS, ALONG) if back else (ALONG, ACROSS)
            through = number - layer if back else number + layer
            ways = (
                (number - 1, wide),
                (number + 1, wide),
                (number - down, tall),
                (number + down, tall),
                (through, 0.0),
            )
            for other, along in ways:
                if other in done or (owner[other] != FREE and owner[other] != net):
                    continue
                cost = along or self._via_cost(number % layer, net, crowd)
                if cost is None:
                    continue
                total = so_far + (cost + history[other]) * (1 + crowd * used[other])
                if total < best.get(other, math.inf):
                    best[other] = total
                    before[other] = number
                    heappush(heap, (total + abs(rows[other] - goal_row) + abs(columns[other] - goal_column), other))
        return None

    def _via_cost(self, column: int, net: int, crowd: float) -> float | None:
        """Return what it costs to change layers there: next to nothing through a pad, None where it is not allowed."""
        if self.through[column] == net:
            return 0.01
        if self.via_owner[column] not in (FREE, net):
            return None
        used, down = self.via_used, self.columns
        near = used[column - 1] + used[column + 1] + used[column - down] + used[column + down]
        return VIA_COST * (1 + crowd * near)

    def _beside(self, column: int) -> tuple[int, ...]:
        """Return the columns whose vias are too near to a via here: the edge of the board is never near."""
        return column - 1, column + 1, column - self.columns, column + self.columns

    # ---- all nets

    def run(self) -> Routes:
        order = sorted(range(1, len(self.names)), key=self._span)
        ways: dict[int, _Way] = {}
        crowd, again = 0.5, order
        for number in range(ROUNDS):
            for net in again:
                if net in ways:
                    self._count(ways.pop(net), -1)
                ways[net] = self.way(net, crowd)
                self._count(ways[net], 1)
            again = [net for net in order if self._in_conflict(ways[net])]
            if not again:
                return self._routes(ways, number)
            for point, count in enumerate(self.used):
                if count > 1:
                    self.history[point] += 1.0
            crowd = min(crowd * 1.4, 40.0)
        names = ", ".join(self.names[net] for net in again)
        raise CannotBuild(f"{self.board.circuit.name}: {names} stand in each other's way; give the parts more room")

    def _span(self, net: int) -> tuple[int, int]:
        places = [divmod(pin[0] % self.layer, self.columns) for pin in self.pins[net]]
        rows, columns = [row for row, _ in places], [column for _, column in places]
        return max(rows) - min(rows) + max(columns) - min(columns), net

    def _count(self, way: _Way, by: int) -> None:
        for number in way.points:
            self.used[number] += by
        for column in way.vias:
            self.via_used[column] += by

    def _in_conflict(self, way: _Way) -> bool:
        if any(self.used[number] > 1 for number in way.points):
            return True
        return any(self.via_used[n] and n not in way.vias for column in way.vias for n in self._beside(column))

    # ---- from points to copper

    def _routes(self, ways: dict[int, _Way], rounds: int) -> Routes:
        tracks: list[Track] = []
        vias: list[Via] = []
        wide: dict[int, float] = {}
        for net, way in sorted(ways.items()):
            name = self.names[net]
            room = _Room(self, net, ways, wide) if name in self.board.power else None
            for start, end in _straight(way.steps, self.layer):
                for a, b, width in ((start, end, TRACK),) if room is None else room.widened(start, end):
                    tracks.append(Track(name, start // self.layer, self.point(a), self.point(b), width))
            vias += [Via(name, *self.point(column)) for column in sorted(way.vias)]
        return Routes((*self.board.tracks, *tracks), (*self.board.vias, *vias), rounds)


def _straight(steps: Iterable[tuple[int, int]], layer: int) -> list[tuple[int, int]]:
    """Return the steps within a layer, each from its lesser point, with those that go on in one line joined."""
    runs: list[tuple[int, int]] = []
    runs += [(min(step), max(step)) for step in steps if step[0] % layer != step[1] % layer]
    runs.sort(key=lambda run: (run[1] - run[0] != 1, run))
    joined: list[tuple[int, int]] = []
    by_end: dict[tuple[int, bool], int] = {}
    for first, last in runs:
        flat = last - first == 1
        at = by_end.pop((first, flat), None)
        if at is None:
            at = len(joined)
            joined.append((first, last))
        else:
            joined[at] = (joined[at][0], last)
        by_end[last, flat] = at
    return joined


class _Room:
    """How wide a power track may be: by what other nets have around it."""

    def __init__(self, router: _Router, net: int, ways: dict[int, _Way], wide: dict[int, float]) -> None:
        self.router = router
        self.net = net
        self.wide = wide  # half the width of the tracks that were made wider, at each of their points
        self.foreign = {point for other, way in ways.items() if other != net for point in way.points}
        self.vias = {column for other, way in ways.items() if other != net for column in way.vias}
        self.lands = defaultdict[tuple[int, int], list[Land]](list)  # by square, those that may be too near to it
        for land in router.lands:
            if land.net != router.names[net]:
                for square in _squares(land.x, land.y, land.width / 2 + FAR, land.height / 2 + FAR):
                    self.lands[square].append(land)

    def widened(self, start: int, end: int) -> Iterator[tuple[int, int, float]]:
        """Yield a track with its width, or on a board that tapers its pieces, each as wide as there is room."""
        if not self.router.board.tapers:
            yield start, end, self.width(start, end)
            return
        step = 1 if end - start < self.router.columns else self.router.columns
        begun, before = start, self.width(start, start + step)
        for point in range(start + step, end, step):
            width = self.width(point, point + step)
            if width != before:
                yield begun, point, before
                begun, before = point, width
        yield begun, end, before

    def width(self, start: int, end: int) -> float:
        """Return the widest width that keeps its clearance along the whole track."""
        step = 1 if end - start < self.router.columns else self.router.columns
        points = range(start, end + 1, step)
        for width in WIDER:
            if all(self._fits(number, width) for number in points):
                self.wide.update({number: max(width / 2, self.wide.get(number, 0.0)) for number in points})
                return width
        return TRACK

    def _fits(self, number: int, width: float) -> bool:
        router = self.router
        layer = number // router.layer * router.layer
        x, y = router.point(number)
        need = width / 2 + CLEARANCE
        if not inside(router.board.edge, x, y, width / 2 + 0.5):
            return False
        for near in router.near(x, y, need + WIDER[0] / 2):
            gap = math.dist(router.point(near), (x, y))
            if near + layer in self.foreign and gap < need + self.wide.get(near + layer, TRACK / 2):
                return False
            if near in self.vias and gap < need + VIA / 2:
                return False
        name = router.names[self.net]
        if any(
            track.gap(x, y) < math.hypot(need, GRID / 2)
            for track in router.board.tracks
            if track.net != name and track.layer == number // router.layer
        ):
            return False
        if any(math.dist((via.x, via.y), (x, y)) < need + VIA / 2 for via in router.board.vias if via.net != name):
            return False
        return all(
            land.gap(x, y) >= math.hypot(need if land.ref else SCREW_HEAD + width / 2, GRID / 2)
            for land in self.lands.get((math.floor(x / SQUARE), math.floor(y / SQUARE)), ())
            if land.drill or not layer
        )


def _squares(x: float, y: float, across: float, along: float) -> Iterator[tuple[int, int]]:
    """Yield the squares that a box around a point has a part in."""
    for column in range(math.floor((x - across) / SQUARE), math.floor((x + across) / SQUARE) + 1):
        for row in range(math.floor((y - along) / SQUARE), math.floor((y + along) / SQUARE) + 1):
            yield column, row
