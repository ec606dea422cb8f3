"""Where a piece looks like another one than belongs there, by the strength of its magnet: told, and nothing else.

A pure function of the table.
"""

from __future__ import annotations

from controller.sentences import say
from controller.table.pieces_named import piece_called
from controller.table.reading.by_kind import looks_like_another
from controller.table.state import Play, Table

MOST_NAMED = 5  # cells


def other_kind_told(table: Table, play: Play) -> str:
    """Return which of the pieces that were just put down look like others; "" where none do.

    Those are all until the first ply, then what was touched since the last one, or became another piece by it.
    """
    cells = tuple(name for name in looks_like_another(table, play) if _is_news(play, name))
    if not cells:
        return ""
    if len(cells) > MOST_NAMED:
        return say("Pieces that look like others than belong there: {count}.", count=len(cells))
    if len(cells) > 1:
        return say("The pieces on {cells} look like others than belong there.", cells=cells)
    piece = piece_called(play.session.game, play.settled.position.shape.get(cells[0]))
    return say("The piece on {cell} looks like another one: {piece} belongs there.", cell=cells[0], piece=piece)


def _is_news(play: Play, name: str) -> bool:
    session, here = play.session, play.game_area.at(name)
    if len(session.positions) == 1 or any(change.bit & here for change in play.settled.changes):
        return True
    before, now = session.game.shape(session.positions[-2].state), play.settled.position.shape
    return before.get(name) != now.get(name)
