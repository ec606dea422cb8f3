"""Writes docs/build/field.md and its pictures: ``python -m hardware.field.report``, by ``make hardware-field``.

With ``--anew`` all figures are reckoned again first, which takes a quarter of an hour; otherwise those kept are told.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import click

from hardware.field.cylinder import Disc
from hardware.field.draws import CHIP_MM, PITCH_MM, Tolerances, gap_mm
from hardware.field.figures import (
    CELL,
    DEPTHS_MM,
    LIGHT_DEPTHS_MM,
    ON_AXIS_AND_OFF_MM,
    PIXEL_BESIDE_MM,
    RAYS,
    FieldFigures,
    axial_mt,
    keep,
    kept,
    reckoned,
)
from hardware.field.judge import (
    ANY,
    DISCS,
    SENSITIVE,
    THRESHOLDS_MT,
    ErrorShares,
    JudgedDisc,
    refusal,
)
from hardware.field.kinds import AFTER_A_WALK, KindBorders
from hardware.field.light import PATCH_MM, direct_spot_mm
from hardware.field.limits import DEPTH_MM, RELEASE_MT, THRESHOLD_MT
from hardware.field.pictures import cells, curves
from hardware.height_budget import SKIN_MM, TOP_MM

DOCS = Path(__file__).parents[2] / "docs"

DEPTH_HEADS = (
    "board below the sheet", "chip below the magnet", "magnets without a fault, any sensor", "with a sensitive one",
    "direct light, half", "in a cell with walls, half", "darkest patch",
)  # fmt: skip
LIGHT_HEADS = (
    "board below the sheet", "direct, closed form", "no walls", "with walls", "pixel beside the middle",
    "darkest patch", "pixel beside", "under the walls",
)  # fmt: skip

PAGE = """<!-- Made by make hardware-field; do not edit. -->

# Field, depth and light

For a circuit board that comes assembled: each cell has a linear hall sensor and a pixel, both on the board's upper
side. How deep the board lies below the sheet decides two things at once. Deep, the light of a pixel spreads over its
cell; high, the magnets are strong. **No such board has been built or measured: all figures are reckoned**, by
`hardware/field/`.

## What follows

- The board's upper side lies **{depth:g} mm** below the sheet, as that of strips and tiles does.
- A piece is there from **{threshold:g} mT** on, and gone below **{release:g} mT**. Its pole tells its side.
- Magnets for that depth: {suits}.
- {only_sensitive}
- Two kinds of pieces can be told by their magnets. For three, look at the table below; more are no evidence.
- {held}

What a builder wants to use is judged, and refused where it does not reach:

    .venv/bin/python -m hardware.field.judge 6x2 --depth {depth:g}

> {refused}

## Depth

{depths_head}
{depths}

*Without a fault*: in {draws:,} draws no side was told wrong, no piece missed and no empty cell full, at
{threshold:g} mT. *Half*: the diameter of what is at least half as bright as the brightest. *Darkest patch*: against the
mean of the cell, in patches of {patch:g} mm, with the pixel {beside:g} mm beside the middle.

![Field over depth](../pictures/field-depth.svg)

![What the cells look like](../pictures/field-cells.svg)

## Magnets at {depth:g} mm

| disc, mm | on axis / {off[1]:g} / {off[2]:g} mm off | least of a piece | most of its neighbours | {heads} |
| --- | ---: | ---: | ---: | {lines} |
{magnets}

Side wrong / pieces missed / empty cells full, of {draws:,} draws each: with any sensor at the four thresholds, then
with a sensitive one at {threshold:g} mT. *Least* and *most* are the extremes of all draws; a piece's own field still
loses what opposite neighbours take.

| disc, mm | a piece lets go | an empty cell stays full |
| --- | ---: | ---: |
{releases}

Once a piece is believed, one reading below {release:g} mT lets it go: *lets go* counts pieces that lie there. A cell
*stays full* where its neighbours and its offset alone hold it at {release:g} mT, so that waiting does not help. Both
are of {draws:,} with a sensitive sensor.

## All depths, at {threshold:g} mT, any sensor

| disc, mm | {depth_heads} |
| --- | {depth_lines} |
{grid}

## Kinds

| kinds, mm | borders | told right, with their side | side wrong / missed / full | lets go / stays full |
| --- | ---: | ---: | ---: | ---: |
{kinds}

At {depth:g} mm, {draws:,} pieces of each kind among pieces of all of them, with a sensitive sensor. The faults are the
sum of all kinds, of pieces up to {stray:g} mm off. For telling kinds, a walk with one piece over all cells has measured
them to {gain:.0%}, and pieces stand {kind_stray:g} mm off at most. The deeper the board, the less standing off counts:

| kinds, mm | {depth_heads} |
| --- | {depth_lines} |
{kinds_by_depth}

## Light

{lights_head}
{lights}

{rays:,} rays a figure. A pixel gives light as the cosine, 1.6 mm above its board. The closed form is what comes from it
directly, on a sheet without walls. *No walls* has a sheet of opal of {sheet:g} mm besides, which spreads what comes in.
A cell is a square of {inside:.1f} mm; its walls end 2.5 mm above the board, and *under the walls* goes what is lost to
other cells. Assumed, not measured: white walls give back {wall:.0%}, a white board {board:.0%}, the sheet {back:.0%},
all evenly to all sides. Green boards and grey walls give less light and darker edges.

