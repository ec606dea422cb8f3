"""Finds the games: every module in `controller.rules.games` that defines ``GAME``.

Must not name any game: a new file is found by itself.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from controller.rules import games
from controller.rules.game import AnyGame
from controller.sentences import say


class NoSuchGame(KeyError):
    """A name that no game has; the text lists the names there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by the name of its ruling, in the order of the names."""
    found, _ = _loaded()
    return {game.facts.name: game for game in sorted(found, key=lambda g: g.facts.name)}


def broken_games() -> dict[str, str]:
    """Return the modules of games that cannot be loaded, each with its error; all others are there without them."""
    return _loaded()[1]


@cache
def _loaded() -> tuple[list[AnyGame], dict[str, str]]:
    found: list[AnyGame] = []
    broken: dict[str, str] = {}
    for each in pkgutil.iter_modules(games.__path__):
        try:
            module = importlib.import_module(f"{games.__name__}.{each.name}")
        except Exception as error:  # noqa: BLE001  whatever one module raises, it is told by `broken_games`
            broken[each.name] = f"{type(error).__name__}: {error}"
        else:
            found += [module.GAME] if hasattr(module, "GAME") else []
    return found, broken


def game_named(name: str) -> AnyGame:
    """Return the game of that name; raises `NoSuchGame`."""
    try:
        return all_games()[name]
    except KeyError:
        raise NoSuchGame(
            say("there is no game '{name}'; known are: {games}", name=name, games=tuple(all_games()))
        ) from None
