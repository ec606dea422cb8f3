"""Writes board tops and paper tokens: ``python -m hardware.tops.make FOLDER BOARD…``: SVG, DXF and PDF, read back.

Needs the extra 'hardware'.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path as File
from typing import Any

import click
import ezdxf
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import FILL_EVEN_ODD, Canvas

from hardware import svg
from hardware.cannot_build import CannotBuild
from hardware.height_budget import Build
from hardware.pieces import SEATS, games, marked, node_count, stock
from hardware.printables.board_places import build_of
from hardware.printables.geometry import parts
from hardware.printables.models import token_widths
from hardware.profile import BadProfile, Profile, load
from hardware.tops.drawing import Top, base, top, top_of_game
from hardware.tops.paper import A4, FOOT_MM, MARGIN_MM, OVERLAP_MM, Disc, PaperPage, discs, sheets

COLOURS = {"CUT": "#ff0000", "ENGRAVE": "#0000ff"}
DXF_COLOURS = {"CUT": 1, "ENGRAVE": 5}


# Ground and ink of the tokens of each seat: the outline of the ground tells seats apart where they are printed in grey.
SEAT_COLOURS = (
    ("#ffffff", "#000000"), ("#26282e", "#ffffff"), ("#2b8fd4", "#ffffff"), ("#e08a1e", "#1a0c00"),
    ("#8d5bc0", "#ffffff"), ("#4e9a4a", "#ffffff"),
)  # fmt: skip
NOBODY = ("#bfbfbf", "#000000")
LEAST_NAMED_MM = 15.0  # a token must be so wide to have its name in words too


def make(folder: File, profile: Profile) -> None:
    """Write all files of a board below ``folder``; raises `CannotBuild` where one does not read back as drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = top(profile)
    (folder / "top.svg").write_text(as_svg(drawn), encoding="utf-8")
    _dxf(drawn, folder / "top.dxf")
    for name, build in _bases(profile):
        below = base(profile, build)
        (folder / f"{name}.svg").write_text(as_svg(below), encoding="utf-8")
        _dxf(below, folder / f"{name}.dxf")
        click.echo(f"{profile.name:14} {name} with {len(below.rounds)} holes")
    pages = _top_pdf(profile, drawn, folder / "top-a4.pdf")
    click.echo(f"{profile.name:14} top {drawn.width:.1f} × {drawn.height:.1f} mm, {pages} sheets of A4")
    widths = token_widths(parts(profile))
    for game in games(profile):
        if cells := marked(profile, game):
            name = f"top-{game.facts.name}"
            own = top_of_game(profile, cells)
            (folder / f"{name}.svg").write_text(as_svg(own), encoding="utf-8")
            _dxf(own, folder / f"{name}.dxf")
            _top_pdf(profile, own, folder / f"{name}-a4.pdf")
            click.echo(f"{profile.name:14} top with {len(cells)} marked cells of {game.facts.title}")
        for players in dict.fromkeys((SEATS, len(game.facts.seats))):
            placed = discs(stock(game, node_count(profile), players), widths)
            name = f"tokens-{game.facts.name}{'' if players == SEATS else f'-{players}'}.pdf"
            _token_pdf(game.facts.title, players, placed, folder / name)
            told = f"{len(placed)} tokens for {players} players of {game.facts.title}"
            click.echo(f"{profile.name:14} {told}, {placed[0].across:g} mm across")


def _bases(profile: Profile) -> Iterator[tuple[str, Build]]:
    """Yield the bases that a board may stand on; one that comes assembled has a printed tray instead."""
    if not profile.has_fields:
        yield "base", "hand"
        if build_of(profile) != "hand":
            yield "base-boards", build_of(profile)


def as_svg(drawn: Top) -> str:
    """Return the top as SVG: red is cut, blue engraved."""

    def flip(point: tuple[float, float]) -> tuple[float, float]:
        return point[0], drawn.height - point[1]

    shapes = [
        svg.line([flip(p) for p in path.points], COLOURS[path.layer], 0.2, close=path.closed) for path in drawn.paths
    ]
    shapes += [svg.circle(flip(r.at), r.radius, colour=COLOURS[r.layer], width=0.2) for r in drawn.rounds]
    shapes += [svg.text(flip(n.at), n.words, n.size, colour=COLOURS["ENGRAVE"]) for n in drawn.names]
    return svg.document(drawn.width, drawn.height, shapes)


