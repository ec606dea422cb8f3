"""Finds the games: the folders in `controller.rules.games`, and those that other packages bring.

A package that is installed beside Beaconboard brings a game by an entry point of the group ``beaconboard.games``. It is
imported only where the process was told by its environment, in `VERDICTS`, that the game was tried and is sound: see
`controller.app.package_trial`. Where nobody has tried any there are the games that come with Beaconboard alone.
Whatever one game raises while it is loaded, all others are there without it. Must not name any game.
"""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache, wraps
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

import msgspec

from controller.rules import games
from controller.rules.game import Advice, AnyAdvice, AnyGame, Game
from controller.sentences import say
from controller.typed import ready

GROUP = "beaconboard.games"
VERDICTS = "BEACONBOARD_PACKAGES"  # an object of JSON in the environment: package → what is wrong with its game, or ""


class NoSuchGame(KeyError):
    """A name that no game has; the text lists the names there are."""

    def __str__(self) -> str:
        return str(self.args[0])


class _Found(NamedTuple):
    """A game and the package in which its files lie: lessons, the page about its rules."""

    game: AnyGame
    package: str


class UnfitGame(Exception):
    """A game that cannot be taken; the text says why."""


@cache
def all_games() -> dict[str, AnyGame]:
    """Return every game by its name, in the order of the names."""
    found, _ = _loaded()
    return {name: found[name].game for name in sorted(found)}


def easiest_first() -> list[AnyGame]:
    """Return all games, in the order in which people might learn them."""
    return sorted(all_games().values(), key=lambda game: (game.facts.complexity, game.facts.minutes, game.facts.title))


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


def packaged() -> dict[str, str]:
    """Return the games from packages beside Beaconboard, each with the package in which its files lie."""
    return {name: found.package for name, found in _loaded()[0].items() if not came_along(name)}


def game_named(name: str) -> AnyGame:
    """Return the game of that name; raises `NoSuchGame`."""
    try:
        return all_games()[name]
    except KeyError:
        raise NoSuchGame(_why_not(name)) from None


def _why_not(name: str) -> str:
    """Return the sentence for a name that no game has that can be played."""
    for where, error in broken_games().items():
        if where.partition(" ")[0] == name:
            return say("the game {file} cannot be played: {error}", file=where, error=error)
    return say("unknown game '{name}'; known games: {games}", name=name, games=tuple(all_games()))


@cache
def _loaded() -> tuple[dict[str, _Found], dict[str, str]]:
    found: dict[str, _Found] = {}
    broken: dict[str, str] = {}
    for where, source in _sources():
        try:
            each = _from_folder(source) if isinstance(source, str) else _from_package(source, found)
        except UnfitGame as unfit:
            broken[where] = str(unfit)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever one game raises, it is reported by `broken_games`
            broken[where] = f"{type(error).__name__}: {error}"
        else:
            found[each.game.facts.name] = each
    for where, verdict in _verdicts().items():
        if verdict:
            broken[where] = verdict
    return found, broken


def _verdicts() -> dict[str, str]:
    return msgspec.json.decode(os.environ.get(VERDICTS, "{}"), type=ready(dict[str, str]))


def _sources() -> Iterator[tuple[str, str | metadata.EntryPoint]]:
    """Yield what has a game, under the name that people see: folders first, then packages that were found sound."""
    for module in pkgutil.iter_modules(games.__path__):
        yield module.name, f"{games.__name__}.{module.name}"
    verdicts = _verdicts()
    if "" in verdicts.values():
        yield from ((where, entry) for where, entry in packages().items() if verdicts.get(where) == "")


def packages() -> dict[str, metadata.EntryPoint]:
    """Return what packages beside Beaconboard say of their games, by the name that people see; imports none."""
    entries = sorted(metadata.entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value))
    return {f"{entry.name} ({entry.dist.name if entry.dist else entry.module})": entry for entry in entries}


def game_at(entry: metadata.EntryPoint) -> AnyGame:
    """Import the game of ``entry``; raises whatever that raises, and `UnfitGame` where it is none."""
    game = entry.load()
    if not isinstance(game, Game):
        raise UnfitGame(f"{entry.value} is not a Game: let the entry point name one")
    if not importlib.import_module(entry.module).__package__:
        raise UnfitGame(f"{entry.module} is a single file: put it into a package, a folder with an __init__.py")
    return game


def _from_folder(package: str) -> _Found:
    return _Found(importlib.import_module(package).GAME, package)


def _from_package(entry: metadata.EntryPoint, found: dict[str, _Found]) -> _Found:
    game = game_at(entry)
    if (name := game.facts.name) in found:
        raise UnfitGame(f"there is already a game called {name}: give it another name")
    return _Found(_contained(game), str(importlib.import_module(entry.module).__package__))


def _contained(game: AnyGame) -> AnyGame:
    """Return ``game`` with functions that end nothing but what they were called for: neither thread nor program."""
    parts = {each.name: getattr(game, each.name) for each in fields(game)}
    contained: dict[str, Any] = {
        name: _ending_nothing(part) for name, part in parts.items() if callable(part) and not isinstance(part, type)
    }
    return replace(game, **contained)


def _ending_nothing(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def called(*given: Any) -> Any:
        try:
            return function(*given)
        except Exception:
            raise
        except BaseException as ending:
            raise RuntimeError(f"the rules raised {type(ending).__name__}") from ending

    return called
