"""Charts of a report as SVG to be put into a page: small, without scripts, readable in print.

matplotlib draws them; text stays text, so that it is found and read aloud.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

from controller.lab.intervals import quantile

Rows = Sequence[Mapping[str, Any]]
INK, MUTED = "#1f4e79", "#c9d8e6"
BINS = 24


def lengths(rows: Rows) -> str:
    """Return how many games have how many plies."""
    counted = [(row["plies"], row["count"]) for row in rows]
    most = max(plies for plies, _ in counted)
    figure, axes = _axes()
    axes.hist([p for p, _ in counted], bins=min(BINS, most), weights=[n for _, n in counted], color=INK)
    return _drawn(figure, axes, "moves", "games")


def choices(rows: Rows) -> str:
    """Return how many choices a turn has over a game: the middle, and between 5 and 95 of 100."""
    by_tenth: dict[int, dict[int, int]] = {}
    for row in rows:
        by_tenth.setdefault(row["tenth"], {})[row["choices"]] = row["count"]
    tenths = sorted(by_tenth)
    low, middle, high = ([quantile(by_tenth[tenth], part) for tenth in tenths] for part in (0.05, 0.5, 0.95))
    figure, axes = _axes()
    places = [10 * tenth + 5 for tenth in tenths]
    axes.fill_between(places, low, high, color=MUTED, linewidth=0)
    axes.plot(places, middle, color=INK)
    axes.set_ylim(bottom=0)
    return _drawn(figure, axes, "per cent of a game", "choices")


def decided(rows: Rows) -> str:
    """Return after which part of their moves games were decided."""
    figure, axes = _axes()
    axes.hist(
        [row["hundredths"] for row in rows], bins=20, range=(0, 100), weights=[row["count"] for row in rows], color=INK
    )
    return _drawn(figure, axes, "decided after per cent of the moves", "games")


def _axes() -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.6, 2.0))
    return figure, figure.subplots()


def _drawn(figure: Any, axes: Any, x: str, y: str) -> str:
    import matplotlib

    axes.set_xlabel(str(x))
    axes.set_ylabel(str(y))
    axes.spines[["top", "right"]].set_visible(False)
    out = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "beaconboard", "font.family": "sans-serif"}):
        figure.savefig(out, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    svg = out.getvalue()[out.getvalue().index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r"(\d+\.\d)\d+", r"\1", svg)
    return re.sub(r'<svg [^>]*?viewBox="([^"]*)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true">', svg, count=1)
