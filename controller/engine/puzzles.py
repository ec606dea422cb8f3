"""Puzzles: positions of played games in which one ply is far better than all others.

Owns how games are played in which such positions come about, which of them are puzzles, and the second look that each
has to stand: a deeper search that meets the plies in another order. Pure: the same games from the same seed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from random import Random
from typing import Any

import msgspec

from controller.engine.best_first import BestFirst
from controller.engine.found import Found, Sight
from controller.engine.judgement import lost, won
from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.engine.proof import Proof
from controller.engine.turning_points import at_once
from controller.game_setup import Aim
from controller.rules.game import AnyGame

OPENING = 4  # plies at random with which a game begins
MOST_PLIES = 120  # of a game
# Who plays, by turns: as strong as a club player, who leaves things to be found, and a weak one, who leaves a lot.
PLAYERS = (Sight(depth=4, overlooks=30, errs=8), Sight(depth=2, overlooks=45, errs=15))
PLAY_NODES = 200
GLANCE, LOOK, SECOND_LOOK = 600, 2_000, 8_000  # positions judged: whether it may be one, whether it is, and again
SHORT = 150  # positions judged by a short search
PROMISE, GAP = 0.1, 0.2  # of the game: what the best ply is worth more than the next one, at a glance and at a look
ENOUGH = 0.55  # what the best ply that gains something is worth at least
SAVES = 0.3  # what the only ply that does not lose is worth at least
NOT_WON = 0.85
APART = 3  # plies between two puzzles of a game, at least
ALIKE = 2  # puzzles with the same solution, at most
FEWEST_PLIES = 3  # to choose from


class FoundPuzzle(msgspec.Struct, frozen=True):
    """A position, ``plies`` after the start from ``seed``: its ``seat`` is to find the ply ``best``.

    ``aim`` says what that does: it wins at once or by force, gains much, or is the only one that does not lose.
    ``hard`` is 1 where it stands out at first sight, 2 where a short search finds it, else 3. ``line`` is how play
    would go on.
    """

    plies: tuple[str, ...]
    best: str
    seat: int
    aim: Aim
    hard: int
    seed: int = 0
    line: tuple[str, ...] = ()


def found(
    game: AnyGame, options: Any, seats: int, games: int, seed: int, stop: Callable[[], bool] = lambda: False
) -> Iterator[FoundPuzzle]:
    """Yield the puzzles of so many games that a program plays against itself."""
    seen: set[Any] = set()
    player = Player(game, seats, options=options)
    for number in range(games):
        start = seed * 1_000_003 + number
        last, sight = -APART, PLAYERS[number % len(PLAYERS)]
        for state, plies in _played(game, options, player, sight, start, stop):
            if len(plies) - last < APART or state in seen:
                continue
            puzzle = _puzzle(game, player, state, plies, start)
            if puzzle is not None:
                seen.add(state)
                last = len(plies)
                yield puzzle


def _played(
    game: AnyGame, options: Any, player: Player, sight: Sight, seed: int, stop: Callable[[], bool]
) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield the positions of one game in which nothing is secret, each with the plies that led there."""
    dice, state = Random(seed), game.start(options, seed)
    plies: tuple[str, ...] = ()
    while len(plies) < MOST_PLIES and game.seat(state) is not None and not stop():
        hidden = bool(game.secret and game.secret(state))
        book = player.advice.book(state, seed) if player.advice and player.advice.book else None
        if len(plies) >= OPENING and not hidden and book is None:
            yield state, plies
        if book is not None:
            ply = book
        elif hidden or len(plies) < OPENING:
            ply = dice.choice(game.moves(state))
        else:
            order = dice.randrange(1 << 30)
            search = BestFirst(game, state, player.seats, player.judge, sight, order, player.thinks_of)
            search.run(PLAY_NODES, stop)
            ply = search.found().ply
        plies = (*plies, game.text(state, ply))
        state = game.after(state, ply)


def _puzzle(game: AnyGame, player: Player, state: Any, plies: tuple[str, ...], seed: int) -> FoundPuzzle | None:
    """Return the puzzle that ``state`` is, None where it is none."""
    seat = game.seat(state)
    assert seat is not None
    best = _promising(game, player, state)
    aim, line = stands_out(player, state, best, seed) if best is not None else (None, ())
    if aim is None:
        return None
    aim = at_once(game, game.after(state, best), aim)
    return FoundPuzzle(plies, line[0], seat, aim, _hard(game, player, state, best), seed, line)


