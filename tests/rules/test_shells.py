"""Shells and move costs: the definition by hand, what follows from it, and the tables against it."""

from __future__ import annotations

import random
from math import gcd
from typing import get_args

import pytest

from controller.rules.mesh import NONE
from controller.rules.shells import (
    BadShell,
    Cost,
    Mode,
    adjacencies,
    cost,
    cost_map,
    cost_text,
    costs,
    node_of,
    read_shell,
    ring,
    ring_of,
    seams,
    shell_text,
)
from controller.rules.tilings import build

MODES: tuple[Mode, ...] = get_args(Mode)


def test_a_cost_is_the_pairs_that_differ_over_those_that_do_not() -> None:
    assert [(c.differing(6), c.text) for c in costs(6)] == [
        (0, "0:1"),
        (1, "1:5"),
        (2, "1:2"),
        (3, "1:1"),
        (4, "2:1"),
        (5, "5:1"),
        (6, "1:0"),
    ]
    assert [str(c) for c in costs(4)] == ["0:1", "1:3", "1:1", "3:1", "1:0"]


@pytest.mark.parametrize(
    ("a", "b", "side_a", "side_b", "mode", "text"),
    [
        ("101010", "010101", 0, 3, "reflect", "0 0 1"),  # 0 faces 3, 1 faces 2, 2 faces 1: like meets like
        ("101010", "101010", 0, 3, "reflect", "6 1 0"),
        ("101010", "010101", 0, 3, "rotate", "0 0 1"),
        ("100000", "100000", 1, 4, "reflect", "2 1 2"),  # node 0 of a faces node 5 of b
        ("100000", "000001", 1, 4, "reflect", "0 0 1"),
        ("100000", "000100", 1, 4, "rotate", "0 0 1"),
        ("110000", "000000", 0, 3, "reflect", "2 1 2"),
        ("1100", "1001", 1, 3, "reflect", "0 0 1"),  # 1 faces 3, 2 faces 2, 3 faces 1, 0 faces 0
        ("1111", "0000", 0, 2, "reflect", "4 1 0"),
        ("1", "0", 0, 0, "rotate", "1 1 0"),
    ],
)
def test_costs_worked_by_hand(a: str, b: str, side_a: int, side_b: int, mode: str, text: str) -> None:
    assert cost_text(a, b, side_a, side_b, mode) == text


@pytest.mark.parametrize("mode", MODES)
def test_the_cost_is_the_same_both_ways(mode: Mode) -> None:
    draw = random.Random(4)
    for _ in range(300):
        n = draw.choice((3, 4, 6, 8, 12))
        a, b, i, j = draw.getrandbits(n), draw.getrandbits(n), draw.randrange(n), draw.randrange(n)
        assert cost(a, b, i, j, n, mode) == cost(b, a, j, i, n, mode)


def test_a_shell_and_its_mirror_image_are_alike_to_each_other() -> None:
    draw = random.Random(5)
    for _ in range(200):
        written = [draw.choice("01") for _ in range(8)]
        i, j = draw.randrange(8), draw.randrange(8)
        mirrored = [written[(i + j - node) % 8] for node in range(8)]
        assert cost_text("".join(written), "".join(mirrored), i, j, "reflect") == "0 0 1"


def test_only_occupied_or_not_counts_and_the_fraction_is_in_lowest_terms() -> None:
    for n in (3, 4, 6, 8, 12):
        for h, found in enumerate(costs(n)):
            assert found.differing(n) == h
            assert gcd(found.pay, found.move) == 1
            assert found.pay * (n - h) == found.move * h


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "board", ["hex 3", "square 4 4", "triangle 4", "4.8.8 2", "3.12.12 2", "torus hex 3 3", "{7,3} 1"]
)
def test_the_map_of_a_position_agrees_with_the_definition(board: str, mode: Mode) -> None:
    mesh, draw = build(board), random.Random(board)
    n = ring_of(mesh)
    shells = [draw.getrandbits(n) for _ in mesh.cells]
    between = adjacencies(mesh, mode)
    found = cost_map(between, shells, n, mode)
    assert len(found) == sum(beyond != NONE for row in mesh.neighbours for beyond in row) // 2
    for (a, b, _, _), there in zip(between, found, strict=True):
        side_a, side_b = mesh.neighbours[a].index(b), mesh.neighbours[b].index(a)
        node_a = side_a * n // len(mesh.neighbours[a])
        node_b = side_b * n // len(mesh.neighbours[b])
        differ = 0
        for i in range(n):
            far = (node_b - i if mode == "reflect" else node_b + i) % n
            differ += shells[a] >> (node_a + i) % n & 1 != shells[b] >> far & 1
        assert there == cost(shells[a], shells[b], node_a, node_b, n, mode) == costs(n)[differ]


def test_the_sides_of_a_small_cell_are_spread_over_the_ring() -> None:
    assert [node_of(side, 3, 6) for side in range(3)] == [0, 2, 4]
    assert [node_of(side, 4, 8) for side in range(4)] == [0, 2, 4, 6]
    assert [node_of(side, 6, 6) for side in range(6)] == [0, 1, 2, 3, 4, 5]


def test_seams_keep_the_order_of_the_sides() -> None:
    mesh = build("hex 3")
    c3 = mesh.index("c3")
    assert [mesh.cells[other] for other, _, _ in seams(mesh, "reflect")[c3]] == ["c4", "d3", "d2", "c2", "b3", "b4"]
    # Side 0 of c3 lies on side 3 of c4: with n = 6 the mirrored ring is shifted by 3.
    assert seams(mesh, "reflect")[c3][0][1:] == (0, 3)


def test_a_ring_of_nodes_is_mirrored_about_node_0() -> None:
    tables = ring(4, "reflect")
    assert tables.near[0b0010] == 0b0010_0010
    assert tables.far[0b0010] == 0b1000_1000
    assert ring(4, "rotate").far == ring(4, "rotate").near == tables.near


def test_shells_are_written_node_0_first() -> None:
    assert read_shell("100000") == 1
    assert shell_text(0b000110, 6) == "011000"
    assert all(read_shell(shell_text(shell, 6)) == shell for shell in range(64))


def test_a_cost_is_written_as_a_ratio() -> None:
    assert str(Cost(2, 1)) == "2:1"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            ("10x", "010", 0, 0, "reflect"),
            "shell '10x' is not written with 0 and 1 alone, a digit a node, node 0 first",
        ),
        (("", "", 0, 0, "reflect"), "shell '' is not written with 0 and 1 alone, a digit a node, node 0 first"),
        (("101", "0101", 0, 0, "reflect"), "shell a has 3 nodes and shell b 4: give both the same number"),
        (("101", "010", 3, 0, "reflect"), "side 3 of cell a does not exist: the sides are numbered 0 to 2"),
        (("101", "010", 0, -1, "reflect"), "side -1 of cell b does not exist: the sides are numbered 0 to 2"),
        (("101", "010", 0, 0, "turn"), "mode 'turn' is unknown: use reflect or rotate"),
    ],
)
def test_what_cannot_be_compared_is_refused(given: tuple[str, str, int, int, str], sentence: str) -> None:
    with pytest.raises(BadShell) as refused:
        cost_text(*given)
    assert str(refused.value) == sentence
