"""Games played at random, for checks to look at."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from controller.rules.game import AnyGame, Illegal, Unreadable
from controller.rules.mesh import Mesh
from controller.rules.options import BadOption, Described, describe, parse

SAMPLES = 24  # positions of a game that are looked at closely


class Broken(Exception):
    """A promise that a game breaks; the text says which, and where."""


def require(kept: object, promise: str) -> None:
    """Raise `Broken` with ``promise`` where it is not ``kept``."""
    if not kept:
        raise Broken(promise)


def answers(wanted: object, function: Callable[..., object], *given: Any) -> bool:
    """Whether ``function`` returns what is ``wanted``; a refusal is another answer."""
    try:
        return function(*given) == wanted
    except (Illegal, Unreadable):
        return False


class Sample(NamedTuple):
    """A game played at random: some positions with the ply made there, the last one, and how many plies it took."""

    game: AnyGame
    given: Mapping[str, Any]  # options that are not the default
    seed: int
    mesh: Mesh
    positions: list[tuple[Any, Any]]
    last: Any
    plies: int

    @property
    def options(self) -> Any:
        """The options of the game."""
        return parse(self.game.options, dict(self.given))

    @property
    def states(self) -> list[Any]:
        """The positions alone, with the last one."""
        return [state for state, _ in self.positions] + [self.last]

    @property
    def seats(self) -> range:
        """All seats, as numbers."""
        return range(len(self.game.facts.seats))

    @property
    def viewers(self) -> tuple[int | None, ...]:
        """Whoever may look: a watcher, and each seat."""
        return (None, *self.seats)


def play_at_random(
    game: AnyGame, given: Mapping[str, Any], seed: int, most_plies: int | None = None, kept: int = SAMPLES
) -> Sample:
    """Return a game with the options ``given``, played to its end or ``most_plies``, with ``kept`` of its positions."""
    options = parse(game.options, dict(given))
    rng, state, plies = random.Random(seed), game.start(options, seed), 0
    most_plies = game.facts.longest + 1 if most_plies is None else most_plies
    positions: list[tuple[Any, Any]] = []
    while plies < most_plies and (legal := game.moves(state)):
        ply = rng.choice(legal)
        if len(positions) < kept:
            positions.append((state, ply))
        elif (place := rng.randint(0, plies)) < kept:
            positions[place] = (state, ply)
        state, plies = game.after(state, ply), plies + 1
    return Sample(game, given, seed, game.mesh(options), positions, state, plies)


def variants(game: AnyGame) -> Iterator[dict[str, Any]]:
    """Yield the default options and, one at a time, other values that the game takes."""
    yield {}
    for option in describe(game.options):
        for value in _some_values(option):
            if value is not None and value != option.default:
                try:
                    game.start(parse(game.options, {option.name: value}), 1)
                except BadOption:
                    continue
                yield {option.name: value}


def _some_values(option: Described) -> list[Any]:
    if option.choices:
        return list(option.choices)
    if option.kind == "bool":
        return [True, False]
    return [option.low, option.default + 1] if option.kind == "int" else []


def is_site(mesh: Mesh, site: str) -> bool:
    """Whether ``site`` is a cell, a node of a cell (``a3:4``) or a vertex (``a3.b2.b3``, ``a3.b2.b3#2``)."""
    cell, colon, node = site.partition(":")
    if colon:
        return cell in mesh.cells and node.isdigit()
    if "." in site:
        cells, _, number = site.partition("#")
        round_it = [v for v in mesh.vertices if tuple(mesh.cells[c] for c in v) == tuple(cells.split("."))]
        return 0 < int(number or 1) <= len(round_it)
    return site in mesh.cells
