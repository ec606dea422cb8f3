"""Proof search: whether the seat to move wins by force, whatever all others do.

The position opened next is the one that brings a proof of a win nearest, so plies that leave few answers come first. It
finds wins that cost pieces, which a search by worth looks at last. It looks `FARTHER` only when there is no nearer win.
Pure, as `best_first` is.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from controller.rules.game import AnyGame

NEVER = 1 << 40  # the proof number of what cannot be proved
FARTHER = 2  # plies by which it looks farther each time


class _ProofNode:
    """A position; ``proof`` leaves at least have to be wins to prove it, ``disproof`` not to be."""

    __slots__ = ("below", "disproof", "ours", "plies", "proof", "state")

    def __init__(self, state: Any, ours: bool) -> None:
        self.state, self.ours = state, ours
        self.plies: list[Any] = []
        self.below: list[_ProofNode] = []
        self.proof = self.disproof = 1


class Proof:
    """One search for a win of the seat to move. `run` may be called again; `line` has the win where it is proved."""

    def __init__(self, game: AnyGame, state: Any, nearest: int = 2) -> None:
        """``nearest`` is how far it looks first: odd where a win comes with an own ply, even where with an answer."""
        self.game, self.seat = game, game.seat(state)
        self.looked_at = 0
        self.root = _ProofNode(state, True)
        self.reach, self.cut = nearest, False

    @property
    def over(self) -> bool:
        """Whether there is a proof, or there can be none."""
        return not self.root.proof or (not self.root.disproof and not self.cut)

    def run(self, nodes: int, stop: Callable[[], bool], farthest: int = 1 << 20) -> None:
        """Search until it is proved or disproved, ``nodes`` positions have been looked at in all, or ``stop``.

        Nor does it look farther than ``farthest`` plies.
        """
        while self.root.proof and self.looked_at < nodes and not stop():
            if not self.root.disproof:
                if not self.cut or self.reach >= farthest:
                    return
                self.root, self.reach, self.cut = _ProofNode(self.root.state, True), self.reach + FARTHER, False
            node, path = self.root, [self.root]
            while node.below:
                node = _next(node)
                path.append(node)
            self._open(node, len(path))
            for each in reversed(path):
                _count(each)

    def _open(self, node: _ProofNode, depth: int) -> None:
        game, seat = self.game, self.seat
        after, result, mover = game.after, game.result, game.seat
        node.plies = game.moves(node.state)
        for ply in node.plies:
            state = after(node.state, ply)
            how = result(state)
            below = _ProofNode(state, not how.over and mover(state) == seat)
            if how.over:
                below.proof, below.disproof = (0, NEVER) if how.winner == seat else (NEVER, 0)
            elif depth == self.reach:
                below.proof, below.disproof, self.cut = NEVER, 0, True
            node.below.append(below)
        self.looked_at += len(node.plies)

    def line(self) -> tuple[Any, ...]:
        """Return the proved win as a line, empty where there is none; the others are taken to resist at random."""
        node, line = self.root, []
        while not node.proof and node.below:
            index = next(i for i, below in enumerate(node.below) if not below.proof)
            line.append(node.plies[index])
            node = node.below[index]
        return tuple(line)


def _next(node: _ProofNode) -> _ProofNode:
    if node.ours:
        return min(node.below, key=lambda below: below.proof)
    return min(node.below, key=lambda below: below.disproof)


def _count(node: _ProofNode) -> None:
    """Count again what is still to be proved: one of our plies, but all of the others'."""
    proofs, disproofs = [below.proof for below in node.below], [below.disproof for below in node.below]
    if node.ours:
        node.proof, node.disproof = min(proofs), min(sum(disproofs), NEVER)
    else:
        node.proof, node.disproof = min(sum(proofs), NEVER), min(disproofs)
