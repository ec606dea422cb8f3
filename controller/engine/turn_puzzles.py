"""Puzzles whose answer is a turn: a goal that the turn to move can reach in a few plies, and not by the obvious ones.

Owns which goals of which turns are puzzles, in games that the board plays against itself. Pure: the same from the same
seed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from random import Random
from typing import Any

from controller.engine.best_first import BestFirst
from controller.engine.found import Sight
from controller.engine.player import Player
from controller.engine.puzzles import FoundPuzzle, texts
from controller.rules.game import AnyGame
from controller.rules.turn_search import MOST_WAYS, TooLong, TurnSearch

PLAY_NODES = 800  # positions judged for a ply of the games: as a club player, who errs in nothing that lies near
MOST_PLIES = 300  # of a game
SHORTEST, LONGEST = 2, 5  # plies of a solution
SEARCHED = 2_500  # positions of a turn behind which a goal is looked for
ALIKE = 2  # solutions of one puzzle, whatever the order of their plies
MOST_ALIKE = 3  # puzzles with the same goal
MANY_WRONG = 60  # first plies that begin no solution: so many make a puzzle harder by one ply


class TurnPuzzle(FoundPuzzle, frozen=True):
    """A position in which a turn begins: ``best`` are the plies of a shortest way to ``goal``, with "; " between them.

    It is the harder, the longer that is, and where most first plies begin no such way.
    """

    goal: str = ""


def found(game: AnyGame, options: Any, seats: int, games: int, seed: int) -> Iterator[TurnPuzzle]:
    """Yield the puzzles of so many games that a program plays against itself, one of a turn at most."""
    player = Player(game, seats, options=options)
    kinds = Counter[str]()
    for number in range(games):
        start = seed * 1_000_003 + number
        dice = Random(start)
        for state, plies in _played(game, options, player, start):
            goals = game.goals.asked(state) if game.goals else []
            dice.shuffle(goals)
            goals.sort(key=lambda goal: kinds[_kind(goal)])  # of each kind as many
            puzzles = (_puzzle(game, state, plies, goal, start) for goal in goals)
            if puzzle := next(filter(None, puzzles), None):
                kinds[_kind(puzzle.goal)] += 1
                yield puzzle


def _played(game: AnyGame, options: Any, player: Player, seed: int) -> Iterator[tuple[Any, tuple[str, ...]]]:
    """Yield the positions of one game, each with the plies that led there."""
    dice, state = Random(seed), game.start(options, seed)
    plies: tuple[str, ...] = ()
    while len(plies) < MOST_PLIES and game.seat(state) is not None:
        if game.secret and game.secret(state):
            ply = dice.choice(game.moves(state))
        else:
            yield state, plies
            search = BestFirst(game, state, player.seats, player.judge, Sight(), dice.getrandbits(30), player.thinks_of)
            search.run(PLAY_NODES, lambda: False)
            ply = search.found().ply
        plies = (*plies, game.text(state, ply))
        state = game.after(state, ply)


def _puzzle(game: AnyGame, state: Any, plies: tuple[str, ...], goal: str, seed: int) -> TurnPuzzle | None:
    """Return the puzzle of reaching ``goal`` in the turn that begins at ``state``, None where it is none."""
    seat = game.seat(state)
    assert seat is not None
    try:
        ways = TurnSearch(game, state, goal, SEARCHED).shortest(state, LONGEST)
    except TooLong:
        return None
    if not ways or len(ways) == MOST_WAYS or len(ways[0]) < SHORTEST:
        return None
    if (
        len(set(ways[0])) == 1
        or len({frozenset(Counter(way).items()) for way in ways}) > ALIKE
        or obvious(game, state, goal, len(ways[0]))
    ):
        return None
    wrong = len(game.moves(state)) - len({way[0] for way in ways})
    way = texts(game, state, ways[0])
    hard = min(3, max(1, len(way) + (wrong >= MANY_WRONG) - 2))
    return TurnPuzzle(plies, "; ".join(way), seat, "turn", hard, seed, way, goal)


def obvious(game: AnyGame, start: Any, goal: str, plies: int) -> bool:
    """Whether who always takes the first ply that brings the goal nearest, as it seems, is there after ``plies``."""
    assert game.goals
    state = start
    for _ in range(plies):
        nearest: tuple[int, Any] | None = None
        for ply in game.goals.serving(state, goal):
            then = game.after(state, ply)
            lacking = game.goals.lacks(start, then, goal)
            if lacking is not None and (nearest is None or lacking < nearest[0]):
                nearest = lacking, then
        if nearest is None:
            return False
        lacking, state = nearest
        if not lacking:
            return True
    return False


def chosen(puzzles: Sequence[TurnPuzzle], most: int) -> tuple[TurnPuzzle, ...]:
    """Return at most so many ``puzzles``, of each kind of goal and each hardness as many as there are; easy first."""
    alike = Counter[str]()
    kept: dict[tuple[int, str], list[TurnPuzzle]] = {}
    for puzzle in puzzles:
        alike[puzzle.goal] += 1
        alike[puzzle.best] += 1
        if alike[puzzle.best] == 1 and alike[puzzle.goal] <= MOST_ALIKE:
            kept.setdefault((-puzzle.hard, _kind(puzzle.goal)), []).append(puzzle)
    turns = zip_longest(*(kept[each] for each in sorted(kept)))
    found = [puzzle for turn in turns for puzzle in turn if puzzle][:most]
    return tuple(sorted(found, key=lambda puzzle: (puzzle.hard, len(puzzle.line), len(puzzle.plies))))


def _kind(goal: str) -> str:
    return goal.split()[0]
