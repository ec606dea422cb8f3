"""Drawings of pieces: each kind of each game has one, within its place, unlike the others of its game; and outlines."""

from __future__ import annotations

import math
from collections.abc import Iterable

import pytest

from controller.rules.drawings import (
    MOST_LETTERS,
    REACH,
    RIM,
    SEATS,
    BadDrawing,
    Polygon,
    drawings_of,
    look,
    outline,
    polygons,
    read,
)
from controller.rules.game import AnyGame
from controller.rules.registry import all_games

FINEST = 3.0  # hundredths of a radius: what is thinner is not seen at 28 pixels, nor printed
SQUARE = "M-10 -10L10 -10L10 10L-10 10Z"


@pytest.fixture(params=all_games())
def game(request: pytest.FixtureRequest) -> AnyGame:
    return all_games()[request.param]


def area(polygon: tuple[tuple[float, float], ...]) -> float:
    corners = zip(polygon, (*polygon[1:], polygon[0]), strict=True)
    return abs(sum(x * v - u * y for (x, y), (u, v) in corners)) / 2


def inside(shapes: Iterable[Polygon], x: float, y: float) -> bool:
    """Whether the point is filled, by the even-odd rule."""
    crossed = 0
    for polygon in shapes:
        for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
            crossed += (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax
    return crossed % 2 == 1


def picture(path: str) -> set[tuple[int, int]]:
    shapes = polygons(path)
    return {(x, y) for x in range(-72, 73, 6) for y in range(-72, 73, 6) if inside(shapes, x + 0.3, y + 0.4)}


def test_every_kind_of_every_game_has_a_drawing_and_says_how_it_moves(game: AnyGame) -> None:
    drawn = drawings_of(game.facts.name)
    assert set(drawn) == set(game.facts.kinds) == set(game.facts.moves)
    for path in drawn.values():
        points = [point for polygon in polygons(path) for point in polygon]
        reach = max(math.hypot(x, y) for x, y in points)
        assert 0.8 * REACH <= reach <= REACH, "it fills its place"
        assert all(area(polygon) > FINEST**2 for polygon in polygons(path))
    assert all(moves.endswith(".") and len(moves) <= 140 for moves in game.facts.moves.values())


@pytest.mark.slow
def test_no_two_drawings_of_a_game_look_alike(game: AnyGame) -> None:
    """At least a tenth of what one of them fills the other leaves free."""
    pictures = [picture(path) for path in drawings_of(game.facts.name).values()]
    for k, one in enumerate(pictures):
        assert len(one) > 40, "it is bold enough to be seen"
        for other in pictures[:k]:
            assert len(one ^ other) > 0.1 * len(one | other)


def test_each_seat_has_an_outline_of_its_own_round_the_drawings() -> None:
    outlines = [polygons(outline(seat)) for seat in range(SEATS)]
    assert all(len(shapes) == 1 for shapes in outlines)
    assert len({outline(seat) for seat in range(SEATS)}) == SEATS
    for (shape,) in outlines:
        assert all(math.hypot(x, y) < 100.5 for x, y in shape)
        assert area(shape) > 0.75 * math.pi * 100**2
    for seat in range(SEATS):
        round_drawing = ((0.66 * 100 * math.cos(k), 0.66 * 100 * math.sin(k)) for k in range(60))
        assert all(inside(outlines[seat], x, y) for x, y in round_drawing)
    assert 0 < RIM < 1


def test_a_game_that_is_not_known_has_outlines_alone() -> None:
    assert drawings_of("nine-holes") == {}
    assert look("nine-holes")["kinds"] == {}
    assert len(look("nine-holes")["seats"]) == SEATS


def test_curves_and_arcs_become_lines_along_them() -> None:
    (ring,) = polygons("M-50 0A50 50 0 1 1 50 0A50 50 0 1 1 -50 0Z")
    assert area(ring) == pytest.approx(math.pi * 2500, rel=0.01)
    assert all(math.hypot(x, y) == pytest.approx(50, abs=0.1) for x, y in ring)
    (bow,) = polygons("M-50 0Q0 -60 50 0Z")
    assert min(y for _, y in bow) == pytest.approx(-30)
    (half,) = polygons("M0 -40A40 40 0 0 1 0 40Z")
    assert max(x for x, _ in half) == pytest.approx(40, abs=0.3)
    assert min(x for x, _ in half) == 0


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "not closed"),
        ("M0 0L10 0L10 10", "not closed"),
        ("M0 0L10 0L10 10M0 0Z", "not closed"),
        (SQUARE + "M0 0L10 0L10 10", "the last shape is not closed"),
        ("M0 0L10 0Z", "fewer than three corners"),
        ("L10 0L10 10Z", "comes before the M"),
        ("10 0", "belongs to no command"),
        ("m0 0l10 0l10 10z", "none of the commands"),
        ("M0 0H10V10Z", "none of the commands"),
        ("M0 0L10 0L10Z", "numbers of L"),
        ("M0 0L10 0L10 10 5", "L has 1 numbers and takes 2"),
        ("M0 0L10 0L10 #Z", "numbers of L"),
        ("M0 0A5 9 0 0 1 10 0L5 5Z", "part of a circle"),
        ("M0 0A2 2 0 0 1 10 0L5 5Z", "part of a circle"),
        ("M0 0L90 0L10 10Z", "farther than 72"),
        (SQUARE * (MOST_LETTERS // len(SQUARE) + 1), "at most"),
    ],
)
def test_what_is_no_drawing_is_refused_with_a_sentence(path: str, why: str) -> None:
    with pytest.raises(BadDrawing, match=why) as refused:
        read(f'[drawings]\nstone = "{path}"\n')
    assert str(refused.value).startswith("pieces.toml, 'stone': ")


@pytest.mark.parametrize("text", ["", "drawings = 3", "[drawings]\nstone = 3", "[drawing]", "[[["])
def test_a_file_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(BadDrawing, match=r"pieces\.toml cannot be read"):
        read(text)
