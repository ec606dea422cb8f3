"""Which of several legal readings the strength of the magnets speaks for, where the board knows kinds of pieces.

It has a say only where the board would ask: it makes nothing legal, and where one reading alone fits that one stands.
Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from controller.magnet_kinds import Magnet, MagnetKinds
from controller.rules.game import Piece
from controller.table.gestures.footprints import PlyFootprint
from controller.table.gestures.resolver import STICKS_US
from controller.table.state import Play, Table

# So many times as likely as each other reading one must be to be taken unasked. Of 100,000 gestures some 3,000 leave a
# question, so that this is wrong in 3 of them at most; 120 are misread for other reasons (docs/playing.md).
SURE = 1000.0
READ_US = 400_000  # so long after a piece was put down its field is known, also on large boards

Brought = Mapping[int, tuple[Magnet, Magnet]]
"""By bit: the magnet of the piece that should stand there, and of the one that does until a hand has exchanged it."""


def preferred(table: Table, play: Play, plies: tuple[PlyFootprint, ...]) -> tuple[PlyFootprint, ...]:
    """Return the one of several legal ``plies`` that is surely the likeliest; else all of them, what is ten times as
    likely as others before these.

    Where a piece may have come from beside the board, or from a cell whose contact sticks, it is asked as ever.
    """
    if table.kinds is None or len(plies) < 2 or not all(each.origin for each in plies):
        return plies
    likely = dict(zip(plies, _likelihoods(table, play, plies), strict=True))
    first, second = sorted(plies, key=lambda each: -likely[each])[:2]
    if likely[first] - likely[second] >= math.log(SURE):
        return (first,)
    return tuple(sorted(plies, key=lambda each: -round(likely[each] / math.log(10))))


def _likelihoods(table: Table, play: Play, plies: tuple[PlyFootprint, ...]) -> tuple[float, ...]:
    """Return how likely each of the ``plies`` makes the fields that were read, as logarithms; all 0 where they say
    nothing.

    Only sites count on which a piece belongs after each of them, of a kind whose magnet is known. Where a ply exchanges
    a piece for one of another kind, its hand may have done so by now, or not.
    """
    kinds, magnets = table.kinds, magnets_in(table, play)
    if kinds is None or not magnets or not table.fields:
        return (0.0,) * len(plies)
    brought = [_brought(play, magnets, footprint) for footprint in plies]
    common = [bit for bit in table.fields if all(bit in each for each in brought)]

    def likelihood(found: Brought) -> float:
        read = (sum(kinds.likelihood(magnet, table.fields[bit]) for magnet in found[bit]) / 2 for bit in common)
        return sum(map(math.log, read))

    return tuple(likelihood(each) for each in brought)


def magnets_in(table: Table, play: Play) -> Mapping[str, Magnet]:
    """Return which magnet is in which kind of piece of the game: as the game says, or else the board's file."""
    own = table.kinds.magnets.get(play.session.name, {}) if table.kinds else {}
    return {**play.session.game.facts.magnets, **own}


def rests_us(table: Table, play: Play, made: PlyFootprint) -> int:
    """Return for how long what lies where ``made`` ends has to, to have come from beside the board.

    One that is surely of another kind may have come from a cell whose contact sticks; until it is read it may be, too.
    """
    kinds, magnets = table.kinds, magnets_in(table, play)
    if kinds is None or not magnets or made.origin or not made.path:
        return 0
    if (field_mt := table.fields.get(made.landing)) is None:
        return READ_US
    expected = _brought(play, magnets, made).get(made.landing)
    return STICKS_US if expected and _is_another(kinds, magnets, expected, field_mt) else 0


def _is_another(kinds: MagnetKinds, magnets: Mapping[str, Magnet], expected: Sequence[Magnet], field_mt: float) -> bool:
    """Whether ``field_mt`` is surely that of another of the game's ``magnets`` than the ``expected`` ones."""
    most = max(kinds.likelihood(magnet, field_mt) for magnet in magnets.values())
    return most >= SURE * max(kinds.likelihood(magnet, field_mt) for magnet in expected)


def looks_like_another(table: Table, play: Play) -> tuple[str, ...]:
    """Return where a piece lies still that is surely of another kind than the one that belongs there."""
    kinds, magnets = table.kinds, magnets_in(table, play)
    if kinds is None or not magnets:
        return ()
    return tuple(
        name
        for name, piece in play.settled.position.shape.items()
        if (field_mt := table.fields.get(play.game_area.on(name, piece))) is not None
        and (wanted := magnets.get(piece.kind))
        and _is_another(kinds, magnets, [wanted], field_mt)
    )


def _brought(play: Play, magnets: Mapping[str, Magnet], footprint: PlyFootprint) -> Brought:
    game, state = play.session.game, play.session.state
    ply = game.read(state, footprint.text)
    stood, path = dict(game.shape(state)), game.walk(state, ply).path
    if len(path) > 1:
        stood[path[-1]] = stood[path[0]]

    def shown(name: str, piece: Piece) -> tuple[Magnet, Magnet] | None:
        there = stood.get(name)
        kinds = piece.kind, there.kind if there and there.seat == piece.seat else piece.kind
        return (magnets[kinds[0]], magnets[kinds[1]]) if all(kind in magnets for kind in kinds) else None

    after = game.shape(game.after(state, ply))
    found = {play.game_area.on(name, piece): shown(name, piece) for name, piece in after.items()}
    return {bit: magnets for bit, magnets in found.items() if magnets}
