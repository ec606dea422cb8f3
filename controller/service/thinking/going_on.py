"""Whether a person may still go on with the last ply: then nobody answers it yet, and nobody judges it."""

from __future__ import annotations

from collections.abc import Callable

from controller.table.reading.last_ply import GO_ON_US, takes_more_if_further
from controller.table.state import Play, Table


class GoingOn:
    """When each ply was first seen to be one that takes more if its piece goes further."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._reached: tuple[object, float] = None, 0.0  # the position after that ply, and since when it is known

    def may(self, table: Table, play: Play) -> bool:
        """Return whether a person still looks how to go on with a ply that takes more: not with the answer in view.

        With a clock it is the board's time, so nobody waits. Hands on wood go on before they let go.
        """
        if not table.by_taps or play.clock or not takes_more_if_further(play):
            return False
        position = play.session.positions[-1]
        if position is not self._reached[0]:
            self._reached = position, self._clock()
        return self._clock() < self._reached[1] + GO_ON_US / 1e6
