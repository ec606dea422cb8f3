"""What every legal ply of a position does to the board: the footprints that gestures are read against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache, reduce
from operator import or_

import msgspec

from controller.rules.game import AnyGame, Piece
from controller.table.board import GameArea

NOBODY = Piece(None, "")


class PlyFootprint(msgspec.Struct, frozen=True, gc=False):
    """One ply as the sensors see it; all but ``text`` and ``path`` are occupancies.

    The moved piece leaves its ``origin``, 0 where it comes from beside the board, and stays on its ``landing``, 0 where
    nothing moves. ``done`` is what lies on the board when the hand has made the ply; the ply ``empties`` some sites and
    ``fills`` others; those in ``refills`` hold a piece before and after, and another one was there in between or
    nothing. All these are ``changed``: another site after this ply, or with another piece.
    ``involved`` are all sites that a hand making it touches or may touch on the way.
    ``chores`` are the sites that are still to be put right afterwards. ``at`` is the site that a ply concerns which
    moves nothing, 0 where there is none. After one that ``keeps_turn`` the same player may make another.
    """

    text: str
    path: tuple[int, ...]  # bits of the sites on which the moved piece stood, may be set down and stays
    origin: int
    landing: int
    done: int
    empties: int
    fills: int
    refills: int
    changed: int
    involved: int
    chores: int
    at: int = 0
    keeps_turn: bool = False
    exchanges: bool = False  # a piece of the other pole gives way where the moved one lands

    @property
    def own(self) -> int:
        """Every site that this ply touches or concerns, what is to be put right after it too."""
        return self.involved | self.chores | self.at

    @property
    def replaced(self) -> int:
        """Where the moved piece takes the place of another one; a round trip takes nobody's."""
        return self.refills & ~self.origin

    @property
    def victims(self) -> int:
        """How many pieces the moved one takes, as far as sensors can tell: what it leaves itself is none."""
        return (self.empties & ~self.origin | self.replaced).bit_count()

    @property
    def silent(self) -> bool:
        """Whether no sensor can see this ply."""
        return not self.changed

    def goes_on_from(self, other: PlyFootprint) -> bool:
        """Whether a hand that has made ``other`` may still be on its way to this ply: further on, or taking more."""
        if len(self.path) < 2 or len(other.path) < 2 or self.path[0] != other.path[0]:
            return False
        further = len(self.path) > len(other.path) and self.path[: len(other.path)] == other.path
        takes_all = self.empties & other.empties == other.empties != self.empties
        return further or (takes_all and self.path[-1] == other.path[-1])


class PositionFootprints(msgspec.Struct, frozen=True):
    """A settled position: what should lie on the board, and the footprint of every legal ply, by text."""

    shape: Mapping[str, Piece]
    standing: int
    colours: tuple[int, ...]  # the sites of each colour's pieces
    footprints: tuple[PlyFootprint, ...]
    hold: bool = False  # whether a piece held and put back makes the one ply that concerns its site

    @property
    def turn_end(self) -> PlyFootprint | None:
        """The one legal ply that no sensor sees and that concerns no site: it ends a turn that could go on."""
        silent = [f for f in self.footprints if f.silent and not f.at]
        return silent[0] if len(silent) == 1 else None

    def longer_than(self, made: PlyFootprint) -> tuple[PlyFootprint, ...]:
        """Return the plies to which a hand that has made ``made`` may still be on its way."""
        return tuple(f for f in self.footprints if f.goes_on_from(made))

    @property
    def movable(self) -> int:
        """The sites from which a piece may leave."""
        found = 0
        for footprint in self.footprints:
            found |= footprint.origin
        return found


def settled_position(game: AnyGame, state: object, game_area: GameArea, only: str | None = "") -> PositionFootprints:
    """Return what every legal ply of ``state`` does, with the ply ``only`` alone if there is one, without any for None.

    Plies that share units out have no footprints: no sensor sees them, a phone makes them, and they may be thousands.
    It is a value of its own each time: whoever follows a game knows by it that the board has settled anew.
    """
    return msgspec.structs.replace(_position(game, state, game_area, only))


@lru_cache(maxsize=32)  # while a hand is at work the same few positions are asked for again and again
def _position(game: AnyGame, state: object, game_area: GameArea, only: str | None) -> PositionFootprints:
    shape = game.shape(state)
    none = only is None or (not only and game.shared(state))
    plies = () if none else (game.read(state, only),) if only else game.plies(state)
    standing = game_area.mask(shape)
    prints = tuple(_footprint(game, state, shape, standing, ply, game_area) for ply in plies)
    colours = {piece.seat for piece in shape.values()}
    masks = tuple(game_area.mask({n: piece for n, piece in shape.items() if piece.seat == c}) for c in colours)
    return PositionFootprints(shape, standing, masks, prints, game.facts.hold)


def _footprint(
    game: AnyGame, state: object, before: Mapping[str, Piece], standing: int, ply: object, game_area: GameArea
) -> PlyFootprint:
    walk, reached = game.walk(state, ply), game.after(state, ply)
    after = game.shape(reached)
    later = standing if after == before else game_area.mask(after)
    if walk.path:
        # The colour of the moved piece; one that comes from beside the board is seen only afterwards.
        mover = before[walk.path[0]] if len(walk.path) > 1 else after.get(walk.path[0], NOBODY)
        path = tuple(game_area.on(site, mover) for site in walk.path)
        origin, landing = path[0] if len(path) > 1 else 0, path[-1]
        takes = game_area.mask({site: before[site] for site in walk.takes})
        # The origin empties before the landing fills: a round trip ends where it began.
        left = standing & ~takes & ~origin & ~game_area.both(landing)
        done, refills = left | landing, landing & standing
        exchanges = bool(standing & game_area.both(landing) & ~landing)
    else:
        path, origin, landing, done, refills, exchanges = (), 0, 0, later, 0, False
    changed = standing ^ done | refills
    return PlyFootprint(
        game.text(state, ply),
        path,
        origin,
        landing,
        done,
        standing & ~done,
        done & ~standing,
        refills,
        changed,
        reduce(or_, path, changed),
        (done ^ later) & game_area.area,
        game_area.on(walk.at, before.get(walk.at, NOBODY)) if walk.at else 0,
        game.facts.several and game.seat(reached) == game.seat(state),
        exchanges,
    )
