"""What a run consists of: settings of the options, who sits where, and the number of every game.

Owns that the same plan means the same games everywhere: seeds follow from the options, the number of the game and the
seat, and from nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import pairwise, product
from math import prod
from typing import Any

import msgspec

from controller.engine.anchors import ANCHORS
from controller.engine.cannot_think import CannotThink
from controller.engine.levels import LEVELS, level_of
from controller.lab.refused import LabRefused
from controller.rules.characters import BadCharacter, slant_of
from controller.rules.game import AnyGame
from controller.rules.options import BadOption, check_size, parse
from controller.rules.registry import NoSuchGame, game_named

MOST_CASES = 2_000
RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
WITHOUT = "!"  # in a player's name: "3!stone takes" is level 3 that never does that while it can do anything else


class Case(msgspec.Struct, frozen=True):
    """One line of a run: games with the same options and players.

    ``varied`` are the options by which this setting differs from the others. The first of ``players`` sits in seat
    ``number % seats`` of the game with that number, the others round the table after it.
    """

    number: int
    setting: int
    varied: dict[str, str]
    options: dict[str, Any]
    players: tuple[str, ...]

    @property
    def told(self) -> str:
        """Its setting in words."""
        return ", ".join(f"{name}={value}" for name, value in self.varied.items()) or "as it is"

    def seated(self, game: int) -> tuple[str, ...]:
        """Return the players by seat in the game of that number."""
        seats = len(self.players)
        return tuple(self.players[(seat - game) % seats] for seat in range(seats))


class Plan(msgspec.Struct, frozen=True):
    """A run as it was asked for. ``base`` are the options of the variant, ``vary`` what is tried instead of them.

    Of ``vary`` every combination is a setting. Of ``alone`` each value is one besides, with everything else as it is.
    ``games`` are played of each case, fewer where ``until`` (a share) says when the winner's shares are known well
    enough. A game is cut off after ``most_plies`` plies.
    """

    game: str
    variant: str = ""
    base: dict[str, Any] = {}
    vary: dict[str, tuple[str, ...]] = {}
    alone: dict[str, tuple[str, ...]] = {}
    levels: tuple[str, ...] = ("2",)
    without: tuple[str, ...] = ()
    games: int = 200
    until: float = 0.0
    most_plies: int = 600
    seed: int = 1

    @property
    def rules(self) -> AnyGame:
        """The game; raises `LabRefused`."""
        try:
            return game_named(self.game)
        except NoSuchGame as unknown:
            raise LabRefused(str(unknown)) from unknown

    @property
    def kinds(self) -> int:
        """How many cases there are, reckoned without making them."""
        tables = 2 * len(self.levels) - 1 + len(self.without) * len(self.levels)
        changes = 1 + sum(len(values) for values in self.alone.values())
        return prod(len(values) for values in self.vary.values()) * changes * tables

    def cases(self) -> list[Case]:
        """Return what is played, in order; raises `LabRefused` for options, levels or a number of cases that cannot be.

        Of every setting all levels meet themselves, neighbours meet each other, and who does without something meets
        those of the same level who do not.
        """
        game, found = self.rules, list[Case]()
        if self.kinds > MOST_CASES:
            raise LabRefused(f"these options and levels make more than {MOST_CASES} kinds of games: vary less at once")
        for number, (varied, options, seats) in enumerate(self._settings(game)):
            for players in self._tables(game, seats):
                found.append(Case(len(found), number, varied, options, players))
        return found

    def _settings(self, game: AnyGame) -> Iterator[tuple[dict[str, str], dict[str, Any], int]]:
        if twice := self.vary.keys() & self.alone.keys():
            raise LabRefused(f"'{min(twice)}' is to be varied and to be changed alone: choose one of them")
        changes: list[dict[str, str]] = [{}, *({name: value} for name, tried in self.alone.items() for value in tried)]
        for values in product(*self.vary.values()):
            for change in changes:
                varied = dict(zip(self.vary, values, strict=True)) | change
                options = _read(game, {**self.base, **varied})
                yield varied, options, game.facts.players(options)

    def _tables(self, game: AnyGame, seats: int) -> Iterator[tuple[str, ...]]:
        for player in self.levels:
            check_player(game, player)
            yield (player,) * seats
        for weaker, stronger in pairwise(self.levels):
            yield (stronger, *(weaker,) * (seats - 1))
        for use in self.without:
            for player in self.levels:
                yield (f"{player}{WITHOUT}{use}", *(player,) * (seats - 1))


def _read(game: AnyGame, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of the game as they are kept; raises `LabRefused`."""
    try:
        check_size(game, given)
        read: dict[str, Any] = msgspec.to_builtins(parse(game.options, given))
    except BadOption as wrong:
        raise LabRefused(str(wrong)) from wrong
    return read


