"""What was played since one's own turn, in words and with its way over the board: for the board's own moves, and who
looked away.
"""

from __future__ import annotations

from itertools import pairwise

from controller.table.session import Session
from controller.table.state import Play, Table
from controller.table.views.plies_told import IN_SECRET, ply_told
from controller.table.views.types import LastTurn, PlyTold

MOST_TOLD = 6  # things that a seat did in a turn: no turn of the games that come along has more that matter
MOST_PLIES = 40  # in a turn: what is alike is told as one thing


def last_turn(play: Play, seat: int | None) -> LastTurn | None:
    """Return the plies that the last player made in a row, as ``seat`` (None: a watcher) may know them.

    None at the start of a game, and in lessons, whose steps tell it themselves; and after units were shared out, which
    the lines of the game tell, or pieces were set up in secret, which the board shows.
    """
    end = len(play.session.positions) - 1
    return turn_told(play.session, *turn, seat) if (turn := _turn_to(play.session, end)) else None


def turns_before(play: Play, seat: int | None) -> tuple[LastTurn, ...]:
    """Return the turns before the last one since that of ``seat``, a person's for a watcher; the oldest first. What the
    board has played for ``seat`` is among them.

    Each other seat has one of them at most: who is out of the game need not read all that others do.
    """
    session, levels = play.session, play.session.opponents
    found: list[tuple[int, int]] = []
    movers: set[int | None] = set()
    end = len(session.positions) - 1
    while turn := _turn_to(session, end):
        mover = session.positions[end].seat
        own = mover == seat and not session.positions[end].by_board
        if mover in movers or own or (seat is None and not levels.level(mover)):
            break
        movers.add(mover)
        found.insert(0, turn)
        end = turn[0] - 1
    return tuple(turn_told(session, first, last, seat) for first, last in found[:-1])


def own_feat(table: Table, play: Play, seat: int | None) -> str:
    """Return what is to be cheered of the last ply to ``seat``, who made it, or to who moves for a seat nobody has.

    "" where there is nothing, in lessons and at the end, which is the greater news. All others read it behind what was
    played.
    """
    session = play.session
    last, people = session.positions[-1], table.seating.people
    if last.seat is None or session.lesson or play.result.over:
        return ""
    free = not (session.opponents.level(last.seat) or any(people[last.seat : last.seat + 1]))
    made = last.seat == seat or (seat is None and free)
    return ply_told(session, len(session.positions) - 1, seat).feat if made else ""


def _turn_to(session: Session, end: int) -> tuple[int, int] | None:
    """Return the numbers of the first and the last ply of the turn that ends with ply ``end``; None where none does."""
    positions, mover, secret = session.positions, session.positions[end].seat, session.game.secret
    if mover is None or session.lesson or session.game.shared(positions[end - 1].state):
        return None
    if secret is not None and secret(positions[end - 1].state) and not secret(session.state):
        return None
    first = end
    if session.gave_up(end):
        return first, end  # no part of what was moved before it
    while first > max(1, end + 1 - MOST_PLIES) and positions[first - 1].seat == mover:
        if positions[first - 1].by_board != positions[end].by_board:  # somebody has taken over
            break
        if session.game.shared(positions[first - 2].state) or session.sets_up(first - 1):
            break
        first -= 1
    return first, end


def turn_told(session: Session, first: int, end: int, seat: int | None) -> LastTurn:
    """Return the plies from ``first`` to ``end``, which one seat made, as ``seat`` may know them."""
    told: list[PlyTold] = []
    while first + len(told) <= end:
        told += _alike(session, first + len(told), end) or [_ply(session, first + len(told), seat)]
    told = [PlyTold("") if ply == then == PlyTold(IN_SECRET) else ply for ply, then in pairwise([*told, PlyTold("")])]
    if _only_ends(session, end) and any(ply.words for ply in told[:-1]):
        told[-1] = PlyTold("")
    worded = [n for n, ply in enumerate(told) if ply.words]
    begin = 0 if len(worded) <= MOST_TOLD else worded[-MOST_TOLD - 1] + 1
    last = session.positions[end]
    return LastTurn(last.seat or 0, first - 1 + begin, tuple(told[begin:]), last.by_board)


def _only_ends(session: Session, number: int) -> bool:
    """Whether ply ``number`` did nothing but end a turn: beside what was done in it, that goes without saying."""
    (before, after), game = session.positions[number - 1 : number + 1], session.game
    if game.made is None or after.secret or session.gave_up(number) or game.seat(after.state) == after.seat:
        return False
    return game.walk(before.state, game.read(before.state, after.text)).nowhere


def _ply(session: Session, number: int, seat: int | None) -> PlyTold:
    if session.positions[number].implied:
        return PlyTold("")
    told = ply_told(session, number, seat)
    return PlyTold(told.words) if session.sets_up(number) else told  # its way was over another position


def _alike(session: Session, first: int, end: int) -> list[PlyTold]:
    """Return as many plies from ``first`` on as are told as one thing, which the last of them says; [] for none."""
    game, positions = session.game, session.positions
    if game.made_alike is None or any(position.secret for position in positions[first : end + 1]):
        return []
    words, plies = "", [game.read(positions[first - 1].state, positions[first].text)]
    for before, after in pairwise(positions[first : end + 1]):
        more = [*plies, game.read(before.state, after.text)]
        if not (told := game.made_alike(positions[first - 1].state, more)):
            break
        words, plies = told, more
    if not words:
        return []
    ways = [ply_told(session, first + n, None).way for n in range(len(plies))]
    return [*(PlyTold("", way) for way in ways[:-1]), PlyTold(words, ways[-1])]
