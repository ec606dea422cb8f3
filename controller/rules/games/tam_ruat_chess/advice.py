"""What a program counts in a position of Chess of Tam Ruat.

Owns these counts alone; how much each is worth stands in `weights.toml`.
"""

# `make fast` compiles this module: no struct or dataclass in it.

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from controller.rules.game import OF_A_KIND, Advice, Inputs, Tactics, on_all_planes
from controller.rules.games.tam_ruat_chess.check import checker
from controller.rules.games.tam_ruat_chess.game import in_check, takings
from controller.rules.games.tam_ruat_chess.pieces import KINDS, SIDE
from controller.rules.games.tam_ruat_chess.plies import Ply
from controller.rules.games.tam_ruat_chess.state import State
from controller.rules.games.tam_ruat_chess.takes import victim
from controller.rules.mesh import NONE
from controller.rules.notation import bits
from controller.sentences import say

PIECES = "".join(kind for kind in KINDS if kind != "K")
NAMES = (
    *(f"{OF_A_KIND}{KINDS[kind].lower()}" for kind in PIECES),
    "spare",  # ghosts
    "to_move",
    "checked",  # the royal is in check
    "march",  # ranks that Warriors and Barbarians have gone
    "march_far",  # of those beyond the middle, once more
    "centre",  # steps from the edge, of the pieces that are neither these nor royal
    "forward",  # ranks from the own side, of the same, up to the middle
    "hunt",  # pieces within three squares of the enemy's royal
    "shield",  # own pieces beside the own royal
)
INWARD = tuple(min(c // SIDE, c % SIDE, SIDE - 1 - c // SIDE, SIDE - 1 - c % SIDE) for c in range(SIDE * SIDE))
RANK = (tuple(c % SIDE for c in range(SIDE * SIDE)), tuple(SIDE - 1 - c % SIDE for c in range(SIDE * SIDE)))
BEYOND = tuple(tuple(max(0, rank - SIDE // 2) for rank in ranks) for ranks in RANK)
UPWARD = tuple(tuple(min(rank, SIDE // 2) for rank in ranks) for ranks in RANK)


def _around(cell: int, reach: int) -> int:
    """Return the squares within ``reach`` steps of ``cell``, itself not among them."""
    x, y = divmod(cell, SIDE)
    near = (o for o in range(SIDE * SIDE) if max(abs(o // SIDE - x), abs(o % SIDE - y)) <= reach)
    return sum(1 << o for o in near) & ~(1 << cell)


AROUND = tuple(tuple(_around(cell, reach) for cell in range(SIDE * SIDE)) for reach in (1, 3))
PLACE = {kind: number for number, kind in enumerate(PIECES)}
MARCHING = "wb"


FILES, ONE_FILE = range(0, SIDE * SIDE, SIDE), (1 << SIDE) - 1


def count(state: State) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of `NAMES` for each seat."""
    rows = []
    board = state.board
    for seat in (0, 1):
        own, rank, beyond, upward = state.sets[seat], RANK[seat], BEYOND[seat], UPWARD[seat]
        kinds = [0] * len(PIECES)
        march = far = centre = forward = 0
        left = own & ~(1 << state.royals[seat])
        while left:
            low = left & -left
            cell = low.bit_length() - 1
            left ^= low
            kind = board[cell]
            kinds[PLACE[kind]] += 1
            if kind in MARCHING:
                march += rank[cell] - 1
                far += beyond[cell]
            else:
                centre += INWARD[cell]
                forward += upward[cell]
        royal = state.royals[seat]
        if board[royal] == "E":
            kinds[PLACE["E"]] += 1
        moving = state.turn == seat
        checked = moving and checker(board, own, state.sets[1 - seat], 1 - seat, royal) != NONE
        hunt = (own & AROUND[1][state.royals[1 - seat]]).bit_count()
        shield = (own & AROUND[0][royal]).bit_count()
        spare = state.spare[seat]
        rows.append((*kinds, spare, int(moving), int(checked), march, far, centre, forward, hunt, shield))
    return tuple(rows)


def difference(ours: Sequence[int], theirs: Sequence[int]) -> Callable[[State], int]:
    """Return what compares two seats: `count`, weighed, from tables of what each kind is worth on each square."""
    squares = [_on_squares(weights, seat) for seat, weights in enumerate((ours, theirs))]
    rest = [dict(zip(NAMES, weights, strict=True)) for weights in (ours, theirs)]
    spare, moving, checked, hunt, shield = (
        tuple(each[name] for each in rest) for name in ("spare", "to_move", "checked", "hunt", "shield")
    )

    def of_file(first: int, kinds: str, white: int) -> int:
        """Return by how much the men of one file compare, which begins with the square ``first``."""
        worth = 0
        for rank, kind in enumerate(kinds):
            if kind != ".":
                worth += squares[0][kind][first + rank] if white >> rank & 1 else -squares[1][kind][first + rank]
        return worth

    on_file = lru_cache(maxsize=1 << 14)(of_file)

    def compared(state: State) -> int:
        board, (white, black), turn = state.board, state.sets, state.turn
        kings = state.royals
        total: int = spare[0] * state.spare[0] - spare[1] * state.spare[1]
        total += hunt[0] * (white & AROUND[1][kings[1]]).bit_count()
        total -= hunt[1] * (black & AROUND[1][kings[0]]).bit_count()
        total += shield[0] * (white & AROUND[0][kings[0]]).bit_count()
        total -= shield[1] * (black & AROUND[0][kings[1]]).bit_count()
        for first in FILES:
            total += on_file(first, board[first : first + SIDE], white >> first & ONE_FILE)
        own, enemy = (black, white) if turn else (white, black)
        toll = moving[turn]
        if checker(board, own, enemy, 1 - turn, kings[turn]) != NONE:
            toll += checked[turn]
        return total - toll if turn else total + toll

    return compared


def _on_squares(weights: Sequence[int], seat: int) -> dict[str, list[int]]:
    """Return by kind what a piece of ``seat`` is worth on each square; a king is worth nothing beside what all have."""
    of = dict(zip(NAMES, weights, strict=True))
    found = {"K": [0] * (SIDE * SIDE)}
    for kind in PIECES:
        own = of[f"{OF_A_KIND}{KINDS[kind].lower()}"]
        found[kind] = [own + _placed(of, kind, seat, cell) for cell in range(SIDE * SIDE)]
    return found


def _placed(of: Mapping[str, int], kind: str, seat: int, cell: int) -> int:
    if kind == "E":
        return 0
    if kind in MARCHING:
        return of["march"] * (RANK[seat][cell] - 1) + of["march_far"] * BEYOND[seat][cell]
    return of["centre"] * INWARD[cell] + of["forward"] * UPWARD[seat][cell]


# About what a piece is worth in an exchange, in thousandths.
WORTH = {
    "Q": 2200, "C": 1200, "c": 800, "X": 700, "g": 700, "k": 500, "W": 500, "P": 450, "E": 300, "K": 300,
    "w": 250, "b": 250,
}  # fmt: skip


def loud(state: State, ply: Ply) -> int:
    """Return about what ``ply`` takes and brings back; of equal ones the cheapest piece takes first."""
    gains = WORTH[ply.becomes] if ply.becomes else 0
    if ply.captures:
        gains += WORTH[state.board[victim(state, ply)]] - WORTH[state.board[ply.begin]] // 100
    return gains


def mover(state: State) -> int | None:
    """Return whose turn it is."""
    return None if state.why else state.turn


def key(state: State) -> tuple[Any, ...]:
    """Return the pieces, whose turn it is, and what of the past still counts."""
    return state.board, state.sets[0], state.turn, state.passed, state.spare, state.lost


def urgent(state: State) -> bool:
    """Whether the royal to move is in check."""
    return in_check(state) != NONE


CELLS = SIDE * SIDE
PLANE = {kind: CELLS * number for number, kind in enumerate(KINDS)}
FLIPPED = tuple(c // SIDE * SIDE + SIDE - 1 - c % SIDE for c in range(CELLS))


def on(state: State) -> list[int]:
    """Return kind and square of each piece: of the side to move, then the enemy's, the mover's first rank below."""
    board, found, begin = state.board, [], 0
    for squares in (state.sets[state.turn], state.sets[1 - state.turn]):
        for cell in bits(squares):
            found.append(begin + PLANE[board[cell]] + (FLIPPED[cell] if state.turn else cell))
        begin = CELLS * len(PLANE)
    return found


def alike() -> list[list[int]]:
    """Return the numbers of `on` as they are, and with left and right exchanged."""
    mirrored = [(SIDE - 1 - cell // SIDE) * SIDE + cell % SIDE for cell in range(CELLS)]
    return [on_all_planes(places, 2 * CELLS * len(PLANE)) for places in (range(CELLS), mirrored)]


TOLD = {
    **{f"{OF_A_KIND}{KINDS[kind].lower()}": KINDS[kind] for kind in PIECES},
    "spare": say("ghosts in reserve"),
    "march": say("ranks gone by Warriors and Barbarians"),
    "march_far": say("ranks gone beyond the middle"),
    "centre": say("steps from the edge, of the pieces"),
    "forward": say("ranks gone forward, of the pieces"),
    "hunt": say("pieces near the enemy's royal"),
    "shield": say("pieces beside the own royal"),
}


def speaks_for(state: State, ply: Ply) -> str:
    """Return where ``ply`` brings its piece, the weightiest first; "" of one that goes back, and of the royal's."""
    kind, begin, end, seat = state.board[ply.begin], ply.begin, ply.end, state.turn
    marches, (near, hunting), royals = kind in MARCHING, AROUND, state.royals

    def comes(into: int) -> bool:
        return bool(into >> end & 1 and not into >> begin & 1)

    if kind in "KE":
        return ""
    if marches and BEYOND[seat][end] > BEYOND[seat][begin]:
        return say("it brings a Warrior or Barbarian beyond the middle")
    if comes(hunting[royals[1 - seat]]):
        return say("it brings a piece near the enemy's royal")
    if comes(near[royals[seat]]):
        return say("it brings a piece beside its own royal")
    if marches:  # they never go back
        return say("it brings a Warrior or Barbarian forward") if RANK[seat][end] > RANK[seat][begin] else ""
    if INWARD[end] > INWARD[begin]:
        return say("it brings a piece nearer to the middle")
    return say("it brings a piece forward") if UPWARD[seat][end] > UPWARD[seat][begin] else ""


TACTICS = Tactics(loud, key, urgent=urgent, mover=mover, swing=150, rests=True, takings=takings)
ADVICE: Advice[State, Ply] = Advice(
    NAMES,
    count,
    told=TOLD,
    stakes={f"{OF_A_KIND}{KINDS[kind].lower()}": WORTH[kind] for kind in PIECES},
    tactics=TACTICS,
    inputs=Inputs(2 * CELLS * len(PLANE), on, alike=alike),
    difference=difference,
    why=speaks_for,
)
