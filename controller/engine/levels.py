"""The levels at which a program plays, from weak to strong, and how well each sees.

A weak level looks less far, overlooks plies and errs about positions, as people do; what it sees, it plays as well as
it can. What an oversight costs differs from game to game, so a game's folder may have a `levels.toml` with figures of
its own.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated

import msgspec
from msgspec import Meta

from controller.engine.cannot_think import CannotThink
from controller.engine.found import Sight
from controller.rules.registry import files_of
from controller.sentences import say
from controller.typed import ready

FILE = "levels.toml"  # in a game's folder


class Level(msgspec.Struct, frozen=True):
    """A level: ``nodes`` are the positions that it judges for a ply at most, ``proves`` per cent of them for a win.

    With ``learned`` the game's network betters its judgement. By no ply up to the one numbered ``spares`` does it end a
    game, so that who has just sat down is not beaten before anything has happened; where units are bid, such a level
    gives all the same.
    """

    number: int
    name: str
    line: str
    nodes: int
    sight: Sight
    proves: int = 0
    learned: bool = False
    spares: int = 0


# Measured in the arena (docs/strength.md). Level 1 looks at no reply, so that it can overlook 70 of 100 own plies.
LEVELS = (
    Level(1, say("Beginner"), say("Looks at its own move alone, and often misses the best one."),
          200, Sight(depth=1, overlooks=140, errs=60), spares=10),
    Level(2, say("Learner"), say("Sees little beyond its own move, misses some, and misjudges positions."),
          300, Sight(depth=1, overlooks=90, errs=30, saves=True), spares=10),
    Level(3, say("Casual"), say("Sees some of the answers, and misses most."),
          500, Sight(depth=2, overlooks=60, errs=18, wins_in=1, saves=True, recaptures=True)),
    Level(4, say("Regular"), say("Thinks of the answers, and misses many of them."),
          800, Sight(depth=2, overlooks=36, errs=9, wins_in=1, saves=True, recaptures=True)),
    Level(5, say("Club player"), say("Looks a few moves ahead, and misses an answer now and then."),
          1_200, Sight(depth=3, overlooks=18, errs=5, wins_in=1, saves=True, recaptures=True)),
    Level(6, say("Strong"), say("Looks several moves ahead, and misses little."),
          2_500, Sight(depth=4, overlooks=5, errs=2, wins_in=2, saves=True, recaptures=True)),
    Level(7, say("Very strong"), say("Looks far ahead, and rarely misses anything."),
          6_000, Sight(depth=6, overlooks=1, errs=1, wins_in=2, saves=True, recaptures=True)),
    Level(8, say("Master"), say("Misses nothing, and looks as far as the time allows."),
          60_000, Sight(), proves=15, learned=True),
)  # fmt: skip


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a game says of a level, as `Level` and `Sight` have it."""

    nodes: Annotated[int, Meta(ge=1, le=LEVELS[-1].nodes)]
    depth: Annotated[int, Meta(ge=1, le=1000)]
    overlooks: Annotated[int, Meta(ge=0, le=200)]
    errs: Annotated[int, Meta(ge=0, le=100)]


def level_of(number: object, game: str) -> Level:
    """Return the level of that number as it is in the game called ``game``; raises `CannotThink`."""
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(LEVELS):
        raise CannotThink(say("there is no level {number}: choose 1 to {most}", number=str(number), most=len(LEVELS)))
    level, own = LEVELS[number - 1], _own(game).get(str(number))
    if own is None:
        return level
    sight = msgspec.structs.replace(level.sight, depth=own.depth, overlooks=own.overlooks, errs=own.errs)
    return msgspec.structs.replace(level, nodes=own.nodes, sight=sight)


@cache
def _own(game: str) -> dict[str, Figures]:
    file = files_of(game) / FILE
    return figures(file.read_bytes(), game) if file.is_file() else {}


def figures(content: bytes, game: str) -> dict[str, Figures]:
    """Return what the file of ``game`` says, by the number of the level; raises `CannotThink`."""
    try:
        found = msgspec.toml.decode(content, type=ready(dict[str, Figures]))
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise CannotThink(say("the levels of {game}: {why}", game=game, why=str(wrong))) from wrong
    for number in found:
        if number not in {str(level.number) for level in LEVELS[:-1]}:
            raise CannotThink(say("the levels of {game}: there are figures for 1 to {most}, not for '{number}'",
                               game=game, most=len(LEVELS) - 1, number=number))  # fmt: skip
    return found
