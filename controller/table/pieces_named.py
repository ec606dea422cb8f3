"""How a piece is called in a sentence."""

from __future__ import annotations

from controller.rules.game import AnyGame, Piece
from controller.rules.way_told import site_called
from controller.sentences import say


def piece_called(game: AnyGame, piece: Piece | None) -> str:
    """Return how ``piece`` is called: ``White's stone``, ``the giant`` where players swap colours, ``the piece``."""
    if piece is None:
        return say("the piece")
    kind = say(game.facts.kinds.get(piece.kind, piece.kind))
    if piece.seat is None or game.colour is not None or piece.seat >= len(game.facts.seats):
        return say("the {kind}", kind=kind)
    return say("{seat}'s {kind}", seat=say(game.facts.seats[piece.seat]), kind=kind)


def stays_told(game: AnyGame, kind: str, site: str, why: str) -> str:
    """Return that the piece of ``kind`` on ``site`` cannot move, and ``why`` if that can be said."""
    called, cell = say(game.facts.kinds.get(kind) or say("piece")), site_called(site)
    if not why:
        return say("The {kind} on {cell} cannot move now.", kind=called, cell=cell)
    return say("The {kind} on {cell} cannot move, because {why}.", kind=called, cell=cell, why=why)
