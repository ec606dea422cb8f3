"""What looks for a forced win beside another search of the same position: near ones first, then farther ones."""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from controller.engine.near_win import NearWin
from controller.engine.proof import Proof
from controller.rules.game import AnyGame

NEAR, FAR = 8, 1  # of `PARTS` parts of the positions; far wins come with an own ply, or with an answer
PARTS = NEAR + 2 * FAR


class Forced:
    """The search for a win of the seat to move in ``state``. `run` may be called again to go on."""

    def __init__(self, game: AnyGame, state: Any) -> None:
        self.near_win = NearWin(game, state)
        self.proofs = [Proof(game, state, nearest) for nearest in (3, 2)]

    @property
    def looked_at(self) -> int:
        """How many positions were looked at in all."""
        return self.near_win.looked_at + sum(proof.looked_at for proof in self.proofs)

    def near(self, nodes: int, stop: Callable[[], bool], own: int) -> None:
        """Look for a win in at most ``own`` own plies, in up to ``nodes`` positions."""
        self.near_win.run(nodes, stop, own)

    def run(self, nodes: int, stop: Callable[[], bool], likely: Sequence[Any]) -> None:
        """Go on until it is decided, ``nodes`` positions have been looked at in all, or ``stop``.

        ``likely`` are the plies as another search would try them.
        """
        self.near_win.run(nodes * NEAR // PARTS, stop, likely=likely)
        for proof in self.proofs:
            if not proof.over:
                proof.run(nodes * FAR // PARTS, stop)

    def line(self) -> tuple[Any, ...]:
        """Return the win that is proved, empty where none is."""
        return self.near_win.line() or next((line for proof in self.proofs if (line := proof.line())), ())
