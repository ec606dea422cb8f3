"""Lifting from a store shows what its neighbours cost, for the lights and in words."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from controller.rules.shells import read_shell
from controller.table.state import Table
from controller.table.views.move_costs import cost_layers, cost_lines
from tests.table.scenes import Scene

TRIAL = {"template": "trial"}


def lit(table: Table) -> dict[str, str]:
    """Return the meaning by site."""
    assert table.play is not None
    return {name: what for mask, what in cost_layers(table, table.play) for name in table.play.game_area.names(mask)}


def shells(table: Table) -> Mapping[str, int]:
    assert table.play is not None
    view = table.play.session.game.look(table.play.session.state, None)
    return {cell: read_shell(text) for cell, text in view.data["shells"].items()}


def differing(a: int, b: int, side: int) -> int:
    """Count facing nodes that differ, from the ruling: node side + i of A faces node side + 3 - i of its neighbour."""
    return sum((a >> (side + i) % 6 ^ b >> (side + 3 - i) % 6) & 1 for i in range(6))


def test_lifting_from_a_store_lights_each_neighbour_by_its_cost() -> None:
    table = Scene("beacons", TRIAL).hands("-b3").run(100)
    around = {"b4": 0, "c3": 1, "c2": 2, "b2": 3, "a3": 4, "a4": 5}
    expected = {}
    for cell, side in around.items():
        h = differing(shells(table)["b3"], shells(table)[cell], side)
        expected[cell] = ["may_go", "cost_1", "cost_1", "cost_1", "cost_2", "cost_3", "blocked"][h]
    assert lit(table) == expected
    assert len(set(expected.values())) > 1


def test_the_panel_has_the_same_in_words() -> None:
    (line,) = cost_lines(Scene("beacons", TRIAL).hands("-b3").run(100))
    assert line == "From b3: a3 2:1, a4 1:1, b2 1:1, b4 5:1, c2 2:1, c3 1:1."


def test_a_store_that_is_put_back_lights_nothing() -> None:
    table = Scene("beacons", TRIAL).hands("-b3 +b3").run(1000)
    assert lit(table) == {}
    assert cost_lines(table) == ()


def test_of_two_stores_in_the_hand_the_later_one_counts() -> None:
    assert cost_lines(Scene("beacons", TRIAL).hands("-a3 -b3").run(100))[0].startswith("From b3:")
    assert cost_lines(Scene("beacons", TRIAL).hands("-b3 -a3").run(100))[0].startswith("From a3:")


def test_a_node_that_is_lifted_is_no_store() -> None:
    assert lit(Scene("beacons", TRIAL).hands("-a3:0").run(100)) == {}


@pytest.mark.parametrize(("game", "piece"), [("tides-of-war", "a1"), ("circle", "c1")])
def test_a_game_without_shells_has_no_costs(game: str, piece: str) -> None:
    table = Scene(game).hands(f"-{piece}").run(100)
    assert lit(table) == {}
    assert cost_lines(table) == ()


@pytest.mark.parametrize(
    ("size", "start", "store", "empty", "filled"),
    [
        ({}, "c3:1x4 c4:1x1 e3:2x6 c3=111110 c4=000000 d3=000000 b3=000000 c2=000000", "c3", "b3", "c4"),
        ({"board": "square 4 4"}, "b2:1x2 b3:1x1 d4:2x6 b2=1110 b3=0000 a2=0000 c2=0000 b1=0000", "b2", "a2", "b3"),
    ],
)
def test_a_neighbour_is_lit_only_where_units_are_left_to_go_once_the_price_is_paid(
    size: dict[str, object], start: str, store: str, empty: str, filled: str
) -> None:
    table = Scene("beacons", {"start": start, **size}).hands(f"-{store}").run(100)
    assert table.play is not None
    state = table.play.session.state
    game = table.play.session.game
    view = game.look(state, None)
    assert view.shells is not None
    assert game.card is not None
    own, told = view.data["stores"][store][0], game.card(state, store, None)
    for cell in (empty, filled):
        cost = view.shells.costs.get((store, cell)) or view.shells.costs[cell, store]
        assert cost.pay >= own
        assert f"To {cell}: {cost.pay} to pay and 1 to move, but only {own} here." in told
        assert cell not in lit(table)


def test_once_the_kinds_of_a_turn_are_used_up_no_neighbour_is_lit() -> None:
    table = Scene("beacons", {"start": "a3:1x6 a4:1x5 e3:2x6"}, after="b a3.a4;s a3 +").hands("-a3").run(100)
    assert set(lit(table).values()) <= {"blocked"}
