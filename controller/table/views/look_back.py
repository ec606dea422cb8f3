"""How the game on the table stood some moves ago, for who wants to look back while it goes on.

Owns what of an earlier position a seat may see.
"""

from __future__ import annotations

import msgspec

from controller.sentences import say
from controller.table.state import Table
from controller.table.views.plies_told import ply_told
from controller.table.views.types import EarlierPosition


class NoPosition(ValueError):
    """A number of moves that the game does not have; one sentence."""


def position_after(table: Table, ply: int, seat: int | None) -> EarlierPosition:
    """Return the position after ``ply`` plies as ``seat`` (None: a watcher) may see it; raises `NoPosition`."""
    positions = table.play.session.positions if table.play else ()
    if table.play is None or not 0 <= ply < len(positions):
        raise NoPosition(say("moves of the game on the board: {n}", n=max(0, len(positions) - 1)))
    game, after = table.play.session.game, positions[ply]
    seen = game.look(after.state, seat)
    pieces, data = dict(seen.pieces), dict(seen.data)
    found = EarlierPosition(ply, pieces, seen.lines, seen.marks, data, places=seen.places)
    if not ply:
        return found
    before = positions[ply - 1].state
    stood = game.look(before, seat).pieces
    changed = tuple(sorted(site for site in {*seen.pieces, *stood} if seen.pieces.get(site) != stood.get(site)))
    words = ply_told(table.play.session, ply, seat).words
    return msgspec.structs.replace(found, changed=changed, seat=after.seat or 0, words=words)
