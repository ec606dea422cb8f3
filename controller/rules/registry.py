"""Finds the games: every module in `controller.rules.games` that defines ``GAME``.

Must not name any game: a new file is found by itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from controller.rules import games
from controller.rules.game import AnyGame
from controller.rules.words import say


class NoSuchGame(KeyError):
    """A name that no game has; the text lists the names there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by the name of its ruling, in the order of the names."""
    modules = (importlib.import_module(f"{games.__name__}.{m.name}") for m in pkgutil.iter_modules(games.__path__))
    found: list[AnyGame] = [module.GAME for module in modules if hasattr(module, "GAME")]
    return {game.facts.name: game for game in sorted(found, key=lambda g: g.facts.name)}


def game_named(name: str) -> AnyGame:
    """Return the game of that name; raises `NoSuchGame`."""
    try:
        return all_games()[name]
    except KeyError:
        raise NoSuchGame(
            say("there is no game '{name}'; known are: {games}", name=name, games=tuple(all_games()))
        ) from None
