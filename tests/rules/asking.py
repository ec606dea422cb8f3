"""What the rules of a game answer to those who write plies."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest

from controller.rules.game import AnyGame, Illegal

S = TypeVar("S")


class GameAsked:
    """The rules of one game."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    def play(self, state: S, written: str) -> S:
        """Return the state after plies written with ``;`` between them."""
        for ply in written.split(";"):
            state = self.game.play_text(state, ply)
        return state

    def texts(self, state: Any) -> list[str]:
        """Return the legal plies as text."""
        return [self.game.text(state, ply) for ply in self.game.plies(state)]

    def refusal(self, state: Any, written: str) -> str:
        """Return the sentence with which a ply is refused."""
        with pytest.raises(Illegal) as refused:
            self.game.play_text(state, written)
        return str(refused.value)

    def lines(self, state: Any) -> str:
        """Return what everybody is told of a position."""
        return "\n".join(self.game.look(state, None).lines)
