"""Diagrams of positions, for rules pages and lists of games: plain data from the rules, so that they cannot drift.

A diagram shows the cells, what stands on them, and where one piece may go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from controller.from_profile import bare_profile
from controller.refused import Refused
from controller.rules.drawings import drawings_of, outline
from controller.rules.game import AnyGame, Illegal, Piece, Unreadable, View
from controller.rules.options import BadOption
from controller.rules.places import LOOKS, Place
from controller.rules.registry import NoSuchGame
from controller.sentences import say
from controller.table.session import begin
from hardware.profile import Profile, geometry

SEED = 7  # of what is dealt at random, so that a diagram is the same every time


class Ground(msgspec.Struct, frozen=True):
    """How a cell is drawn that rules treat apart: `controller.rules.places.PlaceLook`; ``colour`` as in `DrawnCell`."""

    ground: str
    line: str
    sign: str
    foot: bool
    colour: int | None


class DrawnCell(msgspec.Struct, frozen=True):
    """A site. ``mark``: "from" for the piece asked about, "go" where it may go, "take" what it may take, "last" where
    the last move was, else "".

    Its piece has the ``body`` of its seat and the ``drawing`` of its kind, paths as `controller.rules.drawings` has
    them, or where the game has no drawing the ``sign`` of its kind; ``colour`` is the place of its seat's in `COLOURS`.
    """

    name: str
    kind: str
    x: float
    y: float
    outline: tuple[tuple[float, float], ...]
    mark: str
    piece: Piece | None
    sign: str = ""
    body: str = ""
    drawing: str = ""
    colour: int | None = None
    place: Ground | None = None


class Diagram(msgspec.Struct, frozen=True):
    """A position, in millimetres, y downwards, the first player at the bottom.

    ``at`` is the site of the piece asked about and ``kind`` the name of that piece; both are "" where none was.
    """

    title: str
    width: float
    height: float
    cells: tuple[DrawnCell, ...]
    at: str = ""
    kind: str = ""


def diagram(name: str, options: Mapping[str, Any], plies: Iterable[str] = (), at: str = "") -> Diagram:
    """Return the position of the game ``name`` after ``plies``, and where the piece at the site ``at`` may go.

    Raises `Refused`.
    """
    try:
        session = begin(name, options, SEED)
        for text in plies:
            session = session.played(text)
        profile = bare_profile(name, options)
    except (NoSuchGame, BadOption, Illegal, Unreadable) as wrong:
        raise Refused(str(wrong)) from wrong
    game, state = session.game, session.state
    seen = game.look(state, None)
    if at and at not in {site.name for site in profile.sites}:
        raise Refused(say("{game} has no site {site}", game=say(game.facts.title), site=at))
    marks = reached(game, state, at) if at else {}
    return drawn(game, profile, seen, marks, at)


def reached(game: AnyGame, state: Any, at: str) -> dict[str, str]:
    """Return "go" for each site on which a piece at ``at`` may stop in one ply, and "take" for what it may take."""
    before, found = game.shape(state), {at: "from"}
    for ply in game.moves(state):
        walk = game.walk(state, ply)
        if len(walk.path) < 2 or walk.path[0] != at:
            continue
        landing = walk.path[-1]
        found.update(dict.fromkeys(walk.takes, "take"))
        if landing != at:
            found[landing] = "take" if landing in before else "go"
    return found


def movable(name: str) -> list[tuple[str, str]]:
    """Return, in the order of the kinds, a site for each that can move as a game begins, and the kind's name."""
    session = begin(name, {}, SEED)
    game, state = session.game, session.state
    shape = game.look(state, None).pieces
    first: dict[str, str] = {}
    for ply in game.plies(state) if game.shared(state) is None else ():
        path = game.walk(state, ply).path
        if len(path) > 1 and path[0] in shape:
            first.setdefault(shape[path[0]].kind, path[0])
    return [(first[kind], say(title)) for kind, title in game.facts.kinds.items() if kind in first]


def drawn(game: AnyGame, profile: Profile, seen: View, marks: Mapping[str, str], at: str) -> Diagram:
    """Return what is ``seen`` on the board of ``profile`` as a diagram."""
    drawing, shape = geometry(profile), seen.pieces
    grounds = {cell: _ground(game, place) for place in seen.places for cell in place.cells}
    bare = (
        DrawnCell(name, site["kind"], site["x"], site["y"], _points(site["outline"]), marks.get(name, ""), None,
             place=grounds.get(name))
        for name, site in drawing["sites"].items()
    )  # fmt: skip
    cells = tuple(_with_piece(game, cell, shape[cell.name]) if cell.name in shape else cell for cell in bare)
    kind = say(game.facts.kinds[shape[at].kind]) if at in shape else ""
    return Diagram(say(game.facts.title), drawing["width"], drawing["height"], cells, at, kind)


def _ground(game: AnyGame, place: Place) -> Ground:
    look = LOOKS[place.kind]
    colour = None if place.seat is None else game.facts.colour(place.seat)
    return Ground(look.ground, look.line, look.sign, look.foot, colour)


def _with_piece(game: AnyGame, cell: DrawnCell, piece: Piece) -> DrawnCell:
    path, sign = drawings_of(game.facts.name).get(piece.kind, ""), game.facts.sign(piece.kind)
    return msgspec.structs.replace(cell, piece=piece, sign=sign, body=outline(piece.seat), drawing=path,
                                   colour=None if piece.seat is None else game.facts.colour(piece.seat))  # fmt: skip


def _points(outline: Iterable[Iterable[float]]) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in outline)
