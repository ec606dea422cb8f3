"""A report: one page of HTML about a run, or about two of them side by side.

Owns what is put where. The figures are asked in `figures`, judged in `verdicts`, drawn in `charts`.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

import jinja2
import msgspec

from controller.lab import charts
from controller.lab.effects import Changed, changed, figures_of
from controller.lab.figures import QUESTIONS, RunFigures
from controller.lab.intervals import Intervals, differs
from controller.lab.plan import Case, Plan
from controller.lab.store import Store
from controller.lab.verdicts import ORDER, FigureLine, GameKnown, RunAnswer, answers, figure, is_found, per_cent
from controller.rules.game import AnyGame, Piece
from controller.rules.options import parse

MOST_DRAWN = 6  # settings with charts: a page stays small
TEMPLATE = "report.html"
NAMES = {
    "longest": "longest",
    "shortest": "shortest",
    "liveliest": "most changes of the lead",
    "one_sided": "decided earliest",
}


class Setting(msgspec.Struct, frozen=True):
    """One setting of a run with its answers; ``watch`` has its games by why they are worth a look.

    Where it is ``drawn`` a page has its charts.
    """

    number: int
    told: str
    games: int
    answers: tuple[RunAnswer, ...]
    asked: Mapping[str, Any]
    watch: Mapping[str, Any]
    drawn: bool

    def drawing(self, answer: str) -> str:
        """Return the chart that belongs to the answer of that key, as SVG; "" where there is none."""
        if self.drawn and answer == "ends":
            return charts.lengths(self.asked["lengths"])
        if self.drawn and answer == "choice":
            return charts.choices(self.asked["choices"])
        if self.drawn and answer == "alive" and self.asked["decided"]:
            return charts.decided(self.asked["decided"])
        return ""


class JudgedRun(msgspec.Struct, frozen=True):
    """A run with its answers."""

    store: Store
    plan: Plan
    settings: tuple[Setting, ...]
    games: int
    confidence: float
    changed: tuple[Changed, ...]


def judged(store: Store) -> JudgedRun:
    """Return the answers of a run; raises `LabRefused`."""
    plan = store.run().plan
    figures = RunFigures(store)
    try:
        asked = {question: figures.ask(question) for question in QUESTIONS}
    finally:
        figures.close()
    cases = plan.cases()
    first = {case.setting: case for case in reversed(cases)}
    rows = {
        number: {question: [row for row in found if row["setting"] == number] for question, found in asked.items()}
        for number in first
    }
    played = {number: case for number, case in sorted(first.items()) if rows[number]["endings"]}
    counting = Intervals()
    for number, case in played.items():
        answers(rows[number], known(plan, case), counting)
    sure = Intervals(counting.asked)
    settings = [_setting(plan, case, rows[number], sure, len(played)) for number, case in played.items()]
    games = sum(part.games for part in store.parts())
    beside = [(case, figures_of(rows[number], known(plan, case))) for number, case in played.items()]
    effects = changed(beside, plan.alone) if plan.alone else ()
    return JudgedRun(store, plan, tuple(settings), games, sure.confidence, effects)


def _setting(plan: Plan, case: Case, asked: Mapping[str, Any], intervals: Intervals, settings: int) -> Setting:
    found = answers(asked, known(plan, case), intervals)
    watch = asked["to_watch"][0] if asked["to_watch"] else {}
    games = sum(row["count"] for row in asked["endings"])
    return Setting(case.setting, case.told, games, found, asked, watch, settings <= MOST_DRAWN)


def known(plan: Plan, case: Case) -> GameKnown:
    """Return what the game itself says of a case."""
    game = plan.rules
    facts = game.facts
    options = parse(game.options, case.options)
    mesh = game.mesh(options)
    begins = game.shape(game.start(options, 1))
    own = {piece.kind for piece in begins.values() if piece.seat is not None}
    terrain = {site for site, piece in begins.items() if piece.seat is None}
    return GameKnown(
        seats=len(case.players),
        seat_names=_seat_names(game, begins),
        endings=facts.endings,
        kinds=tuple(map(str, facts.kinds.values())),
        own=tuple(str(name) for kind, name in facts.kinds.items() if kind in own),
        cells=tuple(cell for cell in mesh.cells if cell not in terrain),
        levels=plan.levels,
    )


def _seat_names(game: AnyGame, begins: Mapping[str, Piece]) -> tuple[str, ...]:
    """Return the names of the seats, with what each begins with where that is not the same for all."""
    facts = game.facts
    has = [{piece.kind for piece in begins.values() if piece.seat == seat} for seat in range(len(facts.seats))]
    alike = all(kinds == has[0] for kinds in has if kinds)
    shown = [", ".join(str(name) for kind, name in facts.kinds.items() if kind in kinds) for kinds in has]
    return tuple(
        seat if alike or not kinds else f"{seat} ({kinds})" for seat, kinds in zip(facts.seats, shown, strict=True)
    )


class Difference(msgspec.Struct, frozen=True):
    """A figure in two runs, and between which bounds the second differs from the first."""

    name: str
    first: FigureLine
    second: FigureLine
    low: float
    high: float

    @property
    def told(self) -> bool:
        """Whether it is certain that they differ."""
        return self.low > 0 or self.high < 0


def compared(one: JudgedRun, other: JudgedRun) -> list[tuple[str, list[Difference]]]:
    """Return by question what two runs found of the same figures, setting by setting."""
    pairs = [(question.question, here, there) for question, here, there in _pairs(one, other)]
    many = sum(1 for _, here, _ in pairs if here.share)
    found: dict[str, list[Difference]] = {}
    for question, here, there in pairs:
        low, high = differs(here.estimate, there.estimate, many)
        if not here.share:  # middles: told apart where their intervals do not meet
            low, high = there.estimate.low - here.estimate.high, there.estimate.high - here.estimate.low
        found.setdefault(question, []).append(Difference(here.name, here, there, low, high))
    return list(found.items())


def _pairs(one: JudgedRun, other: JudgedRun) -> Iterator[tuple[RunAnswer, FigureLine, FigureLine]]:
    for ours, theirs in zip(one.settings, other.settings, strict=False):
        for answer, its in zip(ours.answers, theirs.answers, strict=True):
            lines = {line.name: line for line in its.lines}
            for line in answer.lines:
                both = line.name in lines and line.estimate.count and lines[line.name].estimate.count
                if both and not line.by_turn:
                    yield answer, line, lines[line.name]


def page(runs: Sequence[JudgedRun]) -> str:
    """Return the report about one run, or about two."""
    environment = jinja2.Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    environment.filters |= {"per_cent": per_cent, "figure": figure, "interval": interval}
    environment.tests["found"] = is_found
    template = environment.from_string(resources.files(__package__).joinpath(TEMPLATE).read_text(encoding="utf-8"))
    worst = [max((answer.colour for answer in setting.answers), key=ORDER.index) for setting in runs[0].settings]
    return template.render(
        runs=runs, run=runs[0], worst=worst, names=NAMES, differences=compared(*runs) if len(runs) == 2 else [],
        mixed=runs[0].games - sum(setting.games for setting in runs[0].settings),
        folder=shlex.quote(str(runs[0].store.folder)),
    )  # fmt: skip


def interval(line: FigureLine) -> str:
    """Return the interval of a line, "" where it has none."""
    low, high = line.estimate.low, line.estimate.high
    if not line.estimate.count or low == high:
        return ""
    return f"{100 * low:.0f} – {100 * high:.0f} %" if line.share else f"{low:.0f} – {high:.0f}"
