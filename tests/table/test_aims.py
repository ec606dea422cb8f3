"""How one wins: told until everybody has moved, in words that whoever watches reads as well."""

from __future__ import annotations

import re

import pytest

from controller.rules.registry import all_games, game_named
from controller.table.state import Table
from controller.table.views.lights import CALM
from controller.table.views.panel_view import picture
from tests.table.scenes import Scene

TOWN = "Whoever brings a stone into the enemy's town wins."


def lines(table: Table) -> tuple[str, ...]:
    return picture(table, CALM, 1).lines


def test_how_one_wins_stands_on_the_card_until_both_have_moved() -> None:
    scene = Scene("tides-of-war")
    assert lines(scene.run(10)) == (TOWN,)
    assert lines(scene.hands("-c3 +c4").run()) == (TOWN,)
    assert lines(scene.hands("-e3 +d3").run()) == ()


@pytest.mark.parametrize("game", sorted(all_games()))
def test_every_game_says_how_one_wins(game: str) -> None:
    found = game_named(game)
    assert found.aim is not None
    aim = found.aim(found.start(found.options(), 0))
    assert aim == lines(Scene(game).run(10))[0]
    assert not re.search(r"\byou", aim, re.IGNORECASE)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "Whoever takes units until no other player has two left wins."),
        ({"victory": "annihilation"}, "Whoever takes all enemy units wins."),
        ({"beats": "43 31 14 21"}, "Whoever takes units until no other player has two left wins."),
    ],
)
def test_what_a_game_of_circle_is_won_by_follows_its_options(options: dict[str, str], told: str) -> None:
    circle = game_named("circle")
    state = circle.start(circle.options(**options), 0)
    assert circle.aim
    assert circle.aim(state) == told
    assert any("Who beats whom" in line for line in circle.look(state, 0).lines) == ("beats" not in options)
    ring = circle.look(state, 0).ring
    if "beats" in options:
        assert ring is None
    else:
        assert ring is not None
        assert ring.told in circle.look(state, 0).lines
        assert {"".join(pair) for pair in ring.beats} == {"43", "42", "32", "31", "21", "14"}  # as its designer has it


def test_which_class_beats_which_stands_on_the_card_all_through_a_game_of_circle() -> None:
    scene = Scene("circle", after="a3-a2; c1+; end; f9+; f9+; f9+")
    assert any(line.startswith("Who beats whom: drop → star") for line in lines(scene.run(10)))
