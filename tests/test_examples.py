"""The examples of docstrings are run as they stand on the pages of the documentation; so are those on a page itself."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from controller.rules.conformance import CHECKS, OF_THE_GAME, play_at_random
from controller.rules.mesh import NONE, Mesh
from controller.rules.tilings import FORMS, build
from tools.tilings_drawn import PICTURE, drawn

EXEMPLARY = {
    "controller.rules.game": {"Game"},
    "controller.rules.conformance": {"controller.rules.conformance"},
    "controller.table.session": {"Session"},
    "controller.rules.mesh": {"Mesh", "glue", "planar", "solid", "hexes", "vertex_names"},
    "controller.rules.tilings": {"build", "count", "check"},
    "controller.rules.shells": {"Cost", "costs", "cost", "cost_map"},
}


@pytest.mark.parametrize("name", EXEMPLARY)
def test_the_examples_are_true(name: str) -> None:
    module = importlib.import_module(name)
    found = {test.name.removeprefix(f"{name}.") for test in doctest.DocTestFinder().find(module) if test.examples}
    assert found >= EXEMPLARY[name], "these have lost their example"
    assert doctest.testmod(module).failed == 0


PAGE = (Path(__file__).parents[1] / "docs" / "adding-a-game.md").read_text(encoding="utf-8")


def written(defining: str) -> dict[str, Any]:
    """Return what the example of docs/adding-a-game.md names that defines ``defining``."""
    (block,) = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if defining in block]
    names: dict[str, Any] = {}
    exec(block, names)
    return names


def degrees(mesh: Mesh) -> list[int]:
    """Return how many cells have so many neighbours, from none upwards."""
    met = [sum(there != NONE for there in row) for row in mesh.neighbours]
    return [met.count(number) for number in range(max(met) + 1)]


def test_the_page_about_adding_a_game_lists_every_tiling_and_draws_it() -> None:
    listed = re.findall(r"^\| `([^`]+)` \|", PAGE.partition("## Its board")[2].partition("\n## ")[0], re.MULTILINE)
    assert listed == FORMS.split(", ")
    assert all(build(text).cells for text in listed)
    assert PICTURE.read_text(encoding="utf-8") == drawn(listed), "run: python -m tools.tilings_drawn"


def test_the_boards_on_that_page_are_those_that_it_says() -> None:
    boards = written("def cross")
    cross, rhombus = boards["cross"](None), boards["rhombus"](None)
    # 49 squares less 2×2 in each of four corners.
    assert (len(cross.cells), "a1" in cross.cells, "c1" in cross.cells) == (33, False, True)
    # A rhombus of hexes: 9 inside with six neighbours, 4 edges of 3 cells with four, sharp corners 2, blunt ones 3.
    assert rhombus.cells == tuple(f"{letter}{number}" for letter in "abcde" for number in range(1, 6))
    assert degrees(rhombus) == [0, 0, 2, 2, 12, 0, 9]


def test_the_variant_on_that_page_keeps_every_promise() -> None:
    game, other = written("GAME = replace")["GAME"], importlib.import_module("controller.rules.games.tides_of_war").GAME
    for about in OF_THE_GAME:
        about(game)
    sample = play_at_random(game, {}, seed=1)
    for check in CHECKS:
        check(sample)
    lost, won = game.result(sample.last), other.result(sample.last)
    assert (lost.over, won.over, {lost.winner, won.winner}) == (True, True, {0, 1})
