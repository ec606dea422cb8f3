"""A ply that was made, in words: which piece went where, what it took and became. Knows no table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.rules.game import Game, Piece, View
from controller.rules.places import named
from controller.rules.way_told import then_to
from controller.sentences import all_of, say
from controller.table.session import Position, Session
from controller.table.views.types import PlyTold

IN_SECRET = say("chooses in secret")


def ply_told(session: Session, number: int, seat: int | None) -> PlyTold:
    """Return ply ``number``, from 1; of a secret one what ``seat`` may know of it."""
    game, (before, after) = session.game, session.positions[number - 1 : number + 1]
    if session.read_by(seat, number) != after.text:
        return PlyTold(IN_SECRET)
    made, way = game.read(before.state, after.text), way_of(game, before.state, after.text)
    words = done_by_its_seat(session, number) or _hand_move(game, before, after, seat) or game.words(before.state, made)
    return PlyTold(words, way, game.feat(before.state, made) if game.feat else "")


def way_of(game: Game[Any, Any, Any], state: Any, text: str) -> tuple[str, ...]:
    """Return the sites that a ply leads its piece over, first to last, or from which to which it sends units; else
    those where it does something.
    """
    ply = game.read(state, text)
    walk = game.walk(state, ply)
    return game.sent(state, ply) or walk.path or tuple(filter(None, (walk.at, *walk.concerns)))


def done_by_its_seat(session: Session, number: int) -> str:
    """Return ply ``number`` as what its seat did, to be put after its name; "" where it is told by what moved."""
    game, (before, after) = session.game, session.positions[number - 1 : number + 1]
    return game.made(before.state, game.read(before.state, after.text)) if game.made else ""


def _hand_move(game: Game[Any, Any, Any], before: Position, after: Position, seat: int | None) -> str:
    """Return a ply that takes one piece from cell to cell, with what it takes, becomes and loses, or ""."""
    there, seen = game.look(before.state, seat).pieces, game.look(after.state, seat)
    then = seen.pieces
    walk = game.walk(before.state, game.read(before.state, after.text))
    if len(walk.path) < 2 or walk.at or walk.path[0] not in there or walk.path[0] in then:
        return ""
    start, end = walk.path[0], walk.path[-1]
    moved, stays = there[start], then.get(end)
    others = [s for s in sorted({*there, *then} - {start, end, *walk.takes}) if there.get(s) != then.get(s)]
    if (stays and stays.seat != moved.seat) or any(site in then for site in others):
        return ""
    kinds, cells = game.facts.briefly or game.facts.kinds, {"start": start, "end": _goal(seen, end)}
    said: str
    piece = say(kinds[moved.kind])
    if end in there:
        taken = say(kinds[there[end].kind])
        said = say("{piece} from {start} takes {other} on {end}", piece=piece, other=taken, **cells)
    else:
        first, *more = (*(walk.path[1:-1] if len(walk.takes) > 1 else ()), cells["end"])
        said = then_to(say("{piece} from {start} to {end}", piece=piece, start=start, end=first), more)
    if walk.takes:
        gone = all_of(piece_on(game, there, site) for site in walk.takes)
        said = say("{move}, takes {others}", move=said, others=gone)
    lost = [piece_on(game, there, site) for site in others]
    if stays is None:
        lost.append(piece_on(game, {end: moved}, end))
    elif stays.kind != moved.kind:
        said = say("{move}, becomes {piece}", move=said, piece=say(kinds[stays.kind]))
    if not lost:
        return said
    return say("{move}; {fallen}: {others}", move=said, fallen=say(game.facts.fallen), others=all_of(lost))


def _goal(seen: View, site: str) -> str:
    """Return ``site`` with the place of a seat in which it lies: a town that is conquered is worth a word."""
    owned = tuple(place for place in seen.places if place.seat is not None)
    (place, *_) = (*named(owned, site), "")
    return say("{cell}, {place}", cell=site, place=place) if place else site


def piece_on(game: Game[Any, Any, Any], pieces: Mapping[str, Piece], site: str) -> str:
    """Return ``king on f6``; the bare site where none of ``pieces`` stands."""
    kind = say(game.facts.kinds[pieces[site].kind]) if site in pieces else ""
    return say("{piece} on {cell}", piece=kind, cell=site) if kind else site
