"""What was played last, in words and with its way over the board: for the board's own moves, and who looked away."""

from __future__ import annotations

from itertools import pairwise

from controller.table.session import Session
from controller.table.state import Play
from controller.table.views.plies_told import ply_told
from controller.table.views.types import LastTurn, PlyTold

MOST_TOLD = 6  # things that a seat did in a turn: no turn of the games that come along has more that matter
MOST_PLIES = 40  # in a turn: what is alike is told as one thing


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
    told: list[PlyTold] = []
    while first + len(told) < len(positions):
        told += _alike(session, first + len(told)) or [_ply(session, first + len(told), seat)]
    worded = [n for n, ply in enumerate(told) if ply.words]
    begin = 0 if len(worded) <= MOST_TOLD else worded[-MOST_TOLD - 1] + 1
    return LastTurn(mover, first - 1 + begin, tuple(told[begin:]))


def _ply(session: Session, number: int, seat: int | None) -> PlyTold:
    return PlyTold("") if session.positions[number].implied else ply_told(session, number, seat)


def _alike(session: Session, first: int) -> list[PlyTold]:
    """Return as many plies from ``first`` on as are told as one thing, which the last of them says; [] for none."""
    game, positions = session.game, session.positions
    if game.made_alike is None or any(position.secret for position in positions[first:]):
        return []
    words, plies = "", [game.read(positions[first - 1].state, positions[first].text)]
    for before, after in pairwise(positions[first:]):
        more = [*plies, game.read(before.state, after.text)]
        if not (told := game.made_alike(positions[first - 1].state, more)):
            break
        words, plies = told, more
    if not words:
        return []
    ways = [ply_told(session, first + n, None).way for n in range(len(plies))]
    return [*(PlyTold("", way) for way in ways[:-1]), PlyTold(words, ways[-1])]
