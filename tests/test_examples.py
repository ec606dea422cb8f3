"""The examples in the docstrings are run as they stand on the pages of the documentation."""

from __future__ import annotations

import doctest
import importlib

import pytest

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
