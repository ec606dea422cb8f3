"""Runs of the workshop as the panel sees them: what there is, and a small one to play here in idle time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from controller.engine.levels import LEVELS
from controller.lab.extra import is_missing
from controller.lab.plan import Plan, changes, values_of
from controller.lab.refused import LabRefused
from controller.own_variants import OwnVariants
from controller.panel.game_info import in_words
from controller.panel.run_folders import KeptRun, RunFolders, in_all, time_told
from controller.panel.run_process import RunProcess
from controller.refused import Refused
from controller.rules.game import AnyGame
from controller.rules.options import BadOption, check_size, describe, parse
from controller.rules.registry import NoSuchGame, all_games, game_named
from controller.rules.variants import BadVariant, Variant
from controller.sentences import capital, say

SIMPLE = {"random": say("By chance"), "greedy": say("Takes what it can")}
FEWEST, MOST = 10, 2_000  # games of each kind
MOST_LEVELS, MOST_VALUES = 3, 12
MOST_IN_ALL = 20_000  # games of a run that a board plays beside everything else


class _Began(msgspec.Struct, frozen=True):
    """A run as it was begun or gone on with here: so many games were there ``before``, at a ``time`` of the clock."""

    name: str
    plan: Plan
    before: int
    time: float


class RunsBackend:
    """A `web_panel.pages.runs_page.RunsAccess`."""

    def __init__(
        self, folders: RunFolders, own: OwnVariants, process: RunProcess | None = None,
        lacks: Callable[[], bool] = is_missing,
    ) -> None:  # fmt: skip
        self.process = process or RunProcess()
        self._folders, self._own, self._lacks = folders, own, lacks
        self._began: _Began | None = None

    def players(self) -> list[dict[str, Any]]:
        """Return who can play, from weak to strong: ``{"name", "title"}``."""
        simple = [{"name": name, "title": title} for name, title in SIMPLE.items()]
        levels = [say("{number}: {name}", number=level.number, name=level.name) for level in LEVELS]
        return simple + [{"name": str(each.number), "title": told} for each, told in zip(LEVELS, levels, strict=True)]

    def report(self) -> dict[str, Any]:
        """Return ``{"runs", "installed", "playing", "wrong"}``, the last run first."""
        playing = self.process.playing
        known = self._folders.all()
        runs = [self._told(name, run.plan, run.played, run.begun, run) for name, run in known.items()]
        if (began := self._began) and began.name == playing and playing not in known:
            runs.insert(0, self._told(playing, began.plan, 0, time_told(time.time()), None))
        return {"runs": runs, "installed": not self._lacks(), "playing": playing, "wrong": self.process.wrong}

    def begin(
        self, name: str, game: str, variant: str, levels: Sequence[str], games: int, option: str, values: str
    ) -> str:  # fmt: skip
        """Begin a run and return its name; raises `Refused`."""
        self._check_installed()
        rules, chosen = self._rules(game, variant)
        if not FEWEST <= games <= MOST:
            raise Refused(say("Play {fewest} to {most} games of each kind.", fewest=FEWEST, most=MOST))
        _check_levels(levels)
        base = dict(chosen.options) if chosen else {}
        _check_options(rules, base)
        alone = changes(rules, base, {option: _varied(rules, base, option, values)}) if option else {}
        plan = Plan(game, chosen.title if chosen else "", base, {}, alone, tuple(levels), games=games)
        if in_all(plan) > MOST_IN_ALL:
            raise Refused(say("That makes {count} games, and {most} are the most here: take fewer values, levels or "
                              "games.", count=in_all(plan), most=MOST_IN_ALL))  # fmt: skip
        folder = self._folders.fresh(name, variant or game)
        self._play(folder.name, plan, 0, self._command(plan, chosen, str(folder)))
        return folder.name

    def go_on(self, name: str) -> None:
        """Play what a run lacks and write its report; raises `Refused`."""
        self._check_installed()
        run = self._folders.named(name)
        self._play(name, run.plan, run.played, ["lab", "go-on", str(run.folder), "--workers", "0", "--report"])

    def end(self, name: str) -> None:
        """Let a run end, with a report on what was played; raises `Refused`."""
        if not name or self.process.playing != name:
            raise Refused(say("The run '{name}' is not being played here.", name=name[:80]))
        self.process.end()

    def remove(self, name: str) -> None:
        """Delete a run with its games; raises `Refused`."""
        if name and self.process.playing == name:
            raise Refused(say("The run '{name}' is being played: end it first.", name=name[:80]))
        self._folders.remove(name)

    def page(self, name: str) -> bytes:
        """Return the report on a run as HTML; raises `Refused`."""
        return self._folders.report(name)

    def close(self) -> None:
        """End what is being played."""
        self.process.close()

    def _play(self, name: str, plan: Plan, before: int, arguments: Sequence[str]) -> None:
        self.process.begin(name, arguments)
        self._began = _Began(name, plan, before, time.monotonic())

    def _command(self, plan: Plan, variant: Variant | None, out: str) -> list[str]:
        """Return the command that plays ``plan``, in this one process."""
        found = ["lab", "run", "--game", plan.game, "--levels", ",".join(plan.levels), "--games", str(plan.games)]
        if variant:
            found += ["--variant", str(self._own.file(variant) or variant.name)]
        for option, values in plan.alone.items():
            found += ["--alone", f"{option}={'|'.join(values)}"]
        return [*found, "--workers", "0", "--report", "--out", out]

    def _check_installed(self) -> None:
        if self._lacks():
            raise Refused(say("What plays runs is not installed on this board."))

    def _rules(self, game: str, variant: str) -> tuple[AnyGame, Variant | None]:
        try:
            rules = game_named(game)
            chosen = self._own.named(variant) if variant else None
        except (NoSuchGame, BadVariant) as wrong:
            raise Refused(capital(say("{why}.", why=str(wrong)))) from wrong
        if chosen and chosen.game != game:
            raise Refused(say("'{name}' is no variant of {game}.", name=variant, game=say(rules.facts.title)))
        return rules, chosen

    def _told(self, name: str, plan: Plan, played: int, begun: str, run: KeptRun | None) -> dict[str, Any]:
        playing = name == self.process.playing
        rules = all_games().get(plan.game)
        title = say(rules.facts.title) if rules else plan.game
        tried = plan.vary | plan.alone
        return {
            "name": name,
            "title": say("{game}: {variant}", game=title, variant=say(plan.variant)) if plan.variant else title,
            "players": [_player(each) for each in plan.levels],
            "varied": [{"title": in_words(each), "values": [*found]} for each, found in tried.items()],
            "played": played,
            "of": in_all(plan),
            "begun": begun,
            "state": ("ends" if self.process.ending or played >= in_all(plan) else "plays") if playing else "rests",
            "seconds_left": self._seconds_left(plan, played) if playing else None,
            "report": run is not None and run.has_report,
        }

    def _seconds_left(self, plan: Plan, played: int) -> int | None:
        """Return for how long the run that is being played goes on, None before that is known."""
        began = self._began
        if began is None or played <= began.before:
            return None
        return round((in_all(plan) - played) * (time.monotonic() - began.time) / (played - began.before))


def _player(name: str) -> str:
    return SIMPLE.get(name) or (say("Level {level}", level=name) if name.isdecimal() else name)


def _check_levels(levels: Sequence[str]) -> None:
    known = [*SIMPLE, *(str(level.number) for level in LEVELS)]
    if not 1 <= len(levels) <= MOST_LEVELS or len({*levels}) < len(levels):
        raise Refused(say("Choose one to {most} levels, each once.", most=MOST_LEVELS))
    for level in levels:
        if level not in known:
            raise Refused(say("There is no level '{level}'.", level=level))


def _check_options(rules: AnyGame, given: Mapping[str, Any]) -> None:
    try:
        check_size(rules, given)
        parse(rules.options, given)
    except BadOption as wrong:
        raise Refused(capital(say("{why}.", why=str(wrong)))) from wrong


def _varied(rules: AnyGame, base: Mapping[str, Any], option: str, written: str) -> tuple[str, ...]:
    """Return the values of ``option`` that are ``written`` as ``2, 3`` or ``1..4``; raises `Refused`."""
    if option not in {each.name for each in describe(rules.options)}:
        raise Refused(say("{game} has no option '{name}'.", game=say(rules.facts.title), name=option))
    try:
        found = values_of(written)
    except LabRefused:
        found = ()
    if not 2 <= len({*found}) == len(found) <= MOST_VALUES:
        raise Refused(say("Give two to {most} values to try, each once, as 2, 3 or 2..5.", most=MOST_VALUES))
    for value in found:
        _check_options(rules, {**base, option: value})
    return found
