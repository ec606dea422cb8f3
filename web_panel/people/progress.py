"""How far people have come: levels beaten, lessons gone through, puzzles found, and days in a row.

Pure: which day it is comes in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

import msgspec

from web_panel.backend import Finished, Learnt

DAY = timedelta(days=1)


class Progress(msgspec.Struct, frozen=True):
    """How far somebody has come, by the name of a game; ``days`` are those on which they found a puzzle."""

    beaten: Mapping[str, int] = {}  # the highest level of the board that they have won against
    lessons: frozenset[str] = frozenset()
    solved: Mapping[str, frozenset[str]] = {}  # the numbers of puzzles
    days: frozenset[date] = frozenset()

    def in_game(self, name: str) -> dict[str, Any]:
        """Return ``{"level", "lesson", "solved"}`` of one game; the numbers of the puzzles are sorted."""
        level, lesson, solved = self.beaten.get(name, 0), name in self.lessons, self.solved.get(name, frozenset())
        return {"level": level, "lesson": lesson, "solved": sorted(solved)}


def progress_of(
    person: str,
    games: Iterable[Finished],
    learnt: Iterable[Learnt],
    known: Callable[[str], str],
    zone: tzinfo | None = None,
) -> Progress:
    """Return how far the ``person`` has come; ``known`` says which id a person of a game has now.

    Days begin at midnight in ``zone``, None: where this machine stands.
    """
    beaten: dict[str, int] = {}
    for game in games:
        level = _beaten(person, game, known)
        beaten[game.name] = max(level, beaten.get(game.name, 0))
    own = [each for each in learnt if known(each.person) == person]
    found = [each for each in own if each.puzzle]
    return Progress(
        {name: level for name, level in beaten.items() if level},
        frozenset(each.name for each in own if not each.puzzle),
        {name: frozenset(each.puzzle for each in found if each.name == name) for name in {each.name for each in found}},
        frozenset(day for each in found if (day := day_of(each.started, zone)) is not None),
    )


def _beaten(person: str, game: Finished, known: Callable[[str], str]) -> int:
    """Return the level of the board that ``person`` has beaten in ``game``, 0 for none; of several the lowest.

    A game that was begun in the middle, as with the better move shown, beats nobody.
    """
    levels = [level for _, level in game.seats if level]
    holds = [seat for seat, (id, level) in enumerate(game.seats) if not level and id and known(id) == person]
    won = game.whole and game.winner is not None and holds == [game.winner]
    return min(levels) if won and levels else 0


def day_of(started: str, zone: tzinfo | None = None) -> date | None:
    """Return the day of ``started``, a date and a time in UTC; None where that is not known."""
    try:
        return datetime.fromisoformat(started).replace(tzinfo=UTC).astimezone(zone).date()
    except ValueError:
        return None


def first_days(
    games: Iterable[Finished], learnt: Sequence[Learnt], zone: tzinfo | None = None
) -> tuple[Mapping[str, date], Mapping[str, date]]:
    """Return, by the name of a game, on which day it was first learnt or played to its end at this table, and on which
    somebody first found a puzzle of it.
    """
    lessons, puzzles = ([each for each in learnt if bool(each.puzzle) == found] for found in (False, True))
    return _first([*games, *lessons], zone), _first(puzzles, zone)


def _first(done: Iterable[Finished | Learnt], zone: tzinfo | None) -> Mapping[str, date]:
    first: dict[str, date] = {}
    for each in done:
        if (day := day_of(each.started, zone)) is not None:
            first[each.name] = min(day, first.get(each.name, day))
    return first


def streak(days: Collection[date], today: date) -> int:
    """Return on how many days in a row a puzzle was found, up to ``today`` or, before today's, to the day before."""
    day = today if today in days else today - DAY
    count = 0
    while day in days:
        count, day = count + 1, day - DAY
    return count
