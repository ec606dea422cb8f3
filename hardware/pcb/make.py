"""Makes the boards: files for KiCad, KiCad's checks of them, and what a manufacturer wants.

A board with a single complaint is not made.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import click

from hardware.cannot_build import CannotBuild
from hardware.pcb import houses
from hardware.pcb.boards.catalogue import boards
from hardware.pcb.bom import bom
from hardware.pcb.drawn.sheet import page
from hardware.pcb.footprints import SCREW, footprints
from hardware.pcb.kicad.layout_file import layout
from hardware.pcb.kicad.panel_file import FRAME_SHAPES, panel_file
from hardware.pcb.kicad.schematic import devices, schematic
from hardware.pcb.kicad.symbols import LIBRARY, footprint_file, symbol_library
from hardware.pcb.panel import PANELS, Panel, panel
from hardware.pcb.placement import Placement, area_cm2, size_mm
from hardware.pcb.route import CLEARANCE, TRACK, VIA, VIA_DRILL, Routes, route
from hardware.pcb.shapes import Footprint
from hardware.pcb.surface import FIDUCIAL

SYSTEM_PYTHON = "/usr/bin/python3"  # KiCad's module is made for the system's Python alone
FILL = Path(__file__).with_name("kicad") / "fill.py"
LONGEST_S = 300
Boards = Mapping[str, tuple[Placement, Routes]]  # by name, with their tracks
SHOWN = ("panel-small",)  # among the pictures of the docs; the other panels look alike
PICTURE, LONG_PICTURE = 1000, 2000  # pixels across


def project(name: str, finest: float = TRACK) -> str:
    """Return the text of a project file: the rules by which the board is checked; nothing is ignored.

    ``finest`` is the least width of its tracks.
    """
    net_class = {
        "name": "Default",
        "clearance": CLEARANCE,
        "track_width": TRACK,
        "via_diameter": VIA,
        "via_drill": VIA_DRILL,
    }
    rules = {
        "min_clearance": CLEARANCE,
        "min_track_width": finest,
        "min_via_diameter": VIA,
        "min_through_hole_diameter": VIA_DRILL,
        "min_copper_edge_clearance": 0.5,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_text_height": 0.7,
        "min_text_thickness": 0.1,
        "min_silk_clearance": 0.0,
        "min_resolved_spokes": 1,  # every pad in a pour has a track of its own besides
    }
    settings = {
        "meta": {"filename": f"{name}.kicad_pro", "version": 3},
        "board": {"design_settings": {"rules": rules}},
        "net_settings": {"classes": [net_class], "meta": {"version": 4}},
    }
    return json.dumps(settings, indent=2) + "\n"


def write(board: Placement, routes: Routes, folder: Path) -> str:
    """Write the KiCad project of a board; return in a sentence what was laid."""
    name = board.circuit.name
    files = _library([board]) | {
        f"{name}.kicad_pro": project(name, min((TRACK, *(track.width for track in board.tracks)))),
        f"{name}.kicad_sch": schematic(board.circuit),
        f"{name}.kicad_pcb": layout(board, routes),
        f"{LIBRARY}.kicad_sym": symbol_library(devices(board.circuit)),
        "sym-lib-table": _table("sym_lib_table", f"{LIBRARY}.kicad_sym"),
        "bom.csv": bom(board.circuit),
    }
    _put(folder, files | _for_houses([("", board)], houses.spots(board)))
    width, height = size_mm(board)
    return (
        f"{name}: {width:.0f} x {height:.0f} mm, {area_cm2(board):.0f} cm2, {len(board.circuit.parts)} parts, "
        f"{len(routes.tracks)} tracks, {len(routes.vias)} vias, {routes.rounds} rounds"
    )


def write_panel(frame: Panel, boards: Boards, folder: Path) -> str:
    """Write the KiCad project of a panel; return in a sentence what is on it."""
    each = [(piece.letter, boards[piece.board][0]) for piece in frame.pieces]
    files = _library([board for _, board in each], FRAME_SHAPES) | {
        f"{frame.name}.kicad_pro": project(frame.name),
        f"{frame.name}.kicad_pcb": panel_file(frame, boards),
    }
    _put(folder, files | _for_houses(each, panel_spots(frame, boards)))
    names = ", ".join(f"{letter} {board.circuit.name}" for letter, board in each)
    return f"{frame.name}: {frame.width:.0f} x {frame.height:.0f} mm, {names}"


def panel_spots(frame: Panel, boards: Boards) -> tuple[houses.PartPlace, ...]:
    """Return where every part of a panel lies, from the panel's lower left corner."""
    found: list[houses.PartPlace] = []
    for piece in frame.pieces:
        board = boards[piece.board][0]
        at = piece.left, frame.height - piece.top - size_mm(board)[1]
        found += houses.spots(board, piece.letter, at)
    return tuple(found)