def _dxf(drawn: Top, path: File) -> None:
    document = ezdxf.new("R2010", setup=True, units=4)
    for layer, colour in DXF_COLOURS.items():
        document.layers.add(layer, color=colour)
    space = document.modelspace()
    for line in drawn.paths:
        space.add_lwpolyline(line.points, close=line.closed, dxfattribs={"layer": line.layer})
    for ring in drawn.rounds:
        space.add_circle(ring.at, ring.radius, dxfattribs={"layer": ring.layer})
    for name in drawn.names:
        word = space.add_text(name.words, height=name.size, dxfattribs={"layer": "ENGRAVE"})
        word.set_placement(name.at, align=ezdxf.enums.TextEntityAlignment.BOTTOM_CENTER)
    document.saveas(path)
    back = ezdxf.readfile(path)
    auditor = back.audit()
    cut = list(back.modelspace().query('LWPOLYLINE[layer=="CUT"]'))
    size = _extent(cut)
    if auditor.has_errors or size != (round(drawn.width, 1), round(drawn.height, 1)):
        raise CannotBuild(f"{path}: the cut line measures {size}, the board {drawn.width:.1f} × {drawn.height:.1f} mm")


def _extent(lines: list[Any]) -> tuple[float, float]:
    points = [point for line in lines for point in line.get_points("xy")]
    xs, ys = [float(x) for x, _ in points], [float(y) for _, y in points]
    return round(max(xs) - min(xs), 1), round(max(ys) - min(ys), 1)


# ---- paper ------------------------------------------------------------------------------------------------


def _top_pdf(profile: Profile, drawn: Top, path: File) -> int:
    pages = sheets(drawn.width, drawn.height)
    canvas = Canvas(str(path), pagesize=(A4[0] * mm, A4[1] * mm), invariant=1)
    canvas.setTitle(profile.title)
    for sheet in pages:
        canvas.saveState()
        canvas.translate(MARGIN_MM * mm, FOOT_MM * mm)
        _marks(canvas, sheet)
        clip = canvas.beginPath()
        clip.rect(0, 0, sheet.width * mm, sheet.height * mm)
        canvas.clipPath(clip, stroke=0)
        canvas.translate(-sheet.left * mm, -sheet.low * mm)
        _print(canvas, drawn)
        canvas.restoreState()
        canvas.setFont("Helvetica", 7)
        here = f"{profile.title}: sheet {sheet.column + 1}-{sheet.row + 1}, row {sheet.row + 1} from the top. "
        canvas.drawString(FOOT_MM * mm, 4.5 * mm, f"{here}Print at 100 %: the bar measures 50 mm.")
        canvas.line(148 * mm, 5.4 * mm, 198 * mm, 5.4 * mm)
        canvas.showPage()
    canvas.save()
    return len(pages)


def _marks(canvas: Any, sheet: PaperPage) -> None:
    """Draw where the sheet is cut, and where the next one is glued over it."""
    canvas.setLineWidth(0.3)
    for x, out in ((0.0, -1), (sheet.width, 1)):
        for y, up in ((0.0, -1), (sheet.height, 1)):
            canvas.line((x + out) * mm, y * mm, (x + 4 * out) * mm, y * mm)
            canvas.line(x * mm, (y + up) * mm, x * mm, (y + 4 * up) * mm)
    canvas.setDash(2, 2)
    if sheet.column:
        canvas.line(OVERLAP_MM * mm, -5 * mm, OVERLAP_MM * mm, -1 * mm)
    if sheet.low:
        canvas.line(-5 * mm, OVERLAP_MM * mm, -1 * mm, OVERLAP_MM * mm)
    canvas.setDash()


