"""Cells that the rules treat apart: where the designers' texts put them, how they are drawn, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.rules.conformance.quick import broken_promise
from controller.rules.drawings import polygons
from controller.rules.game import AnyGame
from controller.rules.places import LOOKS, PLACE_KINDS, Place, named
from controller.rules.registry import game_named


def places(game: AnyGame, **options: object) -> dict[str, set[str]]:
    """Return the cells of each place by its name, as a game begins."""
    seen = game.look(game.start(game.options(**options), 0), None)
    return {str(place.name): set(place.cells) for place in seen.places}


def test_tides_of_war_has_two_towns_in_corners_and_a_river_between() -> None:
    assert places(game_named("tides-of-war")) == {
        "White's town": {"a1"},
        "Black's town": {"f6"},
        "river": {"a6", "b5", "c4", "d3", "e2", "f1"},
    }


def test_giantslayer_has_a_closed_centre_and_an_edge_from_which_giants_escape() -> None:
    game = game_named("giantslayer")
    start = game.start(game.options(), 0)
    found = places(game)
    assert found["closed centre"] == {"e5"}
    assert found["edge"] == {cell for cell, piece in game.shape(start).items() if piece.kind == "halogai"}
    assert len(found["edge"]) == 24


def test_each_player_of_circle_sits_at_a_corner() -> None:
    game = game_named("circle")
    assert places(game) == {"White's corner": {"a1"}, "Black's corner": {"i9"}}
    assert list(places(game, players=4).values()) == [{"a1"}, {"a9"}, {"i9"}, {"i1"}]


@pytest.mark.parametrize("name", ["beacons", "tam-ruat-chess"])
def test_other_boards_are_alike_everywhere(name: str) -> None:
    assert places(game_named(name)) == {}


def test_every_kind_of_place_has_a_look_that_can_be_printed() -> None:
    assert set(LOOKS) == set(PLACE_KINDS)
    for look in LOOKS.values():
        shapes = polygons(look.sign) if look.sign else ()
        assert all(abs(x) <= 100 and abs(y) <= 100 for shape in shapes for x, y in shape)


def test_a_cell_may_lie_in_several_places() -> None:
    both = (Place(("a1", "b1"), "river", "river"), Place(("a1",), "town", "town", 0))
    assert named(both, "a1") == ("river", "town")
    assert named(both, "c1") == ()


@pytest.mark.parametrize(
    ("place", "promise"),
    [
        (Place(("z9",), "river", "river"), "'river' has cells of the board"),
        (Place((), "river", "river"), "'river' has cells of the board"),
        (Place(("a1",), "swamp", "swamp"), "'swamp' is one of the kinds"),  # type: ignore[arg-type]
        (Place(("a1",), "town", "town", 2), "'town' belongs to a seat"),
    ],
)
def test_a_game_that_names_a_place_which_cannot_be_drawn_is_refused(place: Place, promise: str) -> None:
    game = replace(game_named("tides-of-war"), places=lambda state: (place,))
    assert broken_promise(game).startswith(promise)
