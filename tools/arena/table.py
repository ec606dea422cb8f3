"""Levels of the product against strangers, all at once: a table a game, from a file that keeps every game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from tools.arena.likelihood import wilson
from tools.arena.matches import Pairing, Played, played
from tools.arena.strangers import Budget
from tools.arena.worth import JUDGES


class Line(msgspec.Struct, frozen=True):
    """One line of the file."""

    pairing: Pairing
    played: Played


class Cell(NamedTuple):
    """A row and a column of the table of a game."""

    game: str
    level: str
    stranger: str


def fill(words: Sequence[str]) -> None:
    """Play what the file lacks and print the tables."""
    asked = _parser().parse_args(words)
    levels, strangers = asked.levels.split(","), asked.strangers.split(",")
    budget = Budget(asked.seconds, asked.nodes)
    for game in asked.games_named or list(JUDGES):
        points: dict[Cell, list[float]] = {}
        for level in levels:
            for stranger in strangers:
                pairing = Pairing(game, level, stranger, asked.seed, budget)
                games = _all_games(pairing, asked.games, asked.jobs, asked.file)
                points[Cell(game, level, stranger)] = [each.points for each in games]
        print("\n".join(_rows(game, levels, strangers, points)), flush=True)


def _all_games(pairing: Pairing, games: int, jobs: int, file: Path) -> Iterator[Played]:
    """Yield the games of a pairing, those in the file first; each new one is written there."""
    there = {line.played.number: line.played for line in _lines(file) if line.pairing == pairing}
    yield from (there[number] for number in range(games) if number in there)
    missing = [number for number in range(games) if number not in there]
    if missing:
        with file.open("ab") as kept:
            for each in played(pairing, missing, jobs):
                kept.write(msgspec.json.encode(Line(pairing, each)) + b"\n")
                kept.flush()
                yield each


def _lines(file: Path) -> list[Line]:
    """Return the lines of the file; what a broken-off run has left of its last one is no line."""
    if not file.exists():
        return []
    written = file.read_bytes()
    whole = written[: written.rfind(b"\n") + 1]
    if whole != written:
        file.write_bytes(whole)
    return [msgspec.json.decode(line, type=Line) for line in whole.splitlines()]


def _rows(game: str, levels: Sequence[str], strangers: Sequence[str], points: dict[Cell, list[float]]) -> Iterator[str]:
    yield f"\n{game}: share of the points of each level"
    yield "level " + "".join(f"{stranger:>14}" for stranger in strangers)
    for level in levels:
        cells = (points[Cell(game, level, stranger)] for stranger in strangers)
        yield f"{level:<6}" + "".join(f"{_share(each):>14}" for each in cells)


def _share(points: Sequence[float]) -> str:
    low, high = wilson(sum(points), len(points))
    return f"{sum(points) / len(points):.2f} ±{(high - low) / 2:.2f}" if points else "-"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.arena table", description=__doc__)
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="all, where none is named")
    parser.add_argument("--levels", default="1,3,5,7")
    parser.add_argument("--strangers", default="random,greedy,r40,look1,ab2,ab4")
    parser.add_argument("--games", type=int, default=20, help="a cell of a table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.5, help="of the processor, a ply")
    parser.add_argument("--nodes", type=int, help="a ply at most")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--file", type=Path, required=True, help="every game is a line of it")
    return parser
