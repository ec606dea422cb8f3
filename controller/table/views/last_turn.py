"""What was played last, in words and with its way over the board: for the board's own moves, and who looked away."""

from __future__ import annotations

from controller.table.state import Play
from controller.table.views.plies_told import ply_told
from controller.table.views.types import LastTurn, PlyTold

MOST_PLIES = 6  # of a turn that are told: no turn of the games that come along has more that matter


def last_turn(play: Play, seat: int | None) -> LastTurn | None:
    """Return the plies that the last player made in a row, as ``seat`` (None: a watcher) may know them.

    None at the start of a game, and in lessons, whose steps tell it themselves; and after units were shared out, which
    the lines of the game tell.
    """
    session = play.session
    positions, mover = session.positions, session.positions[-1].seat
    if mover is None or session.lesson or session.game.shared(positions[-2].state):
        return None
    first = len(positions) - 1
    while first > max(1, len(positions) - MOST_PLIES) and positions[first - 1].seat == mover:
        if session.game.shared(positions[first - 2].state):
            break
        first -= 1
    numbers = range(first, len(positions))
    told = (PlyTold("") if positions[n].implied else ply_told(session, n, seat) for n in numbers)
    return LastTurn(mover, first - 1, tuple(told))
