"""What a program counts in a position of Giantslayer.

How much each is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from functools import cache

from controller.rules.game import Advice, Gain, Inputs, Tactics, on_all_planes
from controller.rules.games.giantslayer.cells import USUAL, arounds, rules_of
from controller.rules.games.giantslayer.game import BLACK, WHITE, after, flanked, tramplings
from controller.rules.games.giantslayer.state import CELLS, CENTRE, OPEN, PLACES, RING, SIDE, Ply, State
from controller.rules.mesh import HEX_EDGES, hex_distance
from controller.rules.notation import bits
from controller.sentences import say

NAMES = (
    "tally",  # points of earlier rounds
    "slain",  # giants captured: White's points
    "flanked",  # giants with so many halogai beside them that they are slain: two, by the ruling
    "touched",  # other giants with one beside them
    "walled",  # cells beside a giant onto which it cannot step, by giant
    "inside_3",  # giants three steps from the rim, and so on
    "inside_2",
    "inside_1",
    "halogai",
    "to_move",
    "escaped",  # giants on the rim: Black's points
    "escaped_flanked",  # those of them that are flanked
    "gaps",  # vacant cells of the rim
    "black_to_move",
)


@cache
def rings() -> tuple[int, ...]:
    """Return the cells at each distance from the centre."""
    middle = PLACES[CENTRE.bit_length() - 1]
    found = [0] * SIDE
    for cell, place in enumerate(PLACES):
        found[hex_distance(place, middle)] |= 1 << cell
    return tuple(found)


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat; the first colour's stand apart from the second's."""
    white, black = state.white, state.black
    rules = rules_of(state.options) if state.options else USUAL
    flankers = rules.flankers
    around_of, vacant, by_distance = arounds(), OPEN & ~(white | black), rings()
    flanked = touched = walled = escaped_flanked = 0
    for cell in bits(black):
        around = around_of[cell]
        beside = (around & white).bit_count()
        if beside >= flankers:
            flanked += 1
            if RING >> cell & 1:
                escaped_flanked += 1
        elif beside == 1:
            touched += 1
        walled += 6 - (around & vacant).bit_count()
    hunter = state.round % 2  # the seat that plays White
    slain, tally = rules.giants - black.bit_count(), state.tally
    whites = (
        tally[hunter],
        slain,
        flanked,
        touched,
        walled,
        (black & by_distance[1]).bit_count(),
        (black & by_distance[2]).bit_count(),
        (black & by_distance[3]).bit_count(),
        white.bit_count(),
        int(state.turn == WHITE),
        0,
        0,
        0,
        0,
    )
    escaped, gaps = (black & RING).bit_count(), (vacant & RING).bit_count()
    blacks = (
        tally[1 - hunter], 0, 0, 0, 0, 0, 0, 0, 0, 0, escaped, escaped_flanked, gaps, int(state.turn == BLACK)
    )  # fmt: skip
    return (blacks, whites) if hunter else (whites, blacks)


def loud(state: State, ply: Ply) -> int:
    """Return what the halogai are worth that ``ply`` tramples."""
    return 70 * ply.takes.bit_count()


def takings(state: State) -> list[Ply]:
    """Return the plies that trample; White has none."""
    return tramplings(state) if state.turn == BLACK else []


def key(state: State) -> tuple[int, int, int, int, tuple[int, int]]:
    """Return the stones, whose turn it is, and how far the match is."""
    return state.white, state.black, state.turn, state.round, state.tally


def urgent(state: State) -> bool:
    """Whether Black is to move and a giant of its stands flanked: it is lost at the end of this turn."""
    return state.turn == BLACK and bool(flanked(state.white, state.black, rules_of(state.options).flankers))


def on(state: State) -> list[int]:
    """Return the cells of the halogai, then those of the giants, with other numbers where the giants are to move."""
    begin = 2 * len(CELLS) if state.turn == BLACK else 0
    giants = begin + len(CELLS)
    return [*[begin + cell for cell in bits(state.white)], *[giants + cell for cell in bits(state.black)]]


def alike() -> list[list[int]]:
    """Return the numbers of `on` on the board turned by each sixth of a circle, and mirrored."""
    found = []
    middle_x, middle_y = PLACES[CENTRE.bit_length() - 1]
    for turn in range(6):
        for beside in (turn + 1, turn - 1):
            (ax, ay), (bx, by) = HEX_EDGES[turn], HEX_EDGES[beside % 6]
            places = []
            for x, y in PLACES:
                a, b = _steps(x - middle_x, y - middle_y)
                places.append(PLACES.index((middle_x + a * ax + b * bx, middle_y + a * ay + b * by)))
            found.append(on_all_planes(places, 4 * len(CELLS)))
    return found


def _steps(dx: int, dy: int) -> tuple[int, int]:
    """Return how many steps of the first two directions lead so far."""
    (ax, ay), (bx, by) = HEX_EDGES[:2]
    area = ax * by - ay * bx
    return (dx * by - dy * bx) // area, (ax * dy - ay * dx) // area


TOLD = {
    "slain": say("slain giants"),
    "touched": say("giants with one halogai beside them"),
    "halogai": say("halogai"),
    "escaped": say("giants on the rim"),
    "gaps": say("free cells on the rim"),
    "walled": say("cells closed to giants"),
    "inside_3": say("giants three steps from the rim"),
    "inside_2": say("giants two steps from the rim"),
    "inside_1": say("giants one step from the rim"),
}
GAINS = (
    Gain("escaped"),
    *(
        Gain(f"inside_{far}", say("it brings a giant nearer to the rim"), theirs=True, holds=nearer)
        for far, nearer in ((1, ("escaped",)), (2, ("escaped", "inside_1")))
    ),
    Gain("gaps"),
)


def speaks_for(state: State, ply: Ply) -> str:
    """Return what ``ply`` does about the giants that halogai stand beside, and about the cells that they can step onto.

    That is more of both for White, less of both for Black, where none of its giants is slain.
    """
    then = after(state, ply)
    if then.round != state.round or then.black.bit_count() < state.black.bit_count():
        return ""
    (touched, steps), (now_touched, now_steps) = _pressed(state), _pressed(then)
    if state.turn == WHITE:
        if now_touched > touched:
            return say("it brings a halogai beside one more giant")
        return say("the giants can step onto fewer cells") if now_steps < steps else ""
    if now_touched < touched:
        return say("fewer of its own giants have a halogai beside them")
    return say("its own giants can step onto more cells") if now_steps > steps else ""


def _pressed(state: State) -> tuple[int, int]:
    """Return how many giants have a halogai beside them, and how many cells beside giants are vacant."""
    around, vacant = arounds(), OPEN & ~(state.white | state.black)
    giants = [around[cell] for cell in bits(state.black)]
    return sum(1 for near in giants if near & state.white), sum((near & vacant).bit_count() for near in giants)


STAKES = {"slain": 900, "escaped": 500, "halogai": 70}
TACTICS = Tactics(loud, key, urgent=urgent, swing=250, takings=takings)
INPUTS = Inputs(4 * len(CELLS), on, alike=alike, whatever=("rounds",))
ADVICE: Advice[State, Ply] = Advice(
    NAMES, count, told=TOLD, stakes=STAKES, gains=GAINS, tactics=TACTICS, inputs=INPUTS, why=speaks_for
)
