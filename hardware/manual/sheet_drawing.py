"""The sheet that lies on a board, as it is printed for a game."""

from __future__ import annotations

from controller.rules.game import AnyGame
from controller.rules.mesh import Point
from hardware.pieces import marked
from hardware.profile import Profile
from hardware.svg import circle, document, line, num, text
from hardware.tops.drawing import Top, top_of_game


def sheet(profile: Profile, game: AnyGame) -> str:
    """Return the sheet of ``game`` as SVG."""
    drawn = top_of_game(profile, marked(profile, game))
    shapes = [_tinted(drawn, tint.points, tint.colour or _grey(tint.grey)) for tint in drawn.tints]
    shapes += [line([_flip(drawn, p) for p in path.points], close=path.closed) for path in drawn.paths]
    shapes += [circle(_flip(drawn, ring.at), ring.radius) for ring in drawn.rounds]
    shapes += [text(_flip(drawn, name.at), name.words, name.size) for name in drawn.names]
    return document(drawn.width, drawn.height, shapes)


def _tinted(drawn: Top, points: tuple[Point, ...], colour: str) -> str:
    corners = " ".join(f"{num(x)},{num(y)}" for x, y in (_flip(drawn, point) for point in points))
    return f'<polygon points="{corners}" fill="{colour}"/>'


def _grey(share: float) -> str:
    return "#" + 3 * f"{round(255 * share):02x}"


def _flip(drawn: Top, point: Point) -> Point:
    return point[0], drawn.height - point[1]
