"""How much memory and time a report takes: `python -m tools.benchmarks.lab_memory RUN 10000 100000 1000000`.

The games of RUN are repeated under new numbers until there are so many; each report is made in a process of its own.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from controller.lab.files import CasePart
from controller.lab.report import judged, page
from controller.lab.store import Store

ROWS = 50_000  # games of one file


def repeated(run: Path, folder: Path, games: int) -> None:
    """Write a run with so many games into ``folder``: the first case of ``run``, again and again."""
    store = Store(folder)
    own = Store(run).run().plan
    with store.begun(own):
        first = [part for part in Store(run).parts() if part.case == 0]
        count = sum(part.games for part in first)
        for begin in range(0, games, ROWS // count * count):
            copies = min(ROWS // count, -(-(games - begin) // count))
            part = CasePart(0, begin, begin + copies * count - 1)
            for kind in ("games", "plies"):
                tables = [parquet.read_table(run / kind / each.name) for each in first]
                parquet.write_table(_copied(pa.concat_tables(tables), begin, copies, count), folder / kind / part.name)


def _copied(table: pa.Table, begin: int, copies: int, count: int) -> pa.Table:
    place = table.schema.get_field_index("game")
    return pa.concat_tables([
        table.set_column(place, "game", pc.add(table.column("game"), pa.scalar(begin + copy * count, pa.int32())))
        for copy in range(copies)
    ])  # fmt: skip


def main(words: list[str]) -> None:
    """Print a line for each number of games."""
    if words[0] == "--report":
        began = time.perf_counter()
        size = len(page([judged(Store(Path(words[1])))]))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        print(f"{time.perf_counter() - began:6.1f} s, {peak} MB at most, {size / 1000:.0f} kB of HTML")
        return
    for games in map(int, words[1:]):
        with TemporaryDirectory() as folder:
            repeated(Path(words[0]), Path(folder) / "run", games)
            print(f"{games:>9} games: ", end="", flush=True)
            subprocess.run([sys.executable, "-m", __spec__.name, "--report", str(Path(folder) / "run")], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
