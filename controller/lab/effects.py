"""What each option does that a run changed alone: its figures beside those of the game as it is.

Owns which figures are put beside each other. Levels are taken together here; the answers of a setting have each.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from controller.lab.intervals import Intervals, differs
from controller.lab.plan import Case
from controller.lab.playing import UNFINISHED
from controller.lab.verdicts import FigureLine, GameKnown, figure, histogram, hundredth, total

Asked = Mapping[str, Sequence[Mapping[str, Any]]]
CLEARLY = 2  # tenths of a game's worth


class Effect(msgspec.Struct, frozen=True):
    """A figure of a setting beside ``usual``, that of the game as it is; ``told`` is 1 where it is certainly more, -1
    where it is less, else 0.
    """

    line: FigureLine
    usual: FigureLine
    told: int


class Changed(msgspec.Struct, frozen=True):
    """A setting with its effects; that of the game as it is has its figures beside themselves."""

    number: int
    told: str
    effects: tuple[Effect, ...]

    @property
    def sentences(self) -> list[str]:
        """Return what has changed for certain."""
        certain = [each for each in self.effects if each.told]
        return [f"{self.told}: {e.line.name} {figure(e.line)}, not {figure(e.usual)}" for e in certain]


def changed(settings: Sequence[tuple[Case, Mapping[str, FigureLine]]], alone: Container[str]) -> tuple[Changed, ...]:
    """Return what each setting does beside the one that differs from it only in an option that was changed ``alone``.

    All that is called certain holds together 95 times of 100.
    """
    usual = {
        _together(case, alone): lines for case, lines in settings if not any(name in alone for name in case.varied)
    }
    many = sum(len(lines) for _, lines in settings) - sum(map(len, usual.values()))
    found = list[Changed]()
    for case, lines in settings:
        if beside := usual.get(_together(case, alone)):
            effects = tuple(_effect(beside[name], line, many) for name, line in lines.items() if name in beside)
            found.append(Changed(case.setting, case.told, effects))
    return tuple(found)


def _together(case: Case, alone: Container[str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in case.varied.items() if name not in alone)


def _effect(usual: FigureLine, line: FigureLine, many: int) -> Effect:
    here, there = usual.estimate, line.estimate
    if line is usual or not (here.count and there.count):
        return Effect(line, usual, 0)
    low, high = differs(here, there, many)
    return Effect(line, usual, 1 if low > 0 else -1 if high < 0 else 0)


def figures_of(asked: Asked, known: GameKnown) -> dict[str, FigureLine]:
    """Return by name what is compared of a setting; each interval holds 95 times of 100."""
    return {line.name: line for line in _lines(asked, known, Intervals())}


def _lines(asked: Asked, known: GameKnown, intervals: Intervals) -> Iterator[FigureLine]:
    games, winners, fair = total(asked["endings"]), asked["winners"], 1 / known.seats
    drawn = total([row for row in winners if row["winner"] is None])
    first = total([row for row in winners if row["winner"] == 0])
    yield FigureLine(f"points of {known.seat_names[0]}", intervals.points(first, drawn, games, fair))
    yield FigureLine("no winner", intervals.share(drawn, games))
    yield FigureLine("moves, half of the games", intervals.middle(histogram(asked["lengths"], "plies")), share=False)
    meetings = [row for row in asked["meetings"] if row["player"] == _stronger(row["both"], known.levels)]
    won, even, met = (total(meetings, key) for key in ("won", "drawn", "games"))
    yield FigureLine("points of the next level", intervals.points(won, even, met, fair))
    yield FigureLine(
        "decided, half of the games", hundredth(intervals.middle(histogram(asked["decided"], "hundredths")))
    )
    turned = total([row for row in asked["behind"] if row["tenths"] >= CLEARLY])
    yield FigureLine("winner was once clearly behind", intervals.share(turned, total(asked["behind"])))
    for ending in (*known.endings, UNFINISHED):
        met = total([row for row in asked["endings"] if row["ending"] == ending])
        yield FigureLine(ending, intervals.share(met, games))


def _stronger(both: Sequence[str], levels: Sequence[str]) -> str | None:
    """Return the stronger of two players; None where one of them does without something."""
    if not {*both} <= {*levels}:
        return None
    return max(both, key=levels.index)
