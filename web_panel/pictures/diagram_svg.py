"""Drawings of positions as SVG, for pages and for pictures in a list.

All of it are attributes, since a picture in a page may bring no style of its own.
"""

from __future__ import annotations

from typing import Any, TypeVar

from flask import render_template
from markupsafe import Markup

T = TypeVar("T")
TONES = ("#8a6a4c", "#79593f", "#997a5a")
MARKS = {"from": "#ffd36b", "go": "#3b8fe0", "take": "#ff8a2a", "last": "#b8912f"}
# In the order of `controller.rules.game.COLOURS`, as in board.js.
BODIES = ("#fbf3e0", "#1d1f24", "#2b8fd4", "#e08a1e", "#8d5bc0", "#4e9a4a", "#c8372f")
INKS = ("#2d2316", "#f4f1e8", "#ffffff", "#2a1300", "#ffffff", "#ffffff", "#ffffff")
WITHIN = 0.955  # of a cell: the ground of one that the rules treat apart, beside which its edge is seen
TOKEN = 0.76  # of a cell's inner radius
NOBODY, NOBODY_INK = "#a8a8a4", "#2d2316"
WHITES_EDGE, EDGE = "#6d6350", "#f3e6c8"  # all but white pieces stand out from their cells by a light edge


def picture(diagram: dict[str, Any], named: bool = True) -> Markup:
    """Return a diagram of `web_panel.pages.rules_pages.Diagrams` as SVG; ``named`` writes the cells' names in them."""
    cells = [with_looks(cell) for cell in diagram["cells"]]
    return Markup(render_template("diagram.svg", diagram=diagram, cells=cells, named=named))  # escaped by the template


def small_picture(diagram: dict[str, Any]) -> Markup:
    """Return `picture` without names as a file of its own, half as large: each shape stands in it once.

    In a page several such drawings would have the same ids.
    """
    cells = [with_looks(cell) for cell in diagram["cells"]]
    outlines, tokens = list[str](), list[dict[str, str]]()
    for cell in cells:
        if cell["kind"] == "cell":
            around = _points([(x - cell["x"], y - cell["y"]) for x, y in cell["outline"]])
            cell["shape"] = _place_in(outlines, around)
        if cell["token"] and cell["token"]["drawing"]:
            cell["like"] = _place_in(tokens, cell["token"])
    return Markup(
        render_template("diagram.svg", diagram=diagram, cells=cells, named=False, outlines=outlines, tokens=tokens)
    )


def _place_in(known: list[T], one: T) -> int:
    """Return the place of ``one`` among those ``known``, of which it is one from now on."""
    if one not in known:
        known.append(one)
    return known.index(one)


def with_looks(cell: dict[str, Any]) -> dict[str, Any]:
    """Return ``cell`` with what its drawing needs: points, reach, fill and token."""
    corners = cell["outline"]
    within = [(cell["x"] + WITHIN * (x - cell["x"]), cell["y"] + WITHIN * (y - cell["y"])) for x, y in corners]
    middles = [((x + u) / 2, (y + v) / 2) for (x, y), (u, v) in zip(corners, corners[1:] + corners[:1], strict=True)]
    reach = min(((x - cell["x"]) ** 2 + (y - cell["y"]) ** 2) ** 0.5 for x, y in middles)
    cell_fill = _tone(cell["name"], len(corners)) if cell["kind"] == "cell" else "#4c3b2c"
    return {
        **cell,
        "points": _points(corners),
        "within": _points(within),
        "reach": reach,
        "scale": TOKEN,
        "fill": MARKS.get(cell["mark"]) or cell_fill,
        "place": _place(cell["place"], marked=cell["mark"] in MARKS) if cell["place"] else None,
        "token": token(cell) if cell["piece"] else None,
    }


def _points(corners: list[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)


def _place(place: dict[str, Any], marked: bool) -> dict[str, Any]:
    """Return the colours of a cell that the rules treat apart; what ``marked`` it covers the ground of it."""
    line = place["line"] if place["colour"] is None else BODIES[place["colour"] % len(BODIES)]
    edge = "#1b130e" if line > "#888888" else "#f3e6c8"
    return {**place, "ground": "none" if marked else place["ground"], "line": line, "edge": edge}


def _tone(name: str, corners: int) -> str:
    letters = name.rstrip("0123456789")
    x, y = ord(letters[-1]) if letters else 0, int(name.removeprefix(letters) or 0)
    return TONES[(x + 2 * y) % 3 if corners == 6 else (x + y) % 2]


def token(cell: dict[str, Any]) -> dict[str, str]:
    """Return the paths and colours of the piece of ``cell``."""
    colour = cell["colour"]
    body, ink = (NOBODY, NOBODY_INK) if colour is None else (BODIES[colour % len(BODIES)], INKS[colour % len(INKS)])
    edge = WHITES_EDGE if body == BODIES[0] else EDGE
    shapes = {"sign": cell["sign"], "outline": cell["body"], "drawing": cell["drawing"]}
    return {"body": body, "ink": ink, "edge": edge, **shapes}
