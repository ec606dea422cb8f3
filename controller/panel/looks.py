"""What one phone alone shows after a tap, while on the board nothing changes.

That is what a piece could do which this phone does not move. It is also by which landings a piece comes to a cell to
which several ways lead, and how a ply of a lesson goes on.

Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from controller.panel.diagrams import reached
from controller.panel.pieces_needed import same, site_names, sites_of
from controller.rules.game import Piece
from controller.sentences import say
from controller.table.pieces_named import piece_called
from controller.table.state import Play, Table
from controller.table.views.lights import Theme

MEANINGS = {"go": "may_go", "take": "may_take"}


def look_at(table: Table, theme: Theme, site: str, piece: dict[str, Any], why: str) -> dict[str, Any]:
    """Return ``{"site": site, "words": sentence, "sites": {site: light}}``, where a light is
    ``{"light": "#rrggbb", "blink": whether it blinks, "meaning": meaning}``.

    ``sites`` are those to which ``piece`` could go if its player were to move; without any the sentence is ``why``.
    """
    play = table.play
    if play is None:
        return {"site": site, "words": why, "sites": {}}
    place = sites_of(table, play)
    name = site_names(table, play).get(site, "")
    standing = play.settled.position.shape.get(name)
    goals = goals_of(play, name, standing) if standing is not None and same(piece, standing) else {}
    sites = {place[goal]: _shown(theme, meaning) for goal, meaning in goals.items()}
    called = piece_called(play.session.game, standing)
    told = say("Where {piece} could go. It is not yours to move.", piece=called)
    return {"site": site, "words": told if sites else why, "sites": sites}


def ways_to(table: Table, theme: Theme, target: str, ways: Mapping[str, str]) -> dict[str, Any]:
    """Return what `look_at` does, of the sites on which a piece may land first on its way to ``target``; beside it
    ``plies``, by site the ply that goes there first, "" where several do.
    """
    play = table.play
    assert play is not None
    place = sites_of(table, play)
    firsts = tuple(ways)
    words = say("Several ways lead to {cell}. Tap where the piece lands first: {cells}.", cell=target, cells=firsts)
    sites = {place[target]: _shown(theme, "may_go"), **{place[name]: _shown(theme, "choice") for name in ways}}
    return {"site": place[target], "words": words, "sites": sites, "plies": {place[n]: ply for n, ply in ways.items()}}


def on_to(table: Table, theme: Theme, target: str, onward: str, words: str) -> dict[str, Any]:
    """Return what `look_at` does, with ``words``, of the site that is tapped next where several taps make a ply."""
    assert table.play is not None
    place = sites_of(table, table.play)
    return {"site": place[target], "words": words, "sites": {place[onward]: _shown(theme, "choice")}}


def along(table: Table, theme: Theme, target: str, onward: str, taken: Sequence[str]) -> dict[str, Any]:
    """Return what `on_to` does, of a piece on its way that lands on ``target``; ``gone`` are the sites of those that it
    has ``taken`` until then.
    """
    assert table.play is not None
    place = sites_of(table, table.play)
    words = say("Good. Now tap {cell}.", cell=onward)
    return {**on_to(table, theme, target, onward, words), "gone": [place[name] for name in taken]}


def goals_of(play: Play, name: str, piece: Piece) -> dict[str, str]:
    """Return where the ``piece`` on ``name`` could go, and whom it could take, if its player were to move; nothing of
    what is secret, nor where the game does not know of passing.
    """
    session, game = play.session, play.session.game
    if session.secret or play.result.over:
        return {}
    state = session.state if game.known is None else game.known(session.state, None)
    owner = game.player_of(state, piece.seat)
    if owner != game.seat(state):
        state = game.passed(state) if game.passed else None
    if state is None or owner != game.seat(state) or game.shared(state):
        return {}
    found = reached(game, state, name)
    return {goal: MEANINGS[how] for goal, how in found.items() if how in MEANINGS}


def _shown(theme: Theme, meaning: Any) -> dict[str, str]:
    look = theme[meaning]
    return {"light": "#{:02x}{:02x}{:02x}".format(*look.colour), "blink": look.blink, "meaning": meaning}
