"""A small network that betters the judgement of a game: what its counts do not tell, learned from games.

One hidden layer. What is on in a position ("my stone on c3") adds its row of numbers to the layer; each number is then
cut off below nothing and above one, squared and weighed. The numbers of the layer lie side by side in one big integer,
so that a row is added at once, and nothing but whole numbers is reckoned with: every machine finds the same worth.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import mul
from typing import Any

LANE_BITS = 16  # of a number of the layer
MIDDLE = 1 << LANE_BITS - 1  # what is added to each, so that none is below nothing
ONE = 256  # how much 1.0 is in the layer
OUT_BITS = 22  # by how many the weighed sum is shifted to become thousandths
HIGHEST = 32_000  # which no sum of a lane may go beyond


class Network:
    """What a position is worth to the seat to move beside what its counts say, in thousandths."""

    def __init__(
        self,
        inputs: Callable[[Any], Sequence[int]],
        rows: Sequence[Sequence[int]],
        begin: Sequence[int],
        out: Sequence[int],
        most: int,
        bound: int,
    ) -> None:
        """``inputs`` tells which rows are added to ``begin``, at ``most`` so many; ``out`` weighs the layer.

        No worth is beyond ``bound``, so that a search need not ask where that could change nothing.
        """
        self.inputs, self.most, self.bound = inputs, most, bound
        self.rows = [packed(row) for row in rows]
        self.begin = packed([number + MIDDLE for number in begin])
        self.out = list(out)
        self.bytes = LANE_BITS // 8 * len(self.out)
        self.squares = _squares()

    def worth(self, state: Any) -> int:
        """Return the worth of ``state``; 0 of one in which more is on than the network was made for."""
        on = self.inputs(state)
        if len(on) > self.most:
            return 0
        layer = self.begin + sum(map(self.rows.__getitem__, on))
        lanes = memoryview(layer.to_bytes(self.bytes, "little")).cast("H")
        weighed: int = sum(map(mul, self.out, map(self.squares.__getitem__, lanes)))
        return max(-self.bound, min(self.bound, weighed >> OUT_BITS))


@cache
def _squares() -> list[int]:
    """Return the square of each number that a lane can hold, cut off at nothing and one."""
    return [min(max(number - MIDDLE, 0), ONE) ** 2 for number in range(1 << LANE_BITS)]


def packed(numbers: Sequence[int]) -> int:
    """Return ``numbers`` side by side; some may be below nothing, as sums come out right all the same."""
    return sum(number << LANE_BITS * place for place, number in enumerate(numbers))
