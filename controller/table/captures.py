"""Which pieces a game has seen captured, read off its positions, so that no game has to keep count.

Owns what counts as captured: a piece that another seat's ply took off the board and that has not come back.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from controller.rules.game import AnyGame, Piece

Captures = tuple[tuple[int, Piece], ...]
"""Each captured piece with the seat that took it, in the order of capture."""


def captured(game: AnyGame, before: Any, after: Any, known: Captures = ()) -> Captures:
    """Return the captures after the ply that leads from state ``before`` to ``after``, ``known`` until then.

    Units that merge and pieces that their own player gives up are nobody's capture. A board that is set up anew begins
    with none, and in some games nothing is captured.
    """
    if not game.facts.captures or (game.sets_up is not None and game.sets_up(after)):
        return ()
    seat, stood, stands = game.seat(before), Counter(game.shape(before).values()), Counter(game.shape(after).values())
    if seat is None or stood == stands:
        return known
    own = game.colour_of(before, seat)
    gone, come = stood - stands, stands - stood
    found = list(known)
    for colour in sorted({piece.seat for piece in (*gone, *come) if piece.seat is not None}):
        left = _of(gone, colour)
        came = _of(come, colour)
        if len(left) > len(came) and colour != own:
            found += [(seat, piece) for piece in left[len(came) :]]  # the others were only exchanged
        for piece in came[len(left) :]:
            back = next((each for each in found if each[1] == piece), None)
            if back is not None:
                found.remove(back)
    return tuple(found)


def _of(pieces: Counter[Piece], colour: int) -> list[Piece]:
    return sorted((piece for piece in pieces.elements() if piece.seat == colour), key=lambda piece: piece.kind)
