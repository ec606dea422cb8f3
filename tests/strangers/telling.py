"""Tells evenings by their numbers, and counts what became of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from controller.journal.recording import Line, write
from tests.strangers.boards import GAMES, board_file
from tests.strangers.evening import Evening, NotHere
from tests.strangers.judge import Judge, Program, Verdict
from tests.strangers.kinds import KINDS
from tests.strangers.positions import Spot, spot

TRIES = 6  # positions in which a story is tried before it is said not to be possible there
TOGETHER = 30  # evenings in a row that share a position, which is quicker


class Name(NamedTuple):
    """An evening: the same name, the same evening."""

    number: int
    kind: str
    game: str


@dataclass(frozen=True)
class ToldEvening:
    """An evening and what became of it; ``verdict`` is None where no position lent itself to it."""

    name: Name
    verdict: Verdict | None
    truth: tuple[str, ...]
    spot: Spot | None
    lines: tuple[Line, ...]

    @property
    def result(self) -> str:
        """One word."""
        return self.verdict.verdict if self.verdict else "not here"

    def recording(self, folder: str) -> Iterator[str]:
        """Yield the lines of a recording of the evening; a board of its own is written into ``folder``."""
        assert self.spot
        end = Line(self.lines[-1].t_us + 4_000_000, end=True) if self.lines else Line(4_000_000, end=True)
        yield from write(self.spot.header(board_file(self.spot.ground, folder)), (*self.lines, end))


def named(number: int, kind: str | None = None, game: str | None = None) -> Name:
    """Return the evening of that number: kinds go round, and games more slowly."""
    kinds = tuple(KINDS)
    return Name(number, kind or kinds[number % len(kinds)], game or GAMES[number // 60 % len(GAMES)])


def tell(name: Name) -> ToldEvening:
    """Tell an evening and judge it."""
    for attempt in range(TRIES):
        place = spot(name.game, name.number // TOGETHER + attempt * 7)
        evening = Evening(place, Random(f"{name.number}/{name.kind}/{name.game}/{attempt}"))
        try:
            KINDS[name.kind](evening)
        except NotHere:
            continue
        program = Program(place.table)
        truth = tuple(evening.truth.plies)
        verdict = Judge(evening, program).verdict()
        return ToldEvening(name, verdict, truth, place, tuple(program.lines))
    return ToldEvening(name, None, (), None, ())