def stands_out(
    player: Player, state: Any, best: Any, seed: int, stop: Callable[[], bool] = lambda: False
) -> tuple[Aim | None, tuple[str, ...]]:
    """Return what the ply ``best`` does where all others are far worse, at two looks, and how play would go on.

    None where they are not.
    """
    game, seat = player.game, player.game.seat(state)
    assert seat is not None
    if len(game.moves(state)) < FEWEST_PLIES:
        return None, ()
    aim, line = None, (best,)
    for nodes, order in ((LOOK, None), (SECOND_LOOK, seed)):
        only = _with(game, state, lambda plies: [best], order)
        without = _with(game, state, lambda plies: [each for each in plies if each != best], order)
        looked = _searched(only, player, state, nodes, stop)
        others = _searched(without, player, state, nodes, stop)
        aim = aim_of(looked.shares[seat], others.shares[seat])
        if aim is None:
            return None, ()
        line = looked.line if looked.line[0] == best else (best,)
    return aim, texts(game, state, line)


def _promising(game: AnyGame, player: Player, state: Any) -> Any:
    """Return the ply that seems to win, or to stand out, at a glance; None where there is none."""
    proof = Proof(game, state)
    proof.run(GLANCE, lambda: False)
    glance = BestFirst(game, state, player.seats, player.judge, Sight(), 0, player.thinks_of)
    if len(glance.root.plies) < FEWEST_PLIES:
        return None
    if line := proof.line():
        return line[0]
    glance.run(GLANCE, lambda: False)
    first = glance.found()
    best, second, *_ = sorted((worth for _, worth in first.worths), reverse=True)
    return first.ply if best - second >= PROMISE else None


def chosen(puzzles: Sequence[FoundPuzzle], most: int) -> tuple[FoundPuzzle, ...]:
    """Return at most so many ``puzzles``, few of them alike, as many of each hardness as there are; easy ones first."""
    alike = Counter[str]()
    kept: dict[int, list[FoundPuzzle]] = {1: [], 2: [], 3: []}
    for puzzle in puzzles:
        alike[puzzle.best] += 1
        if alike[puzzle.best] <= ALIKE:
            kept[puzzle.hard].append(puzzle)
    turns = zip_longest(*(kept[hard] for hard in (3, 2, 1)))
    found = [puzzle for turn in turns for puzzle in turn if puzzle][:most]
    return tuple(sorted(found, key=lambda puzzle: (puzzle.hard, len(puzzle.line), len(puzzle.plies))))


def as_toml(puzzles: Sequence[FoundPuzzle], options: Mapping[str, Any], made_by: str) -> str:
    """Return the file of a game's puzzles; ``options`` are those that are not the game's own."""
    lines = [f"# Made by: {made_by}"]
    if options:
        lines += ["", "[options]", *(f"{key} = {json.dumps(value)}" for key, value in options.items())]
    for puzzle in puzzles:
        lines += ["", "[[puzzle]]"]
        written = {**msgspec.to_builtins(puzzle), "plies": "; ".join(puzzle.plies)}
        del written["line"]
        lines += [f"{key} = {json.dumps(value)}" for key, value in written.items()]
    return "\n".join([*lines, ""])


def aim_of(best: float, second: float) -> Aim | None:
    """Return what the best ply does, by what it and the next one are worth; None where it does not stand out."""
    if best - second < GAP:
        return None
    if won(best):
        return "win" if second <= NOT_WON else None
    if best >= ENOUGH and second > 0:
        return "gain"
    return "save" if lost(second) and best >= SAVES else None


def _hard(game: AnyGame, player: Player, state: Any, best: Any) -> int:
    """Return how hard ``best`` is to find: 1 where it stands out at first sight."""
    search = BestFirst(game, state, player.seats, player.judge, Sight(), 0, player.thinks_of)
    first = dict(search.found().worths)
    ahead = first.pop(best) - max(first.values())
    if ahead >= 0:
        return 1 if ahead >= PROMISE else 2
    search.run(SHORT, lambda: False)
    return 2 if search.found().ply == best else 3


def _searched(game: AnyGame, player: Player, state: Any, nodes: int, stop: Callable[[], bool]) -> Found:
    seat = game.seat(state)
    assert seat is not None
    looker = Player(game, player.seats, advice=player.advice, options=player.options)
    return looker.searched(state, seat, LEVELS[-1], 0, nodes, stop)


def _with(game: AnyGame, root: Any, chosen: Callable[[list[Any]], list[Any]], order: int | None) -> AnyGame:
    """Return ``game`` with the ``chosen`` of its plies in ``root``, and the plies everywhere in another order."""
    moves = game.moves
    dice = None if order is None else Random(order)

    def others(state: Any) -> list[Any]:
        plies = chosen(moves(state)) if state == root else list(moves(state))
        if dice:
            dice.shuffle(plies)
        return plies

    return replace(game, moves=others)


def texts(game: AnyGame, state: Any, line: Sequence[Any]) -> tuple[str, ...]:
    """Return the plies of a line from ``state`` as they are written."""
    found = []
    for ply in line:
        found.append(game.text(state, ply))
        state = game.after(state, ply)
    return tuple(found)
