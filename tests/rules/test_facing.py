"""How a cost comes about, step by step: against the cost itself, over many pairs and boards."""

from __future__ import annotations

import random
from math import gcd

import pytest

from controller.rules.facing import facing, facing_cells
from controller.rules.mesh import NONE
from controller.rules.shells import (
    BadShell,
    Cost,
    Mode,
    ShellView,
    adjacencies,
    cost_map,
    cost_text,
    read_pair,
    ring_of,
    shell_text,
)
from controller.rules.tilings import build

SHAPES = [(6, (6, 6)), (4, (4, 4)), (8, (8, 4)), (12, (3, 12)), (12, (4, 6)), (3, (3, 3))]


@pytest.mark.parametrize("mode", ["reflect", "rotate"])
@pytest.mark.parametrize(("n", "sides"), SHAPES)
def test_the_steps_lead_to_the_cost(n: int, sides: tuple[int, int], mode: Mode) -> None:
    draw = random.Random(f"{n} {sides} {mode}")
    for _ in range(300):
        shells = (shell_text(draw.getrandbits(n), n), shell_text(draw.getrandbits(n), n))
        meet = (draw.randrange(sides[0]), draw.randrange(sides[1]))
        found = facing(read_pair(shells, meet, mode, sides))
        assert f"{found.differ} {found.pay} {found.move}" == cost_text(*shells, *meet, mode, *sides)
        assert [differs for _, _, differs in found.pairs] == [shells[0][i] != shells[1][j] for i, j, _ in found.pairs]
        assert found.differ + found.alike == n == sum(1 for _ in found.pairs)
        assert found.divisor == gcd(found.differ, found.alike)
        assert (found.pay * found.divisor, found.move * found.divisor) == (found.differ, found.alike)
        assert found.prices[found.differ] == found.cost
        assert sorted(i for i, _, _ in found.pairs) == sorted(j for _, j, _ in found.pairs) == [*range(n)]
        assert found.pairs[0][:2] == (meet[0] * n // sides[0], meet[1] * n // sides[1])
        step = -1 if mode == "reflect" else 1
        assert all((j - found.pairs[0][1]) % n == step * (i - found.pairs[0][0]) % n for i, j, _ in found.pairs)


@pytest.mark.parametrize("mode", ["reflect", "rotate"])
@pytest.mark.parametrize("board", ["hex 3", "square 4 4", "4.8.8 2", "3.12.12 2", "torus hex 3 3"])
def test_cells_of_a_board_cost_what_its_map_says(board: str, mode: Mode) -> None:
    mesh, draw = build(board), random.Random(board)
    n = ring_of(mesh)
    shells = [draw.getrandbits(n) for _ in mesh.cells]
    view = ShellView(dict(zip(mesh.cells, shells, strict=True)), {}, mode)
    between = adjacencies(mesh, mode)
    for (a, b, _, _), price in zip(between, cost_map(between, shells, n, mode), strict=True):
        one, other = mesh.cells[a], mesh.cells[b]
        for first, second in ((one, other), (other, one)):
            found = facing_cells(mesh, view, first, second)
            assert found is not None
            assert found.names == (first, second)
            assert Cost(found.pay, found.move) == price
    far = next(c for c in range(len(mesh.cells)) if c != 0 and c not in mesh.neighbours[0])
    assert facing_cells(mesh, view, mesh.cells[0], mesh.cells[far]) is None
    assert facing_cells(mesh, view, mesh.cells[0], "nowhere") is None
    assert NONE not in (a for a, _, _, _ in between)


@pytest.mark.parametrize(
    ("sides", "meet", "sentence"),
    [
        ((5, None), (0, 0), "cell a cannot have 5 sides: they have to share 8 nodes out evenly"),
        ((None, 0), (0, 0), "cell b cannot have 0 sides: they have to share 8 nodes out evenly"),
        ((None, 16), (0, 0), "cell b cannot have 16 sides: they have to share 8 nodes out evenly"),
        ((8, 4), (0, 4), "side 4 of cell b does not exist: the sides are numbered 0 to 3"),
    ],
)
def test_cells_that_cannot_be_are_refused(
    sides: tuple[int | None, int | None], meet: tuple[int, int], sentence: str
) -> None:
    with pytest.raises(BadShell) as refused:
        read_pair(("10000000", "00000000"), meet, "reflect", sides)
    assert str(refused.value) == sentence
