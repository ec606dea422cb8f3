"""A whole game as one moving picture: whatever is seen after each move is the position after it."""

from __future__ import annotations

from random import Random

import pytest

from controller.from_profile import bare_profile
from controller.panel.diagrams import drawn
from controller.panel.film import Actor, film
from controller.panel.pictures import shape_after, whole_game
from controller.refused import Refused
from controller.rules.game import Piece, View
from controller.rules.registry import all_games
from controller.table.session import Session, begin


def played(name: str, most: int = 60) -> Session:
    session, dice = begin(name, {}, 3), Random(3)
    while not session.final and len(session.positions) <= most:
        game, state = session.game, session.state
        session = session.played(game.text(state, dice.choice(game.moves(state))))
    return session


def seen(actors: tuple[Actor, ...], moves: int) -> dict[str, Piece]:
    found = {}
    for actor in actors:
        stops = [site for number, site in actor.stops if number <= moves]
        if stops and (actor.gone is None or moves < actor.gone):
            assert stops[-1] not in found, "two pieces on one site"
            found[stops[-1]] = actor.piece
    return found


@pytest.mark.parametrize("name", all_games())
def test_every_position_is_seen_after_its_move(name: str) -> None:
    session = played(name)
    board = drawn(session.game, bare_profile(session.name, session.options), View({}), {}, "")
    shapes = [shape_after(session, ply) for ply in range(len(session.positions))]
    actors = film(board.cells, shapes)
    sites = {cell.name for cell in board.cells}
    for moves, shape in enumerate(shapes):
        assert seen(actors, moves) == {site: piece for site, piece in shape.items() if site in sites}


def test_a_piece_that_moves_is_one_piece_on_its_way() -> None:
    session = begin("tides-of-war", {}, 0).through(["c3-c4", "c6-b5", "c4-c3"])
    board = drawn(session.game, bare_profile(session.name, session.options), View({}), {}, "")
    actors = film(board.cells, [shape_after(session, ply) for ply in range(4)])
    assert ((0, "c3"), (1, "c4"), (3, "c3")) in [actor.stops for actor in actors]


def test_a_game_that_is_too_long_is_refused_with_a_sentence() -> None:
    with pytest.raises(Refused, match=r"has 601 moves; an animated picture shows at most 600"):
        whole_game(begin("circle", {}, 0), ["a2+"] * 601)
