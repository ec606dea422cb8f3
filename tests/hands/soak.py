"""Tells many stories over all games and kinds of sensors and counts what became of them.

``python -m tests.hands.soak GESTURES [SEED] [--game G] [--story S] [--sensors K] [--jobs N]``. With a game, a story, a
kind of sensors and a seed, and one gesture, it tells that story again; ``--recording FILE`` writes it as a recording.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tests.hands.book import EVERY, recording, stories_of, story_named, tell
from tests.hands.judge import FAULTS, OUTCOMES
from tests.hands.positions import GAMES, PER_POOL
from tests.hands.sensors import KINDS

COLUMNS = (*OUTCOMES, "not here")


class Wanted(NamedTuple):
    """What is to be told: a ``number`` of stories of one game from ``seed`` on."""

    game: str
    story: str | None
    sensors: str | None
    seed: int
    number: int


@dataclass(frozen=True)
class Count:
    """One gesture that was told."""

    game: str
    story: str
    sensors: str
    seed: int
    kind: str
    why: str

    @property
    def again(self) -> str:
        """How to tell it again."""
        return f"1 {self.seed} --game {self.game} --story {self.story} --sensors {self.sensors}"


def told(wanted: Wanted) -> list[Count]:
    """Tell what is wanted; every story with every kind of sensors in turn, each seed another gesture."""
    stories = [wanted.story] if wanted.story else [story.name for story in stories_of(wanted.game)]
    kinds = [wanted.sensors] if wanted.sensors else list(KINDS)
    found = []
    for seed in range(wanted.seed, wanted.seed + wanted.number):
        which, round_ = seed % len(stories), seed // len(stories)
        story, sensors = stories[which], kinds[(which + round_) % len(kinds)]
        outcome = tell(wanted.game, story, sensors, seed).outcome
        kind, why = outcome or ("not here", "")
        found.append(Count(wanted.game, story, sensors, seed, kind, why))
    return found


def shares(total: int, seed: int, game: str | None, story: str | None, sensors: str | None) -> Iterator[Wanted]:
    """Yield what is to be told, in parts that share their positions."""
    games = [name for name in GAMES if game in (None, name) and (story is None or name in story_named(story).games)]
    for number, name in enumerate(games):
        begin = seed
        end = seed + total // len(games) + (number < total % len(games))
        while begin < end:
            until = min(end, (begin // PER_POOL + 1) * PER_POOL)
            yield Wanted(name, story, sensors, begin, until - begin)
            begin = until


def soak(total: int, seed: int, jobs: int = 1, **only: str | None) -> list[Count]:
    """Tell ``total`` stories and return what became of each."""
    parts = list(shares(total, seed, only.get("game"), only.get("story"), only.get("sensors")))
    if jobs == 1:
        return [count for part in parts for count in told(part)]
    with ProcessPoolExecutor(jobs) as workers:
        return [count for counts in workers.map(told, parts) for count in counts]


def table(title: str, counts: list[Count], key: str) -> Iterator[str]:
    """Yield the lines of a table of the outcomes by one of a count's fields."""
    rows: dict[str, Counter[str]] = {}
    for count in counts:
        rows.setdefault(getattr(count, key), Counter())[count.kind] += 1
    width = max(len(title), *(len(name) for name in rows)) + 1
    yield title.ljust(width) + "".join(column.rjust(11) for column in COLUMNS)
    order = [story.name for story in EVERY] if key == "story" else list(rows)
    for name in sorted(rows, key=order.index):
        yield name.ljust(width) + "".join(str(rows[name][column] or "·").rjust(11) for column in COLUMNS)
    every = Counter(count.kind for count in counts)
    yield "all".ljust(width) + "".join(str(every[column] or "·").rjust(11) for column in COLUMNS)


def report(counts: list[Count]) -> Iterator[str]:
    """Yield the tables, then every gesture that was read wrongly and how to tell it again."""
    for title, key in (("story", "story"), ("game", "game"), ("sensors", "sensors")):
        yield from table(title, counts, key)
        yield ""
    for kind in FAULTS:
        for count in counts:
            if count.kind == kind:
                yield f"{kind}: {count.again}  # {count.why}"


def main() -> int:
    """Run from the command line; 1 where a story was read wrongly."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gestures", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--story", choices=[story.name for story in EVERY], metavar="STORY")
    parser.add_argument("--sensors", choices=list(KINDS))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--recording", type=Path, help="write the one gesture that is told to this file")
    given = parser.parse_args()
    if given.recording and not (given.game and given.story and given.sensors):
        parser.error("--recording needs --game, --story and --sensors, and a seed")
    began = time.perf_counter()
    only = {"game": given.game, "story": given.story, "sensors": given.sensors}
    counts = soak(given.gestures, given.seed, given.jobs, **only)
    for line in report(counts) if counts else ():
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{len(counts)} gestures in {time.perf_counter() - began:.1f} s\n")
    if given.recording:
        lines = recording(tell(given.game, given.story, given.sensors, given.seed))
        given.recording.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return int(any(count.kind in FAULTS for count in counts))


if __name__ == "__main__":
    sys.exit(main())
