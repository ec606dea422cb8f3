"""Chess of Tam Ruat: why a piece cannot move. It is blocked, or bound to its royal."""

from __future__ import annotations

from controller.rules.games.tam_ruat_chess.check import checker
from controller.rules.games.tam_ruat_chess.pieces import CELLS, KINDS, MARCHES, NUMBER, named
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.reasons import peril_told, promotion, way, whose
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.mesh import NONE
from controller.sentences import say


def why_stays(state: State, site: str) -> str:
    """Return why the piece on ``site`` cannot move."""
    begin = NUMBER[site]
    goals = [Ply(begin, end, takes) for end in range(len(CELLS)) if end != begin for takes in (False, True)]
    open_to = [ply for ply in goals if not whose(state, ply) and not way(state, ply)]
    if not open_to:
        return _blocked(state.board[begin])
    told = [peril_told(state, ply) for ply in open_to]
    if not all(told):
        return next(promotion(state, ply) for ply, peril in zip(open_to, told, strict=True) if not peril)
    royal, turn = state.royals[state.turn], state.turn
    name = KINDS[state.board[royal]]
    attacker = checker(state.board, state.sets[turn], state.sets[1 - turn], 1 - turn, royal)
    if begin == royal:
        return say("wherever it went, it would stand in check or beside the other royal")
    if attacker == NONE:
        return say("it is pinned: {reason}", reason=told[0])
    check = say("the {royal} is in check from the {piece}", royal=name, piece=named(state.board, attacker))
    return say("{check}, and this piece cannot end that", check=check)


def _blocked(kind: str) -> str:
    """Return that a piece of ``kind`` has no way at all."""
    if kind == "g":
        return say("there is no piece that it could jump over onto a free square or an enemy")
    if kind == "W":
        return say("every square around it is occupied, and it can jump over no enemy")
    if kind in MARCHES:
        return say("its way forward is blocked, and there is nothing that it could take")
    return say("every square that it could go to is occupied")
