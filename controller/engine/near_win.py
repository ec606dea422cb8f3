"""Whether the seat to move wins by force within a few plies of its own, whatever all others do.

Every ply is tried, first what has decided elsewhere: one ply mostly wins after many answers, and one answer refutes
many plies. So a win is found that allows as many answers as any other ply, for which `Proof` needs many times as many
positions. The nearest win comes first. Pure, as `best_first` is.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from controller.rules.game import AnyGame

LIGHT = 6  # plies are tried in about the time in which a search judges one position
LOOK_EVERY = 256  # plies between two questions whether it is enough


class _Open:
    """A position whose ``plies`` are being tried, the last one first; ``line`` is the longest way that lost so far."""

    __slots__ = ("line", "mine", "own", "plies", "state", "trying")

    def __init__(self, state: Any, mine: bool, own: int, plies: list[Any]) -> None:
        self.state, self.mine, self.own, self.plies = state, mine, own, plies
        self.trying: Any = None
        self.line: tuple[Any, ...] = ()


class NearWin:
    """One search for a win of the seat to move. `run` may be called again to go on."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.game, self.state, self.seat = game, state, game.seat(state)
        self.tried, self.own = 0, 0
        self.over, self.cut = False, True
        self.path: list[_Open] = []
        self.served: tuple[dict[Any, int], dict[Any, int]] = ({}, {})  # how often what decided: of others, of the seat
        self._line: tuple[Any, ...] = ()

    @property
    def looked_at(self) -> int:
        """How many positions a search would have judged meanwhile."""
        return self.tried // LIGHT

    def line(self) -> tuple[Any, ...]:
        """Return the win, with answers that put it off longest; empty where none is found."""
        return self._line

    def run(self, nodes: int, stop: Callable[[], bool], farthest: int = 1 << 20, likely: Sequence[Any] = ()) -> None:
        """Search until it is decided, ``nodes`` positions have been looked at in all, or ``stop``.

        Nor is a win looked for in more than ``farthest`` own plies. The first one is tried in the order of ``likely``.
        """
        most = LIGHT * nodes
        while not self.over and self.tried < most and not stop():
            if not self.path:
                if self.own >= farthest:
                    return
                self.own, self.cut = self.own + 1, False
                self._open(self.state, True, self.own)
                order = {ply: -number for number, ply in enumerate(likely)}
                self.path[0].plies.sort(key=lambda ply: order.get(ply, -len(order)))
            self._try(min(most, self.tried + LOOK_EVERY))

    def _try(self, most: int) -> None:
        """Try plies until there have been ``most``, or the position is decided for this number of own plies."""
        after, seat_of, result, seat = self.game.after, self.game.seat, self.game.result, self.seat
        path = self.path
        while path and self.tried < most:
            here = path[-1]
            ply = here.trying = here.plies.pop()
            self.tried += 1
            state, own = after(here.state, ply), here.own - here.mine
            mover = seat_of(state)
            if mover is None:
                self._decided(result(state).winner == seat)
            elif own:
                self._open(state, mover == seat, own)
            else:
                self.cut = True
                self._decided(False)

    def _open(self, state: Any, mine: bool, own: int) -> None:
        plies, served = list(self.game.moves(state)), self.served[mine]
        if served:
            plies.sort(key=lambda ply: served.get(ply, 0))
        self.path.append(_Open(state, mine, own, plies))

    def _decided(self, won: bool) -> None:
        """Go back to the last position in which another ply has to be tried, as the last one ``won`` or not."""
        path = self.path
        line: tuple[Any, ...] = ()
        while path:
            here = path[-1]
            if won == here.mine:
                served = self.served[here.mine]
                served[here.trying] = served.get(here.trying, 0) + 1
                line = (here.trying, *line)
            else:
                if won and len(line) >= len(here.line):
                    here.line = (here.trying, *line)
                if here.plies:
                    return
                won, line = not here.mine, here.line
            path.pop()
        self._line = line if won else ()
        self.over = won or not self.cut
