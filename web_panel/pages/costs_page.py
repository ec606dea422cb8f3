"""What a move between two shells costs: a page to try it on, and the costs themselves, step by step.

Costs come from whoever knows the rules; must not compute any.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

import msgspec
from flask import Flask, Response, render_template
from msgspec import Meta

from controller.table.views.types import Facing
from controller.typed import decoder
from web_panel.backend import TableAccess
from web_panel.serving.http import as_json, takes

MOST_NODES = 16

Written = Annotated[str, Meta(min_length=1, max_length=MOST_NODES, pattern="^[01]+$")]
Side = Annotated[int, Meta(ge=0, lt=MOST_NODES)]
Sides = Annotated[int, Meta(ge=1, le=MOST_NODES)]


class Costs(Protocol):
    """Who knows what a move costs."""

    def games(self) -> list[dict[str, Any]]:
        """Return the games, as `web_panel.backend.TableAccess.games` does."""

    def facing(
        self, shells: tuple[str, str], meet: tuple[int, int], mode: str, sides: tuple[int | None, int | None]
    ) -> Any:
        """Return how the cost between two shells comes about, as `controller.rules.facing.Facing`; raises `Refused`.

        ``meet`` are the sides that meet, ``sides`` how many each cell has, None for as many as its shell has nodes.
        """


class FacingShells(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two shells, a digit a node, and the sides on which they meet; a cell may have fewer sides than nodes."""

    shell_a: Written
    shell_b: Written
    side_a: Side
    side_b: Side
    sides_a: Sides | None = None
    sides_b: Sides | None = None
    mode: Literal["reflect", "rotate"] = "reflect"


class Between(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two neighbouring sites of the board."""

    site: Annotated[str, Meta(max_length=64)]
    to: Annotated[str, Meta(max_length=64)]


def add_costs(app: Flask, costs: Costs) -> None:
    """Add the page to ``app``, and the costs of shells that somebody makes up."""

    @app.get("/rules/costs")
    def costs_page() -> str:
        """Two shells to turn, and what a move between them costs."""
        return render_template("costs.html", games=costs.games(), name="costs")

    @app.get("/api/cost")
    @takes(decoder(FacingShells))
    def cost(asked: FacingShells) -> Annotated[Response, Facing]:
        """What a move between two shells costs, step by step."""
        shells, meet = (asked.shell_a, asked.shell_b), (asked.side_a, asked.side_b)
        return as_json(costs.facing(shells, meet, asked.mode, (asked.sides_a, asked.sides_b)))


def add_facing(app: Flask, backend: TableAccess) -> None:
    """Add the costs on the board to ``app``."""

    @app.get("/api/facing")
    @takes(decoder(Between))
    def facing(asked: Between) -> Annotated[Response, Facing | None]:
        """What a move between two neighbouring sites of the board costs now, step by step; null where nothing does."""
        return as_json(backend.facing(asked.site, asked.to))
