"""Where sites lie, and where a game's sites come to lie on a board."""

from __future__ import annotations

import math

import pytest

from controller.rules.mesh import hexes, squares
from controller.rules.tilings import build
from hardware.site_layout import FLAT, coordinates, laid, mesh_of, places


@pytest.mark.parametrize(("name", "pair"), [("a1", (0, 1)), ("b3", (1, 3)), ("z12", (25, 12)), ("aa3", (26, 3))])
def test_a_name_is_a_letter_and_a_number(name: str, pair: tuple[int, int]) -> None:
    assert coordinates(name) == pair


@pytest.mark.parametrize("form", FLAT)
def test_every_tiling_of_a_real_board_can_be_built(form: str) -> None:
    text = form.replace("SIDE", "2").replace("FILES", "2").replace("RANKS", "3")
    assert mesh_of(text) == build(text)


def test_a_vertex_at_the_rim_of_the_game_lies_inside_the_board() -> None:
    laying = laid(hexes(2), hexes(3), 1, 1)
    assert laying["b2"] == "c3"
    # At its own rim the game has this vertex between two cells; on the board a third one touches it.
    assert laying["a2.a3"] == "a4.b3.b4"
    assert laying["a2.a3.b2"] == "b3.b4.c3"
    assert laying["a2:4"] == "b3:4"
    assert len(set(laying.values())) == len(laying) == 7 + 12 + 42


def test_what_lies_together_in_the_game_lies_together_on_the_board() -> None:
    game, board = squares(2, 3), squares(5, 5)
    there = {place.name: (place.x_mm, place.y_mm) for place in places(board, 40, shells=True, vertices=True)}
    here = places(game, 40, shells=True, vertices=True)
    laying = laid(game, board, 2, 1)
    for place in here:
        x, y = there[laying[place.name]]
        assert (x - place.x_mm, y - place.y_mm) == pytest.approx((80, 40))


def test_a_game_beside_the_board_names_the_cell_that_is_missing() -> None:
    with pytest.raises(KeyError, match="f1"):
        laid(squares(2, 2), squares(5, 5), 4, 0)


def test_on_a_mixed_tiling_every_shell_has_the_nodes_of_the_largest_cell() -> None:
    found = places(build("4.8.8 2"), 60, shells=True, vertices=False)
    nodes = [place for place in found if place.kind == "node"]
    cells = [place for place in found if place.kind == "cell"]
    assert len(nodes) == 8 * len(cells)
    for cell in cells:
        ring = [node for node in nodes if node.name.startswith(f"{cell.name}:")]
        turns = [math.atan2(node.x_mm - cell.x_mm, node.y_mm - cell.y_mm) for node in ring]
        steps = [(b - a) % math.tau for a, b in zip(turns, [*turns[1:], turns[0]], strict=True)]
        assert all(step > 0.1 for step in steps), "clockwise, none on another"
        assert sum(steps) == pytest.approx(math.tau), "once round"
