"""Tell evenings: ``python -m tests.strangers GESTURES [SEED] [--kind K] [--game G] [--jobs N] [--recording FILE]``.

GESTURES evenings are told, with the numbers from SEED on. A line for each that went wrong has the command that tells it
again, and a table counts all of them.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import click

from tests.strangers.boards import GAMES
from tests.strangers.kinds import KINDS
from tests.strangers.telling import ToldEvening, named, tell

COLUMNS = ("told", "right", "question", "sentence", "silent", "by phone", "needless", "withdrawn", "wrong", "stuck",
           "not here")  # fmt: skip
BAD = ("wrong", "stuck")
Row = Counter[str]


def counted(told: ToldEvening) -> Row:
    """Return what an evening adds to the table."""
    row: Row = Counter({told.result: 1})
    if told.verdict:
        row.update({"told": 1, "by phone": told.verdict.by_phone, "needless": told.verdict.needless})
    return row


def line(told: ToldEvening) -> str:
    """Return one line about an evening that did not come out right, with the command that tells it again."""
    assert told.verdict
    name, verdict = told.name, told.verdict
    again = f"python -m tests.strangers 1 {name.number} --kind {name.kind} --game {name.game}"
    untrue = f"; for a while {'; '.join(verdict.untrue)}" if verdict.untrue else ""
    return f"{told.result}: made {'; '.join(told.truth)} | recorded {'; '.join(verdict.recorded)}{untrue}\n    {again}"


Part = tuple[dict[str, Row], list[str]]


def part(numbers: range, kind: str | None, game: str | None, results: tuple[str, ...]) -> Part:
    """Tell some evenings in a row; return a table by kind, and lines about those with one of ``results``."""
    rows: dict[str, Row] = defaultdict(Counter)
    lines = []
    for number in numbers:
        told = tell(named(number, kind, game))
        rows[told.name.kind].update(counted(told))
        rows[told.name.game].update(counted(told))
        if told.result in results:
            lines.append(line(told))
    return dict(rows), lines


def table(rows: dict[str, Row]) -> Iterator[str]:
    """Yield the lines of a table, by kind and by game."""
    yield "".join(f"{column:>10}" for column in ("", *COLUMNS))
    for name in (*KINDS, *GAMES):
        if name in rows:
            yield f"{name[:12]:>12}" + "".join(f"{rows[name][column] or '·':>10}" for column in COLUMNS)
    total: Row = sum((rows[game] for game in GAMES if game in rows), Counter())
    yield f"{'all':>12}" + "".join(f"{total[column] or '·':>10}" for column in COLUMNS)


def run(parts: Iterable[Part]) -> int:
    """Print the lines and the table; return how many evenings went wrong."""
    rows: dict[str, Row] = defaultdict(Counter)
    for some, lines in parts:
        for told in lines:
            click.echo(told)
        for name, row in some.items():
            rows[name].update(row)
    click.echo("\n".join(table(rows)))
    return sum(rows[game][bad] for game in GAMES for bad in BAD)


def main() -> int:
    """Tell what the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("gestures", type=int, help="how many evenings are told")
    parser.add_argument("seed", type=int, nargs="?", default=0, help="the number of the first one")
    parser.add_argument("--kind", choices=tuple(KINDS), help="of one kind alone")
    parser.add_argument("--game", choices=GAMES, help="of one game alone")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes share the work")
    parser.add_argument("--show", default="wrong,stuck", help="results that get a line of their own")
    parser.add_argument("--recording", type=Path, help="write the first evening as a recording")
    asked = parser.parse_args()
    if asked.recording:
        told = tell(named(asked.seed, asked.kind, asked.game))
        if told.verdict is None:
            click.echo("this story is not possible in that position")
            return 2
        asked.recording.write_text("\n".join(told.recording(str(asked.recording.parent))) + "\n", encoding="utf-8")
    numbers = range(asked.seed, asked.seed + asked.gestures)
    work = partial(part, kind=asked.kind, game=asked.game, results=tuple(asked.show.split(",")))
    chunks = [numbers[at : at + 240] for at in range(0, len(numbers), 240)]
    begin = time.process_time()
    if asked.jobs == 1:
        wrong = run(map(work, chunks))
        click.echo(f"{asked.gestures / max(time.process_time() - begin, 0.001):.0f} a second of processor time")
    else:
        with ProcessPoolExecutor(asked.jobs) as pool:
            wrong = run(pool.map(work, chunks))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
