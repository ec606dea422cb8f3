"""Chess of Tam Ruat: its state as a value, and what a ply would take, leave and expose."""

from __future__ import annotations

import msgspec

from controller.rules.games.tam_ruat_chess.check import checker
from controller.rules.games.tam_ruat_chess.pieces import MARCHES, Ply
from controller.rules.mesh import NONE
from controller.sentences import say

SEATS = (say("White"), say("Black"))
GHOSTS = 2


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chess of Tam Ruat has no options."""


class State(msgspec.Struct, frozen=True):
    """One position, and what is left of its history.

    ``passed`` is the square that a Warrior or Barbarian has just passed and ``runner`` where it stands, else NONE.
    ``lost`` are by seat the kinds that can be brought back, sorted. ``quiet`` counts plies since the last
    capture or Warrior or Barbarian move. ``seen`` are the positions (board, White's squares, turn, passed square where
    taking on it is legal) since the last ply that can never be undone, this one included: a ghost that was
    captured can come back, so such a capture is none of these.
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


def peril(state: State, ply: Ply) -> tuple[int, int]:
    """Return where the own royal stands after ``ply``, and the square of a piece that gives check to it, else NONE."""
    own, enemy = sets_after(state, ply, victim(state, ply))
    royal = ply.end if ply.begin == state.royals[state.turn] else state.royals[state.turn]
    return royal, checker(state.board, own, enemy, 1 - state.turn, royal)


def victim(state: State, ply: Ply) -> int:
    """Return the square of the piece that ``ply`` takes, else NONE."""
    kind = state.board[ply.begin]
    if not ply.captures:
        return NONE
    if kind == "W":
        return (ply.begin + ply.end) // 2
    return state.runner if kind in MARCHES and ply.end == state.passed else ply.end


def sets_after(state: State, ply: Ply, gone: int) -> tuple[int, int]:
    """Return the squares of the player who makes ``ply`` and of the other one after it."""
    turn = state.turn
    own, enemy = state.sets[turn] ^ 1 << ply.begin | 1 << ply.end, state.sets[1 - turn]
    if gone != NONE:
        enemy &= ~(1 << gone)
        if state.board[ply.begin] == "W" and state.spare[turn]:
            own |= 1 << gone
    return own, enemy

