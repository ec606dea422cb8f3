"""The project's own library for KiCad: a symbol for every device, a footprint for every package."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

from hardware.pcb.kicad.sexpr import PROGRAM, VERSION, effects, identity, node, quoted
from hardware.pcb.netlist import Device, Pin
from hardware.pcb.shapes import Footprint, Pad, Point

LIBRARY = "beaconboard"
STEP = 2.54  # from pin to pin of a symbol
PIN_REACH, BODY = 2.54, 12.7  # length of a pin; width of the box of a symbol

CHAMFER = 0.65  # of a corner that is cut off

FLAG = Device("Supply", "#FLG", (), "")  # says to the electrical check that a net gets its power from outside
FLAG_PIN = ("1", "power_out")


def symbol_name(device: Device) -> str:
    """Return a device's name as KiCad allows it."""
    return device.name.replace(" ", "-")


def pin_place(index: int) -> tuple[float, float]:
    """Return where the outer end of a symbol's pin lies, from the symbol's origin, y down: below each other."""
    return -PIN_REACH, index * STEP


def drawn_pins(device: Device) -> tuple[tuple[str, str, str], ...]:
    """Return number, name and electrical kind of every pin in the order in which they are drawn."""
    if device is FLAG:
        return ((FLAG_PIN[0], "", FLAG_PIN[1]),)
    return tuple((pin.number, _name(pin), pin.kind) for pin in device.pins)


def _name(pin: Pin) -> str:
    return "" if pin.name == pin.number else pin.name


def symbol(device: Device, prefix: str = "") -> str:
    """Return the symbol; in a schematic its name begins with the library's, which is ``prefix`` there."""
    name = symbol_name(device)
    pins = drawn_pins(device)
    tiny = effects(1.0)
    low = -(len(pins) - 1) * STEP
    box = node(
        "rectangle",
        node("start", 0, STEP / 2),
        node("end", BODY, low - STEP / 2),
        node("stroke", node("width", 0.2), node("type", "default")),
        node("fill", node("type", "background")),
    )
    drawn = [
        node(
            "pin",
            kind,
            "line",
            node("at", -PIN_REACH, -k * STEP, 0),
            node("length", PIN_REACH),
            node("name", quoted(pin_name), tiny),
            node("number", quoted(pin_number), tiny),
        )
        for k, (pin_number, pin_name, kind) in enumerate(pins)
    ]
    on_board = "no" if device is FLAG else "yes"
    footprint = f"{LIBRARY}:{device.footprint}" if device.footprint else ""
    return node(
        "symbol",
        quoted(prefix + name),
        node("exclude_from_sim", "no"),
        node("in_bom", on_board),
        node("on_board", on_board),
        *_fields(device, footprint),
        node("symbol", quoted(f"{name}_0_1"), box),
        node("symbol", quoted(f"{name}_1_1"), *drawn),
        node("embedded_fonts", "no"),
    )


def _fields(device: Device, footprint: str) -> Iterable[str]:
    values = {
        "Reference": device.prefix,
        "Value": device.name,
        "Footprint": footprint,
        "Datasheet": "",
        "Description": "",
    }
    for name, value in values.items():
        hidden = () if name in ("Reference", "Value") else (node("hide", "yes"),)
        yield node("property", quoted(name), quoted(value), node("at", 0, 2 * STEP, 0), effects(1.27, *hidden))


def symbol_library(devices: Iterable[Device]) -> str:
    """Return the text of a library file with these devices."""
    head = (node("version", "20241209"), node("generator", quoted(PROGRAM)), node("generator_version", quoted(VERSION)))
    return node("kicad_symbol_lib", *head, *(symbol(device) for device in devices)) + "\n"


# ---- footprints -------------------------------------------------------------------------------------------

THROUGH, FRONT, MARK = ("*.Cu", "*.Mask"), ("F.Cu", "F.Paste", "F.Mask"), ("F.Cu", "F.Mask")
MARK_OPENING = 0.5  # around a mark for cameras there is bare board: its mask is open, and no copper comes near


def pad(each: Pad, turn: int, more: Iterable[str]) -> str:
    """Return a pad of a footprint that is turned; ``more`` has its net and identifier.

    Without a number it is a bare hole, or without a drill a mark for the cameras of a placing machine.
    """
    mark = not each.number and not each.drill
    kind = "smd" if not each.drill else "thru_hole" if each.number else "np_thru_hole"
    hole = ("oval", each.drill, each.slot) if each.slot else (each.drill,)
    drill = (node("drill", *hole),) if each.drill else ()
    turned = (turn,) if turn else ()
    return node(
        "pad",
        quoted(each.number),
        kind,
        each.shape,
        node("at", each.x, each.y, *turned),
        node("size", each.width, each.height),
        *drill,
        node("layers", *map(quoted, THROUGH if each.drill else MARK if mark else FRONT)),
        *((node("solder_mask_margin", MARK_OPENING), node("clearance", MARK_OPENING)) if mark else ()),
        *more,
    )


