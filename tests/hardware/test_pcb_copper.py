"""The copper of boards that come assembled, by an eye of its own: tracks that join what the circuit joins, apart."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

import pytest

from hardware.pcb.boards.catalogue import boards
from hardware.pcb.copper import Track
from hardware.pcb.make import project
from hardware.pcb.placement import GRID, Land, Placement, Point, lands
from hardware.pcb.route import CLEARANCE, VIA, Routes, route

FINE = GRID / 16  # places nearer than this are one
FINEST = {"cell36": 0.15, "tile16": 0.2, "hub9": 0.15}  # mm
ROUTED = pytest.mark.long  # to join all that hangs on 36 sensors takes half a minute; `test_pcb_boards` routes others


@pytest.fixture(scope="module", params=FINEST)
def board(request: pytest.FixtureRequest) -> Placement:
    return boards()[request.param]()


@pytest.fixture(scope="module")
def routes(board: Placement) -> Routes:
    return route(board)


def reach(track: Track) -> float:
    return track.width / 2


def apart(a: Track, b: Track) -> float:
    """Return the gap between two straight tracks with round ends, in any direction."""
    if _cross(a, b):
        return -min(a.width, b.width)
    ends = [a.gap(*b.start), a.gap(*b.end)]
    return min(min(ends) - reach(b), min(b.gap(*a.start), b.gap(*a.end)) - reach(a))


def _cross(a: Track, b: Track) -> bool:
    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    one = side(a.start, a.end, b.start) * side(a.start, a.end, b.end)
    other = side(b.start, b.end, a.start) * side(b.start, b.end, a.end)
    return one < 0 and other < 0


def neighbours(tracks: list[Track]) -> Iterator[tuple[Track, Track]]:
    """Yield pairs of tracks that share a square of 5 mm, each pair once."""
    squares: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, track in enumerate(tracks):
        (x, y), (to_x, to_y) = track.start, track.end
        for column in range(math.floor(min(x, to_x) / 5 - 0.3), math.floor(max(x, to_x) / 5 + 0.3) + 1):
            for row in range(math.floor(min(y, to_y) / 5 - 0.3), math.floor(max(y, to_y) / 5 + 0.3) + 1):
                squares[track.layer, column, row].append(number)
    seen = {(a, b) for there in squares.values() for k, a in enumerate(there) for b in there[k + 1 :]}
    yield from ((tracks[a], tracks[b]) for a, b in seen)


def all_copper(routes: Routes) -> list[Track]:
    """Return every track, and each hole as a track of no length on both layers."""
    holes = [Track(via.net, layer, (via.x, via.y), (via.x, via.y), VIA) for via in routes.vias for layer in (0, 1)]
    return [*routes.tracks, *holes]


@ROUTED
def test_no_copper_comes_too_near_to_that_of_another_net(board: Placement, routes: Routes) -> None:
    least = CLEARANCE - 1e-3  # a micrometre: tracks by hand end at rounded places
    close = [(a, b) for a, b in neighbours(all_copper(routes)) if a.net != b.net and apart(a, b) < least]
    assert not close, close[:3]
    around = [(track, *_rectangle(track)) for track in all_copper(routes)]
    for land in lands(board):
        x, y, far = land.x, land.y, max(land.width, land.height) + 1
        for track, left, low, right, high in around:
            if left - far <= x <= right + far and low - far <= y <= high + far and land.net != track.net:
                assert (track.layer and not land.drill) or _far(land, track) >= least, (land, track)


def _rectangle(track: Track) -> tuple[float, float, float, float]:
    """Return the left, low, right and high edge of the upright rectangle around it."""
    (x, y), (to_x, to_y), half = track.start, track.end, reach(track)
    return min(x, to_x) - half, min(y, to_y) - half, max(x, to_x) + half, max(y, to_y) + half


def _far(land: Land, track: Track) -> float:
    steps = max(1, round(math.dist(track.start, track.end) / 0.1))
    (x, y), (to_x, to_y) = track.start, track.end
    places = ((x + (to_x - x) * k / steps, y + (to_y - y) * k / steps) for k in range(steps + 1))
    return min(land.gap(*place) for place in places) - reach(track)


@ROUTED
def test_the_copper_joins_all_pads_of_every_net(board: Placement, routes: Routes) -> None:
    for net, ends in board.circuit.nets().items():
        tracks = [track for track in all_copper(routes) if track.net == net]
        pads = [land for land in lands(board) if land.net == net]
        groups = _joined(tracks, pads)
        assert len({groups[len(tracks) + k] for k in range(len(pads))}) == 1, net
        assert {land.ref for land in pads} == {ref for ref, _ in ends}


def _joined(tracks: list[Track], pads: list[Land]) -> list[int]:
    """Return by number which tracks and pads hang together: those that touch, and the two ends of a hole."""
    above = list(range(len(tracks) + len(pads)))

    def root(number: int) -> int:
        while above[number] != number:
            above[number] = above[above[number]]
            number = above[number]
        return number

    places: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for number, track in enumerate(tracks):
        steps = max(1, round(math.dist(track.start, track.end) / (GRID / 4)))
        (x, y), (to_x, to_y) = track.start, track.end
        for k in range(steps + 1):
            at = x + (to_x - x) * k / steps, y + (to_y - y) * k / steps
            places[track.layer, round(at[0] / FINE), round(at[1] / FINE)].append(number)
            for pad, land in enumerate(pads, len(tracks)):
                if (land.drill or not track.layer) and land.gap(*at) <= 0:
                    above[root(number)] = root(pad)
        if track.start == track.end:  # a hole: it is listed once a layer
            places[2, round(x / FINE), round(y / FINE)].append(number)
    for there in places.values():
        for one, other in pairwise(there):
            above[root(one)] = root(other)
    return [root(number) for number in range(len(above))]


@ROUTED
def test_the_finest_track_is_what_the_project_says(board: Placement, routes: Routes) -> None:
    finest = min(track.width for track in routes.tracks)
    name = board.circuit.name
    assert finest == FINEST[name]
    assert f'"min_track_width": {finest}' in project(name, min(track.width for track in board.tracks))
