"""Characters that a program can have beside its level: what it likes more than what wins soonest.

Owns their names, what is said of each, and the file `characters.toml` in a game's folder, which says what each weighs
beyond the game's own weights. A game may have all of them, some, or none.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

import msgspec

from controller.rules.registry import advice_of, files_of
from controller.sentences import say
from controller.typed import ready

FILE = "characters.toml"  # in a game's folder


class BadCharacter(ValueError):
    """A character that a game has not, or a file of them that does not fit; one sentence."""


class Character(msgspec.Struct, frozen=True):
    """A character: its ``name`` in files and questions, its ``title`` for people, and a ``line`` on how it plays."""

    name: str
    title: str
    line: str


CHARACTERS = (
    Character("raider", say("Raider"), say("Takes what it can, and gives pieces of its own for it.")),
    Character("hoarder", say("Hoarder"), say("Keeps what it has together, and shuns exchanges.")),
    Character("runner", say("Runner"), say("Hurries to its goal, and minds little what stands behind.")),
)


class Slant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a character weighs beyond the game's weights, in thousandths by name of a feature.

    ``own`` is of its own seat's features, ``theirs`` of each other seat's, which count against it.
    """

    own: Mapping[str, int] = {}
    theirs: Mapping[str, int] = {}


def characters_of(game: str) -> list[Character]:
    """Return the characters that ``game`` has; raises `BadCharacter` for a wrong file."""
    found = _slants(game)
    return [each for each in CHARACTERS if each.name in found]


def check(game: str, name: str) -> None:
    """Raise `BadCharacter` unless ``game`` has a character called ``name``; "" is none, which every game has."""
    if not name:
        return
    found = _slants(game)
    if not found:
        raise BadCharacter(say("{game} has no characters: a level is all that is chosen", game=game))
    if name not in found:
        raise BadCharacter(
            say("{game} has no character '{name}': choose {names}", game=game, name=name, names=tuple(found))
        )


def slant_of(game: str, name: str) -> Slant | None:
    """Return what the character called ``name`` weighs in ``game``, None for ""; raises `BadCharacter`."""
    check(game, name)
    if not name:
        return None
    slant, advice = _slants(game)[name], advice_of(game)
    for feature in (*slant.own, *slant.theirs):
        if advice is None or feature not in advice.names:
            raise BadCharacter(say("{game} has no feature '{name}'", game=game, name=feature))
    return slant


def titled(name: str) -> str:
    """Return what people call the character of that name, "" for none."""
    return next((say(each.title) for each in CHARACTERS if each.name == name), "")


def _slants(game: str) -> dict[str, Slant]:
    """Return what is in the file of ``game``: nothing where it has none, or no features."""
    folder = files_of(game)
    if not (folder / FILE).is_file() or not (folder / "advice.py").is_file():
        return {}
    try:
        found = msgspec.convert(tomllib.loads((folder / FILE).read_text(encoding="utf-8")), ready(dict[str, Slant]))
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as wrong:
        raise BadCharacter(say("the characters of {game}: {why}", game=game, why=str(wrong))) from wrong
    for name in sorted(set(found) - {each.name for each in CHARACTERS}):
        raise BadCharacter(say("there is no character '{name}'", name=name))
    return found
