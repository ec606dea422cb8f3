"""Runs for the tests of the lab: small ones of a quick game, played in this process; and what is in their files."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from pyarrow import parquet

from controller.lab.plan import Plan
from controller.lab.pools import OwnProcess
from controller.lab.run import Playthrough
from controller.lab.store import Store


def quick(games: int = 12, levels: tuple[str, ...] = ("random",), **other: object) -> Plan:
    """Return a run of Tides of War, whose games at random take some hundredths of a second."""
    return Plan(game="tides-of-war", games=games, levels=levels, **other)  # type: ignore[arg-type]


def played(plan: Plan, folder: Path) -> Store:
    """Play ``plan`` into ``folder``."""
    store, ticks = Store(folder), count()
    store.check(plan)
    with store.begun(plan):
        for _ in Playthrough(store, OwnProcess(plan), lambda: float(next(ticks))).run():
            pass
    return store


Rows = list[dict[str, Any]]


def rows(store: Store, table: str) -> Rows:
    """Return what ``table`` ("games" or "plies") has, in order, without the times, which are never the same."""
    found = parquet.read_table(store.folder / table)
    order = [(name, "ascending") for name in ("case", "game", "ply") if name in found.column_names]
    without_times: Rows = found.drop_columns(["ms"]).sort_by(order).to_pylist()
    return without_times
