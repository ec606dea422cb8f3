"""Games that begin with plies made elsewhere: where these lead on a board.

It is a pure function of board, order and plies, so that whoever gives the order can have it done before the table gets
that: no table waits for another game's plies.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from controller.game_setup import Lesson, Opponents
from controller.orders import NewGame
from controller.rules.game import Piece
from controller.table.board import Board, GameArea, game_area
from controller.table.session import Kept, Left, Session, begin
from controller.typed import ready

Key = tuple[str, Mapping[str, Any], int, Lesson | None, Opponents, str, tuple[str, ...], Kept, int]


class Reached(msgspec.Struct, frozen=True):
    """The ``session`` after plies, its game_area on the ``board``, and what should have lain there after each ply."""

    board: Board
    key: Key
    session: Session
    game_area: GameArea
    standings: tuple[int, ...]

    def is_of(self, board: Board, order: NewGame, left: Left) -> bool:
        """Whether this is where the plies of ``left`` lead on ``board``, and who made those that are secret."""
        return self.board is board and self.key == _key(order, left)


def reach(board: Board, order: NewGame, left: Left) -> Reached:
    """Return where the plies of ``left`` lead in the game that ``order`` begins.

    Raises what `begin`, `game_area_of` and `Session.through` raise.
    """
    seed, most_cells = order.seed or 0, len(board.sites)
    session = begin(order.game, order.options, seed, order.lesson, most_cells, order.opponents, order.variant)
    place = game_area_of(board, session)
    session = session.through(left.plies, left.kept, left.given)
    game = session.game
    standings = tuple(place.mask(game.shape(position.state)) for position in session.positions)
    return Reached(board, _key(order, left), session, place, standings)


def reached(
    board: Board, order: NewGame, left: Left, session: Session, place: GameArea, standings: tuple[int, ...]
) -> Reached:
    """Return where a game is that ``order`` began on ``board`` and that was ``left`` so, which is known already."""
    return Reached(board, _key(order, left), session, place, standings)


def game_area_of(board: Board, session: Session) -> GameArea:
    """Return where the game of ``session``, at its start, lies on ``board``; raises `DoesNotFit`."""
    game = session.game
    cells = game.mesh(msgspec.convert(dict(session.options), ready(game.options))).cells
    shape: Mapping[str, Piece] = game.shape(session.state)
    return game_area(board, session.name, cells, shape)


def _key(order: NewGame, left: Left) -> Key:
    seed, held = order.seed or 0, order.opponents
    return order.game, order.options, seed, order.lesson, held, order.variant, left.plies, left.kept, left.given
