"""Where board profiles meet the table: the top of the service may know both.

Owns the steps from a `Profile` to the `Board` of the table, and to what its sensor board must answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from controller.devices.link.greeting import Wiring
from controller.rules.options import check_size, parse
from controller.rules.registry import all_games, game_named
from controller.table.board import Board
from hardware.firmware_table import table_hash
from hardware.profile import Profile, bare


def table_board(profile: Profile) -> Board:
    """Return the board that the table plays on, with every game that fits it."""
    placements = {name: placement for name in all_games() if (placement := profile.placement(name)) is not None}
    sites = tuple(site.name for site in profile.sites)
    return Board(profile.name, sites, placements, profile.sensor == "hall")


def bare_profile(game_name: str, options: Mapping[str, Any]) -> Profile:
    """Return a board of exactly the sites of a game, named as the game names them.

    Raises `NoSuchGame` or `BadOption`.
    """
    game = game_named(game_name)
    check_size(game, options)
    mesh = game.mesh(parse(game.options, options))
    return bare(game_name, mesh, shells=game.facts.shells, vertices=game.facts.vertices)



def wiring(profile: Profile) -> Wiring:
    """Return what a sensor board for ``profile`` must say of itself."""
    sites = {bit: site for bit, site in enumerate(profile.by_bit()) if site is not None}
    return Wiring(profile.name, table_hash(profile), sites)

