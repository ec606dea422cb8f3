"""Cyvasse: why a piece cannot move."""

from __future__ import annotations

from itertools import product

from controller.rules.games.cyvasse.board import CELLS
from controller.rules.games.cyvasse.reasons import SEATS, why_not_moved
from controller.rules.games.cyvasse.state import KINGS, Ply, State
from controller.rules.games.cyvasse.turns import begun, owed_corners, promotions, reaches, setting_up
from controller.sentences import say


def why_stays(state: State, site: str) -> str:
    """Return why the piece on ``site`` cannot move."""
    cell = CELLS.index(site)
    if state.board[cell] == "M":
        return say("a mountain never moves")
    if setting_up(state):
        return say("the pieces are still being set up")
    too_strong = ""
    for corner, (at, into) in product(owed_corners(state), promotions(state)):
        board, centres = begun(state, corner, at, into)
        quiet, hits = reaches(state, board, centres)
        met = [end for end, attackers in hits.items() if cell in attackers]
        if KINGS[state.turn] not in state.board and (met or any(ply.begin == cell for ply in quiet)):
            return say("{side}'s king was taken, and this piece cannot bring one back", side=SEATS[state.turn])
        for end in met:
            too_strong = too_strong or why_not_moved(state, board, centres, Ply(cell, end, True))
    if too_strong:
        return say("it has no free cell to go to, and is too weak for what it meets: {why}", why=too_strong)
    return say("other pieces, mountains or the edge of the board close all its ways")
