"""The sites that a lesson or a puzzle needs: squares may have the names of hexes, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.rules.options import parse
from controller.rules.registry import game_named
from controller.rules.shells import ring_of


def sites_of(game: str, options: Mapping[str, Any]) -> set[str]:
    """Return the cells of a game's board, and the nodes of its shells."""
    rules = game_named(game)
    mesh = rules.mesh(parse(rules.options, options))
    nodes = range(ring_of(mesh) if rules.facts.shells else 0)
    return {*mesh.cells, *(f"{cell}:{node}" for cell in mesh.cells for node in nodes)}
