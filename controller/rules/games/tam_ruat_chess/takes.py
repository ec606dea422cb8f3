"""Chess of Tam Ruat: what a ply would take, leave and expose."""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from controller.rules.games.tam_ruat_chess.check import checker
from controller.rules.games.tam_ruat_chess.pieces import MARCHES
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.mesh import NONE


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
