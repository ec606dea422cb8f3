"""Which magnets suit a depth: how often a side is told wrong, a piece missed, an empty cell taken for full.

Run ``python -m hardware.field.judge 8x3 --depth 12`` for one magnet.
"""

from __future__ import annotations

import click
import msgspec
import numpy as np

from hardware.cannot_build import CannotBuild
from hardware.field.cylinder import Disc
from hardware.field.draws import CHUNK, Tolerances, readings
from hardware.field.limits import DEPTH_MM, RELEASE_MT, THRESHOLD_MT

THRESHOLDS_MT = (2.5, 3.0, 3.5, 4.0)
ANY = Tolerances()
SENSITIVE = Tolerances(offset_mt=0.25, noise_mt=0.25)  # a sensor of 12 mV/mT or more on an ADC of 12 bits

# Discs that can be had, from the weakest on.
DISCS: tuple[Disc, ...] = ((6.0, 2.0), (6.0, 3.0), (8.0, 2.0), (8.0, 3.0), (10.0, 2.0), (10.0, 3.0), (10.0, 5.0))


class ErrorShares(msgspec.Struct, frozen=True):
    """How often a threshold errs: the other side told, a piece missed, an empty cell taken for full."""

    wrong: int
    missed: int
    ghosts: int

    @property
    def none(self) -> bool:
        """Tell whether it never errs."""
        return self == ErrorShares(0, 0, 0)


class JudgedDisc(msgspec.Struct, frozen=True):
    """What ``draws`` boards made of a disc at a depth. ``least_own_mt`` and ``most_others_mt`` are of all draws.

    ``faults`` go with `THRESHOLDS_MT`. At the release a piece that lies there is ``let_go`` by one reading, and an
    emptied cell is ``held`` by what all its readings have in common.
    """

    disc: Disc
    depth_mm: float
    draws: int
    least_own_mt: float
    most_others_mt: float
    faults: tuple[ErrorShares, ...]
    let_go: int
    held: int

    def at(self, threshold_mt: float) -> ErrorShares:
        """Return the faults at one of `THRESHOLDS_MT`."""
        return self.faults[THRESHOLDS_MT.index(threshold_mt)]


def judged(disc: Disc, depth_mm: float, off: Tolerances, draws: int, others: tuple[Disc, ...] = ()) -> JudgedDisc:
    """Return how often each threshold errs; ``draws`` is a multiple of `CHUNK`.

    The neighbours have one of the ``others`` each, or where there are none the same disc.
    """
    counts = np.zeros((len(THRESHOLDS_MT), 3), dtype=np.int64)
    least_own_mt, most_others_mt, let_go, held = float("inf"), 0.0, 0, 0
    for read in readings(disc, others or (disc,), depth_mm, off, draws):
        least_own_mt = min(least_own_mt, float(read.own.min()))
        most_others_mt = max(most_others_mt, float(np.abs(read.others).max()))
        let_go += int((read.placed < RELEASE_MT).sum())
        held += int((np.abs(read.lasting) >= RELEASE_MT).sum())
        for row, mt in zip(counts, THRESHOLDS_MT, strict=True):
            row += ((read.placed <= -mt).sum(), (np.abs(read.placed) < mt).sum(), (np.abs(read.empty) >= mt).sum())
    faults = tuple(ErrorShares(*map(int, row)) for row in counts)
    return JudgedDisc(disc, depth_mm, draws, round(least_own_mt, 3), round(most_others_mt, 3), faults, let_go, held)


def suited(disc: Disc, depth_mm: float = DEPTH_MM, off: Tolerances = SENSITIVE, draws: int = 4 * CHUNK) -> JudgedDisc:
    """Return what the dice say of a disc at a depth; raises `CannotBuild` where a piece or an empty cell is misread."""
    found = judged(disc, depth_mm, off, draws)
    if not found.at(THRESHOLD_MT).none:
        raise CannotBuild(refusal(found))
    return found


def refusal(found: JudgedDisc) -> str:
    """Return why a disc does not suit its depth, with the figure, and what to do."""
    faults = found.at(THRESHOLD_MT)
    named = (
        f"Magnets of {found.disc[0]:g} × {found.disc[1]:g} mm do not suit a board {found.depth_mm:g} mm below its sheet"
    )
    if faults.missed + faults.wrong >= faults.ghosts:
        return (
            f"{named}: {share(faults.missed + faults.wrong, found.draws)} of pieces are missed, as the field falls to "
            f"{found.least_own_mt:.1f} mT where {THRESHOLD_MT:g} mT are wanted; take larger ones"
        )
    return (
        f"{named}: {share(faults.ghosts, found.draws)} of empty cells are taken for full, as the magnets round them "
        f"give up to {found.most_others_mt:.1f} mT where {THRESHOLD_MT:g} mT are a piece; take smaller ones"
    )


def share(count: int, draws: int) -> str:
    """Return a count as a share, to three figures."""
    return f"{100 * count / draws:.3g} %"


def named(words: str) -> Disc:
    """Return the disc that is written like ``8x3``; raises ValueError."""
    diameter_mm, height_mm = (float(word) for word in words.lower().replace("×", "x").split("x"))
    if diameter_mm <= 0 or height_mm <= 0:
        raise ValueError(words)
    return diameter_mm, height_mm


@click.command()
@click.argument("disc")
@click.option("--depth", "depth_mm", type=click.FloatRange(min=2.0, max=40.0), default=DEPTH_MM, show_default=True)
def main(disc: str, depth_mm: float) -> None:
    """Say whether magnets of DISC, diameter and height in mm as in 8x3, suit a board that many mm below its sheet."""
    try:
        size = named(disc)
    except ValueError as wrong:
        raise click.BadParameter(f"{disc} is no magnet; say diameter and height in mm, such as 8x3") from wrong
    try:
        found = suited(size, depth_mm)
    except CannotBuild as refused:
        raise click.ClickException(str(refused)) from refused
    click.echo(
        f"{disc} suits {depth_mm:g} mm: in {found.draws:,} draws no side was wrong, no piece missed and no empty cell "
        f"full. A piece gives {found.least_own_mt:.1f} mT at least, the magnets round it {found.most_others_mt:.1f} mT "
        "at most."
    )


if __name__ == "__main__":
    main()
