"""The few shapes that drawings are made of, as text of an SVG file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from controller.rules.mesh import Point


def document(width: float, height: float, shapes: Iterable[str]) -> str:
    """Return a file of that size, whose units are millimetres, y downwards."""
    size = f'width="{num(width)}mm" height="{num(height)}mm" viewBox="0 0 {num(width)} {num(height)}"'
    body = "\n".join(shapes)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">\n{body}\n</svg>\n'


def num(value: float) -> str:
    """Return a number with two places at most and no sign on zero."""
    return f"{round(value, 2) + 0.0:g}" if abs(value) < 1e5 else f"{value:.2f}"


def line(points: Sequence[Point], colour: str = "#222", width: float = 0.3, dash: str = "", close: bool = False) -> str:
    """Return a line through the points, or with ``close`` a shape without filling."""
    path = "M" + " L".join(f"{num(x)} {num(y)}" for x, y in points) + (" Z" if close else "")
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{num(width)}"{dashed}/>'


def circle(at: Point, radius: float, fill: str = "none", colour: str = "#222", width: float = 0.3) -> str:
    """Return a circle."""
    place = f'cx="{num(at[0])}" cy="{num(at[1])}" r="{num(radius)}"'
    return f'<circle {place} fill="{fill}" stroke="{colour}" stroke-width="{num(width)}"/>'


def box(at: Point, size: Point, fill: str = "none", colour: str = "#222", width: float = 0.3, radius: float = 0) -> str:
    """Return a rectangle with its upper left corner at ``at``."""
    place = f'x="{num(at[0])}" y="{num(at[1])}" width="{num(size[0])}" height="{num(size[1])}" rx="{num(radius)}"'
    return f'<rect {place} fill="{fill}" stroke="{colour}" stroke-width="{num(width)}"/>'


def text(
    at: Point,
    words: str,
    size: float = 3,
    anchor: str = "middle",
    colour: str = "#222",
    bold: bool = False,
    halo: bool = False,
) -> str:
    """Return words on one line; ``at`` is the middle, start or end of their foot. A halo keeps lines off them."""
    weight = ' font-weight="bold"' if bold else ""
    if halo:
        weight += f' stroke="#fff" stroke-width="{num(0.35 * size)}" stroke-linejoin="round" paint-order="stroke"'
    place = f'x="{num(at[0])}" y="{num(at[1])}" font-size="{num(size)}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>'