def _print(canvas: Any, drawn: Top) -> None:
    for tint in drawn.tints:
        if tint.colour:
            canvas.setFillColor(HexColor(tint.colour))
        else:
            canvas.setFillGray(tint.grey)
        canvas.drawPath(_outline(canvas, tint.points, closed=True), stroke=0, fill=1)
    canvas.setFillGray(0)
    for path in drawn.paths:
        canvas.setLineWidth(0.8 if path.layer == "CUT" else 0.4)
        canvas.drawPath(_outline(canvas, path.points, path.closed))
    canvas.setLineWidth(0.3)
    for ring in drawn.rounds:
        canvas.circle(ring.at[0] * mm, ring.at[1] * mm, ring.radius * mm)
    for name in drawn.names:
        canvas.setFont("Helvetica", name.size * mm)
        canvas.drawCentredString(name.at[0] * mm, name.at[1] * mm, name.words)


def _outline(canvas: Any, points: tuple[tuple[float, float], ...], closed: bool) -> Any:
    path = canvas.beginPath()
    path.moveTo(points[0][0] * mm, points[0][1] * mm)
    for x, y in points[1:]:
        path.lineTo(x * mm, y * mm)
    if closed:
        path.close()
    return path


def _token_pdf(title: str, players: int, placed: tuple[Disc, ...], path: File) -> None:
    canvas = Canvas(str(path), pagesize=(A4[0] * mm, A4[1] * mm), invariant=1)
    canvas.setTitle(f"{title}: tokens")
    for page in range(placed[-1].page + 1):
        canvas.setFillGray(0)
        canvas.setFont("Helvetica", 10)
        here = [disc for disc in placed if disc.page == page]
        size = f"{title}: tokens of {here[0].across:g} mm, for {players} players"
        heading = f"{size}. Print at 100 %; cut along the circles."
        canvas.drawString(FOOT_MM * mm, (A4[1] - FOOT_MM - 5) * mm, heading)
        for disc in here:
            _token(canvas, disc)
        canvas.showPage()
    canvas.save()


def _token(canvas: Any, disc: Disc) -> None:
    """Draw a token: in the colours and the outline of its seat, with the drawing of its kind or else its name."""
    x, y, across = disc.at[0] * mm, disc.at[1] * mm, disc.across * mm
    ground, ink = NOBODY if disc.stock.seat is None else SEAT_COLOURS[disc.stock.seat % len(SEAT_COLOURS)]
    canvas.saveState()
    canvas.translate(x, y)
    canvas.setLineWidth(0.4)
    canvas.setStrokeGray(0)
    canvas.circle(0, 0, across / 2)
    scale = across / 2 / 100
    canvas.setFillColor(HexColor(ground))
    canvas.drawPath(_shapes(canvas, disc.stock.edge, 0.98 * scale), stroke=1, fill=1)
    canvas.setFillColor(HexColor(ink))
    if disc.stock.drawing:
        canvas.drawPath(_shapes(canvas, disc.stock.drawing, scale), stroke=0, fill=1, fillMode=FILL_EVEN_ODD)
    else:
        _words(canvas, disc)
    canvas.restoreState()


def _shapes(canvas: Any, shapes: tuple[tuple[tuple[float, float], ...], ...], scale: float) -> Any:
    path = canvas.beginPath()
    for (x, y), *others in shapes:
        path.moveTo(x * scale, -y * scale)
        for to_x, to_y in others:
            path.lineTo(to_x * scale, -to_y * scale)
        path.close()
    return path


def _words(canvas: Any, disc: Disc) -> None:
    size = min(0.36, 1.1 / max(len(disc.stock.mark), 2)) * disc.across
    canvas.setFont("Helvetica-Bold", size * mm)
    canvas.drawCentredString(0, -size * 0.28 * mm, disc.stock.mark)
    if disc.across >= LEAST_NAMED_MM:
        canvas.setFont("Helvetica", 0.1 * disc.across * mm)
        canvas.drawCentredString(0, -0.28 * disc.across * mm, disc.stock.name)


@click.command()
@click.argument("folder", type=click.Path(path_type=File))
@click.argument("boards", nargs=-1, required=True)
def main(folder: File, boards: tuple[str, ...]) -> None:
    """Write tops and tokens of BOARDS below FOLDER."""
    try:
        for board in boards:
            profile = load(board)
            make(folder / profile.name, profile)
    except (BadProfile, CannotBuild) as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main()
