"""What it costs to send parts of a run to workers and back: `python -m tools.benchmarks.lab_scheduling`.

The games take no time, so all of it is Dask's and ours; what comes back is as large as the files of so many games.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from distributed import Client, LocalCluster

from controller.lab.files import CasePart
from controller.lab.plan import Plan
from controller.lab.pools import DaskPool, PlayedPart

BYTES_A_GAME = 900  # of Tides of War at level 1, packed


def no_games(plan: bytes, part: CasePart) -> PlayedPart:
    """Return a part at once, with as many bytes as its games would have."""
    return PlayedPart(part, b"", b"\0" * (BYTES_A_GAME * part.games), 0.0)


def parts(games: int, count: int) -> Iterator[CasePart | None]:
    """Yield ``count`` parts of so many games, then None for ever."""
    for number in range(count):
        yield CasePart(0, number * games, (number + 1) * games - 1)
    while True:
        yield None


def main() -> None:
    """Print a line for each number of workers and size of a part."""
    for workers in (1, 2, 4, 8):
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address=None,
                silence_logs="CRITICAL",
            ) as cluster,
            Client(cluster) as client,
        ):
            for games, count in ((1, 1_000), (200, 1_000), (2_000, 100)):
                pool = DaskPool(Plan(game="tides-of-war"), client, no_games)
                began = time.perf_counter()
                done = sum(1 for _ in pool.results(parts(games, count).__next__))
                took = time.perf_counter() - began
                megabytes = BYTES_A_GAME * games * done / took / 1e6
                ms = 1000 * took / done
                print(f"{workers} workers, parts of {games} games: {ms:.2f} ms a part, {ms / games:.4f} ms a game, "
                      f"{megabytes:.0f} MB/s")  # fmt: skip


if __name__ == "__main__":
    main()
