"""The drawings of pieces: for each kind of a game one silhouette, and for each seat the outline of its pieces.

Owns the file ``pieces.toml`` in a game's folder, what a drawing may be, and how it becomes polygons for print. Lengths
are hundredths of a piece's radius, y downwards, about its middle: a drawing stays within `REACH` of it.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import msgspec

from controller.rules.mesh import Point
from controller.rules.places import LOOKS
from controller.rules.registry import NoSuchGame, files_of, game_named
from controller.typed import ready

FILE = "pieces.toml"
REACH = 72.0
SEATS = 6  # with an outline each
RIM = 0.87  # of its outline: the line on a piece that repeats it
MOST_LETTERS = 4000  # of one drawing: a phone loads all of a game

_STEP = math.radians(12)  # of an arc, where it becomes a polygon
_PARTS = 8  # lines for a curve
_TAKES = {"M": 2, "L": 2, "C": 6, "Q": 4, "A": 7, "Z": 0}
_WORD = re.compile(r"[A-Za-z]|-?(?:\d+\.?\d*|\.\d+)|[^\s,]")


class BadDrawing(ValueError):
    """A drawing that cannot be used; one sentence for whoever made it."""


class _DrawingKeys(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    drawings: dict[str, str]


Polygon = tuple[Point, ...]


@cache
def drawings_of(name: str) -> Mapping[str, str]:
    """Return the drawing of each kind of the game ``name`` as path of SVG, to be filled by the even-odd rule.

    A game that brings none, and one that is not known here, has none. Raises `BadDrawing`.
    """
    try:
        file = files_of(name) / FILE
    except NoSuchGame:
        return {}
    return read(file.read_text(encoding="utf-8")) if file.is_file() else {}


def read(text: str) -> dict[str, str]:
    """Return the drawings in a file, by kind; raises `BadDrawing`."""
    try:
        found = msgspec.convert(tomllib.loads(text), ready(_DrawingKeys)).drawings
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as wrong:
        raise BadDrawing(f"{FILE} cannot be read: {wrong}") from wrong
    for kind, path in found.items():
        try:
            _check(path)
        except BadDrawing as wrong:
            raise BadDrawing(f"{FILE}, '{kind}': {wrong}") from wrong
    return found


def _check(path: str) -> None:
    if len(path) > MOST_LETTERS:
        raise BadDrawing(f"it has {len(path)} letters, and at most {MOST_LETTERS} are loaded quickly")
    for x, y in (point for polygon in polygons(path) for point in polygon):
        if math.hypot(x, y) > REACH + 0.5:
            raise BadDrawing(f"({x:g}, {y:g}) lies farther than {REACH:g} from the middle")


# ---- paths as polygons ------------------------------------------------------------------------------------


def polygons(path: str) -> tuple[Polygon, ...]:
    """Return the closed shapes of a path, curves as short lines; raises `BadDrawing` where it is none."""
    found: list[Polygon] = []
    line: list[Point] = []
    for command, numbers in _commands(path):
        if command == "M" and line:
            raise BadDrawing("a shape is not closed with Z before the next begins")
        if command != "M" and not line:
            raise BadDrawing(f"'{command}' comes before the M that a shape begins with")
        if command == "Z":
            found.append(_shape(line))
            line = []
        else:
            line += _reached(command, line[-1] if line else (0.0, 0.0), numbers)
    if line or not found:
        raise BadDrawing("the last shape is not closed with Z")
    return tuple(found)


def _shape(line: list[Point]) -> Polygon:
    points = [point for k, point in enumerate(line) if not k or math.dist(point, line[k - 1]) > 0.05]
    if math.dist(points[0], points[-1]) <= 0.05:
        points.pop()
    if len(points) < 3:
        raise BadDrawing("a shape has fewer than three corners")
    return tuple(points)


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    words = _WORD.findall(path)
    command, at = "", 0
    while at < len(words):
        if words[at].isalpha():
            command, at = words[at], at + 1
        elif command in ("", "Z"):
            raise BadDrawing(f"'{words[at]}' belongs to no command")
        if command not in _TAKES:
            raise BadDrawing(f"'{command}' is none of the commands M, L, C, Q, A, Z")
        numbers = words[at : at + _TAKES[command]]
        if len(numbers) < _TAKES[command]:
            raise BadDrawing(f"{command} has {len(numbers)} numbers and takes {_TAKES[command]}")
        try:
            yield command, [float(number) for number in numbers]
        except ValueError:
            raise BadDrawing(f"'{' '.join(numbers)}' are not the numbers of {command}") from None
        at += _TAKES[command]
        command = "L" if command == "M" else command


def _reached(command: str, begin: Point, numbers: list[float]) -> list[Point]:
    if command == "A":
        return _arc(begin, numbers)
    knots = [begin, *zip(numbers[::2], numbers[1::2], strict=True)]
    if command in "ML":
        return [knots[-1]]
    return [_on_curve(knots, k / _PARTS) for k in range(1, _PARTS + 1)]


def _on_curve(knots: list[Point], t: float) -> Point:
    """Return the point of a Bézier curve at ``t``, 0 to 1."""
    while len(knots) > 1:
        knots = [((1 - t) * a[0] + t * b[0], (1 - t) * a[1] + t * b[1]) for a, b in pairwise(knots)]
    return round(knots[0][0], 2), round(knots[0][1], 2)


def _arc(begin: Point, numbers: list[float]) -> list[Point]:
    """Return the points of a part of a circle, as SVG has it: radius twice, 0, large or not, clockwise or not, end."""
    radius, other, turned, large, clockwise, x, y = numbers
    half = math.dist(begin, (x, y)) / 2
    if radius != other or turned or not 0 < half <= radius + 0.1:
        raise BadDrawing("an arc is a part of a circle whose radius reaches from its begin to its end")
    away = math.sqrt(max(radius**2 - half**2, 0)) * (1 if bool(large) != bool(clockwise) else -1)
    across = (x - begin[0]) / (2 * half), (y - begin[1]) / (2 * half)
    middle = (begin[0] + x) / 2 - across[1] * away, (begin[1] + y) / 2 + across[0] * away
    first, last = (math.atan2(q[1] - middle[1], q[0] - middle[0]) for q in (begin, (x, y)))
    sweep = (last - first) % math.tau if clockwise else -((first - last) % math.tau)
    parts = math.ceil(abs(sweep) / _STEP)
    angles = (first + sweep * k / parts for k in range(1, parts))
    on_way = [(middle[0] + radius * math.cos(angle), middle[1] + radius * math.sin(angle)) for angle in angles]
    return [*((round(px, 2), round(py, 2)) for px, py in on_way), (x, y)]


# ---- outlines of seats ------------------------------------------------------------------------------------


def look(name: str) -> dict[str, Any]:
    """Return all drawings of the game ``name``, for what draws pieces.

    ``seats`` and ``nobody`` are outlines, and ``rim`` is the part of an outline at which its line runs. ``kinds`` has
    the drawing of each kind that has one, ``colours`` the place of each seat's colour in `COLOURS`, ``places`` the look
    of each kind of cell that games treat apart.
    """
    seats = [outline(seat) for seat in range(SEATS)]
    kinds, colours = dict(drawings_of(name)), colours_of(name)
    places = msgspec.to_builtins(LOOKS)
    return {"seats": seats, "nobody": outline(None), "rim": RIM, "kinds": kinds, "colours": colours, "places": places}


def colours_of(name: str) -> list[int]:
    """Return the place in `COLOURS` of each seat's colour in the game ``name``; of one that is not known, in order."""
    try:
        facts = game_named(name).facts
    except NoSuchGame:
        return list(range(SEATS))
    return [facts.colour(seat) for seat in range(len(facts.seats))]