def drawing(shape: Footprint, own: Callable[[str], str]) -> list[str]:
    """Return a footprint's outlines: printed, for the drawing of the assembly, and the room that it takes."""
    found = [_box(shape.body, "F.Fab", 0.1, own("fab")), _box(shape.court(), "F.CrtYd", 0.05, own("court"))]
    if shape.pads[0].number and shape.boxed:
        found += _outline(shape, own) if shape.chamfer else [_box(shape.body, "F.SilkS", 0.12, own("silk"))]
    if shape.band is not None:
        found.append(_line((shape.band, shape.body[1]), (shape.band, shape.body[3]), own("band"), 0.5))
    if shape.mark:
        x, y = shape.mark
        found.append(
            node(
                "fp_circle",
                node("center", x, y),
                node("end", x + 0.25, y),
                node("stroke", node("width", 0.12), node("type", "solid")),
                node("fill", "yes"),
                node("layer", quoted("F.SilkS")),
                own("mark"),
            )
        )
    if shape.plus:
        x, y = shape.plus
        found += [_line((x - 0.7, y), (x + 0.7, y), own("across")), _line((x, y - 0.7), (x, y + 0.7), own("down"))]
    return found


def _outline(shape: Footprint, own: Callable[[str], str]) -> list[str]:
    """Return a body with one corner cut off, and that corner filled so that it is seen."""
    left, top, right, bottom = shape.body
    x, y = shape.chamfer or (right, bottom)
    beside, above = (x - CHAMFER * (1 if x == right else -1), y), (x, y - CHAMFER * (1 if y == bottom else -1))
    opposite = (left if x == right else right), (top if y == bottom else bottom)
    corners = [beside, (opposite[0], y), opposite, (x, opposite[1]), above, beside]
    sides = [_line(a, b, own(f"silk {k}"), 0.12) for k, (a, b) in enumerate(pairwise(corners))]
    corner = node(
        "fp_poly",
        node("pts", *(node("xy", *point) for point in (beside, (x, y), above))),
        node("stroke", node("width", 0.12), node("type", "solid")),
        node("fill", "yes"),
        node("layer", quoted("F.SilkS")),
        own("corner"),
    )
    return [*sides, corner]


def _line(start: Point, end: Point, own: str, width: float = 0.15) -> str:
    return node(
        "fp_line",
        node("start", *start),
        node("end", *end),
        node("stroke", node("width", width), node("type", "solid")),
        node("layer", quoted("F.SilkS")),
        own,
    )


def _box(box: tuple[float, float, float, float], layer: str, width: float, own: str) -> str:
    return node(
        "fp_rect",
        node("start", *box[:2]),
        node("end", *box[2:]),
        node("stroke", node("width", width), node("type", "solid")),
        node("fill", "no"),
        node("layer", quoted(layer)),
        own,
    )


def kind_of(shape: Footprint) -> str:
    """Return the footprint's attributes: how it is mounted."""
    if not shape.pads[0].number:
        return node("attr", "board_only", "exclude_from_pos_files", "exclude_from_bom")
    return node("attr", "through_hole" if shape.pads[0].drill else "smd")


def label(shape: Footprint, name: str, text: str, place: tuple[float, float, float], own: str) -> str:
    """Return the reference or the value of a footprint as a text on it; ``place`` ends with its angle."""
    printed = name == "Reference" and shape.label is not None
    layer = "F.SilkS" if printed else "F.Fab"
    hidden = () if printed else (node("hide", "yes"),)
    return node(
        "property",
        quoted(name),
        quoted(text),
        node("at", *place),
        node("layer", quoted(layer)),
        *hidden,
        own,
        effects(0.8),
    )


def footprint_file(shape: Footprint) -> str:
    """Return the text of a footprint's file in the library."""

    def own(part: str) -> str:
        return identity("library", shape.name, part)

    x, y = shape.label or (0.0, 0.0)
    return (
        node(
            "footprint",
            quoted(shape.name),
            node("version", "20241229"),
            node("generator", quoted(PROGRAM)),
            node("generator_version", quoted(VERSION)),
            node("layer", quoted("F.Cu")),
            label(shape, "Reference", "REF**", (x, y, 0), own("Reference")),
            label(shape, "Value", shape.name, (x, y, 0), own("Value")),
            kind_of(shape),
            *drawing(shape, own),
            *(pad(each, 0, (own(f"pad {k}"),)) for k, each in enumerate(shape.pads)),
            node("embedded_fonts", "no"),
        )
        + "\n"
    )
