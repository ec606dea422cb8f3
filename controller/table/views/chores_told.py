"""What hands have still to put right, by the names of the pieces: ``Take Black's stone off b5.``

Owns the words for pieces that are to come, go or be exchanged. A pure function of the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.rules.game import Chore, Piece
from controller.sentences import capital, say, together
from controller.table.pieces_named import piece_called
from controller.table.reading.questions import other_side
from controller.table.state import Play, Table

MOST_TOLD = 5  # pieces; the lights show more of them better
MOST_BACK = 6  # plies in which a piece is looked for that should be gone


def chores_told(table: Table, play: Play) -> str:
    """Return what the last plies leave to be done; "" where the board stands as it should."""
    loose = play.settled.pending_chores & (table.now ^ play.settled.position.standing)
    off, on = loose & table.now, loose & ~table.now
    if not off | on:
        return ""
    own = _in_the_games_words(play, set(play.game_area.names(off | on)))
    for chore in own:
        for name in chore.at:
            both = play.game_area.at(name)
            off, on = off & ~both, on & ~both
    return together(*(chore.sentence for chore in own), put_and_take(play, on, off))


def put_and_take(play: Play, on: int, off: int) -> str:
    """Return which pieces to put ``on`` and to take ``off``, named while they are few; "" where there are none."""
    names = play.game_area.names
    if foreign := off & play.game_area.both(on):  # of two poles the other one
        rest = put_and_take(play, on & ~play.game_area.both(foreign), off & ~foreign)
        return together(capital(other_side(play, names(foreign))), rest)
    if on.bit_count() + off.bit_count() > MOST_TOLD:
        return say(
            "Pieces to put on: {missing}; pieces to take off: {extra}. The lights show where.",
            missing=on.bit_count(),
            extra=off.bit_count(),
        )
    told, lies = [], _lay_before(play)
    shape = play.settled.position.shape
    moved = _moved(play, on, off)
    if moved:
        begin, end = moved
        piece = _called(play, shape.get(end))
        told.append(say("Move {piece} from {begin} to {end}.", piece=piece, begin=begin, end=end))
    for name in names(off):
        if name not in moved:
            told.append(say("Take {piece} off {cell}.", piece=_called(play, lies.get(name)), cell=name))
    for name in names(on):
        if name not in moved:
            told.append(say("Put {piece} on {cell}.", piece=_called(play, shape.get(name)), cell=name))
    return together(*told)


def _called(play: Play, piece: Piece | None) -> str:
    return piece_called(play.session.game, piece)


def _moved(play: Play, on: int, off: int) -> tuple[str, ...]:
    """Return where the last ply began and ended, if a hand has still to carry its piece there; () else."""
    positions, game = play.session.positions, play.session.game
    if len(positions) < 2:
        return ()
    before, last = positions[-2].state, positions[-1]
    path = game.walk(before, game.read(before, last.text)).path
    if len(path) < 2 or path[0] == path[-1]:
        return ()
    area = play.game_area
    carried = area.at(path[0]) & off and area.at(path[-1]) & on
    return (path[0], path[-1]) if carried else ()


def _lay_before(play: Play) -> Mapping[str, Piece]:
    """Return what lay on the sites in the last plies, the newest first; nothing of what nobody may know."""
    session = play.session
    if session.private:
        return {}
    found: dict[str, Piece] = {}
    for position in session.positions[-1 - MOST_BACK : -1]:
        found |= session.game.shape(position.state)
    return found


def _in_the_games_words(play: Play, loose: set[str]) -> tuple[Chore, ...]:
    """Return the chores of the last ply for which the game has words of its own, as far as they are ``loose``."""
    positions, game = play.session.positions, play.session.game
    if game.chores is None or len(positions) < 2:
        return ()
    before, last = positions[-2].state, positions[-1]
    return tuple(c for c in game.chores(before, game.read(before, last.text)) if loose & set(c.at))
