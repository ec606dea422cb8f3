"""Draws the tracker and what it was found to read, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

from hardware.spice.tracker import Margin

INK, PALE, WIRE, ALARM = "#222", "#ddd", "#2b6cb0", "#b7410e"
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13" '
    f'fill="{INK}" stroke="none" style="background:#fff">'
)


def words(x: float, y: float, said: str, anchor: str = "start", colour: str = INK) -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{colour}">{said}</text>'


def polyline(points: Sequence[tuple[float, float]], colour: str = WIRE, width: float = 1.4, dash: str = "") -> str:
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width:g}"{dashed}/>'


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" fill="#fff" stroke="{INK}"/>'


def _xor(x: float, y: float) -> str:
    body = f"M{x} {y - 14} q14 14 0 28 q26 0 40 -14 q-14 -14 -40 -14"
    back = f"M{x - 5} {y - 14} q14 14 0 28"
    return f'<path d="{body}" fill="#fff" stroke="{INK}"/><path d="{back}" fill="none" stroke="{INK}"/>'


def circuit(nodes: int, axis: int, facing: Sequence[int]) -> str:
    """Return the circuit of one axis: two listeners, a gate for each pair of facing nodes, resistors, the ADC's pin."""
    step, top = 46, 150
    height = top + step * nodes + 20
    parts = [HEAD.format(width=860, height=height)]
    for y, name in ((30, "DATA  (Q7 of the chain, D12)"), (50, "CLOCK  (SCK, D13)")):
        parts += [polyline([(20, y), (430, y)]), words(440, y + 4, name)]
    for tile, x, pin in (("A", 40, "D8"), ("B", 250, "D9")):
        parts += [_box(x, 90, 90, height - 120), words(x + 45, 112, "74HC595", "middle")]
        parts += [words(x + 45, 128, f"tile {tile}", "middle"), polyline([(x + 20, 30), (x + 20, 90)])]
        parts += [polyline([(x + 45, 50), (x + 45, 90)]), polyline([(x + 70, 74), (x + 70, 90)])]
        parts.append(words(x + 74, 80, f"latch {tile} ({pin})"))
    end = 700
    for node in range(nodes):
        y = top + step * node + 14
        parts += [words(124, y - 3, f"Q{7 - node}", "end"), words(136, y - 12, f"{node}")]
        parts += [words(334, y + 17, f"Q{7 - facing[node]}", "end"), words(346, y + 8, f"{facing[node]}")]
        # A's wire runs behind the register of B.
        parts += [polyline([(130, y - 7), (248, y - 7)]), polyline([(248, y - 7), (342, y - 7)], PALE)]
        parts.append(polyline([(342, y - 7), (480, y - 7)]))
        parts.append(polyline([(340, y + 13), (440, y + 13), (440, y + 7), (480, y + 7)]))
        parts += [_xor(478, y), polyline([(518, y), (570, y)]), _box(570, y - 7, 60, 14)]
        parts.append(polyline([(630, y), (end, y)]))
        parts.append(words(600, y - 11, "10 k 1 %", "middle"))
    first, last = top + 14, top + step * (nodes - 1) + 14
    middle = (first + last) / 2
    parts += [polyline([(end, first), (end, last)]), polyline([(end, middle), (760, middle)])]
    parts += [words(768, middle - 6, f"A{axis}"), words(768, middle + 12, f"Vcc · H / {nodes}")]
    parts.append(words(480, 112, f"axis {axis}: node j of A faces node ({2 * axis + nodes // 2} − j) mod {nodes} of B"))
    return "\n".join([*parts, "</svg>", ""])


def margins(found: Margin, tolerance: float, between: float, border: float) -> str:
    """Return a plot of how far readings lie off their levels: a dot for each count read, larger the more often.

    ``tolerance`` and ``between`` are the service's borders; ``border`` is half a gap, where another level begins.
    """
    width, height, left, middle, scale = 720, 420, 90, 205, 2.0
    parts = [HEAD.format(width=width, height=height)]
    borders = ((border, "another level", ALARM), (between, "between two", ALARM), (tolerance, "a part is off", INK))
    for at, name, colour in borders:
        for sign in (1, -1):
            y = middle - sign * at * scale
            parts.append(polyline([(left - 20, y), (width - 150, y)], colour, 1, "5 4"))
        parts.append(words(width - 145, middle - at * scale + 4, f"{name} ±{at:.0f}", colour=colour))
    parts += [polyline([(left - 20, middle), (width - 150, middle)], INK, 1), words(left - 28, middle + 4, "0", "end")]
    for high, row in enumerate(found.off):
        x = left + 20 + high * 65
        for off in sorted({round(each) for each in row}):
            share = sum(round(each) == off for each in row) / len(row)
            radius = 1 + 9 * share**0.5
            dot = f'cx="{x}" cy="{middle - off * scale:g}" r="{radius:.1f}" fill="{WIRE}" fill-opacity="0.55"'
            parts.append(f"<circle {dot}/>")
        parts.append(words(x, height - 12, f"H = {high}", "middle"))
    parts.append(words(20, 20, f"Counts off the level, {found.boards} random boards"))
    return "\n".join([*parts, "</svg>", ""])