def _library(boards: Iterable[Placement], more: Iterable[Footprint] = ()) -> dict[str, str]:
    known = footprints()
    used = {each.device.footprint for board in boards for each in board.circuit.parts} | {SCREW}
    marks = (FIDUCIAL,) if any(board.marks for board in boards) else ()
    shapes = [*(known[name] for name in sorted(used)), *marks, *more]
    files = {f"{LIBRARY}.pretty/{shape.name}.kicad_mod": footprint_file(shape) for shape in shapes}
    return files | {"fp-lib-table": _table("fp_lib_table", f"{LIBRARY}.pretty")}


def _for_houses(boards: Sequence[tuple[str, Placement]], places: Sequence[houses.PartPlace]) -> dict[str, str]:
    return {f"assembly/{file}": text for file, text in houses.files(boards, places).items()}


def _put(folder: Path, files: Mapping[str, str]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")


def _table(kind: str, file: str) -> str:
    uri = f'"${{KIPRJMOD}}/{file}"'
    return f'({kind} (version 7) (lib (name "{LIBRARY}") (type "KiCad") (uri {uri}) (options "") (descr "")))\n'


# ---- KiCad ------------------------------------------------------------------------------------------------


def _call(folder: Path, command: Sequence[str]) -> None:
    env = os.environ | {"LANG": "C.UTF-8", "HOME": os.environ.get("HOME", str(folder))}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=LONGEST_S, check=False)
    if done.returncode:
        words = (done.stderr or done.stdout).strip()
        raise CannotBuild(f"{' '.join(command[:4])} failed in {folder.name} with {done.returncode}: {words}")


def complaints(report: Mapping[str, Any]) -> list[str]:
    """Return every complaint of a report of either check, in words with where it is."""
    found = [*report.get("violations", ()), *report.get("unconnected_items", ()), *report.get("schematic_parity", ())]
    found += [each for sheet in report.get("sheets", ()) for each in sheet["violations"]]
    return [
        f"{each['type']}: {each['description']} ({'; '.join(item['description'] for item in each['items'])})"
        for each in found
    ]


def check(name: str, folder: Path, alone: bool = True) -> None:
    """Fill the pours and let KiCad check circuit and board; raises `CannotBuild` for any error or warning.

    A panel, which is not ``alone``, has no circuit of its own.
    """
    how = ("--format", "json", "--severity-all")
    if alone:
        _call(folder, ("kicad-cli", "sch", "erc", *how, "-o", "erc.json", f"{name}.kicad_sch"))
    _call(folder, (SYSTEM_PYTHON, str(FILL), f"{name}.kicad_pcb"))
    parity = ("--schematic-parity",) if alone else ()
    _call(folder, ("kicad-cli", "pcb", "drc", *how, *parity, "-o", "drc.json", f"{name}.kicad_pcb"))
    for report in ("erc.json", "drc.json") if alone else ("drc.json",):
        found = complaints(json.loads((folder / report).read_text(encoding="utf-8")))
        if found:
            raise CannotBuild(f"{name} has {len(found)} complaints in {report}, first: " + "\n  ".join(found[:12]))


def export(name: str, folder: Path, places: Sequence[houses.PartPlace]) -> None:
    """Write gerbers, drills and positions for a manufacturer; ``places`` are held against the copper."""
    file = f"{name}.kicad_pcb"
    (folder / "gerbers").mkdir(exist_ok=True)
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.Paste,F.SilkS,B.SilkS,Edge.Cuts"
    pcb = ("kicad-cli", "pcb")
    origin = "--use-drill-file-origin"  # the lower left corner: the lists of the houses count from it too
    _call(folder, (*pcb, "export", "gerbers", origin, "-l", layers, "-o", "gerbers/", file))
    _call(folder, (*pcb, "export", "drill", "--drill-origin", "plot", "-o", "gerbers/", file))
    _call(folder, (*pcb, "export", "pos", origin, "--format", "csv", "--units", "mm", "-o", "positions.csv", file))
    copper = (folder / "gerbers" / f"{name}-F_Cu.gtl").read_text(encoding="utf-8")
    misplaced = houses.strangers(copper, places)
    if misplaced:
        raise CannotBuild(f"{name}: the lists for the houses disagree with the copper: {'; '.join(misplaced)}")


