"""Cuts a story at many places, starts the board on each disk that may be left, and holds it to what was promised."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from controller.backups.backup_file import BadBackup
from controller.journal.database import JournalFailed
from tests.power_cuts.boards import BOARDS
from tests.power_cuts.disk import MODELS, Disk, Model
from tests.power_cuts.promises import State, broken, promised
from tests.power_cuts.start import GAMES, goes_on, started, unsound
from tests.power_cuts.trace import Act, recorded

WEIGHTS = {"r": 4, "u": 4, "m": 4, "!": 2}  # of acts by their kinds, where that is not 1
GOES_ON = 0.1  # of the boards are played on and started again
# What a board may say after a cut beside nothing at all. A journal that was just begun is empty until its first page is
# there, and one that was damaged before is told to be.
MAY_TELL = {"first_start": ("was empty: a new one",), "damaged_journal": ("The journal was damaged",)}


@dataclass
class Outcome:
    """What came of a story: how many ``acts`` it has, how many ``cuts`` were made by each model, and each that
    ``failed``: where, on which disk, and why.
    """

    story: str
    acts: int = 0
    cuts: Counter[Model] = field(default_factory=Counter)
    failed: list[tuple[Model, int, Path, str]] = field(default_factory=list)


def cut(story: str, count: int, library: Path, folder: Path, seed: int = 0) -> Outcome:
    """Record a story and cut it ``count`` times; disks on which something is wrong stay below ``folder``."""
    before, played = folder / f"{story}-before", folder / story
    before.mkdir(parents=True)
    BOARDS[story](before)
    shutil.copytree(before, played)
    acts = recorded(library, played, "tests.power_cuts.stories", story)
    outcome = Outcome(story, len(acts))
    for number, (place, model, may, disk) in enumerate(_places(acts, before, count, random.Random(f"{story} {seed}"))):
        shutil.rmtree(played)  # each disk takes its place: files name others by their paths
        dice = random.Random(f"{story} {seed} {number}")
        disk.cut(model, dice, played)
        outcome.cuts[model] += 1
        why = wrong(played / GAMES, may, MAY_TELL.get(story, ()), dice.random() < GOES_ON)
        if why:
            kept = folder / f"{story}-{number}"
            disk.cut(model, random.Random(f"{story} {seed} {number}"), kept)
            outcome.failed.append((model, place, kept, why))
    return outcome


def _places(
    acts: list[Act], before: Path, count: int, dice: random.Random
) -> Iterator[tuple[int, Model, tuple[State, ...], Disk]]:
    """Yield so many places of a trace, each with a model, what may be found, and the disk.

    They are spread evenly over all of it, closer where names change and where something was just promised.
    """
    disk, may = Disk(before), promised(acts)
    begin = next((number for number, act in enumerate(acts) if act.kind == "!"), 0)
    worth = [place for place in range(begin, len(acts)) for _ in range(_weight(acts[place]))]
    places = Counter(worth[int((number + dice.random()) * len(worth) / count)] for number in range(count))
    number = 0
    for place, act in enumerate(acts):
        disk.do(act)
        for _ in range(places[place]):
            yield place, MODELS[number % len(MODELS)], may[place], disk
            number += 1


def _weight(act: Act) -> int:
    """Return how many cuts an act is worth beside others; a file that was only opened changes nothing."""
    return WEIGHTS.get(act.kind, 1) if act.kind != "o" or act.at else 0


def wrong(journal: Path, may: tuple[State, ...], may_tell: tuple[str, ...], plays_on: bool) -> str:
    """Start a board and return what is wrong with it, "" for nothing."""
    told: list[str] = []
    try:
        found = started(journal, told)
        if why := broken(found, may):
            return f"{why} {told}"
        if unexpected := [sentence for sentence in told if not any(part in sentence for part in may_tell)]:
            return f"it tells {unexpected}"
        return unsound(journal) or (goes_on(journal) if plays_on else "")
    except (JournalFailed, BadBackup, OSError, ValueError) as failed:
        return f"{type(failed).__name__}: {failed} {told}"
