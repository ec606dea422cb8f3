"""Positions some legal plies into a game, and what each ply is to the eye: what leaves, what comes, what is taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from controller.journal.recording import Header, parse, replay, write
from controller.rules.game import AnyGame
from controller.rules.registry import game_named
from tests.strangers.boards import LAID, Ground, board_file, ground, may_tell_poles

SETTING_UP = ("bid", "place")  # plies with which a game begins and no hand has to do


@dataclass(frozen=True)
class Deed:
    """A ply as people see it, by the board's names of sites.

    ``source`` is None for a piece from the box. ``victims`` leave the board by capture, ``clears`` and ``fills`` are
    what is left to do after it. ``twins`` are the other plies that look the same.
    """

    text: str
    path: tuple[str, ...]
    source: str | None
    to: str | None  # None: nothing moves
    at: str | None  # then: the piece that is held
    victims: tuple[str, ...]
    clears: tuple[str, ...]
    fills: tuple[tuple[str, int], ...]  # with the pole of what comes
    twins: tuple[str, ...]
    pole: int  # of the piece that moves
    after: Any

    @property
    def sites(self) -> set[str]:
        """All sites at which something happens."""
        named = {*self.path, *self.victims, *self.clears, *(site for site, _ in self.fills)}
        return named | ({self.at} if self.at else set())

    @property
    def plain(self) -> bool:
        """Whether a piece goes from one cell to another, and no other ply looks like it."""
        return self.source is not None and self.to is not None and self.source != self.to and not self.twins


class Standing:
    """A state of a game on a ground: its plies by what they look like."""

    def __init__(self, game: AnyGame, where: Ground, state: Any) -> None:
        self.game, self.ground, self.state = game, where, state
        self.seat: int | None = game.seat(state)
        self.shape = {where.site[site]: _pole(piece.seat) for site, piece in game.shape(state).items()}
        self.seats = {where.site[site]: piece.seat for site, piece in game.shape(state).items()}
        self._deeds: dict[int, Deed] = {}

    @cached_property
    def looks(self) -> list[tuple[Any, tuple[str, ...], tuple[str, ...], str | None, tuple[str, ...]]]:
        """Plies that differ to the eye: (ply, path, takes, at, texts of all that look so)."""
        alike: dict[Any, list[Any]] = defaultdict(list)
        if self.seat is None:
            return []
        for ply in self.game.plies(self.state):
            walk = self.game.walk(self.state, ply)
            path = self._here(walk.path)
            takes = tuple(sorted(self._here(walk.takes)))
            at = self._here((walk.at,))[0] if walk.at is not None and not path else None
            key = (path[:1] if len(path) > 1 else (), path[-1:], takes) if path else self.game.text(self.state, ply)
            alike[key].append((ply, path, takes, at))
        texts = {key: tuple(self.game.text(self.state, each[0]) for each in same) for key, same in alike.items()}
        return [(*same[0], texts[key]) for key, same in alike.items()]

    @cached_property
    def goals(self) -> Mapping[str | None, frozenset[str]]:
        """Where the piece on each site may go; under None those from the box."""
        found: dict[str | None, set[str]] = defaultdict(set)
        for _, path, _, _, _ in self.looks:
            if path:
                found[path[0] if len(path) > 1 else None].update(path[1:] or path)
        return {start: frozenset(ends) for start, ends in found.items()}

    @cached_property
    def takers(self) -> Mapping[str, frozenset[str]]:
        """Which pieces may capture what stands on a site."""
        found: dict[str, set[str]] = defaultdict(set)
        for _, path, takes, _, _ in self.looks:
            for victim in (*takes, *(path[-1:] if path and path[-1] in self.shape else ())):
                found[victim].add(path[0])
        return {victim: frozenset(by) for victim, by in found.items()}

    def deed(self, n: int) -> Deed:
        """Return the n-th of `looks` with all that it brings about."""
        if n not in self._deeds:
            self._deeds[n] = self._made(n)
        return self._deeds[n]

    def named(self, text: str) -> Deed | None:
        """Return what the ply of that text looks like; None where it is not legal."""
        return next((self.deed(n) for n, look in enumerate(self.looks) if text in look[4]), None)

    def shuffled(self, rng: Random) -> Iterator[Deed]:
        """Yield the deeds in any order; those that capture and those from the box have a better chance to be early."""

        def late(n: int) -> float:
            _, path, takes, _, _ = self.looks[n]
            rare = bool(takes) or (bool(path) and path[-1] in self.shape)
            return rng.random() * (0.2 if rare else 1)

        for n in sorted(range(len(self.looks)), key=late):
            yield self.deed(n)

    def _here(self, sites: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self.ground.site[site] for site in sites)

    def _made(self, n: int) -> Deed:
        ply, path, takes, at, texts = self.looks[n]
        after = self.game.after(self.state, ply)
        later = {self.ground.site[site]: _pole(piece.seat) for site, piece in self.game.shape(after).items()}
        source = path[0] if len(path) > 1 else None
        to = path[-1] if path else None
        hit = (to,) if to and to != source and to in self.shape else ()
        stands = (set(self.shape) - {*takes, *hit, source}) | ({to} if to else set())
        pole = self.shape[source] if source else (later.get(to, 1) if to else 1)
        fills = tuple(sorted((site, later[site]) for site in set(later) - stands))
        return Deed(
            texts[0], path, source, to, at, (*takes, *hit), tuple(sorted(stands - set(later))), fills,
            texts[1:], pole, after,
        )  # fmt: skip


def _pole(seat: int | None) -> int:
    """White's magnets lie north pole down, the other seats' south."""
    return -1 if seat else 1


@dataclass
class Spot:
    """A position of a game on a ground, and the program's table as it stands there."""

    game: AnyGame
    ground: Ground
    options: dict[str, Any]
    seed: int  # of a game that draws lots
    plies: tuple[str, ...]
    state: Any
    before: Any  # the state before the last of the plies; None where there is none
    stood: tuple[frozenset[str], ...]  # what was occupied before each of the plies, by the board's names
    _known: dict[Any, Standing] = field(default_factory=dict)

    def standing(self, state: Any) -> Standing:
        """Return what can be seen of ``state``; those that several evenings share are kept."""
        if state not in self._known:
            self._known[state] = Standing(self.game, self.ground, state)
        return self._known[state]

    @cached_property
    def last(self) -> Deed | None:
        """The last of the plies."""
        return None if self.before is None else self.standing(self.before).named(self.plies[-1])

    def header(self, board: str) -> Header:
        """Return the first line of a recording that begins here, on the board of that name."""
        return Header(self.game.facts.name, self.options, board, seed=self.seed, plies=self.plies)

    @cached_property
    def table(self) -> Any:
        """The program's table, set up right."""
        with TemporaryDirectory() as folder:
            header = self.header(board_file(self.ground, folder))
            table, _ = next(replay(parse(next(iter(write(header, ()))))))
        return table


