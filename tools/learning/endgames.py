"""Solves the positions with few pieces of a game: `python -m tools.learning.endgames GAME --into endgames.bin`.

It goes backwards from the ends of the game. A position is won in one ply more than the nearest lost one to which a ply
leads, and lost in one more than the farthest where all lead to won ones. What is left neither side can force. It knows
the rules and nothing of the search. Repetitions are left out: on the shortest way nothing comes back.
"""

from __future__ import annotations

import argparse
import sys
import time
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.engine.endgames import OPEN, written
from controller.rules.game import AnyEndgames, AnyGame
from controller.rules.registry import advice_of, game_named

FIRST = 0  # the seat that is to move in each of the positions


def solved(game: AnyGame, endgames: AnyEndgames) -> bytes:
    """Return in how many plies each position is decided, by its number: `OPEN` for one that is not."""
    plies = bytearray([OPEN]) * endgames.count
    before = [array("i") for _ in range(endgames.count)]  # the positions from which a ply leads to one
    left = array("i", [0]) * endgames.count  # the plies of a position that have not been found to lose
    layers: list[list[int]] = [[], []]
    for state in endgames.positions():
        number, below = _number(endgames, state), [game.after(state, ply) for ply in game.moves(state)]
        ends = [game.result(each) for each in below]
        if not below and game.result(state).winner not in (None, FIRST):
            plies[number] = 0
        elif any(end.winner == FIRST for end in ends):
            plies[number] = 1
        else:
            numbers = {_number(endgames, each) for each, end in zip(below, ends, strict=True) if not end.over}
            left[number] = len(numbers) + any(end.over for end in ends)
            for each in numbers:
                before[each].append(number)
            continue
        layers[plies[number]].append(number)
    for depth, layer in enumerate(layers):
        later = layers[depth + 1] if depth + 1 < len(layers) else []
        for each in (each for number in layer for each in before[number] if plies[each] == OPEN):
            left[each] = left[each] - 1 if depth % 2 else 0
            if not left[each]:
                plies[each] = depth + 1
                later.append(each)
        if later and depth + 1 == len(layers):
            layers.append(later)
    return bytes(plies)


def _number(endgames: AnyEndgames, state: Any) -> int:
    """Raises ValueError where a ply leads out of the positions that are solved."""
    if (number := endgames.number(state)) is None:
        raise ValueError(f"{state} has no number: what comes of a position that is solved has to have one")
    return number


def main(words: Sequence[str]) -> None:
    """Read the command line, solve and write."""
    parser = argparse.ArgumentParser(prog="python -m tools.learning.endgames", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--into", type=Path, required=True, help="where the table is written")
    asked = parser.parse_args(words)
    advice, began = advice_of(asked.game), time.monotonic()
    if advice is None or advice.endgames is None:
        sys.exit(f"{asked.game} has no endgames in its advice.py, so there is nothing to solve")
    plies = solved(game_named(asked.game), advice.endgames)
    asked.into.write_bytes(written(asked.game, advice.endgames, plies))
    print(_told(plies, sum(1 for _ in advice.endgames.positions())))
    print(f"{time.monotonic() - began:.0f} s, {asked.into.stat().st_size} bytes")


def _told(plies: bytes, positions: int) -> str:
    decided = [each for each in plies if each != OPEN]
    won = sum(each % 2 for each in decided)
    lost, longest = len(decided) - won, max(decided)
    return f"{positions} positions: {won} won, {lost} lost, {positions - won - lost} neither; {longest} plies at most"


if __name__ == "__main__":
    main(sys.argv[1:])
