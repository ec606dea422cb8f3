"""What thinking on another's time brings: how often it had foreseen an answer, and how much deeper it looks then.

    python -m tools.benchmarks.thinking_ahead GAME [GAMES] [SECONDS] [AHEAD]

Level 8 plays against level 7. While that one is to move it thinks AHEAD seconds of the processor. Then its own ply is
searched for SECONDS, and once more by somebody who has thought of nothing before. Figures only.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any, NamedTuple

from controller.engine.levels import LEVELS
from controller.engine.player import Player
from controller.rules.registry import game_named
from tools.arena.likelihood import wilson
from tools.arena.matches import opening
from tools.arena.timed import since_now

GAMES, SECONDS, AHEAD = 4, 0.1, 0.3
LONGEST = 60  # plies of a game: openings and what comes then


class PlyFigures(NamedTuple):
    """Of one ply: whether the answer before it had been foreseen, and how deep both have looked."""

    foreseen: bool
    warm: int
    fresh: int
    same: bool


def searched(player: Player, state: Any, seed: int, seconds: float) -> tuple[Any, int]:
    """Return the ply that ``player`` chooses in exactly that time at most, and how deep it has looked."""
    choice = player.choose(state, LEVELS[-1], seed, None, partial(since_now(seconds), 1.0), lambda part: False)
    return choice.ply, next(iter(player._last.values())).depth


def plies(name: str, number: int, seconds: float, ahead_s: float) -> Iterator[PlyFigures]:
    """Yield the figures of one game."""
    game = game_named(name)
    player, other, dice = Player(game, 2), Player(game, 2), Random(number)
    state, seat, made = opening(game, game.options(), number // 2), number % 2, 0
    foreseen: bool | None = None
    while (mover := game.seat(state)) is not None and made < LONGEST:
        seed = dice.getrandbits(31)
        if mover == seat:
            ply, warm = searched(player, state, seed, seconds)
            if foreseen is not None:
                fresh_ply, fresh = searched(Player(game, 2), state, seed, seconds)
                yield PlyFigures(foreseen, warm, fresh, ply == fresh_ply)
            foreseen = None
        else:
            expected = player.ahead(state, seed, partial(since_now(ahead_s), 1.0))
            ply = other.choose(state, LEVELS[6], seed).ply
            foreseen = expected.ply == ply
        state, made = game.after(state, ply), made + 1


def main(name: str, games: int = GAMES, seconds: float = SECONDS, ahead_s: float = AHEAD) -> None:
    """Print one line."""
    found = [each for number in range(games) for each in plies(name, number, seconds, ahead_s)]
    share = sum(each.foreseen for each in found)
    low, high = wilson(share, len(found))
    deeper = [each.warm - each.fresh for each in found]
    told = {seen: [each.warm - each.fresh for each in found if each.foreseen == seen] for seen in (True, False)}
    mean = sum(deeper) / len(deeper)
    error = 2 * (sum((each - mean) ** 2 for each in deeper) / len(deeper) ** 2) ** 0.5
    parts = ", ".join(
        f"{sum(each) / max(1, len(each)):+.2f} {'foreseen' if seen else 'not'}" for seen, each in told.items()
    )
    print(
        f"{name}: {len(found)} plies, {share / len(found):.0%} foreseen ({low:.0%} to {high:.0%}); "
        f"{sum(each.fresh for each in found) / len(found):.1f} deep, {mean:+.2f} ± {error:.2f} with it ({parts}); "
        f"the same ply {sum(each.same for each in found) / len(found):.0%}"
    )


if __name__ == "__main__":
    given = sys.argv[1:]
    main(given[0], int(given[1]) if given[1:] else GAMES, *map(float, given[2:4]))
