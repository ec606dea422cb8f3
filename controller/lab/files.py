"""The names of the files in a run's folder. Needs no package, so that whoever only lists runs needs none either."""

from __future__ import annotations

import re

import msgspec

FILE, LOCK, REPORT = "run.json", ".lock", "report.html"
GAMES, PLIES = "games", "plies"  # folders, each with a file for every part
NAME = re.compile(r"c([0-9]{5})-([0-9]{9})-([0-9]{9})\.parquet")


class CasePart(msgspec.Struct, frozen=True):
    """The games of a case from ``first`` to ``last``."""

    case: int
    first: int
    last: int

    @property
    def name(self) -> str:
        """The name of its two files."""
        return f"c{self.case:05}-{self.first:09}-{self.last:09}.parquet"

    @property
    def games(self) -> int:
        """How many games it has."""
        return self.last - self.first + 1


def part_called(name: str) -> CasePart | None:
    """Return the part whose file has that name, None where it is none of a run's."""
    found = NAME.fullmatch(name)
    return CasePart(*map(int, found.groups())) if found else None
