"""Finds the games: the folders in `controller.rules.games`, and those that other packages bring.

Owns how a game is found and where its files lie. A package that is installed beside Beaconboard brings a game by an
entry point of the group ``beaconboard.games``. Whatever one game raises while it is loaded, or breaks of what every
game promises, all others are there without it. Must not name any game.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import NamedTuple

from controller.rules import games
from controller.rules.conformance.quick import broken_promise
from controller.rules.game import Advice, AnyAdvice, AnyGame, Game
from controller.sentences import say

GROUP = "beaconboard.games"


class NoSuchGame(KeyError):
    """A name that no game has; the text lists the names there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class _Found(NamedTuple):
    """A game and the package in which its files lie: lessons, the page about its rules."""

    game: AnyGame
    package: str


class _Refused(Exception):
    """A game that cannot be taken; the text says why."""


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by its name, in the order of the names."""
    found, _ = _loaded()
    return {name: found[name].game for name in sorted(found)}


def broken_games() -> dict[str, str]:
    """Return the games that cannot be played, by module or package, each with what is wrong with it."""
    return _loaded()[1]


def files_of(name: str) -> Traversable:
    """Return the folder of the game called ``name``; raises `NoSuchGame`."""
    game_named(name)
    return resources.files(_loaded()[0][name].package)


def advice_of(name: str) -> AnyAdvice | None:
    """Return what programs are told about the game called ``name``; None where its folder has no `advice.py`."""
    if not (files_of(name) / "advice.py").is_file():
        return None
    found = importlib.import_module(f"{_loaded()[0][name].package}.advice").ADVICE
    return found if isinstance(found, Advice) else None


def came_along(name: str) -> bool:
    """Whether a game comes with Beaconboard, and not from a package beside it."""
    return _loaded()[0][name].package.startswith(f"{games.__name__}.")


def game_named(name: str) -> AnyGame:
    """Return the game of that name; raises `NoSuchGame`."""
    try:
        return all_games()[name]
    except KeyError:
        raise NoSuchGame(
            say("unknown game '{name}'; known games: {games}", name=name, games=tuple(all_games()))
        ) from None


@cache
def _loaded() -> tuple[dict[str, _Found], dict[str, str]]:
    found: dict[str, _Found] = {}
    broken: dict[str, str] = {}
    for where, source in _sources():
        try:
            each = _from_folder(source) if isinstance(source, str) else _from_package(source, found)
        except _Refused as refused:
            broken[where] = str(refused)
        except Exception as error:  # noqa: BLE001  whatever one game raises, it is reported by `broken_games`
            broken[where] = f"{type(error).__name__}: {error}"
        else:
            found[each.game.facts.name] = each
    return found, broken


def _sources() -> Iterator[tuple[str, str | metadata.EntryPoint]]:
    """Yield what may contain a game, under the name that people see: folders first, then packages."""
    for module in pkgutil.iter_modules(games.__path__):
        yield module.name, f"{games.__name__}.{module.name}"
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        yield f"{entry.name} ({entry.dist.name if entry.dist else entry.module})", entry


def _from_folder(package: str) -> _Found:
    return _Found(importlib.import_module(package).GAME, package)


def _from_package(entry: metadata.EntryPoint, found: dict[str, _Found]) -> _Found:
    """Return the game of an entry point, once it has kept its promises in a short game."""
    game = entry.load()
    if not isinstance(game, Game):
        raise _Refused(f"{entry.value} is not a Game: let the entry point name one")
    if (name := game.facts.name) in found:
        raise _Refused(f"there is already a game called {name}: give it another name")
    if promise := broken_promise(game):
        raise _Refused(f"it breaks a promise of games: {promise}")
    return _Found(game, importlib.import_module(entry.module).__package__ or entry.module)