## What is drawn by dice

| what | how far |
| --- | --- |
{tolerances}

From magnet to chip: {skin:g} mm of skin, {top:g} mm of sheet, the depth, less {chip:g} mm that the chip stands above
the board. Cells are {pitch:g} mm apart, as on `first36`. All eight cells round a cell have a magnet of the same size
with either pole down, each with tolerances of its own. A sensitive sensor gives 12 mV/mT or more: its offset and noise
count {offset:g} and {noise:g} mT.

## What holds these figures

Fields are the closed form of N. Derby and S. Olbert (*Cylindrical magnets and ideal solenoids*, American Journal of
Physics 78 (2010) 229). A test holds them against [magpylib](https://magpylib.readthedocs.io), upright and tilted. Rays
are held against the closed form of direct light. Another test holds this page to `hardware/field/figures.json`, and the
first draws of that to the code. `make hardware-field ANEW=--anew` reckons all of it again.

Not in it: iron near a cell (screws, the shell of a USB plug), and fields of the currents on the board itself. Nor are
magnets that stand on a border between cells, and pieces that lie on their side.
"""


def files(found: FieldFigures) -> Mapping[Path, str]:
    """Return the text of the page and of its pictures by path."""
    return {
        DOCS / "build" / "field.md": page(found),
        DOCS / "pictures" / "field-depth.svg": curves(found),
        DOCS / "pictures" / "field-cells.svg": cells(found),
    }


def page(found: FieldFigures) -> str:
    """Return the page."""
    draws = found.any_sensor[0].draws
    suits, sensitive = (_faultless(of, DEPTH_MM) for of in (found.any_sensor, found.sensitive))
    weak = next(each for each in found.sensitive if (each.disc, each.depth_mm) == ((6.0, 2.0), DEPTH_MM))
    more = [disc for disc in sensitive if disc not in suits]
    return PAGE.format(
        depth=DEPTH_MM, threshold=THRESHOLD_MT, release=RELEASE_MT, suits=_names(suits), draws=draws,
        refused=refusal(weak), held=_held(found), only_sensitive=_only_sensitive(more),
        patch=PATCH_MM, beside=PIXEL_BESIDE_MM,
        off=ON_AXIS_AND_OFF_MM, depths_head=_head(DEPTH_HEADS, {2, 3}), depths="\n".join(_depths(found)),
        magnets="\n".join(_magnets(found)), releases="\n".join(_releases(found)),
        heads=" | ".join([*(f"{mt:g} mT" for mt in THRESHOLDS_MT), f"sensitive, {THRESHOLD_MT:g} mT"]),
        lines=" | ".join("---:" for _ in range(len(THRESHOLDS_MT) + 1)), grid="\n".join(_grid(found.any_sensor)),
        depth_heads=" | ".join(f"{depth:g} mm" for depth in DEPTHS_MM),
        depth_lines=" | ".join("---:" for _ in DEPTHS_MM), kinds="\n".join(map(_kinds, found.kinds, found.sets)),
        stray=SENSITIVE.most_stray_mm, gain=AFTER_A_WALK.gain, kind_stray=AFTER_A_WALK.most_stray_mm,
        kinds_by_depth="\n".join(_kinds_by_depth(found.kinds_by_depth)), lights_head=_head(LIGHT_HEADS),
        lights="\n".join(_lights(found)), rays=RAYS, sheet=CELL.sheet_mm, inside=CELL.inside_mm, wall=CELL.wall_back,
        board=CELL.board_back, back=CELL.sheet_back, tolerances="\n".join(_tolerances(ANY)), skin=SKIN_MM, top=TOP_MM,
        chip=CHIP_MM, pitch=PITCH_MM, offset=SENSITIVE.offset_mt, noise=SENSITIVE.noise_mt,
    )  # fmt: skip


def _head(names: tuple[str, ...], left: Collection[int] = ()) -> str:
    """Return the head of a table whose columns are figures, but for those ``left``."""
    lines = ("---" if k in left else "---:" for k in range(len(names)))
    return f"| {' | '.join(names)} |\n| {' | '.join(lines)} |"


def _name(disc: Disc) -> str:
    return f"{disc[0]:g} × {disc[1]:g}"


def _names(discs: Iterable[Disc]) -> str:
    return ", ".join(map(_name, discs)) or "none"


def _faultless(of: Iterable[JudgedDisc], depth_mm: float) -> list[Disc]:
    return [each.disc for each in of if each.depth_mm == depth_mm and each.at(THRESHOLD_MT).none]


def _only_sensitive(more: list[Disc]) -> str:
    if not more:
        return "A sensitive sensor, 12 mV/mT or more, adds none to them."
    return f"With a sensitive sensor, 12 mV/mT or more, also: {_names(more)}."


def _held(found: FieldFigures) -> str:
    """Return what the strongest neighbours do to the first set of kinds: it limits what can be promised of it."""
    among, told = found.sets[0], found.kinds[0]
    full = sum(each.at(THRESHOLD_MT).ghosts for each in among)
    held, draws = sum(each.held for each in among), sum(each.draws for each in among)
    return (
        f"Strong neighbours can hold an emptied cell, where all eight round it are full. Of {_names(told.discs)}, "
        f"{held} of {draws:,} such cells stay above the release, and {full} seem full from the start. A release that "
        "knows the set is still to come."
    )


def _three(faults: ErrorShares) -> str:
    return f"{faults.wrong} / {faults.missed} / {faults.ghosts}"


def _depths(found: FieldFigures) -> Iterator[str]:
    for depth, light in zip(LIGHT_DEPTHS_MM, found.lights, strict=True):
        if depth in DEPTHS_MM:
            names = " | ".join(_names(_faultless(of, depth)) for of in (found.any_sensor, found.sensitive))
            yield (
                f"| {depth:g} mm | {gap_mm(depth):.1f} mm | {names} | {direct_spot_mm(depth):.1f} mm "
                f"| {light.beside.spot_mm:.1f} mm | {light.beside.evenness:.0%} |"
            )


def _magnets(found: FieldFigures) -> Iterator[str]:
    sensitive = {(each.disc, each.depth_mm): each for each in found.sensitive}
    for each in found.any_sensor:
        if each.depth_mm == DEPTH_MM:
            fields = " / ".join(f"{mt:.1f}" for mt in axial_mt(each.disc, DEPTH_MM))
            faults = [*each.faults, sensitive[each.disc, DEPTH_MM].at(THRESHOLD_MT)]
            yield (
                f"| {_name(each.disc)} | {fields} mT | {each.least_own_mt:.1f} mT | {each.most_others_mt:.1f} mT | "
                f"{' | '.join(map(_three, faults))} |"
            )


def _releases(found: FieldFigures) -> Iterator[str]:
    for each in found.sensitive:
        if each.depth_mm == DEPTH_MM:
            yield f"| {_name(each.disc)} | {each.let_go} | {each.held} |"


def _grid(of: tuple[JudgedDisc, ...]) -> Iterator[str]:
    for disc in DISCS:
        row = [_three(each.at(THRESHOLD_MT)) for each in of if each.disc == disc]
        yield f"| {_name(disc)} | {' | '.join(row)} |"


def _kinds(of: KindBorders, among: tuple[JudgedDisc, ...]) -> str:
    borders = ", ".join(f"{mt:.1f}" for mt in of.borders_mt)
    faults = [each.at(THRESHOLD_MT) for each in among]
    sums = ErrorShares(sum(f.wrong for f in faults), sum(f.missed for f in faults), sum(f.ghosts for f in faults))
    kept_on = f"{sum(each.let_go for each in among)} / {sum(each.held for each in among)}"
    return f"| {_names(of.discs)} | {borders} mT | {_right(of)} | {_three(sums)} | {kept_on} |"


def _right(of: KindBorders) -> str:
    return " / ".join(f"{each:.2%}" for each in of.right)


def _kinds_by_depth(of: tuple[KindBorders, ...]) -> Iterator[str]:
    for discs in dict.fromkeys(each.discs for each in of):
        row = [" / ".join(f"{100 * right:.1f}" for right in each.right) for each in of if each.discs == discs]
        yield f"| {_names(discs)}, % | {' | '.join(row)} |"


def _lights(found: FieldFigures) -> Iterator[str]:
    for depth, light in zip(LIGHT_DEPTHS_MM, found.lights, strict=True):
        spots = (direct_spot_mm(depth), light.open_spot_mm, light.middle.spot_mm, light.beside.spot_mm)
        shares = (light.middle.evenness, light.beside.evenness, light.beside.beside)
        cells = [f"{depth:g} mm", *(f"{mm:.1f} mm" for mm in spots), *(f"{share:.0%}" for share in shares)]
        yield f"| {' | '.join(cells)} |"


def _tolerances(off: Tolerances) -> Iterator[str]:
    yield f"| a piece beside its place | anywhere within {off.most_stray_mm:g} mm |"
    yield f"| a magnet tilted | to any side, by up to {off.most_tilt_deg:g}° |"
    yield f"| magnet and board up or down | normal, {off.depth_mm:g} mm |"
    yield f"| warmer than at the baseline | {off.coldest_k:g} to +{off.warmest_k:g} K, at {off.per_kelvin:.2%} a K |"
    yield f"| remanence | normal, {off.remanence_t:.2f} T, {off.remanence_off_t:g} T |"
    yield f"| offset after the baseline | normal, {off.offset_mt:g} mT |"
    yield f"| noise of the mean of eight readings | normal, {off.noise_mt:g} mT |"


@click.command()
@click.option("--anew", is_flag=True, help="Reckon all figures again first: a quarter of an hour.")
def main(anew: bool) -> None:
    """Write the page about field, depth and light, and its pictures."""
    if anew:
        keep(reckoned())
    for path, text in files(kept()).items():
        path.write_text(text, encoding="utf-8")
        click.echo(path.relative_to(DOCS.parent))


if __name__ == "__main__":
    main()
