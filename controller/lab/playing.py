"""Plays the games of a case, and notes of each and of each of its plies what designers ask about.

Levels are budgets of positions here, never of time: the same game comes out on every machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from controller.engine.anchors import ANCHORS
from controller.engine.judgement import judge_of, outcome, weights_of
from controller.engine.levels import level_of
from controller.engine.player import Player
from controller.lab.measures import Story, behind, decided, lead_changes
from controller.lab.plan import WITHOUT, Case, seed_of, seed_of_ply
from controller.lab.uses import doing_without, offered, use_of
from controller.rules.game import AnyGame
from controller.rules.options import parse
from controller.rules.registry import advice_of, game_named

Choose = Callable[[Any, int], Any]  # (state, seed) → ply
UNFINISHED = "unfinished"  # instead of an ending, where a game was cut off


class PliedRow(msgspec.Struct, frozen=True):
    """A ply: who made it and how, from how many; the uses that were open, by how many plies each.

    ``shares`` are what each seat's part of the game is worth after it, by the game's hand-made counts.
    """

    seat: int
    text: str
    use: str
    origin: str
    site: str
    plies: int
    offered: dict[str, int]
    shares: tuple[float, ...]
    ms: float


class GameRow(msgspec.Struct, frozen=True):
    """A game: ``ending`` is `UNFINISHED` where it was cut off; ``winner`` is a seat."""

    case: int
    number: int
    seed: int
    players: tuple[str, ...]
    ending: str
    winner: int | None
    scores: tuple[int, ...] | None
    plies: tuple[PliedRow, ...]
    story: Story
    ms: float


class Playing:
    """Plays games of one case of the game called ``name``; it keeps its players from game to game."""

    def __init__(self, name: str, case: Case, run_seed: int, most_plies: int) -> None:
        self.game: AnyGame = game_named(name)
        self.case, self.run_seed, self.most_plies = case, run_seed, most_plies
        self.options = parse(self.game.options, case.options)
        seats = len(case.players)
        self.judge = judge_of(self.game, seats, advice_of(name), weights_of(name))
        self._players: dict[tuple[str, int], Choose] = {}

    def play(self, number: int) -> GameRow:
        """Play the game of that number."""
        game, seats = self.game, len(self.case.players)
        seed = seed_of(self.case.options, number, self.run_seed)
        seated = self.case.seated(number)
        began = time.perf_counter()
        state, plies = game.start(self.options, seed), list[PliedRow]()
        while len(plies) < self.most_plies and (seat := game.seat(state)) is not None:
            choose = self._player(seated[seat], seat)
            state, row = self._ply(state, seat, choose, seed_of_ply(seed, seat, len(plies)))
            plies.append(row)
        result = game.result(state)
        ending = result.why if result.over else UNFINISHED
        scores = None if result.scores is None else tuple(result.scores)[:seats]
        took = 1000 * (time.perf_counter() - began)
        story = _story(plies, result.winner, seats)
        return GameRow(self.case.number, number, seed, seated, ending, result.winner, scores, tuple(plies), story, took)

    def _ply(self, state: Any, seat: int, choose: Choose, seed: int) -> tuple[Any, PliedRow]:
        game, began = self.game, time.perf_counter()
        ply = choose(state, seed)
        took = 1000 * (time.perf_counter() - began)
        shape, legal = game.shape(state), game.moves(state)
        use = use_of(game, state, shape, ply)
        open_to = {use: len(legal)} if game.shared(state) is not None else offered(game, state, shape, legal)
        walk = game.walk(state, ply)
        site = walk.path[-1] if walk.path else walk.at or ""
        origin = walk.path[0] if walk.path else site
        after = game.after(state, ply)
        result = game.result(after)
        shares = outcome(result, len(self.case.players), 0) if result.over else self.judge(after)
        return after, PliedRow(seat, game.text(state, ply), use, origin, site, len(legal), open_to, shares, took)

    def _player(self, name: str, seat: int) -> Choose:
        if (name, seat) not in self._players:
            self._players[name, seat] = self._made(name, seat)
        return self._players[name, seat]

    def _made(self, name: str, seat: int) -> Choose:
        plain, without, use = name.partition(WITHOUT)
        game = doing_without(self.game, seat, use) if without else self.game
        if plain in ANCHORS:
            anchor = ANCHORS[plain]
            return lambda state, seed: anchor(game, state, Random(seed))
        number, _, character = plain.partition("-")
        player = Player(game, len(self.case.players), character=character, options=self.options)
        level = level_of(int(number), game.facts.name)
        return lambda state, seed: player.choose(state, level, seed).ply


def _story(plies: Sequence[PliedRow], winner: int | None, seats: int) -> Story:
    shares = [ply.shares for ply in plies]
    used = tuple(tuple(sorted({ply.use for ply in plies if ply.seat == seat})) for seat in range(seats))
    forced = sum(ply.plies == 1 for ply in plies)
    if winner is None:
        return Story(lead_changes(shares), 0.0, None, forced, used)
    return Story(lead_changes(shares), behind(shares, winner), decided(shares, winner), forced, used)


def played(name: str, case: Case, run_seed: int, most_plies: int, numbers: Sequence[int]) -> list[GameRow]:
    """Return the games with these numbers."""
    playing = Playing(name, case, run_seed, most_plies)
    return [playing.play(number) for number in numbers]