def outline(seat: int | None) -> str:
    """Return the outline of the pieces of ``seat`` (0-based; None: nobody's) as path of SVG; six seats have six."""
    shapes = (_round, _notched, _lobed, _toothed, _four_sided, _six_sided)
    return _round() if seat is None else shapes[seat % len(shapes)]()


def _round() -> str:
    return "M-100 0A100 100 0 1 1 100 0A100 100 0 1 1 -100 0Z"


def _notched(number: int = 4, depth: float = 24, half: float = 11) -> str:
    """A circle with notches, as a coin of a locker."""
    found = []
    for k in range(number):
        middle = 360 / number * k
        found.append(f"{_at(100, middle - half)}L{_at(100 - depth, middle)}L{_at(100, middle + half)}A100 100 0 0 1 ")
    return f"M{''.join(found)}{_at(100, -half)}Z"


def _lobed(number: int = 6, low: float = 84) -> str:
    """A flower: lobes that meet in corners."""
    half = math.radians(180 / number)
    chord = 2 * low * math.sin(half)
    high = 100 - low * math.cos(half)
    radius = (chord**2 / 4 + high**2) / (2 * high)
    arcs = "".join(f"A{radius:.4g} {radius:.4g} 0 0 1 {_at(low, 360 / number * (k + 0.5))}" for k in range(number))
    return f"M{_at(low, -180 / number)}{arcs}Z"


def _toothed(number: int = 16, low: float = 85) -> str:
    """A saw: straight teeth."""
    corners = (f"L{_at(100 if k % 2 else low, 180 / number * k)}" for k in range(1, 2 * number))
    return f"M{_at(low, 0)}{''.join(corners)}Z"


def _four_sided(half: float = 79, radius: float = 30) -> str:
    """A square with round corners."""
    inner, arc = half - radius, f"A{radius} {radius} 0 0 1 "
    return (
        f"M{-inner} {-half}L{inner} {-half}{arc}{half} {-inner}L{half} {inner}{arc}{inner} {half}"
        f"L{-inner} {half}{arc}{-half} {inner}L{-half} {-inner}{arc}{-inner} {-half}Z"
    )


def _six_sided() -> str:
    return "M" + "L".join(_at(100, 60 * k) for k in range(6)) + "Z"


def _at(radius: float, degrees: float) -> str:
    angle = math.radians(degrees)
    return f"{round(radius * math.sin(angle), 1) + 0:g} {round(-radius * math.cos(angle), 1) + 0:g}"
