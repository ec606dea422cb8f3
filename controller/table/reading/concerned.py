"""Which sites the legal plies of a position have to do with, beside those that a hand making them touches. Pure."""

from __future__ import annotations

from controller.table.state import Play


def concerned(play: Play, site: str) -> bool:
    """Whether some legal ply begins at ``site``, or has otherwise to do with what stands there."""
    here = play.game_area.both(play.game_area.bit[site])
    plies = play.settled.position.footprints
    return any((f.origin | f.at | (0 if f.origin else f.landing)) & here for f in plies) or paid_from(play, site)


def paid_from(play: Play, site: str) -> bool:
    """Whether some legal ply takes units from the store on ``site``, whose counter stays there: it may show another's
    colour, where that seat has more in it.
    """
    game, state = play.session.game, play.session.state
    plies = (f.text for f in play.settled.position.footprints if not f.origin)
    return any(site in game.walk(state, game.read(state, text)).concerns for text in plies)
