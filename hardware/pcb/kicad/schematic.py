"""The schematic for KiCad's electrical check: every part with the name of its net at every pin.

Nets are joined by name alone, so the sheet reads as a list; the drawing for people is that of `hardware.pcb.drawn`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from hardware.pcb.kicad.sexpr import PROGRAM, VERSION, effects, identifier, identity, node, quoted
from hardware.pcb.kicad.symbols import BODY, FLAG, LIBRARY, STEP, drawn_pins, pin_place, symbol, symbol_name
from hardware.pcb.netlist import Circuit, Device, Part

MARGIN = 25.4
COLUMN = 2 * BODY + 10 * STEP
PAPERS = {"A4": (297, 210), "A3": (420, 297), "A2": (594, 420), "A1": (841, 594), "A0": (1189, 841)}


def devices(circuit: Circuit) -> tuple[Device, ...]:
    """Return every device of a circuit once, and the flag of a supply."""
    return (*dict.fromkeys(each.device for each in circuit.parts), FLAG)


def symbol_path(circuit: Circuit, ref: str) -> str:
    """Return the identifier by which a board's part finds its symbol."""
    return identifier(circuit.name, "symbol", ref)


def schematic(circuit: Circuit) -> str:
    """Return the text of the schematic file."""
    flags = [Part(f"#FLG0{k}", FLAG, "Supply", {"1": net}) for k, net in enumerate(circuit.supplies, 1)]
    parts = [*circuit.parts, *flags]
    paper, places = _places(parts)
    body = [text for each, place in zip(parts, places, strict=True) for text in _placed(circuit, each, place)]
    return (
        node(
            "kicad_sch",
            node("version", "20250114"),
            node("generator", quoted(PROGRAM)),
            node("generator_version", quoted(VERSION)),
            identity(circuit.name, "sheet"),
            node("paper", quoted(paper)),
            node("title_block", node("title", quoted(circuit.title))),
            node("lib_symbols", *(symbol(device, f"{LIBRARY}:") for device in devices(circuit))),
            *body,
            node("sheet_instances", node("path", quoted("/"), node("page", quoted("1")))),
            node("embedded_fonts", "no"),
        )
        + "\n"
    )


def _places(parts: Sequence[Part]) -> tuple[str, list[tuple[float, float]]]:
    """Return the smallest paper that takes the parts, in columns, and where each goes."""
    for name, (width, height) in PAPERS.items():
        paper, places = name, []
        x, y = MARGIN + 6 * STEP, MARGIN
        for each in parts:
            tall = (len(drawn_pins(each.device)) + 3) * STEP
            if y + tall > height - MARGIN and y > MARGIN:
                x, y = x + COLUMN, MARGIN
            places.append((x, y))
            y += tall
        if x + COLUMN < width - MARGIN:
            break
    return paper, [(_on_grid(x), _on_grid(y)) for x, y in places]


def _on_grid(value: float) -> float:
    return math.floor(value / STEP) * STEP


def _placed(circuit: Circuit, each: Part, place: tuple[float, float]) -> Iterator[str]:
    x, y = place

    def own(part: str) -> str:
        return identity(circuit.name, each.ref, part)

    pins = drawn_pins(each.device)
    path = node(
        "path", quoted(f"/{identifier(circuit.name, 'sheet')}"), node("reference", quoted(each.ref)), node("unit", 1)
    )
    on_board = "no" if each.device is FLAG else "yes"
    yield node(
        "symbol",
        node("lib_id", quoted(f"{LIBRARY}:{symbol_name(each.device)}")),
        node("at", x, y, 0),
        node("unit", 1),
        node("exclude_from_sim", "no"),
        node("in_bom", on_board),
        node("on_board", on_board),
        node("dnp", "no"),
        node("uuid", quoted(symbol_path(circuit, each.ref))),
        *_fields(each, x, y),
        *(node("pin", quoted(number), own(f"pin {number}")) for number, _, _ in pins),
        node("instances", node("project", quoted(circuit.name), path)),
    )
    for k, (number, _, _) in enumerate(pins):
        dx, dy = pin_place(k)
        net = each.nets.get(number)
        if net is None:
            yield node("no_connect", node("at", x + dx, y + dy), own(f"open {number}"))
        else:
            yield node(
                "global_label",
                quoted(net),
                node("shape", "passive"),
                node("at", x + dx, y + dy, 180),
                effects(1.0, node("justify", "right")),
                own(f"label {number}"),
            )


def _fields(each: Part, x: float, y: float) -> Iterator[str]:
    footprint = f"{LIBRARY}:{each.device.footprint}" if each.device.footprint else ""
    values = {"Reference": each.ref, "Value": each.value, "Footprint": footprint, "Datasheet": "", "Description": ""}
    for k, (name, value) in enumerate(values.items()):
        hidden = () if name in ("Reference", "Value") else (node("hide", "yes"),)
        spot = node("at", x + k * 3 * STEP, y - STEP, 0)
        justify = node("justify", "left")
        yield node("property", quoted(name), quoted(value), spot, effects(1.0, justify, *hidden))
