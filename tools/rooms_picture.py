"""Draw the rooms of the program, floor by floor, with the way of one event: ``python -m tools.rooms_picture``.

What stands on a floor knows only what lies below it. Rooms and what they import are read from the sources, the way of
the event from the numbered steps of docs/architecture.md, whose names `tests/test_architecture.py` holds to the code.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from html import escape
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "pictures" / "rooms.svg"
WIDE, HIGH, GAP, SIDE = 960, 40, 14, 20
MOST_LETTERS = 36
STEP = re.compile(r"^(\d+)\. \*\*(\w+)\.\*\*(.*?)(?=^\d+\. \*\*|^## )", re.DOTALL | re.MULTILINE)
FIRMWARE, BROWSER = "firmware", "web_panel"
# What a room is about: its colour, and which rooms are of that.
GROUPS = {
    "the game": ("#dcead7", ("rules", "table", "engine")),
    "the wires": ("#f6e3c5", ("devices", "tracker", "diagnostics", "hardware", "firmware")),
    "the service": ("#d9e4f2", ("service", "journal", "app", "benchmarks")),
    "people": ("#f1dbe4", ("web_panel", "panel", "house", "afar", "notices")),
}
PLAIN = "#eceae6"


def room_of(path: str) -> str:
    """Return the room in which a file lies; one that lies in none is a room by itself."""
    parts = path.removesuffix(".py").split("/")
    return parts[0] if parts[0] in ("web_panel", "hardware", "firmware") else "/".join(parts[:2])


@cache
def rooms() -> dict[str, set[str]]:
    """Return what each room imports of the others."""
    found: dict[str, set[str]] = {}
    for top in ("controller", "web_panel", "hardware"):
        for path in sorted((ROOT / top).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            if file.split("/")[1] in ("__init__.py", "__main__.py") and top == "controller":
                continue
            here = found.setdefault(room_of(file), set())
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                here |= {room_of(name.replace(".", "/")) for name in _names(node)} - {room_of(file), "controller"}
    return {room: others & found.keys() for room, others in found.items()}


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    else:
        return []
    return [name for name in names if name.split(".")[0] in ("controller", "web_panel", "hardware")]


def floors() -> list[list[str]]:
    """Return the rooms by floor, the lowest first. Raises `ValueError` where rooms stand upon each other."""
    left, built = {room: set(others) for room, others in rooms().items()}, list[list[str]]()
    done: set[str] = set()
    while left:
        ready = sorted(room for room, others in left.items() if others <= done)
        if not ready:
            raise ValueError(f"these rooms stand upon each other: {', '.join(sorted(left))}")
        built.append(ready)
        done |= set(ready)
        for room in ready:
            del left[room]
    return built


def steps() -> list[tuple[int, str, str]]:
    """Return the steps of one event: number, name, and the room that has it last."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    found = []
    for number, name, said in STEP.findall(text):
        files = re.findall(r"In `([\w/]+\.\w+)`|in `([\w/]+\.\w+)`", said)
        found.append((int(number), name.lower(), room_of("".join(files[-1]))))
    return found


def picture() -> str:
    """Return the drawing."""
    rows = [[FIRMWARE], *floors()]
    height = SIDE * 2 + (len(rows) - 1) * (HIGH + GAP) + HIGH + 24
    parts, corner = [], dict[str, tuple[float, float]]()
    for floor, row in enumerate(rows):
        y = height - SIDE - HIGH - floor * (HIGH + GAP) - 24
        widths = [max(62.0, 14 + 7 * len(_short(room)), 12 + 5.3 * len(captions().get(room, ""))) for room in row]
        x = (WIDE - sum(widths) - (len(row) - 1) * GAP) / 2
        for room, wide in zip(row, widths, strict=True):
            parts.append(_box(room, x, y, wide))
            corner[room] = x, y
            x += wide + GAP
    parts += _way(corner)
    legend = "".join(
        f'<rect x="{SIDE + n * 150}" y="{height - 26}" width="14" height="14" rx="3" fill="{colour}"/>'
        f'<text x="{SIDE + 20 + n * 150}" y="{height - 15}">{name}</text>'
        for n, (name, (colour, _)) in enumerate(GROUPS.items())
    )
    font = 'font-family="sans-serif" font-size="11.5"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" {font}>'
        f"<title>The rooms: each knows only what lies below it</title>"
        f'<rect width="{WIDE}" height="{height}" fill="#fff"/>{"".join(parts)}{legend}</svg>\n'
    )


def _short(room: str) -> str:
    return room.removeprefix("controller/")


@cache
def captions() -> dict[str, str]:
    """Return what each room owns, in the first words that docs/architecture.md has for it; of the large rooms alone."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    owned = re.findall(r"^\| `([\w/]+)/` \| ([^;:|]+)", text, re.MULTILINE)
    return {room: _cut(words.strip()) for room, words in owned if _colour(room) != PLAIN}


def _cut(words: str) -> str:
    """Return as many of the parts between commas as are read at a glance."""
    while len(words) > MOST_LETTERS and "," in words:
        words = words.rpartition(",")[0]
    return words


def _colour(room: str) -> str:
    return next((colour for colour, those in GROUPS.values() if _short(room) in those), PLAIN)


def _box(room: str, x: float, y: float, wide: float) -> str:
    colour, caption = _colour(room), captions().get(room, "")
    high = HIGH if colour != PLAIN else HIGH - 16
    name_y = y + (16 if caption else high / 2 + 4)
    bold = ' font-weight="bold"' if colour != PLAIN else ""
    middle = f'x="{x + wide / 2:.1f}" text-anchor="middle"'
    return (
        f'<rect x="{x:.1f}" y="{y + HIGH - high}" width="{wide:.1f}" height="{high}" rx="6" fill="{colour}" '
        f'stroke="#8a857d" stroke-width="0.7"/>'
        f'<text {middle} y="{name_y + HIGH - high:.1f}"{bold}>{escape(_short(room))}</text>'
        f'<text {middle} y="{y + 31}" font-size="10" fill="#444">{escape(caption)}</text>'
    )


def _way(corner: dict[str, tuple[float, float]]) -> list[str]:
    """Return the numbers of the steps on their rooms, several side by side."""
    parts, used, points = [], dict[str, int](), []
    for number, name, room in steps():
        x, y = corner[room]
        n = used[room] = used.get(room, -1) + 1
        x += 22 * n + 2
        points.append((x, y))
        parts.append(
            f'<g><title>{number}. {name}</title><circle cx="{x:.1f}" cy="{y}" r="10" fill="#b3261e"/>'
            f'<text x="{x:.1f}" y="{y + 4}" text-anchor="middle" fill="#fff" font-weight="bold">{number}</text></g>'
        )
    turns = " ".join(f"S{(a + c) / 2:.0f} {d:.0f} {c:.0f} {d:.0f}" for (a, _), (c, d) in pairwise(points))
    look = 'fill="none" stroke="#b3261e" stroke-opacity=".35" stroke-width="3"'
    line = f'<path d="M{points[0][0]:.0f} {points[0][1]} {turns}" {look}/>'
    return [line, *parts]


def main() -> None:
    """Write the picture of the docs."""
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
