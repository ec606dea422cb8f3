"""What a program counts in a position of Tides of War.

Owns these counts alone; how much each is worth stands in `weights.toml`.
"""

from __future__ import annotations

from typing import Any

from controller.rules.game import Advice
from controller.rules.games.tides_of_war.game import FULL, SIDE, TOWN, State, rays
from controller.sentences import say

NEAR = 4  # squares from a town up to which stones are counted one distance at a time


def _rings(town: int) -> tuple[int, ...]:
    """Return the squares at each distance from ``town``, as a king of chess goes."""
    home = town.bit_length() - 1
    found = [0] * SIDE
    for cell in range(SIDE * SIDE):
        found[max(abs(cell // SIDE - home // SIDE), abs(cell % SIDE - home % SIDE))] |= 1 << cell
    return tuple(found)


RINGS = tuple(_rings(town) for town in TOWN)
NAMES = (
    "stones",
    "to_move",
    "prey",  # enemy stones that can be jumped over now
    *(f"at_{distance}" for distance in range(1, NEAR + 1)),  # own stones so far from the enemy's town
    *(f"home_{distance}" for distance in range(1, 4)),  # own stones so far from the own town
)


def _prey(own: int, enemy: int, vacant: int) -> int:
    """Return the enemy stones over which a stone can jump."""
    found = 0
    for ray in rays():
        shift = ray.shift
        starts = own & ray.can_jump
        if shift > 0:
            found |= starts << shift & enemy & vacant >> shift
        else:
            found |= starts >> -shift & enemy & vacant << -shift & FULL
    return found


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    rows = []
    everybody = state.stones[0] | state.stones[1]
    for seat in (0, 1):
        own, enemy, goal, home = state.stones[seat], state.stones[1 - seat], RINGS[1 - seat], RINGS[seat]
        rows.append(
            (
                own.bit_count(),
                int(state.turn == seat),
                _prey(own, enemy, FULL & ~everybody & ~TOWN[seat]).bit_count(),
                *[(own & goal[distance]).bit_count() for distance in range(1, NEAR + 1)],
                *[(own & home[distance]).bit_count() for distance in range(1, 4)],
            )
        )
    return tuple(rows)


TOLD = {
    "stones": say("stones"),
    "prey": say("stones that can be jumped over"),
    "at_1": say("stones beside the enemy's town"),
    "at_2": say("stones two squares from the enemy's town"),
    "at_3": say("stones three squares from the enemy's town"),
    "at_4": say("stones four squares from the enemy's town"),
    "home_1": say("guards beside the own town"),
    "home_2": say("guards two squares from the own town"),
    "home_3": say("guards three squares from the own town"),
}
ADVICE: Advice[State, Any] = Advice(NAMES, count, told=TOLD)