def draw(name: str, folder: Path, size: tuple[float, float], pictures: Path) -> None:
    """Draw the board as it will look."""
    picture = str(pictures.resolve() / f"pcb-{name}.png")
    view = (*_view(size), "--background", "opaque", "-o", picture)
    _call(folder, ("kicad-cli", "pcb", "render", *view, f"{name}.kicad_pcb"))


def _view(size: tuple[float, float]) -> tuple[str, ...]:
    """Return the options by which a board fills its picture; unzoomed, its longer side is as long as that is high."""
    width, height = size
    across = LONG_PICTURE if width > 3 * height else PICTURE
    high = 1.08 * across * height / width
    zoom = 0.95 * max(across, high / 1.08) / high
    return "-w", f"{across:.0f}", "-h", f"{high:.0f}", "--zoom", f"{zoom:.3f}"


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--only", multiple=True, help="Make this board alone; may be given again.")
@click.option("--pictures", type=click.Path(path_type=Path), help="Draw pictures of the boards into this folder.")
@click.option("--no-kicad", is_flag=True, help="Write the projects, but neither check nor export them.")
def main(out: Path, only: tuple[str, ...], pictures: Path | None, no_kicad: bool) -> None:
    """Make the circuit boards into the folder OUT, a folder a board."""
    every: Mapping[str, Callable[[], Placement]] = boards()
    strange = [name for name in only if name not in every and name not in PANELS]
    if strange:
        raise click.ClickException(f"there is no board {', '.join(strange)}; name of {', '.join((*every, *PANELS))}")
    if not no_kicad and shutil.which("kicad-cli") is None:
        raise click.ClickException("kicad-cli is missing: run make -f hardware/hardware.mk hardware-kicad")
    names = [name for name in only or every if name in every]
    panels = [name for name in only or PANELS if name in PANELS]
    on_panels = {board for name in panels for row in PANELS[name] for board in row}
    wanted = list(dict.fromkeys((*names, *sorted(on_panels))))

    def routed(name: str) -> tuple[Placement, Routes]:
        board = every[name]()
        return board, route(board)

    try:
        with ThreadPoolExecutor(os.cpu_count()) as hands:  # each waits for KiCad most of the time
            making = Making(out, pictures, no_kicad, dict(zip(wanted, hands.map(routed, wanted), strict=True)))
            for said in (*hands.map(making.made, names), *hands.map(making.made_panel, panels)):
                click.echo(said)
    except CannotBuild as error:
        raise click.ClickException(str(error)) from error


class Making(NamedTuple):
    """Where what is made goes, and the boards that are routed, by name."""

    out: Path
    pictures: Path | None
    no_kicad: bool
    routed: Mapping[str, tuple[Placement, Routes]]

    def made(self, name: str) -> str:
        """Make one board and return what is to be said of it."""
        (board, routes), folder = self.routed[name], self.out / name
        said = write(board, routes, folder)
        drawing = (self.pictures or self.out) / f"schematic-{name}.svg"
        drawing.write_text(page(board), encoding="utf-8")
        if self.no_kicad:
            return said
        check(name, folder)
        export(name, folder, houses.spots(board))
        if self.pictures:
            draw(name, folder, size_mm(board), self.pictures)
        return f"{said}\n  KiCad has no complaint of its circuit, its layout, or how they match"

    def made_panel(self, name: str) -> str:
        """Make one panel of boards and return what is to be said of it."""
        frame, folder = panel(name, {each: board for each, (board, _) in self.routed.items()}), self.out / name
        said = write_panel(frame, self.routed, folder)
        if self.no_kicad:
            return said
        check(name, folder, alone=False)
        export(name, folder, panel_spots(frame, self.routed))
        if self.pictures and name in SHOWN:
            draw(name, folder, (frame.width, frame.height), self.pictures)
        return f"{said}\n  KiCad has no complaint of its layout"


if __name__ == "__main__":
    sys.exit(main())
