"""Measures the move costs of whole boards of some 10,000 cells: ``python -m tools.benchmarks.cost_map``."""

from __future__ import annotations

import random
import time

from controller.rules.shells import adjacencies, cost_map, ring_of
from controller.rules.tilings import build

RUNS = 20


def main() -> None:
    """Print the time of one map of costs, in milliseconds, best and median of some runs."""
    for board in ("hex 58", "square 100 100", "triangle 100", "torus hex 100 100", "3.12.12 34"):
        mesh = build(board)
        nodes, between, draw = ring_of(mesh), adjacencies(mesh, "reflect"), random.Random(1)
        times_ms = []
        for _ in range(RUNS):
            shells = [draw.getrandbits(nodes) for _ in mesh.cells]
            begun = time.perf_counter()
            cost_map(between, shells, nodes, "reflect")
            times_ms.append((time.perf_counter() - begun) * 1000)
        times_ms.sort()
        print(
            f"{board:>18}: {len(mesh.cells):6} cells, {len(between):6} adjacencies, "
            f"best {times_ms[0]:5.2f} ms, median {times_ms[RUNS // 2]:5.2f} ms"
        )


if __name__ == "__main__":
    main()