def check_player(game: AnyGame, player: str) -> None:
    """Raise `LabRefused` unless ``player`` is a simple player, a level, or one with a character."""
    if player in ANCHORS:
        return
    number, _, character = player.partition("-")
    try:
        if not number.isdecimal():
            levels = f"a level from 1 to {len(LEVELS)}"
            raise CannotThink(f"there is no player '{player}': choose {', '.join((*ANCHORS, levels))}")
        level_of(int(number), game.facts.name)
        slant_of(game.facts.name, character)
    except (CannotThink, BadCharacter) as wrong:
        raise LabRefused(str(wrong)) from wrong


def by_strength(written: str) -> tuple[str, ...]:
    """Return the players written ``1,3,random``, the weakest first; raises `LabRefused` for one that is named twice."""
    players = [player.strip() for player in written.split(",")]
    if len({*players}) < len(players):
        raise LabRefused(f"'{written}' names a player twice: name each once, as 1,3")
    simple = list(ANCHORS)

    def strength(player: str) -> tuple[int, int]:
        number = player.partition("-")[0]
        return (0, simple.index(player)) if player in simple else (1, int(number) if number.isdecimal() else 0)

    return tuple(sorted(players, key=strength))


def varied(written: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what ``players=2,3`` and ``bid=1..4`` say, by option; raises `LabRefused`.

    Values with commas or spaces in them, such as cells, are separated by ``|`` instead.
    """
    found: dict[str, tuple[str, ...]] = {}
    for each in written:
        name, equals, values = each.partition("=")
        if not equals or not values.strip():
            raise LabRefused(f"'{each}' does not say what is to be tried: write players=2,3 or bid=1..4")
        if name in found:
            raise LabRefused(f"'{name}' is varied twice: write all of its values once")
        found[name] = values_of(values)
        if len(set(found[name])) < len(found[name]):
            raise LabRefused(f"'{each}' names a value twice")
    return found


def values_of(written: str) -> tuple[str, ...]:
    """Return the values of ``2,3``, of ``1..4`` and of ``hex 2|square 3 3``; raises `LabRefused`."""
    parts = (part.strip() for part in written.split("|" if "|" in written else ","))
    return tuple(value for part in parts for value in _spread(part))


def _spread(part: str) -> list[str]:
    """Return the numbers of ``1..4``, or the one value that ``part`` is."""
    bounds = RANGE.fullmatch(part)
    if not bounds:
        return [part]
    low, high = int(bounds[1]), int(bounds[2])
    if not low <= high < low + MOST_CASES:
        raise LabRefused(f"'{part}' is no range: write the smaller number first, as 1..4")
    return [str(number) for number in range(low, high + 1)]


def changes(
    game: AnyGame, base: Mapping[str, Any], tried: Mapping[str, Sequence[str]]
) -> dict[str, tuple[str, ...]]:  # fmt: skip
    """Return of the values that are ``tried`` alone those that change anything; raises `LabRefused`."""
    usual = _read(game, base)
    found = {
        name: tuple(value for value in values if _read(game, {**base, name: value}) != usual)
        for name, values in tried.items()
    }
    return {name: values for name, values in found.items() if values}


def seed_of(options: Mapping[str, Any], game: int, run: int) -> int:
    """Return the seed of a game: the same for all players, so that they meet in the same games."""
    written = msgspec.json.encode([sorted(options.items()), game, run])
    return int.from_bytes(blake2b(written, digest_size=4).digest()) >> 1


def seed_of_ply(game_seed: int, seat: int, ply: int) -> int:
    """Return the seed with which ``seat`` chooses the ply of that number."""
    return int.from_bytes(blake2b(b"%d %d %d" % (game_seed, seat, ply), digest_size=4).digest()) >> 1


def share(written: str) -> float:
    """Return the share written ``2%`` or ``0.02``; raises `LabRefused`."""
    try:
        found = float(written[:-1]) / 100 if written.endswith("%") else float(written)
    except ValueError:
        found = 0.0
    if not 0 < found < 1:
        raise LabRefused(f"'{written}' is no share between 0 and 1: write 2% or 0.02")
    return found
