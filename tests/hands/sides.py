"""Measures what it is worth that sensors tell sides: the same hands at boards that tell the poles and at others.

``python -m tests.hands.sides GESTURES [SEED] [--game G] [--story S] [--asked]`` tells every gesture twice. The hands
are those of a board without poles, down to the last bounce, so that nothing differs but what its sensors say. A hand
that looks at the board, to answer what it asks, may see another question and act otherwise from then on. ``--asked``
names each gesture about which the board asks although it knows the sides.

With ``--kinds 2`` or ``3`` both boards tell the poles, and the second one so many strengths of magnets, too. Then the
hands exchange pieces that are promoted, mostly.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.table.notes import PlyMade
from tests.hands.book import EVERY, an_evening
from tests.hands.judge import Outcome, judge
from tests.hands.magnets import SETS
from tests.hands.positions import GAMES
from tests.hands.sensors import KINDS, Kind
from tests.hands.teller import NotHere, Teller
from tests.hands.telling import Story

NOISES = tuple(kind for kind in KINDS.values() if not kind.poles)
ASKED = ("asked", "needless")
COLUMNS = ("asked", "withdrawn", "complained", "stuck", "wrong")
OF = 100_000


@dataclass(frozen=True)
class Reading:
    """How one gesture was read: ``rest_ms`` is from the last touch until its ply counted, None where it did before."""

    kind: str
    why: str
    rest_ms: float | None


@dataclass(frozen=True)
class Pair:
    """One gesture, read without what is measured, poles or kinds, and with it."""

    game: str
    story: str
    noise: str
    seed: int
    without: Reading
    known: Reading


def told(game: str, story: Story, noise: Kind, seed: int, kind: Kind, exchanges: bool = False) -> Teller | None:
    """Tell a story to sensors of that ``kind``; None where the game has no such ply now."""
    teller = Teller(game, story.name, kind, seed, noise, exchanges)
    try:
        story.tell(teller)
        teller.end()
    except NotHere:
        return None
    return teller


def read(game: str, story: Story, noise: Kind, seed: int, kind: Kind, exchanges: bool) -> Reading | None:
    """Tell a story and say how it was read; None where the game has no such ply now."""
    teller = told(game, story, noise, seed, kind, exchanges)
    if teller is None:
        return None
    last_us = teller.world.acted_us
    outcome: Outcome = judge(teller)
    made = [note.t_us for note in teller.world.notes if isinstance(note, PlyMade) and note.t_us >= last_us]
    counted = outcome.kind == "right" and made
    return Reading(outcome.kind, outcome.why, (made[0] - last_us) / 1000 if counted else None)


def pairs(game: str, number: int, seed: int, only: str | None = None, kinds: int = 0) -> Iterator[Pair]:
    """Yield a ``number`` of gestures of a game: every story in turn, each seed with a noise of its own."""
    stories = [each for each in EVERY if game in each.games and each.tell is not an_evening]
    stories = [each for each in stories if only in (None, each.name)]
    for _ in range(number if stories else 0):
        story, noise = stories[seed % len(stories)], random.Random(seed).choice(NOISES)
        boards = (replace(noise, poles=kinds > 0), replace(noise, poles=True, kinds=kinds))
        without, known = (read(game, story, noise, seed, board, kinds > 0) for board in boards)
        if without and known:
            yield Pair(game, story.name, noise.name, seed, without, known)
        seed += 1


def table(title: str, found: list[Pair], key: str) -> Iterator[str]:
    """Yield the lines of a table: how often in 100,000 gestures, without what is measured > with it."""
    names = list(dict.fromkeys(getattr(pair, key) for pair in found))
    width = max(len(title), *(len(name) for name in names)) + 1
    yield title.ljust(width) + "gestures".rjust(9) + "".join(column.rjust(15) for column in (*COLUMNS, "rest, ms"))
    for name in [*names, "all"]:
        here = [pair for pair in found if name in (getattr(pair, key), "all")]
        columns = "".join(_column(here, column).rjust(15) for column in COLUMNS)
        yield name.ljust(width) + str(len(here)).rjust(9) + columns + _rests(here).rjust(15)


def _column(found: list[Pair], column: str) -> str:
    kinds = ASKED if column == "asked" else (column,)
    counts = (sum(getattr(pair, which).kind in kinds for pair in found) for which in ("without", "known"))
    shares = [round(count * OF / len(found)) for count in counts]
    return f"{shares[0]} > {shares[1]}" if any(shares) else "·"


def _rests(found: list[Pair]) -> str:
    """Return the means over the gestures that both boards have read right."""
    both = [(pair.without.rest_ms, pair.known.rest_ms) for pair in found]
    rests = [(before, after) for before, after in both if before is not None and after is not None]
    if not rests:
        return "·"
    return " > ".join(str(round(statistics.fmean(each))) for each in zip(*rests, strict=True))


def report(found: list[Pair], asked: bool) -> Iterator[str]:
    """Yield the tables, then what a board that tells sides still has read wrongly."""
    yield from table("game", found, "game")
    yield ""
    yield from table("story", sorted(found, key=lambda pair: pair.story), "story")
    yield ""
    named = ("withdrawn", "complained", "stuck", "wrong", *(ASKED if asked else ()))
    for pair in found:
        if pair.known.kind in named:
            again = f"{pair.seed} --game {pair.game} --story {pair.story}"
            yield f"{pair.known.kind} ({pair.without.kind}): {again}, {pair.noise}  # {pair.known.why}"


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gestures", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--story", choices=[story.name for story in EVERY], metavar="STORY")
    parser.add_argument("--asked", action="store_true")
    parser.add_argument("--kinds", type=int, choices=SETS, default=0)
    given = parser.parse_args()
    games = [given.game] if given.game else list(GAMES)
    began = time.perf_counter()
    found = [
        pair
        for game in games
        for pair in pairs(game, given.gestures // len(games), given.seed, given.story, given.kinds)
    ]
    for line in report(found, given.asked) if found else ():
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{len(found)} gestures, each told twice, in {time.perf_counter() - began:.1f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