@lru_cache(maxsize=128)
def spot(game_name: str, seed: int) -> Spot:
    """Return a position of that game: the same for the same seed."""
    rng = Random(f"{game_name}/{seed}")
    game = game_named(game_name)
    board, hall = rng.choice(LAID[game_name]), rng.random() < 0.25
    where = ground(game_name, board, hall and may_tell_poles(board))
    options = {"template": "trial"} if game.facts.shells and rng.random() < 0.3 else {}
    seed = rng.randrange(1_000)
    state = game.start(game.options(**options), seed)
    plies: list[str] = []
    before = None
    stood: list[frozenset[str]] = []
    more = rng.choice((0, 1, 2, 4, 7, 11) if game.facts.shells else (0, 3, 8, 15, 25, 40, 90))
    while more > 0:
        legal = list(game.plies(state))
        setting_up = game.text(state, legal[-1]).startswith(SETTING_UP)
        ply = rng.choice(_rather(game, state, legal, rng))
        if game.result(game.after(state, ply)).over:
            break
        plies.append(game.text(state, ply))
        stood.append(frozenset(where.site[site] for site in game.shape(state)))
        before, state = state, game.after(state, ply)
        more -= not setting_up
    return Spot(game, where, options, seed, tuple(plies), state, before, tuple(stood))


def _rather(game: AnyGame, state: Any, legal: list[Any], rng: Random) -> list[Any]:
    """Return the plies that bring more about: captures now and then, units that come to cells of their own."""
    shape = game.shape(state)
    if game.text(state, legal[-1]).startswith("place"):
        return [ply for ply in legal if game.text(state, ply)[-2:] in (" 1", " 2")]
    if game.facts.shells:
        return [ply for ply in legal if game.walk(state, ply).path] or legal
    if rng.random() < 0.75:
        return legal
    return [ply for ply in legal if len(game.shape(game.after(state, ply))) < len(shape)] or legal
