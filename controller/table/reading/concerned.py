"""Which sites the legal plies of a position have to do with, beside those that a hand making them touches. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from controller.rules.game import Walk
from controller.table.state import Play


def concerned(play: Play, site: str) -> bool:
    """Whether some legal ply begins at ``site``, or has otherwise to do with what stands there."""
    here = play.game_area.at(site)
    plies = play.settled.position.footprints
    touched = any((f.origin | f.at | (0 if f.origin else f.landing)) & here for f in plies)
    return touched or any(site in walk.concerns for walk in _walks(play))


def paid_from(play: Play, site: str) -> bool:
    """Whether some legal ply takes units from the store on ``site``, whose counter stays there: it may show another's
    colour, where that seat has more in it. A store that plies only bring units to is none.
    """
    walks = (walk for walk in _walks(play) if not walk.at or walk.at.startswith(f"{site}:"))
    return any(site in walk.concerns for walk in walks)


def _walks(play: Play) -> Iterator[Walk]:
    """Yield how the legal plies go that take no piece from where it stands."""
    game, state = play.session.game, play.session.state
    plies = (f.text for f in play.settled.position.footprints if not f.origin)
    return (game.walk(state, game.read(state, text)) for text in plies)
