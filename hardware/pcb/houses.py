"""Part and placement lists as two houses want them that make boards and solder parts on: JLCPCB and PCBWay.

JLCPCB: help pages "Bill of Materials for PCB Assembly" and "Pick & Place File for PCB Assembly"; PCBWay: its form for
bills, and "What files are requested for assembly production".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from hardware.pcb.bom import PartsLine, lines, prices, source
from hardware.pcb.footprints import footprints
from hardware.pcb.netlist import Circuit
from hardware.pcb.placement import Placement, corner, middle

MOST_REFS = 200  # on a line of JLCPCB's bill
CLOSE_MM = 0.002


class PartPlace(msgspec.Struct, frozen=True):
    """Where a part's middle lies, from the board's lower left corner, x right, y up; ``turn``: degrees to the left."""

    ref: str
    footprint: str
    value: str
    x: float
    y: float
    turn: int


def on_surface(footprint: str) -> bool:
    """Return whether a machine places that package: no pad of it has a hole."""
    return all(not pad.drill for pad in footprints()[footprint].pads)


def spots(board: Placement, prefix: str = "", at: tuple[float, float] = (0.0, 0.0)) -> tuple[PartPlace, ...]:
    """Return where every part lies that is bought; ``prefix`` and ``at`` are those of the board in a panel."""
    left, bottom = corner(board)
    found = []
    for line in lines(board.circuit):
        for ref in line.refs if line.bought else ():
            x, y = middle(board, ref)
            value = board.circuit.part(ref).value
            place = (round(x - left + at[0], 4), round(bottom - y + at[1], 4))
            found.append(PartPlace(prefix + ref, line.device.footprint, value, *place, board.spots[ref].turn))
    return tuple(found)


def jlcpcb_places(places: Iterable[PartPlace]) -> str:
    """Return JLCPCB's placement list."""
    turned = prices().turned["jlcpcb"]
    rows = (
        (p.ref, f"{p.x:.4f}mm", f"{p.y:.4f}mm", "Top", str((p.turn + turned.get(p.footprint, 0)) % 360)) for p in places
    )
    return _csv([("Designator", "Mid X", "Mid Y", "Layer", "Rotation"), *rows])


def jlcpcb_bill(circuits: Sequence[tuple[str, Circuit]]) -> str:
    """Return JLCPCB's bill for boards, each with the prefix of its references."""
    rows = [("Comment", "Designator", "Footprint", "JLCPCB Part #")]
    for line, refs in _bought(circuits):
        order = source(line, prices())
        for k in range(0, len(refs), MOST_REFS):
            rows.append((order.mpn, ",".join(refs[k : k + MOST_REFS]), line.device.footprint, order.lcsc))
    return _csv(rows)


def pcbway_places(places: Iterable[PartPlace]) -> str:
    """Return PCBWay's centroid file."""
    heads = ("Designator", "Footprint", "Mid X", "Mid Y", "Layer", "Rotation", "Comment")
    rows = ((p.ref, p.footprint, f"{p.x:.4f}", f"{p.y:.4f}", "T", str(p.turn), p.value) for p in places)
    return _csv([heads, *rows])


def pcbway_bill(circuits: Sequence[tuple[str, Circuit]]) -> str:
    """Return PCBWay's bill."""
    rows = [("Item #", "Designator", "Qty", "Manufacturer", "Mfg Part #", "Description / Value", "Package/Footprint",
             "Type", "Your Instructions / Notes")]  # fmt: skip
    for number, (line, refs) in enumerate(_bought(circuits), 1):
        order = source(line, prices())
        kind = "SMD" if on_surface(line.device.footprint) else "THT"
        what = f"{line.device.name} {line.value}".strip()
        rows.append((str(number), ",".join(refs), str(len(refs)), order.maker, order.mpn, what, line.device.footprint,
                     kind, f"or {order.second}"))  # fmt: skip
    return _csv(rows)


def _bought(circuits: Sequence[tuple[str, Circuit]]) -> Iterator[tuple[PartsLine, list[str]]]:
    """Yield each line to buy with the references of all boards; what has one number is one line.

    A house matches lines by number, and asks about one that comes twice, as for a plug and a jumper of three pins.
    """
    known, found = prices(), dict[tuple[str, str], tuple[PartsLine, list[str]]]()
    for prefix, circuit in circuits:
        for line in lines(circuit):
            if line.bought:
                number = (source(line, known).mpn, line.device.footprint)
                _, refs = found.setdefault(number, (line, []))
                refs += [prefix + ref for ref in line.refs]
    yield from found.values()


def _csv(rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


# ---- the copper -------------------------------------------------------------------------------------------


def strangers(gerber: str, places: Sequence[PartPlace]) -> list[str]:
    """Return which places of a list are not those of the pads in a gerber of the copper, in words.

    The gerber (X2) names part and pin of every pad that it flashes; the middle of a part's pads has to be its place.
    """
    pads: dict[str, list[tuple[float, float]]] = {}
    ref, scale = "", 1e-6
    if found := re.search(r"%FSLAX\d(\d)Y\d\d\*%", gerber):
        scale = 10 ** -int(found[1])
    for word in re.finditer(r"%TO\.P,([^,]+),[^*]*\*%|%TD[^*]*\*%|^X(-?\d+)Y(-?\d+)D03\*", gerber, re.MULTILINE):
        if word[2] is None:
            ref = word[1] or ""
        elif ref:
            pads.setdefault(ref, []).append((int(word[2]) * scale, int(word[3]) * scale))
    said = []
    for place in places:
        xs, ys = zip(*pads.get(place.ref, [(-1e9, -1e9)]), strict=True)
        x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
        if max(abs(x - place.x), abs(y - place.y)) > CLOSE_MM:
            said.append(f"{place.ref} is listed at {place.x:g}, {place.y:g} and lies at {x:g}, {y:g}")
    return said


def files(boards: Sequence[tuple[str, Placement]], places: Sequence[PartPlace]) -> dict[str, str]:
    """Return the lists of both houses by file name, for boards with the prefixes of their references."""
    circuits = [(prefix, board.circuit) for prefix, board in boards]
    return {
        "jlcpcb-bom.csv": jlcpcb_bill(circuits),
        "jlcpcb-cpl.csv": jlcpcb_places(places),
        "pcbway-bom.csv": pcbway_bill(circuits),
        "pcbway-centroid.csv": pcbway_places(places),
    }
