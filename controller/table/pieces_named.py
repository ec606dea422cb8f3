"""How a piece, and the site where it stands, are called in a sentence."""

from __future__ import annotations

from controller.rules.game import AnyGame, Piece
from controller.sentences import all_of, say


def piece_called(game: AnyGame, piece: Piece | None) -> str:
    """Return how ``piece`` is called: ``White's stone``, ``the giant`` where players swap colours, ``the piece``."""
    if piece is None:
        return say("the piece")
    kind = say(game.facts.kinds.get(piece.kind, piece.kind))
    if piece.seat is None or game.colour is not None or piece.seat >= len(game.facts.seats):
        return say("the {kind}", kind=kind)
    return say("{seat}'s {kind}", seat=say(game.facts.seats[piece.seat]), kind=kind)


def site_called(name: str) -> str:
    """Return how the site ``name`` of a game is called: ``e2``, ``node 0 of e2``, ``the corner of e2 and e3``."""
    cell, _, node = name.partition(":")
    if node:
        return say("node {node} of {cell}", node=node, cell=cell)
    around = name.partition("#")[0].split(".")
    return say("the corner of {cells}", cells=all_of(around)) if len(around) > 1 else name
