"""What a program counts in a position of Tides of War.

Owns these counts alone; how much each is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.rules.game import DECIDES, Advice, Gain, Inputs, Tactics, on_all_planes
from controller.rules.games.tides_of_war.board import USUAL, board_of
from controller.rules.games.tides_of_war.endgames import ENDGAMES
from controller.rules.games.tides_of_war.state import SIDE, Ply, State
from controller.rules.notation import bits
from controller.sentences import say

if TYPE_CHECKING:
    from mypy_extensions import i64

NAMES = (
    "stones",
    "to_move",
    "prey",  # enemy stones that can be jumped over now
    *(f"at_{distance}" for distance in (1, 2, 3, 4)),  # own stones so far from the enemy's town
    *(f"home_{distance}" for distance in (1, 2, 3)),  # own stones so far from the own town
)


def _prey(jumps: tuple[tuple[int, int], ...], own: i64, enemy: i64, vacant: i64) -> i64:
    """Return the enemy stones over which a stone can jump."""
    shift: i64
    can_jump: i64
    found: i64 = 0
    for shift, can_jump in jumps:
        if shift > 0:
            found |= (own & can_jump) << shift & enemy & vacant >> shift
        else:
            found |= (own & can_jump) >> -shift & enemy & vacant << -shift
    return found


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    board = board_of(state.options) if state.options else USUAL
    white, black = state.stones
    vacant = board.full & ~(white | black)
    jumps, towns, (whites, blacks) = board.jumps, board.towns, board.rings
    return (
        _row(jumps, white, black, vacant & ~towns[0], state.turn == 0, blacks, whites),
        _row(jumps, black, white, vacant & ~towns[1], state.turn == 1, whites, blacks),
    )


def _row(
    jumps: tuple[tuple[int, int], ...],
    own: int,
    enemy: int,
    vacant: int,
    moving: bool,
    goal: tuple[int, ...],
    home: tuple[int, ...],
) -> tuple[int, ...]:
    """Return the numbers of a seat; ``vacant`` are the squares that it can enter."""
    return (
        own.bit_count(),
        int(moving),
        int(_prey(jumps, own, enemy, vacant)).bit_count(),
        (own & goal[1]).bit_count(),
        (own & goal[2]).bit_count(),
        (own & goal[3]).bit_count(),
        (own & goal[4]).bit_count(),
        (own & home[1]).bit_count(),
        (own & home[2]).bit_count(),
        (own & home[3]).bit_count(),
    )


def loud(state: State, ply: Ply) -> int:
    """Return what the stones are worth that ``ply`` takes; it decides where it enters the enemy's town."""
    board = board_of(state.options) if state.options else USUAL
    return DECIDES if ply.moved & board.towns[1 - state.turn] else 500 * ply.takes.bit_count()


def key(state: State) -> tuple[tuple[int, int], int]:
    """Return the stones and whose turn it is."""
    return state.stones, state.turn


def urgent(state: State) -> bool:
    """Whether an enemy stands beside the town of the side to move, and would enter it."""
    board = board_of(state.options) if state.options else USUAL
    return bool(state.stones[1 - state.turn] & board.rings[state.turn][1])


def mover(state: State) -> int | None:
    """Return whose turn it is."""
    return None if state.why else state.turn


CELLS = SIDE * SIDE  # of the usual board: nothing is learned of others


def on(state: State) -> list[int]:
    """Return the squares of the stones of the side to move, then those of the enemy's, from the mover's town on."""
    own, enemy = state.stones[state.turn], state.stones[1 - state.turn]
    if state.turn:
        return [CELLS - 1 - cell for cell in bits(own)] + [2 * CELLS - 1 - cell for cell in bits(enemy)]
    return [*bits(own), *[CELLS + cell for cell in bits(enemy)]]


def alike() -> list[list[int]]:
    """Return the numbers of `on` as they are, and mirrored at the line from town to town."""
    mirrored = [cell % SIDE * SIDE + cell // SIDE for cell in range(CELLS)]
    return [on_all_planes(places, 2 * CELLS) for places in (range(CELLS), mirrored)]


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
GAINS = (
    Gain("at_1", say("it brings a stone beside the enemy's town")),
    Gain("home_1", say("it brings a guard beside its own town")),
    Gain("at_2", say("it brings a stone within two squares of the enemy's town"), holds=("at_1",)),
    Gain("home_2", say("it brings a guard within two squares of its own town"), holds=("home_1",)),
    Gain("at_3", say("it brings a stone within three squares of the enemy's town"), holds=("at_1", "at_2")),
    Gain("home_3", say("it brings a guard within three squares of its own town"), holds=("home_1", "home_2")),
    Gain("at_4", say("it brings a stone within four squares of the enemy's town"), holds=("at_1", "at_2", "at_3")),
)
TACTICS = Tactics(loud, key, urgent=urgent, mover=mover, swing=800, rests=True)
ADVICE: Advice[State, Ply] = Advice(
    NAMES,
    count,
    told=TOLD,
    stakes={"stones": 500},
    gains=GAINS,
    tactics=TACTICS,
    inputs=Inputs(2 * CELLS, on, alike=alike),
    endgames=ENDGAMES,
)
