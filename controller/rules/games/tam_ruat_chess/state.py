"""Chess of Tam Ruat: its state and its plies as values, and what is known of each square."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from controller.rules.games.tam_ruat_chess.camps import check_camp
from controller.rules.mesh import NONE
from controller.rules.options import for_designers
from controller.sentences import say

SEATS = (say("White"), say("Black"))
GHOSTS = 2
PATIENCE = 75  # moves by each side


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, cache_hash=True):
    """What of the ruling can be another, and how it is."""

    start: Annotated[
        str,
        for_designers(
            "Ranks of White's camp from the first, up to five, as in CPXkcQKckXPC/WwbwbwbwbwbW, with . for "
            "a vacant square; Black's mirror them.",
            max_length=70,
        ),
    ] = ""
    ghosts: Annotated[int, for_designers("Ghosts that each player has in reserve.", ge=0, le=9)] = GHOSTS
    repeats: Annotated[int, for_designers("How often a position may come before it is a draw.", ge=2, le=20)] = 5
    patience: Annotated[
        int,
        for_designers(
            "Moves by each side without a capture or a march after which it is a draw; two thirds of them "
            "allow to claim one.",
            ge=5,
            le=300,
        ),
    ] = PATIENCE
    promotion: Annotated[
        bool,
        for_designers(
            "Warriors and Barbarians bring lost pieces back on the last rank; without this they may not go there."
        ),
    ] = True
    in_passing: Annotated[
        bool, for_designers("Who went two squares may be captured on the square between, in the very next move.")
    ] = True
    bared: Annotated[
        Literal["lost", "draw", "goes_on"],
        for_designers(
            "What it means for a side that only its royal is left: it has lost, it is a draw, or play goes on."
        ),
    ] = "lost"

    def __post_init__(self) -> None:
        if self.start:
            check_camp(self.start)


class State(msgspec.Struct, frozen=True):
    """One position, and what is left of its history.

    ``passed`` is the square that a Warrior or Barbarian has just passed and ``runner`` where it stands, else NONE.
    ``lost`` are by seat the kinds that can be brought back, sorted. ``quiet`` counts plies since the last
    capture or Warrior or Barbarian move. ``seen`` are the positions (board, White's squares, turn, passed square where
    taking on it is legal) since the last ply that can never be undone, this one included. A ghost that was captured can
    come back, so such a capture is none of these plies.
    ``why`` and ``winner`` are set by the ply that ends the game, except for *checkmate* and *stalemate*.
    """

    board: str
    sets: tuple[int, int]
    royals: tuple[int, int]
    turn: int
    seen: tuple[tuple[str, int, int, int], ...]
    spare: tuple[int, int] = (GHOSTS, GHOSTS)
    lost: tuple[str, str] = ("", "")
    passed: int = NONE
    runner: int = NONE
    quiet: int = 0
    why: str = ""
    winner: int | None = None
    options: Options = Options()
