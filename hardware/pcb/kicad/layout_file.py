"""The board file for KiCad: parts, tracks, pours and printing.

The pours are drawn here and filled by KiCad.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from controller.rules.mesh import sides_of
from hardware.pcb.footprints import SCREW, footprints
from hardware.pcb.kicad.back_print import back_texts
from hardware.pcb.kicad.schematic import symbol_path
from hardware.pcb.kicad.sexpr import PROGRAM, VERSION, effects, identity, node, quoted
from hardware.pcb.kicad.symbols import LIBRARY, drawing, kind_of, label, pad
from hardware.pcb.netlist import Part
from hardware.pcb.placement import Placement, Point, Spot, Text, corner, turned
from hardware.pcb.route import VIA, VIA_DRILL, Routes
from hardware.pcb.shapes import Footprint, Pad
from hardware.pcb.surface import FIDUCIAL

ORIGIN = 40.64  # where the board's corner lies on the sheet; on the grid of the tracks
LAYERS = (
    (0, "F.Cu", "signal"),
    (2, "B.Cu", "signal"),
    (9, "F.Adhes", "user"),
    (11, "B.Adhes", "user"),
    (13, "F.Paste", "user"),
    (15, "B.Paste", "user"),
    (5, "F.SilkS", "user"),
    (7, "B.SilkS", "user"),
    (1, "F.Mask", "user"),
    (3, "B.Mask", "user"),
    (17, "Dwgs.User", "user"),
    (19, "Cmts.User", "user"),
    (25, "Edge.Cuts", "user"),
    (27, "Margin", "user"),
    (31, "F.CrtYd", "user"),
    (29, "B.CrtYd", "user"),
    (35, "F.Fab", "user"),
    (33, "B.Fab", "user"),
)
COPPER = ("F.Cu", "B.Cu")
SAW_GAP = 1.5  # from a line where the board is sawn to a pour: a burr must not join 5 V to ground
SAW_BRIDGE = 5.0  # at the upper edge of the front's pour and the lower one of the back's: for the lights' current


def layout(board: Placement, routes: Routes) -> str:
    """Return the text of the board file."""
    nets = {net: k for k, net in enumerate(_nets(board), 1)}
    edge = outline(board.circuit.name, board.edge)
    return board_file(board.circuit.title, corner(board), nets, (*contents(board, routes, nets), *edge))


def contents(board: Placement, routes: Routes, nets: dict[str, int], *, printed: bool = True) -> Iterator[str]:
    """Yield all of a board but its edge; ``nets`` has the number of each net in the file.

    References are ``printed`` where there is room for them.
    """
    name, known = board.circuit.name, footprints()
    for each in board.circuit.parts:
        shape = known[each.device.footprint]
        yield _part(board, each, shape if printed else msgspec.structs.replace(shape, label=None), nets)
    for k, (x, y) in enumerate(board.screws, 1):
        yield bare(name, f"M{k}", "M2.5", Spot(x, y), known[SCREW])
    for k, (x, y) in enumerate(board.marks, 1):
        yield bare(name, f"FID{k}", "Fiducial", Spot(x, y), FIDUCIAL)
    yield from _texts(board)
    yield from _back(board)
    yield from _tracks(name, routes, nets)
    yield from _pours(board, nets)
    yield from _saws(board)


def board_file(title: str, origin: tuple[float, float], nets: dict[str, int], inside: Iterable[str]) -> str:
    """Return a board file with what is ``inside`` it; drills and places are counted from ``origin``."""
    return (
        node(
            "kicad_pcb",
            node("version", "20241229"),
            node("generator", quoted(PROGRAM)),
            node("generator_version", quoted(VERSION)),
            node("general", node("thickness", 1.6)),
            node("paper", quoted("A2")),
            node("title_block", node("title", quoted(title))),
            node("layers", *(node(str(k), quoted(layer), kind) for k, layer, kind in LAYERS)),
            node("setup", node("pad_to_mask_clearance", 0), node("aux_axis_origin", *_at(origin))),
            node("net", 0, quoted("")),
            *(node("net", k, quoted(net)) for net, k in nets.items()),
            *inside,
            node("embedded_fonts", "no"),
        )
        + "\n"
    )


def open_net(each: Part, number: str) -> str:
    """Return the name that KiCad gives to a pin that is joined to nothing."""
    pin = next(pin for pin in each.device.pins if pin.number == number)
    name = "" if pin.name == pin.number else f"{pin.name}-"
    return f"unconnected-({each.ref}-{name}Pad{number})"


def _nets(board: Placement) -> Iterator[str]:
    yield from board.circuit.nets()
    for each in board.circuit.parts:
        for pin in each.device.pins:
            if pin.number not in each.nets:
                yield open_net(each, pin.number)


def _part(board: Placement, each: Part, shape: Footprint, nets: dict[str, int]) -> str:
    circuit = board.circuit
    spot = board.spots[each.ref]

    def own(part: str) -> str:
        return identity(circuit.name, "footprint", each.ref, part)

    def joined(number: int, land: Pad) -> tuple[str, ...]:
        if not land.number:
            return (own(f"hole {number}"),)
        twins = sum(other.number == land.number for other in shape.pads[:number])
        net = each.nets.get(land.number) or open_net(each, land.number)
        return node("net", nets[net], quoted(net)), own(f"pad {land.number}" + (f" {twins}" if twins else ""))

    path = (
        node("path", quoted(f"/{symbol_path(circuit, each.ref)}")),
        node("sheetname", quoted("/")),
        node("sheetfile", quoted(f"{circuit.name}.kicad_sch")),
    )
    pads = [pad(land, spot.turn, joined(k, land)) for k, land in enumerate(shape.pads)]
    return _footprint(shape, spot, (each.ref, each.value), own, pads, path)


def bare(board: str, ref: str, value: str, spot: Spot, shape: Footprint) -> str:
    """Return what is no part: holes or a mark."""

    def own(part: str) -> str:
        return identity(board, "bare", ref, part)

    pads = [pad(each, spot.turn, (own(f"pad {k}"),)) for k, each in enumerate(shape.pads)]
    return _footprint(shape, spot, (ref, value), own, pads)


def _footprint(
    shape: Footprint,
    spot: Spot,
    words: tuple[str, str],
    own: Callable[[str], str],
    pads: Iterable[str],
    path: Iterable[str] = (),
) -> str:
    """Return a footprint on the board; ``words`` are its reference and value, ``path`` leads to its symbol."""
    (ref, value), (x, y) = words, shape.label or (0.0, 0.0)
    place = (x, y, _upright(spot.turn))
    return node(
        "footprint",
        quoted(f"{LIBRARY}:{shape.name}"),
        node("layer", quoted("F.Cu")),
        own("footprint"),
        node("at", ORIGIN + spot.x, ORIGIN + spot.y, spot.turn),
        label(shape, "Reference", ref, place, own("Reference")),
        label(shape, "Value", value, place, own("Value")),
        *path,
        kind_of(shape),
        *drawing(shape, own),
        *pads,
        node("embedded_fonts", "no"),
    )


def _upright(turn: int) -> int:
    """Return the angle at which a text on a turned part is read from below or from the right."""
    return turn % 180


def outline(name: str, points: Sequence[Point]) -> Iterator[str]:
    """Yield the lines of a closed shape that is milled."""
    for k, (start, end) in enumerate(sides_of(points)):
        yield node(
            "gr_line",
            node("start", *_at(start)),
            node("end", *_at(end)),
            node("stroke", node("width", 0.1), node("type", "solid")),
            node("layer", quoted("Edge.Cuts")),
            identity(name, "edge", str(k)),
        )


def _at(point: tuple[float, float]) -> tuple[float, float]:
    return ORIGIN + point[0], ORIGIN + point[1]


def _texts(board: Placement) -> Iterator[str]:
    yield from _printed(board, (*board.texts, *_notes(board)), "F.SilkS", "text")


def _back(board: Placement) -> Iterator[str]:
    yield from _printed(board, back_texts(board), "B.SilkS", "back", node("justify", "mirror"))


def _printed(board: Placement, texts: Sequence[Text], layer: str, kind: str, *more: str) -> Iterator[str]:
    for k, text in enumerate(texts):
        yield node(
            "gr_text",
            quoted(text.text),
            node("at", *_at((text.x, text.y)), text.turn),
            node("layer", quoted(layer)),
            identity(board.circuit.name, kind, str(k)),
            effects(text.size, *more),
        )


def _notes(board: Placement) -> Iterator[Text]:
    """Yield what each plug is for, printed on the side of it that its reference is not on."""
    known = footprints()
    for each in board.circuit.parts:
        if each.note:
            spot, body = board.spots[each.ref], known[each.device.footprint].body
            x, y = turned((body[0] + body[2]) / 2, body[3] + 0.9, spot.turn)
            yield Text(each.note, spot.x + x, spot.y + y, 0.8, _upright(spot.turn))


def _tracks(name: str, routes: Routes, nets: dict[str, int]) -> Iterator[str]:
    for k, track in enumerate(routes.tracks):
        yield node(
            "segment",
            node("start", *_at(track.start)),
            node("end", *_at(track.end)),
            node("width", track.width),
            node("layer", quoted(COPPER[track.layer])),
            node("net", nets[track.net]),
            identity(name, "track", str(k)),
        )
    for k, via in enumerate(routes.vias):
        yield node(
            "via",
            node("at", *_at((via.x, via.y))),
            node("size", VIA),
            node("drill", VIA_DRILL),
            node("layers", *map(quoted, COPPER)),
            node("net", nets[via.net]),
            identity(name, "via", str(k)),
        )


def _pours(board: Placement, nets: dict[str, int]) -> Iterator[str]:
    corners = node("pts", *(node("xy", *_at(point)) for point in board.edge))
    for layer, net in zip(COPPER, board.pours, strict=True):
        yield node(
            "zone",
            node("net", nets[net]),
            node("net_name", quoted(net)),
            node("layer", quoted(layer)),
            identity(board.circuit.name, "pour", layer),
            node("hatch", "edge", 0.5),
            node("connect_pads", node("clearance", 0.3)),
            node("min_thickness", 0.25),
            node("fill", "yes", node("thermal_gap", 0.4), node("thermal_bridge_width", 0.5)),
            node("polygon", corners),
        )


def _saws(board: Placement) -> Iterator[str]:
    """Yield what keeps the pours off the saw lines but for a bridge each, at opposite edges of the board."""
    top, bottom = min(y for _, y in board.edge), max(y for _, y in board.edge)
    heights = {COPPER[0]: (top + SAW_BRIDGE, bottom), COPPER[1]: (top, bottom - SAW_BRIDGE)}
    for k, x in enumerate(board.saws):
        for layer, (high, low) in heights.items():
            corners = [(x + side * SAW_GAP, y) for side, y in ((-1, high), (1, high), (1, low), (-1, low))]
            allowed = (node(what, "allowed") for what in ("tracks", "vias", "pads"))
            yield node(
                "zone",
                node("net", 0),
                node("net_name", quoted("")),
                node("layer", quoted(layer)),
                identity(board.circuit.name, "saw", str(k), layer),
                node("hatch", "edge", 0.5),
                node("connect_pads", node("clearance", 0)),
                node("min_thickness", 0.25),
                node("keepout", *allowed, node("copperpour", "not_allowed"), node("footprints", "allowed")),
                node("fill", node("thermal_gap", 0.4), node("thermal_bridge_width", 0.5)),
                node("polygon", node("pts", *(node("xy", *_at(corner)) for corner in corners))),
            )
