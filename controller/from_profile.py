"""Where board profiles meet the table: the top of the service may know both.

From a `Profile` to the `Board` of the table, and to what its sensor board must answer.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import msgspec

from controller.devices.link.greeting import Wiring
from controller.events import SOUTH
from controller.rules.game import AnyGame
from controller.rules.options import check_size, parse
from controller.rules.registry import all_games, came_along, game_named
from controller.table.board import Board
from hardware.firmware_table import table_hash
from hardware.profile import Profile, bare, load, names
from hardware.site_layout import first_place


def table_board(profile: Profile) -> Board:
    """Return the board that the table plays on, with every game that fits it."""
    placements = {name: laid for name, game in all_games().items() if (laid := placement(profile, game)) is not None}
    return Board(profile.name, profile.site_names, placements, profile.poles)


def placement(profile: Profile, game: AnyGame) -> Mapping[str, str] | None:
    """Return the board's name of each site of ``game``; None where the game does not fit.

    Board files say where the games lie that come with Beaconboard. One from another package, which they cannot know,
    lies as near to the first player's left corner as it fits, unless the file names it.
    """
    facts, named = game.facts, profile.placement(game.facts.name)
    wanted = {"cell"} | ({"node"} if facts.shells else set()) | ({"vertex"} if facts.vertices else set())
    kinds = {site.name: site.kind for site in profile.sites} | {site.name: site.kind for site in profile.on_phones}
    if named is not None:
        return {here: there for here, there in named.items() if kinds[there] in wanted}
    if came_along(facts.name):
        return None
    laid = first_place(game.mesh(game.options()), profile.mesh())
    if laid is None:
        return None
    found = {here: there for here, there in laid.items() if kinds.get(there) in wanted}
    return found if wanted == {kinds[there] for there in found.values()} else None


def bare_profile(game_name: str, options: Mapping[str, Any]) -> Profile:
    """Return a board of exactly the sites of a game, named as the game names them.

    Raises `NoSuchGame` or `BadOption`.
    """
    game = game_named(game_name)
    check_size(game, options)
    return _bare(game_name, parse(game.options, options))


@lru_cache(maxsize=8)
def _bare(game_name: str, options: Any) -> Profile:
    """Return a board of the sites of a game with these parsed options; every picture of a game asks for it."""
    game = game_named(game_name)
    return bare(game_name, game.mesh(options), shells=game.facts.shells, vertices=game.facts.vertices)


def made_to_measure(game_name: str, options: Mapping[str, Any]) -> Profile:
    """Return `bare_profile` under a name that no board with other cells has; raises what that raises."""
    profile = bare_profile(game_name, options)
    told = repr([(site.name, site.outline) for site in profile.sites]) + repr(profile.cells.neighbours)
    return msgspec.structs.replace(profile, name=f"{game_name}-{zlib.crc32(told.encode()):08x}")


def best_profile(game_name: str, options: Mapping[str, Any]) -> Profile:
    """Return the board on which a game looks best: a shipped one that it fills, else one made to measure.

    Raises `NoSuchGame` or `BadOption`.
    """
    made = made_to_measure(game_name, options)
    sites = set(made.site_names)
    for profile in _shipped():
        if profile.cells == made.cells and sites == set(profile.site_names):
            return profile
    return made


@cache
def _shipped() -> tuple[Profile, ...]:
    """Return the shipped boards, of two with the same cells first the one that tells no poles: most boards are such."""
    return tuple(sorted(map(load, names()), key=lambda profile: profile.poles))


def wiring(profile: Profile) -> Wiring:
    """Return what a sensor board for ``profile`` must say of itself."""
    sites = {bit: site for bit, site in enumerate(profile.by_bit()) if site is not None}
    if profile.poles:
        sites |= {bit + profile.chain_length: SOUTH + site for bit, site in sites.items()}
    return Wiring(profile.name, table_hash(profile), sites)
